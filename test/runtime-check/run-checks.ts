import { systemClock } from '#kernel/clock.ts';
import { type Bench, type Check, type Verdict } from './check.ts';
import { BREAKING } from './checks/breaking.ts';
import { OWNING } from './checks/owning.ts';
import { REGISTERING } from './checks/registering.ts';
import { SERVING } from './checks/serving.ts';
import { SIGNING } from './checks/signing.ts';
import { STEPPING_IN } from './checks/stepping-in.ts';
import { COMMANDS, TAKING } from './checks/taking.ts';
import { tidy } from './course.ts';
import { Fault } from './fault.ts';

export interface CheckRow {
  title: string;
  kind: Verdict['kind'] | 'FAULT';
  note: string;
  seconds: number;
}

/** In this order: the last ones end the process under test. */
export const CHECKS: readonly Check[] = [
  ...REGISTERING,
  ...SERVING,
  ...TAKING,
  ...COMMANDS,
  ...OWNING,
  ...SIGNING,
  ...STEPPING_IN,
  ...BREAKING,
];

/** Runs the checks whose title matches `only`; a fault of one does not stop the others. */
export async function runChecks(bench: Bench, only: RegExp, print: (line: string) => void): Promise<CheckRow[]> {
  const rows: CheckRow[] = [];
  for (const check of CHECKS.filter(({ title }) => only.test(title))) {
    const beganAt = systemClock.monotonic();
    const { kind, note = '' } = await judge(check, bench);
    await tidy(bench);
    const row = { title: check.title, kind, note, seconds: (systemClock.monotonic() - beganAt) / 1_000 };
    rows.push(row);
    print(lineOf(row));
  }
  return rows;
}

async function judge(check: Check, bench: Bench): Promise<{ kind: CheckRow['kind']; note?: string }> {
  try {
    return await check.run(bench);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: 'FAULT', note: error.message };
  }
}

const KIND_WIDTH = 14;
const TITLE_WIDTH = 68;

export function lineOf({ title, kind, note, seconds }: CheckRow): string {
  return `${kind.padEnd(KIND_WIDTH)} ${title.padEnd(TITLE_WIDTH)} ${seconds.toFixed(1).padStart(5)} s  ${note}`.trimEnd();
}
