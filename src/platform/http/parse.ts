import { z } from 'zod';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import { describeFault, fieldPath } from './faults.ts';

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
