import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import { type DecisionBody, type ExtractBody, NLU_LIMITS } from '#protocol/nlu.ts';

/**
 * Parses the body of a `decision` request; unknown members are ignored.
 *
 * Why:    written by hand, because zod would cost the service 15 MiB, and each request half the time of its decision
 * Errors: INVALID_ARGUMENT naming the first faulty field, `参数错误：branches[3].key 不能为空`
 * Source: NLU §4, D13.4
 */
export function readDecisionBody(body: unknown): DecisionBody {
  const { profile, text, branches } = membersOf(body);
  const read = { profile: profileOf(profile), text: utteranceOf(text), branches: keyedList(branches, 'branches', branchOf) };
  const together = read.branches.reduce((sum, branch) => sum + (branch.examples?.length ?? 0), 0);
  if (together > NLU_LIMITS.maxExamplesTogether) throw invalidArgument('branches', 'examplesOver', { max: NLU_LIMITS.maxExamplesTogether });
  return read;
}

/** Like {@link readDecisionBody}, for the action `extract`. */
export function readExtractBody(body: unknown): ExtractBody {
  const { profile, text, fields } = membersOf(body);
  return { profile: profileOf(profile), text: utteranceOf(text), fields: keyedList(fields, 'fields', fieldOf) };
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function membersOf(body: unknown): Members {
  if (isObject(body)) return body;
  throw new CalloutError('INVALID_ARGUMENT', '参数错误：请求体必须是 JSON 对象');
}

function profileOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalidArgument('profile', 'text');
  return value;
}

function utteranceOf(value: unknown): string {
  const text = textOf(value, 'text');
  requireLength(text, 'text', NLU_LIMITS.maxTextChars);
  return text;
}

/** Counts characters instead of UTF-16 units, and only where the number of units does not decide. */
function requireLength(text: string, path: string, max: number): void {
  if (text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max)) return;
  throw invalidArgument(path, 'tooManyCharacters', { max });
}

type ReadItem<Item> = (item: Members, path: string) => Item;

/** Parses a list of 1..64 items with distinct keys [D13.4]. */
function keyedList<Item extends { key: string }>(value: unknown, path: string, readItem: ReadItem<Item>): Item[] {
  if (value === undefined) throw invalidArgument(path, 'missing');
  if (!Array.isArray(value)) throw invalidArgument(path, 'list');
  if (value.length === 0) throw invalidArgument(path, 'empty');
  if (value.length > NLU_LIMITS.maxItems) throw invalidArgument(path, 'itemsOver', { max: NLU_LIMITS.maxItems });
  const items = value.map((item: unknown, index) => {
    if (!isObject(item)) throw invalidArgument(`${path}[${index}]`, 'object');
    return readItem(item, `${path}[${index}]`);
  });
  const seen = new Set<string>();
  for (const [index, { key }] of items.entries()) {
    if (seen.has(key)) throw invalidArgument(`${path}[${index}].key`, 'repeatedKey');
    seen.add(key);
  }
  return items;
}

const branchOf: ReadItem<DecisionBody['branches'][number]> = ({ key, desc, examples }, path) => ({
  key: keyOf(key, path),
  desc: textOf(desc, `${path}.desc`),
  ...(examples === undefined || examples === null ? {} : { examples: examplesOf(examples, `${path}.examples`) }),
});

/** Parses the examples of a branch [D13.9]. */
function examplesOf(value: unknown, path: string): string[] {
  if (!Array.isArray(value)) throw invalidArgument(path, 'list');
  if (value.length > NLU_LIMITS.maxExamples) throw invalidArgument(path, 'itemsOver', { max: NLU_LIMITS.maxExamples });
  const seen = new Set<string>();
  return value.map((item: unknown, index) => {
    const text = textOf(item, `${path}[${index}]`).trim();
    if (text === '') throw invalidArgument(`${path}[${index}]`, 'empty');
    requireLength(text, `${path}[${index}]`, NLU_LIMITS.maxExampleChars);
    if (seen.has(text)) throw invalidArgument(`${path}[${index}]`, 'repeated');
    seen.add(text);
    return text;
  });
}

const fieldOf: ReadItem<ExtractBody['fields'][number]> = ({ key, label, type }, path) => ({
  key: keyOf(key, path),
  label: textOf(label, `${path}.label`),
  type: textOf(type, `${path}.type`),
});

function keyOf(value: unknown, path: string): string {
  const key = textOf(value, `${path}.key`);
  if (key.trim() === '') throw invalidArgument(`${path}.key`, 'empty');
  return key;
}

function textOf(value: unknown, path: string): string {
  if (value === undefined) throw invalidArgument(path, 'missing');
  if (typeof value !== 'string') throw invalidArgument(path, 'text');
  return value;
}
