import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type CalloutError, invalidArgument } from '#kernel/errors.ts';
import { issue, type ProblemCode, problem, problemOf, wordsOf } from '#kernel/problem.ts';
import { PROBLEM_WORDS } from '#kernel/problem-words.ts';
import { parseInput } from '#platform/http/parse.ts';
import { PROJECT } from '#tools/commands/project.ts';

const CHINESE = /[一-鿿]/;
const CODES = Object.keys(PROBLEM_WORDS) as ProblemCode[];
const namesIn = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
const sources = globSync('{src,actors}/**/*.ts', { cwd: PROJECT, exclude: ['src/kernel/problem-words.ts'] }).map(file => ({
  file,
  text: readFileSync(join(PROJECT, file), 'utf8'),
}));

test.each(CODES)('%s has words in both languages, and English needs no parameter of its own', code => {
  const { zh, en } = PROBLEM_WORDS[code];
  expect(zh).toMatch(CHINESE);
  expect(en).toMatch(/^[a-z][^一-鿿。，、；]*[^.]$/);
  expect([...namesIn(zh)]).toEqual(expect.arrayContaining([...namesIn(en)]));
});

test.each(CODES)('%s is a problem that some input has', code => {
  expect(sources.some(({ text }) => text.includes(`'${code}'`))).toBe(true);
});

test('a check of a schema names a code of the catalogue, never a text of its own [D2.1]', () => {
  const own = /(?:\.(?:refine|regex|min|max|length|custom|never)\(|addIssue\()[^\n]*(?:,|message:|error:)\s*['`][^'`\n]*[一-鿿]/;
  const checks = sources.flatMap(({ file, text }) => text.split('\n').map(line => ({ file, line: line.replace(/\.meta\(.*$/, '') })));
  expect(checks.filter(({ line }) => own.test(line))).toEqual([]);
});

test('lists are joined, and numbers written, as the language does', () => {
  const found = problem('unknownMembers', { members: ['a', 'b'] });
  expect([wordsOf(found, 'zh'), wordsOf(found, 'en')]).toEqual(['含有不支持的字段 a、b', 'has members that are not known: a, b']);
  expect(wordsOf(problem('between', { min: 1, max: 9 }), 'zh')).toBe('必须在 1 到 9 之间');
  expect(invalidArgument('days', 'between', { min: 1, max: 9 }).message).toBe('参数错误：days 必须在 1 到 9 之间');
});

test('what a client sends is quoted as it is', () => {
  const found = problem('emptyButReceived', { received: '{received} $& 、' });
  expect(wordsOf(found, 'zh')).toBe('不能为空，收到的是「{received} $& 、」');
  expect(wordsOf(found, 'en')).toBe('must not be empty; {received} $& 、 was received');
});

test('the message of a schema is a problem of the catalogue, and any other is a fault of the program', () => {
  expect(problemOf(issue('atMost', { max: 3 }))).toEqual(problem('atMost', { max: 3 }));
  for (const message of ['', '不能为空', '{"code":"toString","parameters":{}}', 'null'])
    expect(() => problemOf(message)).toThrow(/catalogue/);
});

describe('problems found by a schema [D2.1]', () => {
  const cases: [string, z.ZodType, unknown, string, string][] = [
    ['nothing', z.object({ a: z.string() }), {}, '不能为空', 'must not be empty'],
    ['another type', z.object({ a: z.number() }), { a: 'x' }, '必须是数字', 'must be a number'],
    ['a fraction', z.object({ a: z.int() }), { a: 1.5 }, '必须是整数', 'must be an integer'],
    ['no list', z.object({ a: z.array(z.int()) }), { a: 1 }, '必须是数组', 'must be an array'],
    ['a type without words', z.object({ a: z.map(z.string(), z.string()) }), { a: 1 }, '必须是类型 map', 'must be of the type map'],
    ['a long text', z.object({ a: z.string().max(3) }), { a: 'abcd' }, '长度不能超过 3 个字符', 'must have at most 3 characters'],
    ['a short text', z.object({ a: z.string().min(8) }), { a: 'abcd' }, '长度不能小于 8 个字符', 'must have at least 8 characters'],
    ['an empty text', z.object({ a: z.string().min(1) }), { a: '' }, '不能为空', 'must not be empty'],
    ['a small number', z.object({ a: z.number().min(1) }), { a: 0 }, '不能小于 1', 'must be at least 1'],
    ['a number that is not positive', z.object({ a: z.number().positive() }), { a: 0 }, '必须大于 0', 'must be more than 0'],
    ['a large number', z.object({ a: z.number().max(5) }), { a: 9 }, '不能超过 5', 'must be at most 5'],
    ['a number at its limit', z.object({ a: z.number().lt(5) }), { a: 5 }, '不能大于或等于 5', 'must be less than 5'],
    ['many items', z.object({ a: z.array(z.int()).max(1) }), { a: [1, 2] }, '元素个数不能超过 1 个', 'must have at most 1 items'],
    ['few items', z.object({ a: z.array(z.int()).min(2) }), { a: [1] }, '元素个数不能小于 2 个', 'must have at least 2 items'],
    ['another word', z.object({ a: z.enum(['x', 'y', '']) }), { a: 'z' }, '必须是 x、y 之一', 'must be one of x, y'],
    ['not the only word', z.object({ a: z.literal('x') }), { a: 'z' }, '必须是 x', 'must be x'],
    ['no UUID', z.object({ a: z.uuid() }), { a: 'z' }, '格式不正确，应为 UUID', 'must be a UUID'],
    ['no time', z.object({ a: z.iso.datetime() }), { a: 'z' }, '格式不正确，应为 ISO 8601 时间', 'must be an ISO 8601 time'],
    ['another form', z.object({ a: z.string().regex(/x/) }), { a: 'z' }, '格式不正确', 'is of the wrong form'],
    ['no multiple', z.object({ a: z.number().multipleOf(5) }), { a: 9 }, '必须是 5 的倍数', 'must be a multiple of 5'],
    ['no branch of a union', z.object({ a: z.union([z.int(), z.null()]) }), { a: 'z' }, '取值不合法', 'is not valid'],
    ['an own check', z.object({ a: z.string().refine(() => false, issue('id')) }), { a: 'z' }, '不是有效的 id', 'is no id'],
    ['a check without a problem', z.object({ a: z.string().refine(() => false) }), { a: 'z' }, '不合法', 'is not valid'],
  ];
  test.each(cases)('%s', (_what, schema, input, zh, en) => {
    const { message, faults } = refusalOf(schema, input);
    expect(message).toBe(`参数错误：a ${zh}`);
    expect(faults.map(({ problem }) => wordsOf(problem, 'en'))).toEqual([en]);
  });

  test('unknown members, of which only the first are quoted', () => {
    const input = Object.fromEntries(['b', 'c', 'd', 'e', 'f', 'g'].map(name => [name, 1]));
    expect(refusalOf(z.strictObject({}), input).message).toBe('参数错误：请求体 含有不支持的字段 b、c、d、e、f…');
  });
});

function refusalOf(schema: z.ZodType, input: unknown): CalloutError {
  try {
    parseInput(schema, input, '请求体');
  } catch (error) {
    return error as CalloutError;
  }
  throw new Error('nothing was found');
}
