import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Branch } from '#protocol/nlu.ts';

/** One case of a decision evaluation: which of the branches matches the text? */
export interface DecisionCase {
  text: string;
  branches: readonly Branch[];
  key: string;
  /** Origin of the case, for the report. */
  domain: string;
}

const word = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const branchSet = z.record(z.string(), word);

const decisionFile = z.object({
  domain: z.string(),
  ten: branchSet.optional(),
  five: branchSet.optional(),
  thirtysix: branchSet.optional(),
  /** `[key among ten, key among five, text]` or `[key among thirty-six, text]`; `-` where a set does not include the text. */
  cases: z.array(z.union([z.tuple([word, word, word]), z.tuple([word, word])])),
});

const NOT_ASKED = '-';

/** Reads a decision file, or every decision file of a folder, which may hold files of other kinds. */
export function readDecisionCases(path: string): DecisionCase[] {
  if (!statSync(path).isDirectory()) return readDecisionFile(path);
  const files = readdirSync(path).filter(file => file.endsWith('.yaml'));
  return files.sort().flatMap(file => {
    const content: unknown = parse(readFileSync(join(path, file), 'utf8'));
    return isOfAnotherKind(content) ? [] : casesOf(decisionFile.parse(content), join(path, file));
  });
}

function readDecisionFile(path: string): DecisionCase[] {
  return casesOf(decisionFile.parse(parse(readFileSync(path, 'utf8'))), path);
}

/** Extract files have a table of fields. */
function isOfAnotherKind(content: unknown): boolean {
  return typeof content === 'object' && content !== null && 'fields' in content;
}

function casesOf({ domain, ten, five, thirtysix, cases }: z.output<typeof decisionFile>, path: string): DecisionCase[] {
  const sets = { ten: branches(ten), five: branches(five), thirtysix: branches(thirtysix) };
  const asked = cases.flatMap(entry =>
    entry.length === 2
      ? [{ text: entry[1], key: entry[0], branches: sets.thirtysix, domain }]
      : [
          { text: entry[2], key: entry[0], branches: sets.ten, domain },
          { text: entry[2], key: entry[1], branches: sets.five, domain },
        ],
  );
  const known = asked.filter(({ key }) => key !== NOT_ASKED);
  const wrong = known.find(({ key, branches: set }) => !set.some(branch => branch.key === key));
  if (wrong) throw new Error(`${path}: no branch ${wrong.key}`);
  return known;
}

function branches(set: Record<string, string> | undefined): Branch[] {
  return Object.entries(set ?? {}).map(([key, desc]) => ({ key, desc }));
}
