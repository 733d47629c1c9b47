import * as fc from 'fast-check';
import { systemClock } from '#kernel/clock.ts';
import { BATCH, type Verdict } from './batch-judge.ts';
import { type FuzzRequest, type FuzzRow, fuzzRows } from './fuzz-request.ts';
import { startFuzzServer } from './fuzz-server.ts';

/** Requests generated before the first is sent, so that generation never waits for a response. */
const CHUNK = 2_000;

export interface FuzzPlan {
  /** Requests per route. */
  runs: number;
  seed: number;
  /** Only routes whose "METHOD /path" matches; null for all. */
  only: RegExp | null;
  /** Only routes with these numbers, from 1, in the order of testing; null for all. */
  rows: { from: number; to: number } | null;
  tell: (line: string) => void;
}

export interface FuzzFinding {
  row: string;
  fault: string;
  /** The smallest request that shows the fault. */
  request: string;
}

export interface FuzzOutcome {
  requests: number;
  /** Number of responses by route and status. */
  answers: Record<string, Record<number, number>>;
  findings: FuzzFinding[];
}

/**
 * Sends invalid requests to every route of the OpenAPI document.
 *
 * Why: reading routes come first, while the tables are small
 */
export async function fuzzAll({ runs, seed, only, rows, tell }: FuzzPlan): Promise<FuzzOutcome> {
  const server = await startFuzzServer();
  const outcome: FuzzOutcome = { requests: 0, answers: {}, findings: [] };
  const beganAt = systemClock.monotonic();
  try {
    const all = fuzzRows(server.document).sort((a, b) => Number(b.name.startsWith('GET')) - Number(a.name.startsWith('GET')));
    for (const [index, row] of all.entries()) {
      const isWanted = (only?.test(row.name) ?? true) && index + 1 >= (rows?.from ?? 1) && index + 1 <= (rows?.to ?? all.length);
      if (!isWanted) continue;
      const rowBeganAt = systemClock.monotonic();
      const { answers, finding } = await fuzzRow(row, { runs, seed, judge: server.judge(row.name) });
      outcome.answers[row.name] = answers;
      outcome.requests += Object.values(answers).reduce((sum, count) => sum + count, 0);
      const times = `${seconds(rowBeganAt)} s, ${seconds(beganAt)} s in all`;
      tell(`[${index + 1}/${all.length}] ${finding ? 'FAULT' : 'ok   '} ${row.name} ${runs} runs, ${times} ${JSON.stringify(answers)}`);
      if (!finding) continue;
      outcome.findings.push(finding);
      tell(`  ${finding.fault}\n  ${finding.request}`);
    }
    return outcome;
  } finally {
    await server.close();
  }
}

function seconds(since: number): string {
  return ((systemClock.monotonic() - since) / 1_000).toFixed(1);
}

type Judge = (asked: readonly FuzzRequest[]) => Promise<Verdict[]>;

/** Stops at the first fault. */
async function fuzzRow(
  row: FuzzRow,
  { runs, seed, judge }: { runs: number; seed: number; judge: Judge },
): Promise<{ answers: Record<number, number>; finding: FuzzFinding | null }> {
  const answers: Record<number, number> = {};
  for (let start = 0; start < runs; start += CHUNK) {
    const requests = fc.sample(row.requests, { numRuns: Math.min(CHUNK, runs - start), seed: seed + start });
    for (let first = 0; first < requests.length; first += BATCH) {
      const verdicts = await judge(requests.slice(first, first + BATCH));
      for (const { status } of verdicts) answers[status] = (answers[status] ?? 0) + 1;
      const guilty = verdicts.findIndex(({ fault }) => fault !== null);
      if (guilty < 0) continue;
      const found = { row: row.name, fault: verdicts[guilty]?.fault ?? '', request: shown(requests[first + guilty]) };
      return { answers, finding: (await smallest(row, { seed: seed + start, path: String(first + guilty), judge })) ?? found };
    }
  }
  return { answers, finding: null };
}

/** Shrinks a request to the smallest one with a fault; null when it no longer has one. */
async function smallest(
  { name, requests }: FuzzRow,
  { seed, path, judge }: { seed: number; path: string; judge: Judge },
): Promise<FuzzFinding | null> {
  const property = fc.asyncProperty(requests, async asked => {
    const [verdict] = await judge([asked]);
    if (verdict?.fault) throw new Error(verdict.fault);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns: 1, seed, path });
  return failed ? { row: name, fault: String(errorInstance), request: shown(counterexample?.[0]) } : null;
}

function shown(asked: FuzzRequest | undefined): string {
  if (!asked) return '';
  const { method, path, contentType, body } = asked;
  return `${method} ${path} ${contentType ?? ''} ${JSON.stringify(body?.toString().slice(0, 600) ?? '')}`;
}
