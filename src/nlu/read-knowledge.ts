import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knowledge } from './local/decide/knowledge.ts';
import { knowledgeOf, type WeightsFile, weightsFileOf } from './local/weights.ts';

/** Weights shipped with the local engine; `npm run nlu:train` writes them. */
export const WEIGHTS_PATH = join(import.meta.dirname, 'local/local.weights.json');
/** Binary arrays of the weights. */
export const WEIGHT_BYTES_PATH = join(import.meta.dirname, 'local/local.weights.bin');

/** Reads the shipped weights, once at start. */
export async function readKnowledge(): Promise<Knowledge> {
  return knowledgeOf(await readWeightsFile(), await readFileBytes(WEIGHT_BYTES_PATH));
}

/** Reads the shipped weights file; tools read its corpus digest and cross-validation results. */
export async function readWeightsFile(): Promise<WeightsFile> {
  return weightsFileOf(await readFile(WEIGHTS_PATH, 'utf8'));
}

/** Reads a file into a single buffer of its size; `readFile` would join chunks and hold both until they are collected. */
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
