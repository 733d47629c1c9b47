import { ownerOf } from '#actors/call/stage.ts';
import { unlessUnreachable } from '#kernel/errors.ts';
import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { OwnedCall } from '#runtimes/runtime-pool.ts';
import type { ListedChannel } from '#platform/freeswitch/switch.ts';
import { adoptCall } from '#calls/find-call.ts';
import { openAttempts, type ReconcileDeps } from './deps.ts';

/** A younger mark may still be on its way to the switch, and `show channels` is up to 300 ms old. ms */
export const MIN_AGE_MS = 5_000;

export type Channels = ReadonlyMap<string, ListedChannel>;

/**
 * Compares open attempts with the channels that each cell lists. The actor of an attempt probes the switch when its channel is not listed,
 * or is listed as answered without a recorded answer.
 *
 * Why:    a missed event must neither keep a slot forever nor leave an answered customer in silence (I9); an unreachable cell proves nothing.
 *         `isThorough` also covers answered calls: one without an actor is restored, since the instance that rebuilt the live state may have
 *         crashed; the others are recorded in the pool at their runtimes, otherwise the loss of a runtime would go unnoticed
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
 * Probes every call of a cell that has become reachable again, except those in their expected state: events missed during the outage are never
 * repeated.
 */
export async function sweepCell(deps: ReconcileDeps, { cellId, at }: { cellId: string; at: number }): Promise<void> {
  const channels = await channelsOf(deps, cellId, new Map());
  if (channels === null) return;
  for await (const page of openAttempts(deps.dials)) {
    const own = page.filter(attempt => attempt.status !== 'claimed' && attempt.cellId === cellId && !isSettled(attempt, channels));
    await Promise.all(own.map(attempt => suspect(deps, attempt, `reached:${at}`)));
  }
}

/** Answered both here and at the switch: a missed event could only matter after the next sweep. */
function isSettled({ status, requestId }: OpenAttempt, channels: Channels): boolean {
  return status === 'answered' && channels.has(requestId);
}

function isSuspect({ status, requestId, dialingAgoMs }: OpenAttempt, channels: Channels): boolean {
  const channel = channels.get(requestId);
  if (channel) return channel.isAnswered && status !== 'answered';
  return (dialingAgoMs ?? 0) > MIN_AGE_MS;
}

/** The same age yields the same command id, so that a sweep repeated at the same moment has no further effect. */
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

/** Channels listed by a cell, by uuid, cached in `listed`; null when the cell does not answer. */
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
