import { compareAllZones } from '#test/support/all-zones.ts';

compareAllZones(1, 0);
