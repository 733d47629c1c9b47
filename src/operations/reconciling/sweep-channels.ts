import { isCalloutError } from '#kernel/errors.ts';
import type { OpenAttempt } from '#ports/dial-store.ts';
import { adoptCall } from '../calls/adopt-call.ts';
import { openAttempts, type ReconcileDeps } from './deps.ts';

/** A mark this young may still be on its way, and `show channels` is up to 300 ms old. ms */
const MIN_AGE_MS = 5_000;

/**
 * Compares open attempts with the channels that each cell lists; whoever is not listed is looked at closely by its actor.
 *
 * Why:    an event that no instance heard must not keep a slot for ever; an unreachable cell proves nothing
 * Source: A6 steps 5, 6, 8, 11; A10 "show channels nominates, uuid_exists decides"
 */
export async function sweepChannels(deps: ReconcileDeps): Promise<void> {
  const listed = new Map<string, ReadonlySet<string>>();
  for await (const page of openAttempts(deps.dials)) {
    for (const attempt of page) {
      if (!maySuspect(attempt)) continue;
      const channels = await channelsOf(deps, attempt.cellId, listed);
      if (channels && !channels.has(attempt.requestId)) await suspect(deps, attempt);
    }
  }
}

function maySuspect(attempt: OpenAttempt): boolean {
  return attempt.status !== 'claimed' && (attempt.dialingAgoMs ?? 0) > MIN_AGE_MS;
}

/** Null: the cell does not answer. */
async function channelsOf(
  deps: ReconcileDeps,
  cellId: string | null,
  listed: Map<string, ReadonlySet<string>>,
): Promise<ReadonlySet<string> | null> {
  if (cellId === null) return new Set();
  const known = listed.get(cellId);
  if (known) return known;
  try {
    const channels = new Set((await deps.switchPort.channels(cellId)).map(({ uuid }) => uuid));
    listed.set(cellId, channels);
    return channels;
  } catch (error) {
    if (!isCalloutError(error, 'SWITCH_UNAVAILABLE')) throw error;
    return null;
  }
}

async function suspect(deps: ReconcileDeps, { requestId, dialingAgoMs }: OpenAttempt): Promise<void> {
  // The same age gives the same command: a repeated sweep of one moment changes nothing twice.
  const outcome = await deps.calls.send(requestId, { type: 'channelSuspected' }, `suspect:${Math.floor((dialingAgoMs ?? 0) / MIN_AGE_MS)}`);
  if (outcome.kind === 'absent') await adoptCall(deps, requestId);
}
