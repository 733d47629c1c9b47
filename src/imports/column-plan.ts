import type { ContactText } from '#contacts/contact.ts';

/** Column indexes; -1 means no such column. */
export interface ColumnPlan extends Record<ContactText, number> {
  phoneNumber: number;
  callbackAt: number;
  callbackNote: number;
  /** Columns of further numbers of a person, in order. */
  otherNumbers: readonly number[];
  metadata: readonly { name: string; index: number }[];
  /** Column of JSON objects whose members become metadata, as in the product's own export. */
  variables: number;
}
