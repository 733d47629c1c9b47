import * as fc from 'fast-check';
import { type FuzzRequest, type FuzzRow, fuzzRows } from './fuzz-request.ts';
import { startFuzzServer } from './fuzz-server.ts';

export interface FuzzPlan {
  /** Requests per row. */
  runs: number;
  seed: number;
  /** Only rows whose name has this text; '' for all. */
  only: string;
  tell: (line: string) => void;
}

export interface FuzzFinding {
  row: string;
  fault: string;
  /** The smallest request that shows it. */
  request: string;
}

export interface FuzzOutcome {
  requests: number;
  /** Answers by row and status. */
  answers: Record<string, Record<number, number>>;
  findings: FuzzFinding[];
}

/**
 * Asks every row of the OpenAPI document what nobody should ask.
 *
 * Why: readers come first, while the tables are small
 */
export async function fuzzAll({ runs, seed, only, tell }: FuzzPlan): Promise<FuzzOutcome> {
  const server = await startFuzzServer();
  const outcome: FuzzOutcome = { requests: 0, answers: {}, findings: [] };
  try {
    const rows = fuzzRows(server.document).filter(({ name }) => name.includes(only));
    rows.sort((a, b) => Number(b.name.startsWith('GET')) - Number(a.name.startsWith('GET')));
    for (const row of rows) {
      const answers: Record<number, number> = {};
      outcome.answers[row.name] = answers;
      const finding = await fuzzRow(row, { runs, seed }, async asked => {
        const { status, fault } = await server.ask(row.name, asked);
        outcome.requests++;
        answers[status] = (answers[status] ?? 0) + 1;
        return fault;
      });
      tell(`${finding ? 'FAULT' : 'ok   '} ${row.name} ${JSON.stringify(answers)}`);
      if (!finding) continue;
      outcome.findings.push(finding);
      tell(`  ${finding.fault}\n  ${finding.request}`);
    }
    return outcome;
  } finally {
    await server.close();
  }
}

async function fuzzRow(
  { name, requests }: FuzzRow,
  { runs, seed }: Pick<FuzzPlan, 'runs' | 'seed'>,
  faultOf: (asked: FuzzRequest) => Promise<string | null>,
): Promise<FuzzFinding | null> {
  const property = fc.asyncProperty(requests, async asked => {
    const fault = await faultOf(asked);
    if (fault !== null) throw new Error(fault);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns: runs, seed });
  return failed ? { row: name, fault: String(errorInstance), request: shown(counterexample?.[0]) } : null;
}

function shown(asked: FuzzRequest | undefined): string {
  if (!asked) return '';
  const { method, path, contentType, body } = asked;
  return `${method} ${path} ${contentType ?? ''} ${JSON.stringify(body?.toString().slice(0, 600) ?? '')}`;
}
