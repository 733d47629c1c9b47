import { parseArgs } from 'node:util';
import { parseDate } from '#kernel/calendar.ts';
import { UsageError } from '#platform/process.ts';
import { makeChinaPlaces } from '../data/china-places.ts';
import { makeHolidays } from '../data/holidays.ts';
import { makeNumberZones } from '../data/number-zones.ts';
import { print } from './run-tool.ts';
