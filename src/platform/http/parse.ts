import { z } from 'zod';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';

type Issue = z.core.$ZodRawIssue;

/**
 * Describes a validation issue in Chinese; covers every issue code of zod. A message that the schema itself defines takes precedence.
 *
 * Shape:  follows the field's name, `不能为空`
 * Source: D2.1
 */
function describeFault(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.input, issue.expected);
    case 'too_small':
      return describeTooSmall(issue);
    case 'too_big':
      return `${SIZE_SUBJECT[issue.origin] ?? ''}不能${issue.inclusive === false ? '大于或等于' : '超过'} ${issue.maximum}${SIZE_UNIT[issue.origin] ?? ''}`;
    case 'invalid_format':
      return `格式不正确${FORMATS[issue.format] ?? ''}`;
    case 'not_multiple_of':
      return `必须是 ${issue.divisor} 的倍数`;
    case 'unrecognized_keys':
      return `含有不支持的字段 ${describeKeys(issue.keys)}`;
    case 'invalid_value':
      return issue.input === undefined ? '不能为空' : describeChoice(issue.values.map(String));
    case 'invalid_union':
      return issue.input === undefined ? '不能为空' : '取值不合法';
    case 'invalid_key':
      return '含有不合法的键';
    case 'invalid_element':
      return '含有不合法的元素';
    case 'custom':
      return '不合法';
    default:
      return '不合法';
  }
}

/** Bounds on the keys quoted in a message: the client chooses their number and length. */
const MAX_KEYS_TOLD = 5;
const MAX_KEY_LENGTH = 64;

function describeKeys(keys: readonly string[]): string {
  const told = keys
    .slice(0, MAX_KEYS_TOLD)
    .map(key => (key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH).toWellFormed()}…` : key));
  return told.join('、') + (keys.length > told.length ? '…' : '');
}

/** Leaves out the empty text: in a filter it means "none" and is not a choice to offer. */
function describeChoice(values: readonly string[]): string {
  const told = values.filter(value => value !== '');
  return `必须是 ${told.join('、')}${told.length > 1 ? ' 之一' : ''}`;
}

function describeType(input: unknown, expected: string): string {
  if (input === undefined || input === null) return '不能为空';
  return `必须是${TYPES[expected] ?? `类型 ${expected}`}`;
}

function describeTooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  if ((issue.origin === 'string' || issue.origin === 'array') && Number(issue.minimum) === 1) return '不能为空';
  const relation = issue.inclusive === false ? '必须大于' : '不能小于';
  return `${SIZE_SUBJECT[issue.origin] ?? ''}${relation} ${issue.minimum}${SIZE_UNIT[issue.origin] ?? ''}`;
}

const TYPES: Record<string, string> = {
  string: '字符串',
  number: '数字',
  int: '整数',
  boolean: '布尔值',
  object: '对象',
  record: '对象',
  array: '数组',
  null: ' null',
  date: '时间',
};

const SIZE_SUBJECT: Record<string, string> = { string: '长度', array: '元素个数', set: '元素个数', map: '元素个数', object: '字段个数' };
const SIZE_UNIT: Record<string, string> = { string: ' 个字符', array: ' 个', set: ' 个', map: ' 个', object: ' 个' };

const FORMATS: Record<string, string> = {
  uuid: '，应为 UUID',
  datetime: '，应为 ISO 8601 时间',
  date: '，应为 YYYY-MM-DD 日期',
  time: '，应为时间',
  url: '，应为网址',
  email: '，应为邮箱地址',
  ipv4: '，应为 IPv4 地址',
  json_string: '，应为 JSON',
};

/** `['contacts', 3, 'phoneNumber']` → `contacts[3].phoneNumber`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/** Most levels of nesting: deeper structures would overflow the stack of recursive functions. */
const MAX_DEPTH = 64;
/**
 * Most members of one object: a body of a few megabytes holds hundreds of thousands, and a schema for any JSON value checks each of them.
 */
const MAX_MEMBERS = 20_000;

/**
 * Refuses text that no store can hold (NUL, an unpaired surrogate), excessive nesting and oversized objects, at any depth.
 *
 * Why:    PostgreSQL accepts such text neither in text nor in jsonb, and a caller's mistake must never become a 500
 * Errors: INVALID_ARGUMENT naming the field
 */
export function requireStorable(value: unknown, path: readonly PropertyKey[] = []): void {
  if (!isStorable(value, path.length)) nameFault(value, path);
}

/** Same check without a path: nearly every value passes, and building a path for each member would cost more than the check. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (value === null || typeof value !== 'object') return true;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every(item => isStorable(item, depth + 1));
  const keys = Object.keys(value);
  if (keys.length > MAX_MEMBERS) return false;
  for (const key of keys) {
    if (!isStorableText(key) || !isStorable(Reflect.get(value, key), depth + 1)) return false;
  }
  return true;
}

function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function nameFault(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value === 'string') return requireStorableText(value, path);
  if (value === null || typeof value !== 'object') return;
  if (path.length >= MAX_DEPTH) throw invalidArgument(fieldPath(path.slice(0, 3)), `嵌套不能超过 ${MAX_DEPTH} 层`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) nameFault(item, [...path, index]);
    return;
  }
  const members = Object.entries(value);
  if (members.length > MAX_MEMBERS) throw invalidArgument(fieldPath(path) || '请求体', `最多 ${MAX_MEMBERS} 个字段`);
  for (const [key, item] of members) {
    requireStorableText(key, path);
    nameFault(item, [...path, key]);
  }
}

function requireStorableText(text: string, path: readonly PropertyKey[]): void {
  if (!isStorableText(text)) throw invalidArgument(fieldPath(path) || '请求体', '含有不合法的字符');
}

/** Most faults named in one response; a longer list helps no client. */
const MAX_FAULTS_TOLD = 5;

/**
 * Validates input from the wire; `whole` names the input as such, for a fault that is in none of its fields.
 *
 * Errors: INVALID_ARGUMENT naming each faulty field, `参数错误：contacts[3].phoneNumber 不能为空`
 * Source: D2.1
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, given: unknown, whole: string): z.output<Schema> {
  const input = withNullsCleared(schema, given);
  const result = parseUntrusted(schema, input, { error: describeFault });
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, MAX_FAULTS_TOLD).map(issue => deepest(issue));
  const faults = issues.map(({ path, message }) => ({ field: fieldPath(path) || whole, problem: message }));
  const told = faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new CalloutError('INVALID_ARGUMENT', `参数错误：${told.join('；')}`, {
    field: faults[0]?.field ?? whole,
    ...(faults.length > 1 ? { faults } : {}),
  });
}

/**
 * Like `parseInput`, for the texts of a query or form: a blank text counts as absent.
 *
 * Errors: like `parseInput`; INVALID_ARGUMENT naming a member that occurs more than once
 * Source: D2.2
 */
export function parseTexts<Schema extends z.ZodType>(schema: Schema, texts: object, whole: string): z.output<Schema> {
  const shape = membersOf(schema);
  const given = Object.entries(texts).filter(([name]) => Object.hasOwn(shape, name));
  for (const [name, text] of given) if (Array.isArray(text)) throw invalidArgument(name, '重复出现，只能给一个值');
  return parseInput(schema, Object.fromEntries(given.filter(([, text]) => typeof text !== 'string' || text.trim() !== '')), whole);
}

const EMPTY = ['', {}, []];

/** Replaces null by the empty value of a member that may be empty; any other null is left to the parser, which names it. Source: D2.2 */
function withNullsCleared(schema: z.ZodType, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !Object.values(input).includes(null)) return input;
  const shape = membersOf(schema);
  const cleared = Object.entries(input).flatMap(([name, value]) => {
    const member = value === null && Object.hasOwn(shape, name) ? shape[name] : undefined;
    const empty = member && member.safeParse(undefined).success && !member.safeParse(null).success && emptyOf(member);
    return empty === undefined || empty === false ? [] : [[name, empty] as const];
  });
  return cleared.length === 0 ? input : { ...input, ...Object.fromEntries(cleared) };
}

function emptyOf(member: z.ZodType): unknown {
  return EMPTY.find(empty => member.safeParse(empty).success);
}

/** Members of an object schema, also inside transforms and pipes. */
function membersOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodPipe) return membersOf(schema.in as z.ZodType);
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** For a union, the fault of the branch that the input came closest to; object branches win over `null` and scalar ones. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .map(branch => branch[0])
    .filter(fault => fault !== undefined)
    .map(deepest)
    .filter(fault => fault.path.length > 0)
    .sort((a, b) => b.path.length - a.path.length)[0];
  return inner ? { path: [...issue.path, ...inner.path], message: inner.message } : issue;
}
