import { CONTACT_TEXT_NAMES, type ContactText, eachText } from '#contacts/contact.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { CALLBACK_COLUMNS } from './callback-columns.ts';
import type { ColumnPlan } from './column-plan.ts';
import { namedColumns, otherNumberColumns } from './column-names.ts';
import { exportedColumns, variablesColumn } from './exported-columns.ts';
import { type FileTable, requireUnique } from './file-table.ts';
import { holdsNumbers, likelyColumns } from './likely-numbers.ts';
import type { Region } from '#phone-numbers/dial-key.ts';

/**
 * Assigns columns to fields by column name: as in the header, else `column_<n>`.
 *
 * Shape:  `metadata` lists columns that keep their names, or maps a metadata name to its column; absent means none
 * Source: D6.3
 */
export interface MappingInput extends Partial<Record<ContactText, string | undefined>> {
  phoneNumber: string;
  callbackAt?: string | undefined;
  callbackNote?: string | undefined;
  /** Columns of further numbers, in order. */
  numbers?: readonly string[] | undefined;
  /** Column of JSON objects whose members become metadata. */
  variables?: string | undefined;
  metadata?: readonly string[] | Readonly<Record<string, string>> | undefined;
}

const MAX_LISTED_COLUMNS = 10;
const TOLD_SAMPLES = 2;
const TOLD_LENGTH = 20;

/**
 * Finds the columns of an import.
 *
 * Errors: INVALID_ARGUMENT, listing the columns, when no column or several could hold the numbers, or when a mapped column does not exist
 * Source: D6.3, OCS 4.7 rule 4
 */
export function planColumns(table: FileTable, mapping: MappingInput | null, region: Region): ColumnPlan {
  if (mapping !== null) return apply(table, mapping);
  const plan = recogniseColumns(table, region);
  if (plan.phoneNumber >= 0) return plan;
  throw invalidArgument('file', table.headerRow === 0 ? 'unsureNumberColumn' : 'noNumberColumn', { columns: columnsTold(table) });
}

/** Describes the columns with their first cells, so that the user can choose the column of numbers. */
function columnsTold({ names, records }: FileTable): string {
  const listed = names.slice(0, MAX_LISTED_COLUMNS).map((name, index) => {
    const samples = records.map(({ cells }) => cells[index] ?? '').filter(cell => cell !== '');
    const cut = samples.slice(0, TOLD_SAMPLES).map(cell => cell.slice(0, TOLD_LENGTH).toWellFormed());
    return `第 ${index + 1} 列「${name.slice(0, TOLD_LENGTH).toWellFormed()}」${cut.length > 0 ? `（${cut.join('、')}）` : ''}`;
  });
  return listed.join('，') + (names.length > MAX_LISTED_COLUMNS ? ` 等 ${names.length} 列` : '');
}

/**
 * Recognises columns by their names, and the column of numbers in a file without a header by its content; unknown columns become metadata,
 * missing ones -1.
 *
 * Why: without names, a single column of numbers is unambiguous; between several, only the user can choose
 */
export function recogniseColumns(table: FileTable, region: Region): ColumnPlan {
  const exported = exportedColumns(table);
  if (exported) return exported;
  const named = namedColumns(table.header);
  const phoneNumber = named.phoneNumber < 0 && table.headerRow === 0 ? onlyLikely(table, region) : named.phoneNumber;
  const variables = variablesColumn(table);
  const own = [phoneNumber, ...CONTACT_TEXT_NAMES.map(name => named[name]), ...CALLBACK_COLUMNS.map(name => named[name]), variables];
  const otherNumbers = otherNumberColumns(table.header).filter(index => !own.includes(index) && holdsNumbers(table.records, index, region));
  const used = [...own, ...otherNumbers];
  const metadata = table.names.map((name, index) => ({ name, index })).filter(({ index }) => !used.includes(index));
  return { ...named, phoneNumber, otherNumbers, metadata, variables };
}

/** Finds the only column that holds numbers, by its content; -1 when there is none or more than one. */
export function onlyLikely({ records, names }: FileTable, region: Region): number {
  const [only = -1, ...others] = likelyColumns(records, names.length, region);
  return others.length === 0 ? only : -1;
}

function apply({ names }: FileTable, mapping: MappingInput): ColumnPlan {
  const column = (field: string, name: string) => {
    const index = names.indexOf(name.trim());
    if (index < 0) throw invalidArgument(`mapping.${field}`, 'columnOutsideHeader', { name });
    return index;
  };
  const optional = (field: string, name: string | undefined) => (name === undefined ? -1 : column(field, name));
  const metadata = metadataEntries(mapping.metadata).map(([name, from]) => ({ name, index: column(`metadata.${name}`, from) }));
  requireUnique(metadata.map(({ name }) => name));
  return {
    phoneNumber: column('phoneNumber', mapping.phoneNumber),
    otherNumbers: (mapping.numbers ?? []).map(name => column('numbers', name)),
    ...eachText(name => optional(name, mapping[name])),
    callbackAt: optional('callbackAt', mapping.callbackAt),
    callbackNote: optional('callbackNote', mapping.callbackNote),
    metadata,
    variables: optional('variables', mapping.variables),
  };
}

function metadataEntries(metadata: MappingInput['metadata']): [string, string][] {
  if (metadata === undefined) return [];
  return isList(metadata) ? metadata.map(name => [name, name]) : Object.entries(metadata);
}

function isList(metadata: readonly string[] | Readonly<Record<string, string>>): metadata is readonly string[] {
  return Array.isArray(metadata);
}
