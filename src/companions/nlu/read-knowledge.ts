import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knowledge } from './local/decide/knowledge.ts';
import { knowledgeOf, type WeightsFile, weightsFile } from './local/weights.ts';

/** The weights that the local engine ships with; `npm run nlu:train` writes them. */
export const WEIGHTS_PATH = join(import.meta.dirname, 'local/local.weights.json');
/** The long lists of the weights. */
export const WEIGHT_BYTES_PATH = join(import.meta.dirname, 'local/local.weights.bin');

/** Reads the shipped weights, once at start. */
export async function readKnowledge(): Promise<Knowledge> {
  return knowledgeOf(await readWeightsFile(), await readFile(WEIGHT_BYTES_PATH));
}

/** How the shipped weights did in their cross-validation. */
export async function readCrossValidated(): Promise<WeightsFile['crossValidated']> {
  return weightsFile.parse(await readWeightsFile()).crossValidated;
}

async function readWeightsFile(): Promise<unknown> {
  return JSON.parse(await readFile(WEIGHTS_PATH, 'utf8'));
}
