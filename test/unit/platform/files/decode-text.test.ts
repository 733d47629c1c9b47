import { describe, expect, test } from '@jest/globals';
import { decodeText } from '#platform/files/read-table.ts';

const TEXT = '手机号,姓名\n13800138000,王小明';
/** `手机号` in GB18030. */
const GB18030 = Uint8Array.from([0xca, 0xd6, 0xbb, 0xfa, 0xba, 0xc5]);

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length + 2));
  view.setUint16(0, 0xfeff, littleEndian);
  for (let index = 0; index < text.length; index++) view.setUint16(2 * index + 2, text.charCodeAt(index), littleEndian);
  return new Uint8Array(view.buffer);
}

describe('encoding of an uploaded file', () => {
  test('valid UTF-8 without a BOM is UTF-8 [D6.4]', () => {
    expect(decodeText(new TextEncoder().encode(TEXT))).toBe(TEXT);
  });

  test('a UTF-8 BOM is not part of the first column name [D6.4]', () => {
    expect(decodeText(new TextEncoder().encode(`\ufeff${TEXT}`))).toBe(TEXT);
  });

  test.each([true, false])('a UTF-16 BOM decides, little endian %s [D6.4]', littleEndian => {
    expect(decodeText(utf16(TEXT, littleEndian))).toBe(TEXT);
  });

  test('bytes that are not UTF-8 are GB18030 [D6.4]', () => {
    expect(decodeText(GB18030)).toBe('手机号');
  });

  test('bytes of no known encoding are refused in Chinese [D6.4]', () => {
    expect(() => decodeText(Uint8Array.from([0xef, 0xbb, 0xbf, 0xff, 0xff]))).toThrow('参数错误：file 文件编码无法识别');
  });
});
