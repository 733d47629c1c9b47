import { invalidArgument } from '#kernel/errors.ts';
import { MAX_COLUMN_NAME_LENGTH, MAX_COLUMNS } from './import-limits.ts';

/**
 * Which column feeds which field, by column name.
 *
 * Shape:  `metadata` lists columns that keep their names, or maps a metadata name to its column; absent = none
 * Source: D6.3
 */
export interface MappingInput {
  phoneNumber: string;
  customerName?: string | undefined;
  remark?: string | undefined;
  metadata?: readonly string[] | Readonly<Record<string, string>> | undefined;
}

/** Column indexes; -1 = no such column. */
export interface ColumnPlan {
  phoneNumber: number;
  customerName: number;
  remark: number;
  metadata: readonly { name: string; index: number }[];
}

/** The names that clients were given, and others that files are found to hold. */
interface KnownNames {
  documented: readonly string[];
  aliases: readonly string[];
}

/** Names as they are compared: lower case, without blanks, `_` and `-`. Source: D6.3 */
const KNOWN_NAMES = {
  phoneNumber: {
    documented: ['手机号', '电话', '号码', 'phone', 'phonenumber', 'mobile'],
    aliases: ['手机', '手机号码', '电话号码', '联系电话', '联系手机', '联系方式', '移动电话', '客户电话', '客户手机', 'mobilephone', 'tel'],
  },
  customerName: {
    documented: ['姓名', 'name', 'customername'],
    aliases: ['客户姓名', '客户名称', '客户称呼', '称呼', '联系人', '联系人姓名', '名称'],
  },
  remark: { documented: ['备注', 'remark'], aliases: ['说明'] },
} as const satisfies Record<string, KnownNames>;

/**
 * Finds the columns of an import.
 *
 * Errors: INVALID_ARGUMENT when the header holds no number column, repeats a used name, or lacks a mapped one
 * Source: D6.3, OCS 4.7 rule 4
 */
export function planColumns(header: readonly string[], mapping: MappingInput | null): ColumnPlan {
  requireHeader(header);
  return mapping === null ? recognise(header) : apply(header, mapping);
}

/** Errors: INVALID_ARGUMENT when the header has too many columns, too long a name, or one twice */
export function requireHeader(header: readonly string[]): void {
  if (header.length > MAX_COLUMNS) throw invalidArgument('file', `最多 ${MAX_COLUMNS} 列`);
  const long = header.find(name => name.length > MAX_COLUMN_NAME_LENGTH);
  if (long !== undefined) throw invalidArgument('file', `列名「${long.slice(0, 20)}…」过长，最多 ${MAX_COLUMN_NAME_LENGTH} 个字符`);
  requireUnique(header.filter(name => name !== ''));
}

function recognise(header: readonly string[]): ColumnPlan {
  const plan = recogniseColumns(header);
  if (plan.phoneNumber >= 0) return plan;
  throw invalidArgument('file', '表头中没有号码列，列名应为：手机号、电话、号码、phone、phoneNumber 或 mobile，或用 mapping 指定');
}

/** The columns that are known by their names; what is not known becomes metadata, or -1. */
export function recogniseColumns(header: readonly string[]): ColumnPlan {
  const compared = header.map(comparable);
  const first = (names: readonly string[]) => compared.findIndex(name => names.includes(name));
  // An alias beside a documented name is another thing: 联系电话 beside 手机号 may be somebody else's.
  const find = ({ documented, aliases }: KnownNames) => (first(documented) >= 0 ? first(documented) : first(aliases));
  const plan = {
    phoneNumber: find(KNOWN_NAMES.phoneNumber),
    customerName: find(KNOWN_NAMES.customerName),
    remark: find(KNOWN_NAMES.remark),
  };
  const used = Object.values(plan);
  const metadata = header
    .map((name, index) => ({ name: name || nameless(header, index), index }))
    .filter(({ index }) => !used.includes(index));
  return { ...plan, metadata };
}

/** `column_3` of the third column, and `column_3_` where another bears that name. */
function nameless(header: readonly string[], index: number): string {
  let name = `column_${index + 1}`;
  while (header.includes(name)) name += '_';
  return name;
}

function apply(header: readonly string[], mapping: MappingInput): ColumnPlan {
  const column = (field: string, name: string) => {
    const index = header.indexOf(name.trim());
    if (index < 0) throw invalidArgument(`mapping.${field}`, `指定的列「${name}」不在表头中`);
    return index;
  };
  const optional = (field: string, name: string | undefined) => (name === undefined ? -1 : column(field, name));
  const metadata = metadataEntries(mapping.metadata).map(([name, from]) => ({ name, index: column(`metadata.${name}`, from) }));
  requireUnique(metadata.map(({ name }) => name));
  return {
    phoneNumber: column('phoneNumber', mapping.phoneNumber),
    customerName: optional('customerName', mapping.customerName),
    remark: optional('remark', mapping.remark),
    metadata,
  };
}

function metadataEntries(metadata: MappingInput['metadata']): [string, string][] {
  if (metadata === undefined) return [];
  return isList(metadata) ? metadata.map(name => [name, name]) : Object.entries(metadata);
}

function isList(metadata: readonly string[] | Readonly<Record<string, string>>): metadata is readonly string[] {
  return Array.isArray(metadata);
}

function requireUnique(names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalidArgument('file', `列名「${repeated}」重复`);
}

function comparable(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}
