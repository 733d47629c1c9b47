import { z } from 'zod';
import { askCallStats } from '#call-stats/ask-call-stats.ts';
import { type CallStats, callStatsAsked } from '#call-stats/call-stat.ts';
import type { Dimension } from '#call-stats/decisions/dimensions.ts';
import { type MeasureName, measureOf } from '#call-stats/decisions/measures.ts';
import type { CountRows } from '#exports/export-job.ts';
import type { JsonValue } from '#kernel/json.ts';
import type { Language } from '#kernel/problem.ts';
import type { TableColumn, TableRow } from '#platform/files/tables/table-format.ts';
import { dimensionTitle, groupWords } from './decisions/group-words.ts';
import type { Unit } from './decisions/report-text.ts';

type StatsApp = Parameters<typeof askCallStats>[0];

/** The filter of an export of figures, as its job keeps it: UTC ms, and no bound of rows but that of the statistics. */
const keptStats = callStatsAsked.extend({ from: z.number(), to: z.number(), limit: z.int() });

/**
 * Counts the rows of an export of figures: groups of calls by their measures.
 *
 * Why: people read a group by its name and rounded figures; programs get the value of a group, its name beside it, and figures as they are
 */
export function countStats(app: StatsApp): CountRows {
  return async (owner, { filter, language }, isForPeople) => {
    const asked = keptStats.parse(filter);
    const { rows, timeZone } = await askCallStats(app, owner, asked);
    const style: Style = { language, timeZone, isForPeople };
    const groups = asked.groupBy.map((dimension, place) => groupColumns({ dimension, place, name: nameOf(asked, place) }, style));
    const figures = asked.measures.map((name, place) => figureColumn(name, place, style));
    const columns = [...groups.flat(), ...figures];
    return { columns, rows: rows.map((row): TableRow => columns.map(column => column.read(row))) };
  };
}

interface Style {
  language: Language;
  timeZone: string;
  isForPeople: boolean;
}

type StatsRow = CallStats['rows'][number];

interface StatsColumn extends TableColumn {
  read: (row: StatsRow) => JsonValue;
}

/** Groups that are called by a name beside their value. */
const NAMED: readonly Dimension[] = ['campaign', 'line', 'agent', 'agent_group', 'script', 'script_version', 'business'];
const NO_KEY = { value: '', label: null };

interface Grouping {
  dimension: Dimension;
  place: number;
  /** Name of its column. */
  name: string;
}

function groupColumns({ dimension, place, name }: Grouping, style: Style): StatsColumn[] {
  const { language, isForPeople } = style;
  const title = dimension === 'result_field' ? name.slice(RESULT.length) : dimensionTitle(dimension, language);
  const keyOf = ({ keys }: StatsRow) => keys[place] ?? NO_KEY;
  const column = { key: name, title, type: 'text' } as const;
  if (isForPeople) return [{ ...column, read: row => groupWords(dimension, keyOf(row), style) }];
  const value: StatsColumn = { ...column, read: row => keyOf(row).value };
  return NAMED.includes(dimension) ? [value, { ...column, key: `${name}_name`, read: row => keyOf(row).label }] : [value];
}

const RESULT = 'result.';

/** A result field is called by its key, as in exports of calls. */
function nameOf({ groupBy, groupFields }: z.output<typeof keptStats>, place: number): string {
  const dimension = groupBy[place] ?? 'day';
  if (dimension !== 'result_field') return dimension;
  const before = groupBy.slice(0, place).filter(each => each === 'result_field').length;
  return RESULT + (groupFields[before] ?? '');
}

/** Digits that people read. */
const DIGITS: Readonly<Record<Unit, number>> = { calls: 0, times: 0, share: 4, seconds: 1, money: 4 };

function figureColumn(name: MeasureName, place: number, { language, isForPeople }: Style): StatsColumn {
  const { title, unit } = measureOf(name);
  const rounded = (value: number | null) => (value === null || !isForPeople ? value : Number(value.toFixed(DIGITS[unit])));
  const type = unit === 'calls' || unit === 'times' ? 'integer' : 'number';
  return { key: name, title: title[language], type, read: ({ values }) => rounded(values[place] ?? null) };
}
