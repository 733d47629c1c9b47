import type { ReactNode } from 'react';
import type { Field } from './fields.tsx';

/** What a command answers: the row as it is now, or the fragment `Refused`. */
export type Answer = { __typename?: string } | null | undefined;

export interface NounRow {
  id: string;
  databaseId: string;
}

/**
 * Something that people manage: declared once, and its list, drawer and form follow.
 *
 * Shape: `text` is a section of the texts with `make`, `one`, `none`, `noneFound`, `count`, `made`, `saved`, `deleted`, `deleteAsks`, `deleteLoses`,
 *        `field.<name>` and `about.<name>`
 */
export interface Noun<Row extends NounRow, Values extends object> {
  text: string;
  /** The permission that changes take. */
  needs: string;
  /** `targetType` of its rows in the audit log. */
  auditedAs: string;
  nameOf: (row: Row) => string;
  /** Of a row that is to be made, when it is null. */
  fields: (row: Row | null) => readonly Field<Values>[];
  valuesOf: (row: Row | null) => Values;
  create: (values: Values) => Promise<Answer>;
  /** Sends what was changed, and nothing else: what others change meanwhile stays. */
  update: (row: Row, changes: Partial<Values>) => Promise<Answer>;
  /** The row as it stands at the server now; null when it is gone. */
  reload: (row: Row) => Promise<Row | null>;
  remove: (row: Row) => Promise<Answer>;
  /** Rows have come or gone: the list is to be read again. */
  listChanged: () => unknown;
  /** Enabling and disabling, where rows know it; `loses`: key of what disabling takes away, when it is to be asked for. */
  power?: { isEnabled: (row: Row) => boolean; set: (row: Row, isEnabled: boolean) => Promise<Answer>; loses?: string };
  /** Of the drawer: above the form, and below it. */
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

/** What stands empty in the form is null to the server. */
export function emptyAsNull<Values extends object>(values: Values, names: readonly (keyof Values)[]): Values {
  return { ...values, ...Object.fromEntries(names.filter(name => values[name] === '').map(name => [name, null])) };
}
