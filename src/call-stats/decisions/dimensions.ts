import { isOneOf } from '#kernel/typed.ts';
import type { TextColumn } from './columns.ts';
import { TIME_DIMENSIONS, type TimeDimension } from './time-keys.ts';

/** Groupings by a fact of a call that a column holds. */
const COLUMN_DIMENSIONS = [
  'campaign',
  'line',
  'number',
  'cell',
  'agent',
  'script',
  'script_version',
  'outcome',
  'classification',
  'intent',
  'attempt_number',
  'handled_by',
  'currency',
] as const satisfies readonly TextColumn[];

/** Groupings by what a campaign or an agent belongs to today. */
const OWNER_COLUMNS = { business: 'campaign', agent_group: 'agent' } as const satisfies Record<string, TextColumn>;
export type OwnerDimension = keyof typeof OWNER_COLUMNS;

/** `result_field` stands for a field whose key the question names. */
export const DIMENSIONS = [...TIME_DIMENSIONS, ...COLUMN_DIMENSIONS, 'business', 'agent_group', 'result_field'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export type FactDimension = Exclude<Dimension, TimeDimension | 'result_field'>;

export function isTimeDimension(dimension: Dimension): dimension is TimeDimension {
  return isOneOf(TIME_DIMENSIONS, dimension);
}

export function isOwnerDimension(dimension: Dimension): dimension is OwnerDimension {
  return Object.hasOwn(OWNER_COLUMNS, dimension);
}

/** The column that a dimension reads. */
export function columnOf(dimension: FactDimension): TextColumn {
  return isOwnerDimension(dimension) ? OWNER_COLUMNS[dimension] : dimension;
}

/** Members of a filter, with the dimension whose values they list. */
export const FILTERS = {
  campaignIds: 'campaign',
  businessCodes: 'business',
  lineIds: 'line',
  numbers: 'number',
  cellIds: 'cell',
  agentIds: 'agent',
  agentGroupIds: 'agent_group',
  scriptIds: 'script',
  scriptVersions: 'script_version',
  outcomes: 'outcome',
  classifications: 'classification',
  intents: 'intent',
  attemptNumbers: 'attempt_number',
  handledBy: 'handled_by',
  currencies: 'currency',
} as const satisfies Record<string, FactDimension>;
