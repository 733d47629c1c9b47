import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { fieldValue } from '#protocol/nlu-answers.ts';
import type { DecisionCase } from './decision-set.ts';
import { type ExtractCase, fieldDefinition } from './extract-set.ts';

const branch = z.object({ key: z.string().min(1), desc: z.string() });
const decisionLine = z.object({ text: z.string(), branches: z.array(branch).min(1), key: z.string() });
const extractLine = z.object({
  text: z.string(),
  fields: z.array(fieldDefinition).min(1),
  expected: z.record(z.string(), fieldValue),
  /** Time of the call; absent: now. */
  now: z.string().optional(),
});

/** Cases of a JSONL file, both kinds in any order. */
export interface JsonlCases {
  decisions: DecisionCase[];
  extracts: ExtractCase[];
}

/** Reads lines of `{ text, branches, key }` and `{ text, fields, expected }`; throws with the line number on anything else. */
export function readJsonl(path: string): JsonlCases {
  const cases: JsonlCases = { decisions: [], extracts: [] };
  readFileSync(path, 'utf8')
    .split('\n')
    .forEach((line, index) => {
      if (line.trim() === '') return;
      readLine(parseLine(line, path, index + 1), { path, number: index + 1 }, cases);
    });
  return cases;
}

function readLine(content: unknown, { path, number }: { path: string; number: number }, cases: JsonlCases): void {
  const decision = decisionLine.safeParse(content);
  if (decision.success) {
    cases.decisions.push({ ...decision.data, domain: path });
    return;
  }
  const extract = extractLine.safeParse(content);
  if (!extract.success) throw new Error(`${path}:${number}: neither { text, branches, key } nor { text, fields, expected }`);
  cases.extracts.push({ ...extract.data, now: extract.data.now ?? null });
}

function parseLine(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error(`${path}:${number}: no JSON`, { cause });
  }
}
