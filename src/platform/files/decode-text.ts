import { isUtf8 } from 'node:buffer';
import { CalloutError } from '#kernel/errors.ts';

const BYTE_ORDER_MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/**
 * Decodes the text of an uploaded file.
 *
 * Why:    spreadsheet programs in China save CSV as GB18030; GB18030 text with Chinese characters is practically never valid UTF-8
 * Errors: INVALID_ARGUMENT when the bytes are valid in none of the encodings
 * Source: D6.4
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = BYTE_ORDER_MARKS.find(mark => mark.bytes.every((byte, index) => bytes[index] === byte));
  const encoding = mark?.encoding ?? (isUtf8(bytes) ? 'utf-8' : 'gb18030');
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CalloutError('INVALID_ARGUMENT', '参数错误：file 文件编码无法识别，请另存为 UTF-8 或 GB18030 编码', {
      field: 'file',
      cause: error,
    });
  }
}
