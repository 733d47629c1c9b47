import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knowledge } from './local/decide/knowledge.ts';
import { knowledgeOf } from './local/weights.ts';

/** The weights that the local engine ships with; `npm run nlu:train` writes them. */
export const WEIGHTS_PATH = join(import.meta.dirname, 'local/local.weights.json');

/** Reads the shipped weights, once at start. */
export async function readKnowledge(): Promise<Knowledge> {
  const content: unknown = JSON.parse(await readFile(WEIGHTS_PATH, 'utf8'));
  return knowledgeOf(content);
}
