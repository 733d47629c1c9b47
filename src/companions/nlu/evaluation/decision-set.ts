import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Branch } from '#contract/nlu/decision.ts';

/** One question of an evaluation: which of the branches is it? */
export interface DecisionCase {
  text: string;
  branches: readonly Branch[];
  key: string;
  /** Where it comes from, for the report. */
  domain: string;
}

const branchSet = z.record(z.string(), z.string());

const decisionFile = z.object({
  domain: z.string(),
  ten: branchSet.optional(),
  five: branchSet.optional(),
  thirtysix: branchSet.optional(),
  /** `[key among ten, key among five, text]` or `[key among thirty-six, text]`; `-` where a set does not ask. */
  cases: z.array(z.union([z.tuple([z.string(), z.string(), z.string()]), z.tuple([z.string(), z.string()])])),
});

const NOT_ASKED = '-';

/** Reads every decision file of a folder. */
export function readDecisionCases(folder: string): DecisionCase[] {
  const files = readdirSync(folder).filter(file => file.endsWith('.yaml'));
  return files.sort().flatMap(file => {
    const parsed = decisionFile.safeParse(parse(readFileSync(join(folder, file), 'utf8')));
    return parsed.success ? casesOf(parsed.data) : [];
  });
}

function casesOf({ domain, ten, five, thirtysix, cases }: z.output<typeof decisionFile>): DecisionCase[] {
  const sets = { ten: branches(ten), five: branches(five), thirtysix: branches(thirtysix) };
  const asked = cases.flatMap(entry =>
    entry.length === 2
      ? [{ text: entry[1], key: entry[0], branches: sets.thirtysix, domain }]
      : [
          { text: entry[2], key: entry[0], branches: sets.ten, domain },
          { text: entry[2], key: entry[1], branches: sets.five, domain },
        ],
  );
  return asked.filter(({ key }) => key !== NOT_ASKED);
}

function branches(set: Record<string, string> | undefined): Branch[] {
  return Object.entries(set ?? {}).map(([key, desc]) => ({ key, desc }));
}
