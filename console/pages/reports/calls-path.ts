import type { Dimension, Question } from './question.ts';

/** Outcomes that the list of calls can be filtered by. */
const LISTED = ['no_answer', 'busy', 'rejected', 'power_off', 'out_of_service', 'invalid_number', 'network_busy', 'voicemail'];

/** Parameter of the list of calls for a value; null: the list has no such filter. */
const PARAMETERS: Partial<Record<Dimension, (value: string) => Record<string, string> | null>> = {
  CAMPAIGN: campaign => ({ campaign }),
  LINE: line => ({ line }),
  CLASSIFICATION: value => ({ class: value }),
  OUTCOME: value => (LISTED.includes(value) ? { outcome: value.toUpperCase() } : null),
  DAY: day => ({ from: day, to: day }),
};

interface Value {
  value: string;
}

/** Address of the list of the calls behind a row; null where the list cannot show just these. */
export function callsPath({ report, groupBy, chosen }: Question, keys: readonly Value[], query: URLSearchParams): string | null {
  if (report !== 'calls' || groupBy.length === 0) return null;
  const filters = Object.entries(chosen).filter(([, values]) => values.length > 0);
  if (filters.some(([, values]) => values.length > 1)) return null;
  const conditions = [
    ...filters.map(([dimension, values]) => parameterOf(dimension, values[0] ?? '')),
    ...groupBy.map((dimension, place) => parameterOf(dimension, keys[place]?.value ?? '')),
  ];
  const range = ['span', 'from', 'to'].flatMap(name => (query.has(name) ? [[name, query.get(name) ?? '']] : []));
  const found = conditions.filter(condition => condition !== null);
  return found.length < conditions.length ? null : `/calls?${new URLSearchParams(Object.assign({}, Object.fromEntries(range), ...found))}`;
}

function parameterOf(dimension: string, value: string): Record<string, string> | null {
  const parameter = Object.entries(PARAMETERS).find(([name]) => name === dimension)?.[1];
  return value === '' ? null : (parameter?.(value) ?? null);
}
