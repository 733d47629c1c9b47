import { ownerOf } from '#actors/call/stage.ts';
import { unlessUnreachable } from '#kernel/errors.ts';
import type { OpenAttempt } from '#ports/dial-store.ts';
import type { OwnedCall } from '#ports/runtime-pool.ts';
import type { ListedChannel } from '#ports/switch.ts';
import { adoptCall } from '#operations/calls/adopt-call.ts';
import { openAttempts, type ReconcileDeps } from './deps.ts';

/** A mark this young may still be on its way, and `show channels` is up to 300 ms old. ms */
export const MIN_AGE_MS = 5_000;

export type Channels = ReadonlyMap<string, ListedChannel>;

/**
 * Compares open attempts with the channels that each cell lists; whoever is not listed, or listed as answered when nobody has heard the answer, is
 * looked at closely by its actor.
 *
 * Why:    `isThorough`: also answered calls that stand. One whose actor nobody has is taken up: whoever rebuilt the live state may have died in it. The
 *         others have their places in the pool where their runtimes are, or the loss of one would not be noticed. An event that no instance heard must neither keep a slot for ever nor leave an answered customer in silence (I9); an unreachable cell
 *         proves nothing
 * Source: A6 steps 5, 6, 8, 11; A10 "show channels nominates"
 */
export async function sweepChannels(deps: ReconcileDeps, { isThorough = false } = {}): Promise<void> {
  const listed = new Map<string, Channels>();
  for await (const page of openAttempts(deps.dials)) {
    for (const attempt of page.filter(({ status }) => status !== 'claimed')) {
      const channels = await channelsOf(deps, attempt.cellId, listed);
      if (channels && isSuspect(attempt, channels)) await suspect(deps, attempt, `suspect:${sweepOf(attempt)}`);
    }
    if (isThorough) await keepServed(deps, page, listed);
  }
}

/**
 * Looks closely at every call of a cell that can be reached again, except those that stand as they should: what happened while nobody looked is
 * never reported.
 */
export async function sweepCell(deps: ReconcileDeps, { cellId, at }: { cellId: string; at: number }): Promise<void> {
  const channels = await channelsOf(deps, cellId, new Map());
  if (channels === null) return;
  for await (const page of openAttempts(deps.dials)) {
    const own = page.filter(attempt => attempt.status !== 'claimed' && attempt.cellId === cellId && !isSettled(attempt, channels));
    await Promise.all(own.map(attempt => suspect(deps, attempt, `reached:${at}`)));
  }
}

/** Answered here and at the switch: nothing that was missed could change it before the next sweep. */
function isSettled({ status, requestId }: OpenAttempt, channels: Channels): boolean {
  return status === 'answered' && channels.has(requestId);
}

function isSuspect({ status, requestId, dialingAgoMs }: OpenAttempt, channels: Channels): boolean {
  const channel = channels.get(requestId);
  if (channel) return channel.isAnswered && status !== 'answered';
  return (dialingAgoMs ?? 0) > MIN_AGE_MS;
}

/** The same age gives the same command: a repeated sweep of one moment changes nothing twice. */
function sweepOf({ dialingAgoMs }: OpenAttempt): number {
  return Math.floor((dialingAgoMs ?? 0) / SWEEP_GRAIN_MS);
}

const SWEEP_GRAIN_MS = 1_000;

async function keepServed(deps: ReconcileDeps, page: readonly OpenAttempt[], listed: ReadonlyMap<string, Channels>): Promise<void> {
  const present = page.filter(({ status, requestId, cellId }) => status === 'answered' && listed.get(cellId ?? '')?.has(requestId));
  const owned: OwnedCall[] = [];
  const keep = async ({ requestId }: OpenAttempt): Promise<void> => {
    const call = await deps.calls.find(requestId);
    const runtimeId = call && ownerOf(call.state);
    if (call === null) await adoptCall(deps, requestId);
    else if (runtimeId !== null) owned.push({ requestId, runtimeId });
  };
  await Promise.all(present.map(keep));
  if (owned.length > 0) await deps.pool.hold(owned);
}

/** What a cell lists, by uuid, asked for once in `listed`; null: the cell does not answer. */
export async function channelsOf(
  deps: Pick<ReconcileDeps, 'switchPort'>,
  cellId: string | null,
  listed: Map<string, Channels>,
): Promise<Channels | null> {
  if (cellId === null) return new Map();
  const known = listed.get(cellId);
  if (known) return known;
  const list = await unlessUnreachable(() => deps.switchPort.channels(cellId));
  if (!list) return null;
  const channels = new Map(list.map(channel => [channel.uuid, channel]));
  listed.set(cellId, channels);
  return channels;
}

async function suspect(deps: ReconcileDeps, { requestId }: OpenAttempt, commandId: string): Promise<void> {
  const outcome = await deps.calls.send(requestId, { type: 'channelSuspected' }, commandId);
  if (outcome.kind === 'absent') await adoptCall(deps, requestId);
}
