import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseUntrusted } from '#contract/parse-untrusted.ts';
import { parseInput } from '#contract/rest/parse.ts';

const NAMED = z.object({ rows: z.array(z.object({ name: z.string().max(10) })) });
/** As JSON.parse makes it: no text, and its `length` cannot be compared. */
const HOSTILE: unknown = JSON.parse('{"length":{"toString":1}}');

describe('input that is made to break the validation [D2.1]', () => {
  test('an object with an odd length where a text should stand is a fault of its field', () => {
    expect(() => parseInput(NAMED, { rows: [{ name: 'a' }, { name: HOSTILE }] }, '请求体')).toThrow('参数错误：rows[1].name 类型不正确');
  });

  test('the same object is welcome where any JSON may stand', () => {
    expect(parseUntrusted(z.object({ metadata: z.record(z.string(), z.json()) }), { metadata: { size: HOSTILE } })).toMatchObject({
      success: true,
    });
  });

  test('a schema that throws by itself is not the input’s fault', () => {
    const broken = z.string().refine(() => {
      throw new TypeError('a bug');
    });
    expect(() => parseUntrusted(broken, 'text')).toThrow('a bug');
  });
});
