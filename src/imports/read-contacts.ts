import { wordsOf } from '#kernel/problem.ts';
import { isStorable } from '#platform/http/parse.ts';
import { type Clock, sleep } from '#kernel/clock.ts';
import type { JsonObject, JsonValue } from '#kernel/json.ts';
import { type Region, spelledAt } from '#phone-numbers/dial-key.ts';
import { restored } from '#platform/files/spreadsheet-text.ts';
import type { ImportError, ImportRow } from '#contacts/import-result.ts';
import {
  CONTACT_TEXT_NAMES,
  CONTACT_TEXTS,
  type ContactText,
  eachText,
  MAX_METADATA_LENGTH,
  type NewContact,
  parseContact,
  textProblem,
} from '#contacts/contact.ts';
import { type PromiseBounds, type ReadPromise, readPromise } from './callback-columns.ts';
import type { ColumnPlan } from './column-plan.ts';
import { VALIDATE_CHUNK_ROWS } from '#platform/files/read-table.ts';
import type { NumberOptions } from '#phone-numbers/carriers.ts';
import type { FileRecord, FileTable } from './file-table.ts';
import { parseJsonObject } from './json-cell.ts';
import { type RowNumber, rowNumbers, usableNumbers } from './row-numbers.ts';

export interface ReadContacts {
  valid: ImportRow[];
  failed: ImportError[];
}

/**
 * Converts the rows of a file to contacts, each row validated independently.
 *
 * Why:    yields to other work between chunks, so that an upload does not delay live calls
 * Shape:  `home` is the installation's region, in which stored numbers are read
 * Source: OCS 4.7 rule 1, D6.1, D6.3, D6.4
 */
export async function readContacts(
  clock: Clock,
  table: FileTable,
  plan: ColumnPlan,
  options: NumberOptions & PromiseBounds & { home: Region },
): Promise<ReadContacts> {
  const result: ReadContacts = { valid: [], failed: [] };
  for (const [index, record] of table.records.entries()) {
    if (index > 0 && index % VALIDATE_CHUNK_ROWS === 0) await sleep(clock, 0);
    readRow(result, { record, table, plan, options });
  }
  return result;
}

interface RowToRead {
  record: FileRecord;
  table: FileTable;
  plan: ColumnPlan;
  options: NumberOptions & PromiseBounds & { home: Region };
}

function readRow(result: ReadContacts, { record, table, plan, options }: RowToRead): void {
  const { rowNumber, cells } = record;
  const texts = textsOf(record, plan);
  const given = rowNumbers(record, plan, table, options.region);
  const numbers = usableNumbers(given, plan, options);
  const read = readPromise(promiseCells(record, plan), options);
  const fault =
    faultOf(numbers) ??
    shapeFault(record, table.header.length) ??
    variablesFault(record, plan) ??
    textFault(texts, plan) ??
    promiseFault(read, plan);
  const source = { cells, column: table.names[fault?.column ?? plan.phoneNumber] ?? null };
  if (fault === null && isUsable(numbers))
    result.valid.push({ rowNumber, contact: contactOf(numbers, texts, options), source, ...promiseOf(read) });
  else if (fault !== null) {
    const phoneNumber = masked(given[0]?.phoneNumber ?? '');
    result.failed.push({ rowNumber, phoneNumber, reason: fault.reason, source });
  }
}

type Numbers = ReturnType<typeof usableNumbers>;

function isUsable(numbers: Numbers): numbers is RowNumber[] {
  return Array.isArray(numbers);
}

function faultOf(numbers: Numbers): Fault | null {
  return isUsable(numbers) ? null : numbers;
}

/** The first number is dialled first. */
function contactOf(numbers: readonly RowNumber[], texts: Texts, { region, home }: RowToRead['options']): NewContact {
  const spelled = numbers.map(({ phoneNumber, label, extension }) => ({
    phoneNumber: spelledAt(home, phoneNumber, region),
    label,
    extension,
  }));
  return parseContact({ ...texts, phoneNumber: spelled[0]?.phoneNumber ?? '', numbers: spelled }, region);
}

interface Texts extends Record<ContactText, string> {
  metadata: JsonObject;
}

/** Restores texts that an export had escaped against evaluation by spreadsheets. */
function textsOf(record: FileRecord, plan: ColumnPlan): Texts {
  const at = (index: number) => restored(cellAt(record, index));
  const filled = plan.metadata.map(({ name, index }) => [name, at(index)] as const).filter(([, value]) => value !== '');
  const variables = parseJsonObject(cellAt(record, plan.variables)) ?? {};
  return { ...eachText(name => at(plan[name])), metadata: { ...variables, ...Object.fromEntries(filled) } };
}

/** Why a row yields no contact. */
interface Fault {
  /** Chinese text. */
  reason: string;
  /** Index of the faulty column; -1 when the whole row is at fault. */
  column: number;
}

function shapeFault({ cells }: FileRecord, columns: number): Fault | null {
  if (cells.slice(columns).every(cell => cell === '')) return null;
  return { reason: `该行有 ${cells.findLastIndex(cell => cell !== '') + 1} 列，多于表头的 ${columns} 列`, column: -1 };
}

function promiseCells(record: FileRecord, plan: ColumnPlan) {
  return { callbackAt: cellAt(record, plan.callbackAt), callbackNote: restored(cellAt(record, plan.callbackNote)) };
}

function promiseFault(read: ReadPromise, plan: ColumnPlan): Fault | null {
  return 'reason' in read ? { reason: read.reason, column: plan[read.column] } : null;
}

function promiseOf(read: ReadPromise): Pick<ImportRow, 'promise'> {
  return 'promise' in read && read.promise !== null ? { promise: read.promise } : {};
}

function variablesFault(record: FileRecord, { variables }: ColumnPlan): Fault | null {
  const cell = cellAt(record, variables);
  return cell === '' || parseJsonObject(cell) !== null ? null : { reason: '变量不是合法的 JSON 对象', column: variables };
}

/** The bounds are those of other sources of contacts. */
function textFault(contact: Texts, plan: ColumnPlan): Fault | null {
  const long = CONTACT_TEXT_NAMES.find(name => contact[name].length > CONTACT_TEXTS[name].maxLength);
  for (const name of CONTACT_TEXT_NAMES) {
    const found = textProblem(name, contact[name]);
    if (found) return { reason: `${CONTACT_TEXTS[name].title[0]}${wordsOf(found, 'zh')}`, column: plan[name] };
  }
  if (long) return { reason: `${CONTACT_TEXTS[long].title[0]}不能超过 ${CONTACT_TEXTS[long].maxLength} 个字符`, column: plan[long] };
  if (JSON.stringify(contact.metadata).length > MAX_METADATA_LENGTH)
    return { reason: `其他列的内容合计不能超过 ${MAX_METADATA_LENGTH} 个字符`, column: -1 };
  const texts: [text: JsonValue, column: number][] = [
    ...CONTACT_TEXT_NAMES.map((name): [JsonValue, number] => [contact[name], plan[name]]),
    ...plan.metadata.map(({ name, index }): [JsonValue, number] => [{ [name]: contact.metadata[name] ?? '' }, index]),
    [contact.metadata, plan.variables],
  ];
  const unstorable = texts.find(([text]) => !isStorable(text));
  return unstorable ? { reason: '含有不合法的字符', column: unstorable[1] } : null;
}

/** Most characters reported of a faulty cell, which may hold anything of any length. */
const MAX_TOLD_LENGTH = 64;

function masked(phoneNumber: string): string {
  return phoneNumber.slice(0, MAX_TOLD_LENGTH).toWellFormed();
}

function cellAt(record: FileRecord, index: number): string {
  return record.cells[index] ?? '';
}
