import { invalidArgument } from '#kernel/errors.ts';

const BYTE_ORDER_MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** Tried in this order when no mark decides. */
const GUESSES = ['utf-8', 'gb18030'] as const;

/**
 * The text of an uploaded file.
 *
 * Why:    spreadsheets in China save CSV as GB18030; valid UTF-8 with Chinese in it is never valid by accident
 * Errors: INVALID_ARGUMENT when the bytes are in none of the encodings
 * Source: D6.4
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = BYTE_ORDER_MARKS.find(mark => mark.bytes.every((byte, index) => bytes[index] === byte));
  const texts = (marked ? [marked.encoding] : GUESSES).map(encoding => () => tryDecode(bytes, encoding));
  for (const decode of texts) {
    const text = decode();
    if (text !== null) return text;
  }
  throw invalidArgument('file', '文件编码无法识别，请另存为 UTF-8 或 GB18030 编码');
}

function tryDecode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
