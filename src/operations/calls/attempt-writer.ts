import type { Clock } from '#kernel/clock.ts';
import { Coalescer } from '#kernel/coalescer.ts';
import type { DialStore, SettledDial } from '#ports/dial-store.ts';

/** Single facts of many calls, written to PostgreSQL a batch at a time. Each promise ends with its own batch. */
export interface AttemptWriter {
  accepted(reply: { requestId: string; replyText: string }): Promise<void>;
  answered(answer: { requestId: string; answeredAt: number }): Promise<void>;
  settled(outcome: SettledDial): Promise<void>;
}

const WAIT_MS = 5;
const MAX_BATCH = 100;

export function attemptWriter(dials: DialStore, clock: Clock): AttemptWriter {
  const options = { clock, waitMs: WAIT_MS, maxBatch: MAX_BATCH };
  const accepted = new Coalescer<{ requestId: string; replyText: string }>({ ...options, flush: batch => dials.recordAccepted(batch) });
  const answered = new Coalescer<{ requestId: string; answeredAt: number }>({ ...options, flush: batch => dials.recordAnswered(batch) });
  const settled = new Coalescer<SettledDial>({ ...options, flush: batch => dials.settle(batch) });
  return { accepted: reply => accepted.add(reply), answered: answer => answered.add(answer), settled: outcome => settled.add(outcome) };
}
