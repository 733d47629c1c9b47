import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseInput } from '#platform/http/parse.ts';
import { problemInEnglish } from '#platform/graphql/language.ts';
import { CalloutError } from '#kernel/errors.ts';
import { PROJECT } from '#tools/commands/project.ts';

/**
 * Files whose Chinese texts are no problems of an input that GraphQL takes: the bus, the NLU service, REST's own, runtime events, health, scripts
 * (which report problems by node), and what is wrong with the contents of a file.
 */
const ELSEWHERE = new RegExp(
  [
    '^src/(?:protocol|nlu|serve|health|imports|exports|platform/(?:nats|sse|http|config|files)|scripts/decisions)/',
    '/(?:bus|record-runtimes|rejections|reconciler)[.]ts$',
    '^src/(?:calls/(?:report-body|effects|apply-result|results?|call-actor)|monitoring/(?:effects|allocation))[.]ts$',
  ].join('|'),
);
const SAID =
  /(?:invalidArgument\([^,]+,|\.refine\([^\n]+,|\.regex\([^\n]+,|message:|problem:|fault\([^,]+,)\s*(?:'([^'\n]+)'|`([^`\n]+)`)/g;
const CHINESE = /[一-鿿]/;

const problems = globSync('src/**/*.ts', { cwd: PROJECT })
  .filter(file => !ELSEWHERE.test(file))
  .flatMap(file =>
    [...readFileSync(join(PROJECT, file), 'utf8').matchAll(SAID)].map(([, plain, template]) => ({ file, text: plain ?? template ?? '' })),
  )
  .filter(({ text }) => CHINESE.test(text))
  .map(({ file, text }) => ({ file, problem: text.replace('${rule.expected}', ' MM-DD 格式的有效月日').replaceAll(/\$\{[^}]*\}/g, '3') }));

test('problems of inputs are found', () => {
  expect(problems.length).toBeGreaterThan(80);
});

test.each(problems)('$problem ($file) has an English text', ({ problem }) => {
  const english = problemInEnglish(problem);
  expect(CHINESE.test(english)).toBe(false);
  if (!/不合法|类型不正确/.test(problem)) expect(english).not.toBe('is not valid');
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
