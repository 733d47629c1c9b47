import type { Clock } from '#kernel/clock.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { DialProgress, SettledDial } from './outcome-store.ts';
import type { OutcomeStore } from '#outcomes/outcome-store.ts';

/**
 * Writes single facts of many calls to PostgreSQL in batches. Each promise settles with its own batch.
 *
 * Why: concurrent small batches wait for each other's rows of `batch`, and cost a busy instance three times as much of PostgreSQL
 */
export interface AttemptWriter {
  accepted(reply: { requestId: string; replyText: string }): Promise<void>;
  answered(answer: { requestId: string; answeredAt: number }): Promise<void>;
  heard(hearing: { requestId: string; heard: string | false }): Promise<void>;
  settled(outcome: SettledDial): Promise<void>;
  /** For a dial that was certainly not sent. */
  reverted(dial: UnsentDial): Promise<void>;
}

interface UnsentDial {
  requestId: string;
  reason: string;
}

/** Batching delay of writes that a slot or a contact waits for. */
const LINGER_MS = 25;
/** Batching delay of facts that are only displayed, or needed only after a loss of the cache, in ms. */
const CALM_MS = 100;
/** More than arrive while one batch is written, so that they form one further batch and never two. */
const MAX_BATCH = 200;

export function attemptWriter(dials: OutcomeStore, clock: Clock): AttemptWriter {
  const batched = <Item>(lingerMs: number, write: (batch: readonly Item[]) => Promise<unknown>) =>
    new MicroBatcher<Item>({
      maxBatch: MAX_BATCH,
      linger: leave => clock.schedule(lingerMs, leave),
      inTurn: true,
      write: async batch => void (await write(batch)),
    });
  const progress = batched<DialProgress>(CALM_MS, batch => dials.recordProgress(eachOnce(batch)));
  const settled = batched<SettledDial>(LINGER_MS, batch => dials.settle(batch));
  const reverted = batched<UnsentDial>(LINGER_MS, batch => revertByReason(dials, batch));
  return {
    accepted: reply => progress.add(reply),
    answered: answer => progress.add(answer),
    heard: hearing => progress.add(hearing),
    settled: outcome => settled.add(outcome),
    reverted: dial => reverted.add(dial),
  };
}

/** Merges the facts of one call: a call whose answer and first word come at once is written once. */
function eachOnce(batch: readonly DialProgress[]): DialProgress[] {
  const byCall = Map.groupBy(batch, ({ requestId }) => requestId);
  return Array.from(byCall.values(), news => Object.assign({}, ...news) as DialProgress);
}

async function revertByReason(dials: OutcomeStore, batch: readonly UnsentDial[]): Promise<void> {
  for (const [reason, unsent] of Map.groupBy(batch, dial => dial.reason)) {
    const requestIds = unsent.map(({ requestId }) => requestId);
    await dials.revert(requestIds, { alsoDialing: true, reason });
  }
}
