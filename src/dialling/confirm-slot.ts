import { type Clock, sleep } from '#kernel/clock.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';

/** Longest wait for a turn, because a user is waiting for the reply, ms. */
const MAX_CONFIRM_WAIT_MS = 5_000;

/**
 * Confirms the slot of a dial when its turn within the cell's rate has come.
 *
 * Shape:  `late`: the turn is too far away; the reservation remains until it is released or its lease ends
 * Errors: CACHE_UNAVAILABLE
 * Source: A6 step 4, A10 "a cell's maxOriginatesPerSecond is respected"
 */
export async function confirmSlot(
  { slots, clock }: { slots: Pick<SlotRegistry, 'confirm'>; clock: Clock },
  requestId: string,
): Promise<'confirmed' | 'gone' | 'late'> {
  const deadline = clock.monotonic() + MAX_CONFIRM_WAIT_MS;
  for (;;) {
    const [answer] = await slots.confirm([requestId]);
    if (answer?.outcome === 'confirmed') return 'confirmed';
    if (answer === undefined || answer.outcome === 'gone') return 'gone';
    if (clock.monotonic() + answer.waitMs > deadline) return 'late';
    await sleep(clock, Math.max(1, answer.waitMs));
  }
}
