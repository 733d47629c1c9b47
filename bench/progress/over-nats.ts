import { connect } from '@nats-io/transport-node';
import { captionSubject, LIVE_SUBJECTS } from '#protocol/subjects.ts';
import { systemClock } from '#kernel/clock.ts';
import { INTERNAL_TOKEN } from '#bench/support/server-process.ts';
import { signedBy } from '#test/support/signed.ts';

/** Most captions in flight: fewer than the limit above which the server drops them. */
const MAX_UNDER_WAY = 1_000;
const TURN_MS = 1;
const LAST_MS = 2_000;

/** A caption with its call. */
export interface Caption {
  requestId: string;
  body: string;
}

/**
 * Publishes captions for the given time, as fast as the server accepts them; resolves to the number and the rate of resulting changes of
 * live calls.
 *
 * Why: a caption over NATS has no response; the change sent to watchers proves that it was accepted
 */
export async function loadNats(
  url: string,
  caption: (index: number) => Caption,
  seconds: number,
): Promise<{ taken: number; perSecond: number }> {
  const bus = await connect({ servers: url });
  const count = { sent: 0, taken: 0 };
  bus.subscribe(LIVE_SUBJECTS, { callback: () => void (count.taken += 1) });
  await bus.flush();
  const startedAt = systemClock.monotonic();
  const elapsedMs = () => systemClock.monotonic() - startedAt;
  while (elapsedMs() < seconds * 1_000) {
    for (; count.sent - count.taken < MAX_UNDER_WAY; count.sent += 1) {
      const { requestId, body } = caption(count.sent);
      const subject = captionSubject(requestId);
      bus.publish(subject, body, signedBy(INTERNAL_TOKEN, { subject, text: body }));
    }
    await turn(TURN_MS);
  }
  const endMs = elapsedMs();
  const perSecond = (count.taken * 1_000) / endMs;
  while (count.taken < count.sent && elapsedMs() < endMs + LAST_MS) await turn(TURN_MS);
  await bus.close();
  if (count.taken < count.sent) throw new Error(`${count.sent - count.taken} of ${count.sent} captions were not taken`);
  return { taken: count.taken, perSecond };
}

function turn(ms: number): Promise<void> {
  return new Promise(resolve => systemClock.schedule(ms, resolve));
}
