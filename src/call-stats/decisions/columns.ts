import { OUTCOMES } from '#attempts/decisions/evidence.ts';

/** Columns of calls by which figures are filtered and grouped; a value is a text, the empty one stands for "none". */
export const TEXT_COLUMNS = [
  'quarter',
  'outcome',
  'campaign',
  'line',
  'number',
  'cell',
  'agent',
  'script',
  'script_version',
  'classification',
  'intent',
  'attempt_number',
  'handled_by',
  'currency',
] as const;

/** Columns of calls that are counted and added up; a call without a value adds nothing. */
export const NUMBER_COLUMNS = [
  'opt_out',
  'transfer_asked',
  'transfer_active',
  'takeover_requested',
  'takeover_active',
  'takeover_cancelled',
  'takeover_failed',
  'takeover_expired',
  'hint',
  'text_spoken',
  'hand_back',
  'listen',
  'barge',
  'answer_ms',
  'first_audio_ms',
  'person_ms',
  'ring_ms',
  'talk_s',
  'wrap_up_s',
  'cost',
] as const;

/** A cost is kept in ten-thousandths of its currency, to which each call is rounded. */
export const COST_PARTS = 10_000;

export type TextColumn = (typeof TEXT_COLUMNS)[number];
export type NumberColumn = (typeof NUMBER_COLUMNS)[number];
/** Values of one result field of the scripts; an hour in which no call has a value lacks the column. */
export type FieldColumn = `field:${string}`;
/** Columns by which figures are filtered and grouped. */
export type GroupColumn = TextColumn | FieldColumn;
export type ColumnName = GroupColumn | NumberColumn;

export function fieldColumn(key: string): FieldColumn {
  return `field:${key}`;
}

/** The key of the field. */
export function keyOfField(name: FieldColumn): string {
  return name.slice('field:'.length);
}

export function isFieldColumn(name: ColumnName): name is FieldColumn {
  return name.startsWith('field:');
}

export function isNumberColumn(name: ColumnName): name is NumberColumn {
  return NUMBER_COLUMNS.some(number => number === name);
}

/** Values of the column `outcome`: how a dial ended, that it has not ended yet, or that the claim was withdrawn and nobody was dialled. */
export const FATES = [...OUTCOMES, 'in_progress', 'withdrawn'] as const;
export type Fate = (typeof FATES)[number];

export const HANDLERS = ['none', 'bot', 'person'] as const;
