import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { DialEnd } from '#campaigns/decisions/breaker.ts';
import { isNetworkCause } from '#protocol/call-status.ts';
import type { Platform } from '#platform/platform.ts';

type NoteDeps = Pick<Platform, 'actors' | 'clock' | 'ids' | 'log'>;

/** Notifies campaigns of how their dials ended; never blocks and never throws, because a lost note costs only precision. */
export interface DialNotes {
  ended(campaignId: number, end: DialEnd): void;
}

/** Batching delay after a failure, which may open the breaker; earlier notes leave with it, in ms. */
const FAILURE_LINGER_MS = 50;
/** Batching delay of notes about reached customers, which are not urgent: each batch is a commit of the campaign, in ms. */
const CALM_MS = 1_000;
const MAX_NOTES = 500;

interface Note {
  campaignId: number;
  end: DialEnd;
}

export function dialNotes(deps: NoteDeps): DialNotes {
  let leaveSoon = (): unknown => undefined;
  const notes = new MicroBatcher<Note>({
    maxBatch: MAX_NOTES,
    linger: leave => {
      deps.clock.schedule(CALM_MS, leave);
      leaveSoon = () => deps.clock.schedule(FAILURE_LINGER_MS, leave);
    },
    write: batch => sendNotes(deps, batch),
  });
  return {
    ended(campaignId, end) {
      notes.add({ campaignId, end }).catch((error: unknown) => deps.log.debug({ err: error, campaignId }, 'ends of dials were not noted'));
      if (end.outcome !== 'reached') leaveSoon();
    },
  };
}

/** End of an unanswered call: failed when the network refused it. */
export function unansweredEnd(requestId: string, cause: string | null): DialEnd {
  if (cause === null) return { requestId, outcome: 'void', cause };
  return { requestId, outcome: isNetworkCause(cause) ? 'failed' : 'reached', cause };
}

async function sendNotes({ actors, clock, ids }: NoteDeps, notes: readonly Note[]): Promise<void> {
  const byCampaign = Map.groupBy(notes, note => note.campaignId);
  const send = ([campaignId, own]: [number, Note[]]) => {
    const event = { type: 'dialsEnded', at: clock.now(), ends: own.map(note => note.end) } as const;
    return actors.send({ to: { type: 'campaign', id: String(campaignId) }, event, commandId: `ends:${ids()}` });
  };
  await Promise.all(Array.from(byCampaign, send));
}
