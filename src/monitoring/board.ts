import { listLiveCalls, liveCallList, type LiveCallListing, readLiveCalls } from '#calls/list-live-calls.ts';
import { EVERY_CALL, type LiveCallScope, NOBODY, viewerIdOf, viewModeOf } from '#calls/live-call-scope.ts';
import type { LiveCall } from '#calls/live-call.ts';
import type { LiveCallsFeedPart } from '#calls/live-calls-feed.ts';
import type { ConferenceStore } from '#conferences/conference.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { isSame, polledSource } from '#platform/feeds/polled-source.ts';
import type { Platform } from '#platform/platform.ts';
import type { MonitorCapacity, MonitorsPart } from './monitor-registry.ts';
import type { CapacityFeedPart } from './presence.ts';
import type { LiveCallsPart } from '#calls/live-call-store.ts';

interface MyCalls extends LiveCallListing {
  scope: LiveCallScope;
  capacity: MonitorCapacity;
}

type OwnCallsApp = LiveCallsPart & MonitorsPart & { conferences: Pick<ConferenceStore, 'callsOf'> } & Pick<Platform, 'clock'>;

/**
 * Calls that the caller monitors, talks in or may still read; every call for callers who may dispatch.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: OCS 4.12, D9.2, D9.7
 */
export async function listMyCalls(app: OwnCallsApp, caller: Caller, campaignId: number | null): Promise<MyCalls> {
  const scope: LiveCallScope = { campaignId, requestId: null, viewerId: viewerIdOf(caller) };
  const [list, capacity] = await Promise.all([listVisible(app, scope), app.monitors.capacity(caller.userId)]);
  return { ...list, scope, capacity };
}

/**
 * Calls that a user has part in, whatever else that user may see, with the capacity; `userId` is null when there is no user.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: OCS 4.12, D9.2, D9.4, D9.7
 */
async function listAssignedCalls(app: OwnCallsApp, userId: number | null): Promise<Pick<MyCalls, 'calls' | 'capacity'>> {
  const scope: LiveCallScope = { ...EVERY_CALL, viewerId: userId ?? NOBODY };
  const [{ calls }, capacity] = await Promise.all([listVisible(app, scope), app.monitors.capacity(userId)]);
  return { calls, capacity };
}

/** Takes candidates from the registry and from the user's legs, and filters them by the calls themselves, as a stream does. */
async function listVisible(app: OwnCallsApp, scope: LiveCallScope): Promise<LiveCallListing> {
  if (scope.viewerId === null) return listLiveCalls(app, scope);
  const [{ assigned, retained, past }, talked] = await Promise.all([
    app.monitors.callsOf(scope.viewerId),
    app.conferences.callsOf(scope.viewerId),
  ]);
  const calls = await readLiveCalls(app, [...new Set([...assigned, ...retained, ...past, ...talked])]);
  return { ...liveCallList(calls.values(), scope, false), at: app.clock.now() };
}

/** Poll interval for changes that no event announced, in ms. */
const POLL_MS = 2_000;
const SPACING_MS = 250;

/** A call with the view mode of its monitor. */
interface WatchedCall {
  call: LiveCall;
  viewMode: ReturnType<typeof viewModeOf>;
}

export interface MonitorBoardState {
  /** Oldest first. */
  calls: readonly WatchedCall[];
  capacity: MonitorCapacity;
}

export type MonitorBoardChange =
  | { kind: 'joined' | 'changed'; watched: WatchedCall }
  | { kind: 'left'; callKey: string }
  | { kind: 'capacity'; capacity: MonitorCapacity };

/**
 * A user's own calls and monitoring capacity, whatever else that user may see. Captions are left to the stream of live calls.
 *
 * Source: OCS 4.12, D9.4
 */
export function monitorBoardSource(
  app: OwnCallsApp & LiveCallsFeedPart & CapacityFeedPart & Pick<Platform, 'log'>,
  userId: number | null,
): Source<MonitorBoardState, MonitorBoardChange> {
  const scope: LiveCallScope = { ...EVERY_CALL, viewerId: userId ?? NOBODY };
  return polledSource<MonitorBoardState, MonitorBoardChange>(app, {
    what: 'a monitor board',
    async read() {
      const { calls, capacity } = await listAssignedCalls(app, userId);
      return { calls: calls.map(call => ({ call, viewMode: viewModeOf(scope, call) })), capacity };
    },
    changes: changesBetween,
    listen(refresh) {
      const nothing = () => undefined;
      const stops = [
        app.liveCallsFeed.channel(scope).follow(event => {
          if (event.kind !== 'change' || event.change.kind !== 'segment') refresh();
        }, nothing),
        app.capacityFeed.channel(userId).follow(refresh, nothing),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    pollMs: POLL_MS,
    spacingMs: SPACING_MS,
  });
}

function changesBetween(before: MonitorBoardState, after: MonitorBoardState): MonitorBoardChange[] {
  const known = new Map(before.calls.map(watched => [watched.call.callKey, watched]));
  const current = new Set(after.calls.map(({ call }) => call.callKey));
  const gone = before.calls.filter(({ call }) => !current.has(call.callKey));
  const here = after.calls.flatMap((watched): MonitorBoardChange[] => {
    const last = known.get(watched.call.callKey);
    if (!last) return [{ kind: 'joined', watched }];
    return faceOf(last) === faceOf(watched) ? [] : [{ kind: 'changed', watched }];
  });
  const isSameRoom = isSame(before.capacity, after.capacity);
  return [
    ...gone.map(({ call }) => ({ kind: 'left' as const, callKey: call.callKey })),
    ...here,
    ...(isSameRoom ? [] : [{ kind: 'capacity' as const, capacity: after.capacity }]),
  ];
}

/** The part of a call that the board compares: everything but its captions. */
function faceOf({ call, viewMode }: WatchedCall): string {
  const { segments: _segments, currentNodeId: _node, version: _version, ...rest } = call;
  return JSON.stringify([viewMode, rest]);
}
