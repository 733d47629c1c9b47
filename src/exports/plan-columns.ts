import type { RawBuilder } from 'kysely';
import { invalidArgument } from '#kernel/errors.ts';
import type { JsonValue } from '#kernel/json.ts';
import { maskedNumber } from '#phone-numbers/phone-number.ts';
import type { CellType, TableColumn, TableRow } from '#platform/files/tables/table-format.ts';
import { resultTitle, variableTitle } from '#contacts/decisions/column-titles.ts';
import { type ExportColumn, type ExportInput, type ExportLanguage, RESULT, VARIABLE, type Words } from './export.ts';
import type { ResultField } from '#scripts/decisions/result-field.ts';
import type { ExportSource, SourceColumn } from './sources/export-source.ts';

/** Columns that the exported data add to those of the source. */
export interface KnownColumns {
  /** Names of variables, in their order. */
  variables: readonly string[];
  /** Result fields that scripts declare. */
  fields: readonly ResultField[];
  /** Keys under which some script keeps a phone number, whatever the newest one says. */
  numberKeys: readonly string[];
}

/** A column of a file: where its value is among what a statement read, and what becomes of it. */
interface PlannedColumn extends TableColumn {
  read: (cells: TableRow) => JsonValue;
}

/** The columns of a file, and the SQL of the values that they need. */
export interface ColumnPlan {
  values: readonly RawBuilder<unknown>[];
  columns: readonly TableColumn[];
  rowOf(cells: TableRow): TableRow;
}

/** Every column that the source can give with what is known. */
export function everyColumn(source: ExportSource, known: KnownColumns): SourceColumn[] {
  const { variables, results } = source;
  return [
    ...source.columns,
    ...(results === undefined ? [] : known.fields.map(field => memberColumn(RESULT, results, ofField(field, known)))),
    ...(variables === undefined ? [] : known.variables.map(name => memberColumn(VARIABLE, variables, ofVariable(name)))),
  ];
}

export function presentColumns(columns: readonly SourceColumn[], language: ExportLanguage): ExportColumn[] {
  return columns.map(({ key, title, type, isRare = false }) => ({ key, title: inLanguage(title, language), type, isDefault: !isRare }));
}

/** A column of one member of the objects that `value` gives. */
interface MemberColumn extends SourceColumn {
  member: string;
}

interface Member {
  name: string;
  title: Words;
  type: CellType;
  isNumber: boolean;
  finish?: Step;
}

function memberColumn(prefix: string, value: RawBuilder<unknown>, { name, ...rest }: Member): MemberColumn {
  return { key: prefix + name, value, member: name, ...rest };
}

const FIELD_CELLS: Partial<Record<string, CellType>> = { number: 'number', boolean: 'flag', datetime: 'instant' };

function ofField(field: ResultField, { numberKeys }: Pick<KnownColumns, 'numberKeys'>): Member {
  const { key, label, type } = field;
  const cell = FIELD_CELLS[type] ?? 'text';
  const title = resultTitle(label === '' ? key : label);
  return { name: key, title, type: cell, isNumber: numberKeys.includes(key), ...(cell === 'instant' && { finish: instantOf }) };
}

/** A result keeps an instant as text in UTC. */
function instantOf(value: JsonValue): JsonValue {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : at;
}

function ofVariable(name: string): Member {
  return { name, title: variableTitle(name), type: 'text', isNumber: false };
}

/**
 * Finds the columns of an export, each by its key; without keys the usual ones.
 *
 * Why:    a key of a variable or a field that no row has yet is a column all the same: a file that is made each day keeps its columns
 * Errors: INVALID_ARGUMENT naming the key that is none
 */
export function chooseColumns(source: ExportSource, keys: readonly string[] | null, known: KnownColumns): SourceColumn[] {
  const every = everyColumn(source, known);
  if (keys === null) return every.filter(({ isRare = false }) => !isRare);
  const byKey = new Map(every.map(column => [column.key, column]));
  return keys.map((key, place) => byKey.get(key) ?? memberNamed(source, key, known) ?? refuseKey(place));
}

function memberNamed({ variables, results }: ExportSource, key: string, known: KnownColumns): SourceColumn | null {
  if (variables !== undefined && key.startsWith(VARIABLE)) return memberColumn(VARIABLE, variables, ofVariable(key.slice(VARIABLE.length)));
  if (results === undefined || !key.startsWith(RESULT)) return null;
  const name = key.slice(RESULT.length);
  return memberColumn(RESULT, results, ofField({ key: name, label: name, type: 'text' }, known));
}

function refuseKey(place: number): never {
  throw invalidArgument(`columns[${place}]`, 'exportColumn');
}

type PlanInput = Pick<ExportInput, 'language' | 'isMasked'> & Pick<KnownColumns, 'numberKeys'> & { isForPeople: boolean };

/** Plans how the chosen columns are read, for people or for programs. */
export function planColumns(chosen: readonly SourceColumn[], input: PlanInput): ColumnPlan {
  const { language } = input;
  const values = [...new Set(chosen.map(({ value }) => value))];
  const places = new Map(values.map((value, place) => [value, place]));
  const columns = chosen.map(
    (column): PlannedColumn => ({
      key: column.key,
      title: inLanguage(column.title, language),
      type: column.type,
      read: readerOf(places.get(column.value) ?? 0, stepsOf(column, input)),
    }),
  );
  return { values, columns, rowOf: cells => columns.map(({ read }) => read(cells)) };
}

type Step = (value: JsonValue) => JsonValue;

/** What becomes of a value, in this order: its member, masked as a whole, finished, in words, masked as a number. */
function stepsOf(column: SourceColumn, { language, isMasked, isForPeople, numberKeys }: PlanInput): Step[] {
  const { finish, mask, isNumber = false } = column;
  const keys = new Set(numberKeys);
  return [
    'member' in column && typeof column.member === 'string' ? memberOf(column.member) : undefined,
    isMasked && mask ? (value: JsonValue) => mask(value, keys) : undefined,
    finish,
    isForPeople ? inWords(column, language) : undefined,
    isMasked && isNumber ? masked : undefined,
  ].filter(step => step !== undefined);
}

function readerOf(place: number, steps: readonly Step[]): (cells: TableRow) => JsonValue {
  const [only] = steps;
  if (only === undefined) return cells => cells[place] ?? null;
  if (steps.length === 1) return cells => only(cells[place] ?? null);
  return cells => steps.reduce<JsonValue>((value, step) => step(value), cells[place] ?? null);
}

function memberOf(name: string): Step {
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return null;
    return value[name] ?? null;
  };
}

const FLAG_WORDS: readonly [yes: Words, no: Words] = [
  ['是', 'Yes'],
  ['否', 'No'],
];

function inWords({ words, type }: SourceColumn, language: ExportLanguage): Step {
  if (type === 'flag') return value => (typeof value === 'boolean' ? inLanguage(FLAG_WORDS[value ? 0 : 1], language) : value);
  if (words === undefined) return value => value;
  return value => (typeof value === 'string' && Object.hasOwn(words, value) ? inLanguage(words[value] ?? [value, value], language) : value);
}

/** Several numbers stand in one text with `、` between them. */
function masked(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || value === '') return value;
  return value.split('、').map(maskedNumber).join('、');
}

export function inLanguage([zh, en]: Words, language: ExportLanguage): string {
  return language === 'en' ? en : zh;
}
