import { systemClock } from '#kernel/clock.ts';
import { within } from '#test/support/within.ts';

export interface CheckRow {
  area: string;
  name: string;
  ok: boolean;
  /** Measurement, or fault. */
  figure: string;
  seconds: number;
}

export interface CheckOptions {
  limitMs?: number;
  after?: () => Promise<unknown>;
}

/** Cases as they run: a fault of one does not stop the others. */
export interface Report {
  rows: readonly CheckRow[];
  /** `work` returns the measurement; an error is the fault. `after` cleans up in either case. */
  check(area: string, name: string, work: () => Promise<string>, options?: CheckOptions): Promise<void>;
}

const CASE_LIMIT_MS = 60_000;
const MAX_FIGURE = 300;

export function createReport(print: (line: string) => void, signal: AbortSignal): Report {
  const rows: CheckRow[] = [];
  return {
    rows,
    async check(area, name, work, { limitMs = CASE_LIMIT_MS, after } = {}) {
      if (signal.aborted) return;
      const beganAt = systemClock.monotonic();
      const row = await within(`${area}: ${name}`, work(), limitMs).then(
        figure => ({ ok: true, figure }),
        (error: unknown) => ({ ok: false, figure: error instanceof Error ? error.message : String(error) }),
      );
      if (signal.aborted) return;
      await after?.();
      const figure = row.figure.replaceAll(/\s+/g, ' ').slice(0, MAX_FIGURE);
      rows.push({ ...row, area, name, figure, seconds: (systemClock.monotonic() - beganAt) / 1_000 });
      const last = rows.at(-1);
      if (last) print(lineOf(last));
    },
  };
}

export function lineOf({ area, name, ok, figure, seconds }: CheckRow): string {
  return `${ok ? 'ok   ' : 'FAULT'} ${area.padEnd(16)} ${name.padEnd(52)} ${seconds.toFixed(1).padStart(5)} s  ${figure}`;
}

/** Lines below the table: the faults again, and the number of passed cases. */
export function summaryOf(rows: readonly CheckRow[]): string[] {
  const faults = rows.filter(row => !row.ok);
  return [...faults.map(lineOf), `${rows.length} cases, ${faults.length} faults`];
}

export function expectEqual(what: string, found: unknown, wanted: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`${what}: ${left}, not ${right}`);
}

export function expectAtMost(what: string, found: number, most: number): void {
  if (!(found <= most)) throw new Error(`${what}: ${Math.round(found)}, more than ${most}`);
}
