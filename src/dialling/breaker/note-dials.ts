import { MicroBatcher } from '#kernel/micro-batcher.ts';
import { afterEnds, type Breaker, type BreakerSettings, type DialEnd } from '#rules/breaker.ts';
import { isNetworkCause } from '#rules/hangup-cause.ts';
import type { ActorMessage } from '#contract/nats/actor-messages.ts';
import type { Ports } from '#ports/ports.ts';

export interface NoteDeps extends Pick<Ports, 'breakers' | 'actors' | 'clock' | 'log'> {
  settings: BreakerSettings;
}

/** Tells the campaigns' breakers how dials ended; never waits and never fails, for a lost note costs nothing but precision. */
export interface DialNotes {
  ended(campaignId: number, end: DialEnd): void;
}

/** Ends of many calls go together, ms. */
const LINGER_MS = 50;
const MAX_BATCH = 500;

interface Note {
  campaignId: number;
  end: DialEnd;
}

export function dialNotes(deps: NoteDeps): DialNotes {
  const notes = new MicroBatcher<Note>({
    maxBatch: MAX_BATCH,
    linger: leave => deps.clock.schedule(LINGER_MS, leave),
    write: batch => writeNotes(deps, batch),
  });
  return {
    ended(campaignId, end) {
      notes.add({ campaignId, end }).catch((error: unknown) => deps.log.debug({ err: error, campaignId }, 'ends of dials were not noted'));
    },
  };
}

/** A call that nobody answered: failed when the network refused it. */
export function unansweredEnd(requestId: string, cause: string | null): DialEnd {
  if (cause === null) return { requestId, outcome: 'void', cause };
  return { requestId, outcome: isNetworkCause(cause) ? 'failed' : 'reached', cause };
}

async function writeNotes(deps: NoteDeps, notes: readonly Note[]): Promise<void> {
  const byCampaign = Map.groupBy(notes, note => note.campaignId);
  await Promise.all(
    [...byCampaign].map(async ([campaignId, own]) => {
      const ends = own.map(note => note.end);
      const change = await deps.breakers.change(campaignId, (breaker, at) => afterEnds(breaker, ends, at, deps.settings));
      const event = change.after.kind === change.before.kind ? null : eventOf(change);
      const to = { type: 'campaign', id: String(campaignId) } as const;
      if (event) await deps.actors.send({ to, event, commandId: `breaker:${event.type}:${change.at}` });
    }),
  );
}

/** The campaign hears only what opens or closes its breaker; a try is its own turn's doing. */
function eventOf({ after, at }: { after: Breaker; at: number }): ActorMessage<'campaign'> | null {
  if (after.kind === 'closed') return { type: 'breakerClosed' };
  if (after.kind === 'open')
    return { type: 'breakerOpened', at, opening: { openedAt: after.openedAt, until: after.until, report: after.report } };
  return null;
}
