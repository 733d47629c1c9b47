import type { MonitorCapacity } from './monitor-registry.ts';
import type { Platform } from '#platform/platform.ts';
import type { CapacityFeed } from './capacity-feed.ts';
import type { LiveCall } from '#calls/live-call.ts';
import { EVERY_CALL, type LiveCallScope, NOBODY, viewModeOf } from '#calls/live-call-scope.ts';
import type { LiveCallsFeed } from '#calls/live-calls-feed.ts';
import { listAssignedCalls, type ListMyCallsDeps } from './list-my-calls.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { isSame, polledSource } from '#platform/feeds/polled-source.ts';

/** Poll interval for changes that no event announced, in ms. */
const POLL_MS = 2_000;
const SPACING_MS = 250;

export interface MonitorBoardDeps extends ListMyCallsDeps, Pick<Platform, 'clock' | 'log'> {
  liveCallsFeed: Pick<LiveCallsFeed, 'channel'>;
  capacityFeed: Pick<CapacityFeed, 'channel'>;
}

/** A call with the view mode of its monitor. */
export interface WatchedCall {
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
 * Assigned calls and capacity of one monitor, whatever else that user may see. Captions are left to the stream of live calls.
 *
 * Source: OCS 4.12, D9.4
 */
export function monitorBoardSource(deps: MonitorBoardDeps, userId: number | null): Source<MonitorBoardState, MonitorBoardChange> {
  const scope: LiveCallScope = { ...EVERY_CALL, viewerId: userId ?? NOBODY };
  return polledSource<MonitorBoardState, MonitorBoardChange>(deps, {
    what: 'a monitor board',
    async read() {
      const { calls, capacity } = await listAssignedCalls(deps, userId);
      return { calls: calls.map(call => ({ call, viewMode: viewModeOf(scope, call) })), capacity };
    },
    changes: changesBetween,
    listen(refresh) {
      const nothing = () => undefined;
      const stops = [
        deps.liveCallsFeed.channel(scope).follow(event => {
          if (event.kind !== 'change' || event.change.kind !== 'segment') refresh();
        }, nothing),
        deps.capacityFeed.channel(userId).follow(refresh, nothing),
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
