import { z } from 'zod';
import { assert } from '#kernel/assert.ts';
import { type InputFault, invalidArgument, invalidInput } from '#kernel/errors.ts';
import { issue, problemOf } from '#kernel/problem.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';

type Issue = z.core.$ZodRawIssue;

/**
 * The problem that a validation issue shows, as `issue` writes it; covers every issue code of zod. A message that the schema itself defines
 * takes precedence.
 */
function describeFault(found: Issue): string {
  switch (found.code) {
    case 'invalid_type':
      return describeType(found.input, found.expected);
    case 'too_small':
      return describeTooSmall(found);
    case 'too_big':
      return describeTooBig(found);
    case 'invalid_format':
      return issue(FORMATS[found.format] ?? 'wrongForm');
    case 'not_multiple_of':
      return issue('multiple', { of: String(found.divisor) });
    case 'unrecognized_keys':
      return issue('unknownMembers', { members: boundedKeys(found.keys) });
    case 'invalid_value':
      return found.input === undefined ? issue('empty') : describeChoice(found.values.map(String));
    case 'invalid_union':
      return issue(found.input === undefined ? 'empty' : 'invalidChoice');
    case 'invalid_key':
      return issue('invalidKey');
    case 'invalid_element':
      return issue('invalidItem');
    case 'custom':
      return issue('invalid');
    default:
      return issue('invalid');
  }
}

/** Bounds on the keys quoted in a message: the client chooses their number and length. */
const MAX_KEYS_TOLD = 5;
const MAX_KEY_LENGTH = 64;

function boundedKeys(keys: readonly string[]): string[] {
  const told = keys
    .slice(0, MAX_KEYS_TOLD)
    .map(key => (key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH).toWellFormed()}…` : key));
  return keys.length > told.length ? [...told.slice(0, -1), `${told.at(-1)}…`] : told;
}

/** Leaves out the empty text: in a filter it means "none" and is not a choice to offer. */
function describeChoice(values: readonly string[]): string {
  const [first = '', ...others] = values.filter(value => value !== '');
  return others.length > 0 ? issue('oneOf', { values: [first, ...others] }) : issue('exactly', { value: first });
}

function describeType(input: unknown, expected: string): string {
  if (input === undefined || input === null) return issue('empty');
  const code = TYPES[expected];
  return code === undefined ? issue('otherType', { type: expected }) : issue(code);
}

function describeTooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): string {
  if ((origin === 'string' || origin === 'array') && Number(minimum) === 1) return issue('empty');
  return issue(inclusive === false ? 'moreThan' : (TOO_SMALL[origin] ?? 'atLeast'), { min: String(minimum) });
}

function describeTooBig({ origin, maximum, inclusive }: Extract<Issue, { code: 'too_big' }>): string {
  return issue(inclusive === false ? 'lessThan' : (TOO_BIG[origin] ?? 'atMost'), { max: String(maximum) });
}

type Table<Code> = Readonly<Record<string, Code>>;

const TYPES: Table<'text' | 'number' | 'integer' | 'boolean' | 'object' | 'list' | 'null' | 'instant'> = {
  string: 'text',
  number: 'number',
  int: 'integer',
  boolean: 'boolean',
  object: 'object',
  record: 'object',
  array: 'list',
  null: 'null',
  date: 'instant',
};

const TOO_SMALL: Table<'tooShort' | 'tooFewItems' | 'tooFewMembers'> = {
  string: 'tooShort',
  array: 'tooFewItems',
  set: 'tooFewItems',
  map: 'tooFewItems',
  object: 'tooFewMembers',
};
const TOO_BIG: Table<'tooLong' | 'tooManyItems' | 'tooManyMembers'> = {
  string: 'tooLong',
  array: 'tooManyItems',
  set: 'tooManyItems',
  map: 'tooManyItems',
  object: 'tooManyMembers',
};

const FORMATS: Table<'uuid' | 'isoTime' | 'isoDate' | 'timeText' | 'url' | 'email' | 'ipv4' | 'jsonText'> = {
  uuid: 'uuid',
  datetime: 'isoTime',
  date: 'isoDate',
  time: 'timeText',
  url: 'url',
  email: 'email',
  ipv4: 'ipv4',
  json_string: 'jsonText',
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
  if (path.length >= MAX_DEPTH) throw invalidArgument(fieldPath(path.slice(0, 3)), 'nestedTooDeep', { max: MAX_DEPTH });
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) nameFault(item, [...path, index]);
    return;
  }
  const members = Object.entries(value);
  if (members.length > MAX_MEMBERS) throw invalidArgument(fieldPath(path) || '请求体', 'membersAtMost', { max: MAX_MEMBERS });
  for (const [key, item] of members) {
    requireStorableText(key, path);
    nameFault(item, [...path, key]);
  }
}

function requireStorableText(text: string, path: readonly PropertyKey[]): void {
  if (!isStorableText(text)) throw invalidArgument(fieldPath(path) || '请求体', 'forbiddenCharacters');
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
  const [first, ...others] = result.error.issues.slice(0, MAX_FAULTS_TOLD).map(found => faultOf(deepest(found), whole));
  assert(first !== undefined, 'a failed parse has issues');
  throw invalidInput([first, ...others]);
}

function faultOf({ path, message }: Placed, whole: string): InputFault {
  return { field: fieldPath(path) || whole, problem: problemOf(message) };
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
  for (const [name, text] of given) if (Array.isArray(text)) throw invalidArgument(name, 'repeatedParameter');
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

interface Placed {
  path: readonly PropertyKey[];
  /** Written by `issue`. */
  message: string;
}

/** For a union, the fault of the branch that the input came closest to; object branches win over `null` and scalar ones. */
function deepest(found: z.core.$ZodIssue): Placed {
  if (found.code !== 'invalid_union') return found;
  const inner = found.errors
    .map(branch => branch[0])
    .filter(fault => fault !== undefined)
    .map(deepest)
    .filter(fault => fault.path.length > 0)
    .sort((a, b) => b.path.length - a.path.length)[0];
  return inner ? { path: [...found.path, ...inner.path], message: inner.message } : found;
}
