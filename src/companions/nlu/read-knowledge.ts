import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knowledge } from './local/decide/knowledge.ts';
import { knowledgeOf, type WeightsFile, weightsFileOf } from './local/weights.ts';

/** The weights that the local engine ships with; `npm run nlu:train` writes them. */
export const WEIGHTS_PATH = join(import.meta.dirname, 'local/local.weights.json');
/** The long lists of the weights. */
export const WEIGHT_BYTES_PATH = join(import.meta.dirname, 'local/local.weights.bin');

/** Reads the shipped weights, once at start. */
export async function readKnowledge(): Promise<Knowledge> {
  return knowledgeOf(await readWeightsFile(), await readFileBytes(WEIGHT_BYTES_PATH));
}

/** The shipped weights file; tools ask it for corpus digest and cross-validation. */
export async function readWeightsFile(): Promise<WeightsFile> {
  return weightsFileOf(await readFile(WEIGHTS_PATH, 'utf8'));
}

/** A file in one buffer of its own size; `readFile` would join pieces and keep both until they are collected. */
async function readFileBytes(path: string): Promise<ArrayBuffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = new ArrayBuffer(size);
    const { bytesRead } = await file.read(new Uint8Array(bytes), 0, size, 0);
    if (bytesRead !== size) throw new Error(`${path}: read ${bytesRead} of ${size} bytes`);
    return bytes;
  } finally {
    await file.close();
  }
}
