import { INTERNAL_TOKEN } from '#bench/support/server-process.ts';
import { proofHeaders, proofKeyOf } from '#protocol/proof.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { actorSubject, commandSubject } from '#protocol/subjects.ts';
import type { Bus } from '#platform/nats/bus.ts';

const KEY = proofKeyOf(INTERNAL_TOKEN);

/** Delay until the next node boundary, in ms: 3 to 10 s according to OCS 3. */
const BOUNDARY_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Plays the call-flow runtime for claims: acknowledges one, and takes the call over later. The returned function stops it.
 *
 * Source: A7
 */
export function playRuntime(bus: Bus): () => void {
  const boundaries = new Set<NodeJS.Timeout>();
  const stop = bus.subscribe(commandSubject('*', 'intervene'), {}, ({ subject, body, respond }) => {
    respond?.({ ok: true });
    const requestId = subject.split('.').at(-2) ?? '';
    const { interventionId } = body as { interventionId: string };
    const boundary = setTimeout(() => {
      boundaries.delete(boundary);
      // The bench is over, or the server is too busy: a claim without a takeover expires.
      const [asked, question] = [actorSubject('intervention', requestId, 'consume'), { interventionId }];
      const proven = { subject: asked, id: systemIds(), sentAt: String(systemClock.now()) };
      bus.request(asked, question, ANSWER_TIMEOUT_MS, proofHeaders(KEY, proven, JSON.stringify(question))).catch(() => undefined);
    }, BOUNDARY_MS);
    boundaries.add(boundary);
  });
  return () => {
    stop();
    for (const boundary of boundaries) clearTimeout(boundary);
  };
}
