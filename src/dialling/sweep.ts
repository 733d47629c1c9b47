import { ownerOf } from '#actors/call/stage.ts';
import { OPEN_ATTEMPT_STATUSES } from '#attempts/attempt.ts';
import { adoptCall } from '#calls/find-call.ts';
import { unlessUnreachable } from '#kernel/errors.ts';
import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { ListedChannel } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { OwnedCall, RuntimePool } from '#runtimes/runtime-pool.ts';
import type { HeldSlot, SlotsPart } from '#slots/slot-registry.ts';
import type { DialStore, DialsPart } from './dial-store.ts';
import type { CallsPart } from '#calls/call-actor.ts';
import { isOneOf } from '#kernel/typed.ts';

/** Calls that hold slots without an attempt: those of agents and external participants. */
interface SlotHolders {
  /** The open calls among these request ids. */
  findOpen(requestIds: readonly string[]): Promise<readonly { requestId: string }[]>;
  /** Open calls that hold a slot, oldest first, after `afterId`. */
  listHolding(afterId: number, limit: number): Promise<readonly SlotHolder[]>;
}

interface SlotHolder {
  id: number;
  requestId: string;
  /** `conference`: the slot is the conference's campaign's. */
  direction: string;
  campaignId: number | null;
  lineId: number | null;
  callerNumber: string | null;
  cellId: string | null;
}

export interface ReconcileApp extends CallsPart, DialsPart, SlotsPart, Pick<Platform, 'wake' | 'switchPort' | 'clock' | 'ids' | 'log'> {
  /** Agents' calls hold slots, too. */
  softphoneCalls: SlotHolders;
  pool: Pick<RuntimePool, 'hold'>;
  /** Lease of an unconfirmed reservation, ms (A6 step 2). */
  reservationLeaseMs: number;
}

/** Rows per read. */
export const PAGE = 500;

/** Iterates over all open attempts, page by page. */
export async function* openAttempts(dials: Pick<DialStore, 'openAttempts'>): AsyncGenerator<OpenAttempt[]> {
  let afterId = 0;
  for (;;) {
    const page = await dials.openAttempts(afterId, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    afterId = page.at(-1)?.id ?? afterId;
  }
}

/** A younger mark may still be on its way to the switch, and `show channels` is up to 300 ms old. ms */
const MIN_AGE_MS = 5_000;

type Channels = ReadonlyMap<string, ListedChannel>;

/**
 * Compares open attempts with the channels that each cell lists. The actor of an attempt probes the switch when its channel is not listed,
 * or is listed as answered without a recorded answer.
 *
 * Why:    a missed event must neither keep a slot forever nor leave an answered customer in silence (I9); an unreachable cell proves nothing.
 *         `isThorough` also covers answered calls: one without an actor is restored, since the instance that rebuilt the live state may have
 *         crashed; the others are recorded in the pool at their runtimes, otherwise the loss of a runtime would go unnoticed
 * Source: A6 steps 5, 6, 8, 11; A10 "show channels nominates"
 */
export async function sweepChannels(app: ReconcileApp, { isThorough = false } = {}): Promise<void> {
  const listed = new Map<string, Channels>();
  for await (const page of openAttempts(app.dials)) {
    for (const attempt of page.filter(({ status }) => status !== 'claimed')) {
      const channels = await channelsOf(app, attempt.cellId, listed);
      if (channels && isSuspect(attempt, channels)) await suspect(app, attempt, `suspect:${sweepOf(attempt)}`);
    }
    if (isThorough) await keepServed(app, page, listed);
  }
}

/**
 * Probes every call of a cell that has become reachable again, except those in their expected state: events missed during the outage are never
 * repeated.
 */
export async function sweepCell(app: ReconcileApp, { cellId, at }: { cellId: string; at: number }): Promise<void> {
  const channels = await channelsOf(app, cellId, new Map());
  if (channels === null) return;
  for await (const page of openAttempts(app.dials)) {
    const own = page.filter(attempt => attempt.status !== 'claimed' && attempt.cellId === cellId && !isSettled(attempt, channels));
    await Promise.all(own.map(attempt => suspect(app, attempt, `reached:${at}`)));
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

async function keepServed(app: ReconcileApp, page: readonly OpenAttempt[], listed: ReadonlyMap<string, Channels>): Promise<void> {
  const present = page.filter(({ status, requestId, cellId }) => status === 'answered' && listed.get(cellId ?? '')?.has(requestId));
  const owned: OwnedCall[] = [];
  const keep = async ({ requestId }: OpenAttempt): Promise<void> => {
    const call = await app.calls.find(requestId);
    const runtimeId = call && ownerOf(call.state);
    if (call === null) await adoptCall(app, requestId);
    else if (runtimeId !== null) owned.push({ requestId, runtimeId });
  };
  await Promise.all(present.map(keep));
  if (owned.length > 0) await app.pool.hold(owned);
}

/** Channels listed by a cell, by uuid, cached in `listed`; null when the cell does not answer. */
async function channelsOf(
  app: Pick<ReconcileApp, 'switchPort'>,
  cellId: string | null,
  listed: Map<string, Channels>,
): Promise<Channels | null> {
  if (cellId === null) return new Map();
  const known = listed.get(cellId);
  if (known) return known;
  const list = await unlessUnreachable(() => app.switchPort.channels(cellId));
  if (!list) return null;
  const channels = new Map(list.map(channel => [channel.uuid, channel]));
  listed.set(cellId, channels);
  return channels;
}

async function suspect(app: ReconcileApp, { requestId }: OpenAttempt, commandId: string): Promise<void> {
  const outcome = await app.calls.send(requestId, { type: 'channelSuspected' }, commandId);
  if (outcome.kind === 'absent') await adoptCall(app, requestId);
}

/**
 * Releases slots whose attempt is closed and whose channel is gone, after a crash between the two. A remaining channel whose actor was lost
 * with the cache is hung up, because nothing else would end it.
 *
 * Why:    a slot is released only after checking the switch (I1); an unreachable cell keeps its slots
 * Source: A6 steps 7–8
 */
export async function releaseOrphans(app: ReconcileApp): Promise<number> {
  const lists = { listed: new Map<string, Channels>(), queried: new Set<string>() };
  let cursor = '0';
  let released = 0;
  do {
    const page = await app.slots.listHeld(cursor, PAGE);
    cursor = page.cursor;
    const free = await orphansOf(app, page.held, lists);
    released += await app.slots.release(free);
  } while (cursor !== '0');
  if (released > 0) app.wake.campaign(null);
  return released;
}

/** Channels listed by each cell in this round; a cell that was queried but has no list did not answer and is not queried again. */
interface CellLists {
  listed: Map<string, Channels>;
  queried: Set<string>;
}

async function orphansOf(app: ReconcileApp, held: readonly HeldSlot[], lists: CellLists): Promise<string[]> {
  const attempts = new Map((await app.dials.findAttempts(held.map(slot => slot.requestId))).map(attempt => [attempt.requestId, attempt]));
  const calls = new Set((await app.softphoneCalls.findOpen(held.map(slot => slot.requestId))).map(call => call.requestId));
  const suspects = held.filter(({ requestId }) => !calls.has(requestId) && !isOpen(attempts.get(requestId)));
  // One list per cell serves all its slots: after an outage there may be thousands.
  const old = suspects.filter(({ requestId }) => isOld(attempts.get(requestId)));
  for (const { cellId } of old) await listOnce(app, cellId, lists);
  const gone = await Promise.all(suspects.map(slot => isGone(app, slot, isOld(attempts.get(slot.requestId)) ? lists.listed : null)));
  const remaining = suspects.filter(({ requestId }, index) => !gone[index] && attempts.has(requestId));
  for (const slot of remaining) await endOutlived(app, slot, { hasResult: attempts.get(slot.requestId)?.hasResult === true, lists });
  return suspects.filter((_, index) => gone[index]).map(slot => slot.requestId);
}

async function listOnce(app: ReconcileApp, cellId: string | null, { listed, queried }: CellLists): Promise<Channels | undefined> {
  if (cellId !== null && !queried.has(cellId)) {
    queried.add(cellId);
    await channelsOf(app, cellId, listed);
  }
  return listed.get(cellId ?? '');
}

function isOpen(attempt: OpenAttempt | undefined): boolean {
  return attempt !== undefined && isOneOf(OPEN_ATTEMPT_STATUSES, attempt.status);
}

/** Old enough for its channel, if it exists, to be in every list. */
function isOld(attempt: OpenAttempt | undefined): boolean {
  return (attempt?.dialingAgoMs ?? 0) > MIN_AGE_MS;
}

/** `listed`: channel lists, when they are sufficient proof; a cell without one did not answer. */
async function isGone(app: ReconcileApp, { cellId, requestId }: HeldSlot, listed: ReadonlyMap<string, Channels> | null): Promise<boolean> {
  if (cellId === null) return true;
  if (listed) return listed.get(cellId)?.has(requestId) === false;
  return (await unlessUnreachable(() => app.switchPort.probe(cellId, requestId)))?.kind === 'absent';
}

/**
 * Ends a channel that outlived its attempt. If it has an actor, possibly restored after the result, the actor does it. A channel in a
 * conference is left to its participants. If the cell becomes unreachable, the next round tries again.
 */
async function endOutlived(
  app: ReconcileApp,
  { cellId, requestId }: HeldSlot,
  { hasResult, lists }: { hasResult: boolean; lists: CellLists },
): Promise<void> {
  const call = await app.calls.find(requestId);
  if (call && hasResult) await app.calls.send(requestId, { type: 'resultReported' }, `held:result:${requestId}`, call);
  if (call || cellId === null) return;
  const channel = (await listOnce(app, cellId, lists))?.get(requestId);
  if (!channel || channel.isInConference) return;
  app.log.warn({ requestId, cellId }, 'a channel without an attempt and an actor was hung up');
  await unlessUnreachable(() => app.switchPort.hangup(cellId, requestId, 'NORMAL_CLEARING'));
}
