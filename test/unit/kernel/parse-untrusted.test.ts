import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import { parseInput } from '#platform/http/parse.ts';

const NAMED = z.object({ rows: z.array(z.object({ name: z.string().max(10) })) });
/** An object from JSON.parse in place of a text; comparing its `length` throws. */
const HOSTILE: unknown = JSON.parse('{"length":{"toString":1}}');

describe('hostile input cannot break the validation [D2.1]', () => {
  test('an object with a hostile `length` in place of a text is a fault of its field', () => {
    expect(() => parseInput(NAMED, { rows: [{ name: 'a' }, { name: HOSTILE }] }, '请求体')).toThrow('参数错误：rows[1].name 类型不正确');
  });

  test('the same object is valid where any JSON is allowed', () => {
    expect(parseUntrusted(z.object({ metadata: z.record(z.string(), z.json()) }), { metadata: { size: HOSTILE } })).toMatchObject({
      success: true,
    });
  });

  test('an exception of the schema itself is not blamed on the input', () => {
    const broken = z.string().refine(() => {
      throw new TypeError('a bug');
    });
    expect(() => parseUntrusted(broken, 'text')).toThrow('a bug');
  });
});
