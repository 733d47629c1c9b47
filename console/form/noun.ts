import type { ReactNode } from 'react';
import type { Refusal } from '../api/refusal.ts';
import type { Field } from './fields.tsx';

/** Response of a command: the row as it is now, or the fragment `Refused`. */
export type Answer = { __typename?: string } | null | undefined;

export interface NounRow {
  id: string;
  databaseId: string;
}

/**
 * Declaration of a managed noun, from which its list, drawer and form derive.
 *
 * Shape: `text` is a section of the texts with `make`, `one`, `none`, `noneFound`, `count`, `made`, `saved`, `deleted`, `deleteAsks`,
 *        `deleteLoses`, `field.<name>` and `about.<name>`
 */
export interface Noun<Row extends NounRow, Values extends object> {
  text: string;
  /** Permission that changes require. */
  needs: string;
  /** `targetType` of its rows in the audit log. */
  auditedAs: string;
  nameOf: (row: Row) => string;
  /** Fields of the form; `row` is null for a new row. */
  fields: (row: Row | null) => readonly Field<Values>[];
  valuesOf: (row: Row | null) => Values;
  create: (values: Values) => Promise<Answer>;
  /** Sends only the changed fields, so that changes by other users stay. */
  update: (row: Row, changes: Partial<Values>) => Promise<Answer>;
  /** Current row on the server; null when it was deleted. */
  reload: (row: Row) => Promise<Row | null>;
  /** Absent: rows are disabled, never deleted. */
  remove?: (row: Row) => Promise<Answer>;
  /** Why nobody may change this row; null when it may be changed. */
  locked?: (row: Row) => string | null;
  /** Called when rows were added or deleted, to reload the list. */
  listChanged: () => unknown;
  /** How rows are enabled and disabled; `loses`: text key of what disabling takes away, when it needs a confirmation. */
  power?: { isEnabled: (row: Row) => boolean; set: (row: Row, isEnabled: boolean) => Promise<Answer>; warning?: string };
  /** Content of the drawer: above the form, and below it. */
  facts?: (row: Row) => ReactNode;
  more?: (row: Row) => ReactNode;
}

/** Names of the members whose values differ. */
export function changedNames<Values extends object>(before: Values, after: Values): (keyof Values & string)[] {
  return (Object.keys(after) as (keyof Values & string)[]).filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

export function pick<Values extends object>(values: Values, names: readonly (keyof Values)[]): Partial<Values> {
  return Object.fromEntries(names.map(name => [name, values[name]])) as unknown as Partial<Values>;
}

type GivenAnswer = Answer | (NonNullable<Answer> & Refusal);

/** The answer of a command whose input has a part of its own, `agent.name`: the form has the fields of that part beside the others. */
export function withoutPrefix(prefix: string, answer: GivenAnswer): GivenAnswer {
  if (!answer || !('message' in answer)) return answer;
  const bare = (field: string) => (field.startsWith(prefix) ? field.slice(prefix.length) : field);
  const { field, faults, message } = answer;
  return {
    ...answer,
    message: message.replace(prefix, ''),
    ...(field && { field: bare(field) }),
    ...(faults && { faults: faults.map(fault => ({ ...fault, field: bare(fault.field) })) }),
  };
}

/** Sends an empty field as null. */
export function emptyAsNull<Values extends object>(values: Values, names: readonly (keyof Values)[]): Values {
  return { ...values, ...Object.fromEntries(names.filter(name => values[name] === '').map(name => [name, null])) };
}
