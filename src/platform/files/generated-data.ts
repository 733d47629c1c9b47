import { readFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Reads a generated JSON file beside the module `beside`; a name that ends with `.br` is packed. The shape is the maker's. */
export function readGenerated(fileName: string, beside: string): unknown {
  const bytes = readFileSync(new URL(fileName, beside));
  return JSON.parse((fileName.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString());
}

/** Content of a `.br` file for `readGenerated`. */
export function packed(data: unknown): Buffer {
  return brotliCompressSync(JSON.stringify(data), { params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS } });
}
