import type { Clock } from '#kernel/clock.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { DialStore, SettledDial } from '#ports/dial-store.ts';

/** Single facts of many calls, written to PostgreSQL a batch at a time. Each promise ends with its own batch. */
export interface AttemptWriter {
  accepted(reply: { requestId: string; replyText: string }): Promise<void>;
  answered(answer: { requestId: string; answeredAt: number }): Promise<void>;
  settled(outcome: SettledDial): Promise<void>;
}

const LINGER_MS = 5;
const MAX_BATCH = 100;

export function attemptWriter(dials: DialStore, clock: Clock): AttemptWriter {
  const batched = <Item>(write: (batch: readonly Item[]) => Promise<unknown>) =>
    new MicroBatcher<Item>({
      maxBatch: MAX_BATCH,
      linger: leave => clock.schedule(LINGER_MS, leave),
      write: async batch => void (await write(batch)),
    });
  const accepted = batched<{ requestId: string; replyText: string }>(batch => dials.recordAccepted(batch));
  const answered = batched<{ requestId: string; answeredAt: number }>(batch => dials.recordAnswered(batch));
  const settled = batched<SettledDial>(batch => dials.settle(batch));
  return { accepted: reply => accepted.add(reply), answered: answer => answered.add(answer), settled: outcome => settled.add(outcome) };
}
