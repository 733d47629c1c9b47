import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseInput } from '#contract/rest/parse.ts';
import { problemInEnglish } from '#edges/graphql/problems-in-english.ts';
import { CalloutError } from '#kernel/errors.ts';
import { PROJECT } from '#tools/commands/project.ts';

/**
 * Sources of problems that never reach GraphQL: the bus, the NLU service, the runtime's reports, and scripts, which report problems by
 * node.
 */
const ELSEWHERE =
  /contract\/(?:nats|nlu|runtime)|companions|edges\/(?:bus|rest|sse)|rules\/scripts|operations\/access\/answer-once|idempotency/;
const SAID =
  /(?:invalidArgument\([^,]+,|\.refine\([^\n]+,|\.regex\([^\n]+,|message:|problem:|fault\([^,]+,)\s*(?:'([^'\n]+)'|`([^`\n]+)`)/g;
const CHINESE = /[一-鿿]/;

function problemsOf(folder: string): string[] {
  const files = readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  return files
    .filter(file => !ELSEWHERE.test(join(folder, file)))
    .flatMap(file =>
      [...readFileSync(join(PROJECT, folder, file), 'utf8').matchAll(SAID)].map(([, plain, template]) => plain ?? template ?? ''),
    )
    .filter(text => CHINESE.test(text))
    .map(text => text.replace('${rule.expected}', ' MM-DD 格式的有效月日').replaceAll(/\$\{[^}]*\}/g, '3'));
}

test.each([
  'src/model',
  'src/contract/rest',
  'src/rules/policies',
  'src/management',
  'src/operations/campaigns',
  'src/operations/agents',
  'src/edges/graphql',
])('every input problem in %s has an English text', folder => {
  const told = [...new Set(problemsOf(folder))];
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter(problem => problemInEnglish(problem) === 'is not valid' && !/不合法|类型不正确/.test(problem))).toEqual([]);
  expect(told.map(problemInEnglish).filter(english => CHINESE.test(english))).toEqual([]);
});

describe('problems found by a schema', () => {
  const cases: [string, z.ZodType, unknown, string][] = [
    ['nothing', z.object({ a: z.string() }), {}, 'must not be empty'],
    ['another type', z.object({ a: z.number() }), { a: 'x' }, 'must be a number'],
    ['a fraction', z.object({ a: z.int() }), { a: 1.5 }, 'must be an integer'],
    ['a long text', z.object({ a: z.string().max(3) }), { a: 'abcd' }, 'must have at most 3 characters'],
    ['a short text', z.object({ a: z.string().min(8) }), { a: 'abcd' }, 'must have at least 8 characters'],
    ['a small number', z.object({ a: z.number().min(1) }), { a: 0 }, 'must be at least 1'],
    ['a large number', z.object({ a: z.number().max(5) }), { a: 9 }, 'must be at most 5'],
    ['many items', z.object({ a: z.array(z.int()).max(1) }), { a: [1, 2] }, 'must have at most 1 items'],
    ['another word', z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, 'must be one of x、y'],
    ['no UUID', z.object({ a: z.uuid() }), { a: 'z' }, 'must be a UUID'],
  ];
  test.each(cases)('%s has an English text', (_what, schema, input, english) => {
    try {
      parseInput(schema, input, 'input');
    } catch (error) {
      const { message } = error as CalloutError;
      expect(problemInEnglish(message.slice('参数错误：a '.length))).toBe(english.replace('、', ', '));
      return;
    }
    throw new Error('nothing was found');
  });
});
