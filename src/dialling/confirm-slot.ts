import { type Clock, sleep } from '#kernel/clock.ts';
import type { SlotRegistry } from '#ports/slot-registry.ts';

/** A person waits for the answer: a turn that comes later than this is not waited for, ms. */
const MAX_WAIT_MS = 5_000;

/**
 * Confirms the slot of one dial, after its turn in its cell's second has come.
 *
 * Shape:  `late`: the turn is too far away; the reservation stands until it is released or its lease ends
 * Errors: CACHE_UNAVAILABLE
 * Source: A6 step 4, A10 "a cell's maxOriginatesPerSecond is respected"
 */
export async function confirmSlot(
  { slots, clock }: { slots: Pick<SlotRegistry, 'confirm'>; clock: Clock },
  requestId: string,
): Promise<'confirmed' | 'gone' | 'late'> {
  const deadline = clock.monotonic() + MAX_WAIT_MS;
  for (;;) {
    const [answer] = await slots.confirm([requestId]);
    if (answer?.outcome === 'confirmed') return 'confirmed';
    if (answer === undefined || answer.outcome === 'gone') return 'gone';
    if (clock.monotonic() + answer.waitMs > deadline) return 'late';
    await sleep(clock, Math.max(1, answer.waitMs));
  }
}
