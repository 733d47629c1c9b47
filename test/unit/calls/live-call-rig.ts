import { setImmediate } from 'node:timers/promises';
import { callMachine } from '#actors/call/machine.ts';
import { firstDecision } from '#platform/actor-host/machine-aggregate.ts';
import type { CallContext } from '#actors/call/context.ts';
import { unreachable } from '#kernel/assert.ts';
import { CalloutError } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import { callAggregate, type CallMeta, type CallState } from '#calls/call-actor.ts';
import { type CallChange, publishCall } from '#calls/publish-call.ts';
import { liveCallsFeed, type LiveCallsEvent } from '#calls/live-calls-feed.ts';
import { watch } from '#platform/feeds/fan-out.ts';
import { EVERY_CALL, type LiveCallScope, type ScopedCallEvent } from '#calls/live-call-scope.ts';
import type { LiveCallStore, LiveSegment } from '#calls/live-call-store.ts';
import type { LiveDelta } from '#platform/feeds/live-deltas.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const WAITS = { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000 };
const aggregate = callAggregate();

interface Held {
  state: CallState;
  meta: CallMeta;
  version: number;
  segments: LiveSegment[];
  before: CallState | null;
}

/** Live calls in a fake store and their deltas, which may be lost or delayed. */
export function liveCallRig() {
  const clock = manualClock();
  const held = new Map<string, Held>();
  const listeners = new Set<(delta: LiveDelta) => void>();
  const busListeners = new Set<(connected: boolean) => void>();
  const reads = { lists: 0, calls: 0 };
  let isAway = false;
  /** Runs while a response of the store is in transit. */
  let meanwhile: (() => void) | null = null;
  const answer = async <T>(value: () => T): Promise<T> => {
    await setImmediate();
    if (isAway) throw new CalloutError('CACHE_UNAVAILABLE', '共享缓存暂不可用，请稍后重试');
    return value();
  };
  const liveCalls: LiveCallStore = {
    appendSegments: () => Promise.reject(new Error('not asked for')),
    listIds: limit => {
      reads.lists += 1;
      return answer(() => [...held.keys()].slice(0, limit));
    },
    read: ids => {
      reads.calls += ids.length;
      return answer(() => {
        const calls = ids.flatMap(requestId => {
          const call = held.get(requestId);
          if (!call) return [];
          const snapshot = aggregate.serialize(call.state);
          return [{ requestId, version: call.version, snapshot, meta: JSON.stringify(call.meta), segments: [...call.segments] }];
        });
        meanwhile?.();
        return calls;
      });
    },
    versions: ids => answer(() => new Map(ids.flatMap(id => (held.has(id) ? [[id, held.get(id)?.version ?? 0] as const] : [])))),
  };
  const deltas = {
    publish: (delta: LiveDelta) => {
      for (const listener of listeners) listener(delta);
    },
    subscribe: (listener: (delta: LiveDelta) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  let isConnected = true;
  const bus = {
    isConnected: () => isConnected,
    onChange: (listener: (connected: boolean) => void) => {
      busListeners.add(listener);
      return () => void busListeners.delete(listener);
    },
  };
  const cacheListeners = new Set<(ready: boolean) => void>();
  const cache = {
    onChange: (listener: (ready: boolean) => void) => {
      cacheListeners.add(listener);
      return () => void cacheListeners.delete(listener);
    },
  };
  const feed = liveCallsFeed({ deltas, liveCalls, bus, cache, ids: () => 'life', clock, log: silentLog });

  /** The delta of the latest write; the test decides whether it is delivered. */
  const written = (requestId: string): LiveDelta => {
    const call = held.get(requestId);
    if (!call) throw new Error('no such call');
    let delta: LiveDelta | null = null;
    const catcher = { publish: (told: LiveDelta) => void (delta = told), subscribe: () => () => undefined };
    const { before, state, version } = call;
    publishCall({ deltas: catcher, clock }, requestId, { before, state, version, meta: JSON.stringify(call.meta) });
    if (!delta) throw new Error('nothing was published');
    return delta;
  };

  return {
    clock,
    feed,
    deltas,
    reads,
    listening: () => listeners.size,
    start(requestId: string, campaignId = 1): LiveDelta {
      const { state } = firstDecision<CallContext>(callMachine, WAITS);
      held.set(requestId, { state, meta: metaOf(requestId, campaignId, clock.now()), version: 1, segments: [], before: null });
      return written(requestId);
    },
    change(requestId: string, event: Parameters<typeof aggregate.decide>[1]): LiveDelta {
      const call = held.get(requestId);
      const decision = call && aggregate.decide(call.state, event);
      if (!call || !decision) throw new Error(`${event.type} changes nothing`);
      call.before = call.state;
      call.state = decision.state;
      call.version += 1;
      return written(requestId);
    },
    say(requestId: string, segmentId: string, text: string): LiveDelta {
      const call = held.get(requestId);
      if (!call) throw new Error('no such call');
      const segment: LiveSegment = {
        segmentId,
        speaker: 'bot',
        text,
        final: true,
        startMs: null,
        endMs: null,
        nodeId: `node-${segmentId}`,
        at: clock.now(),
        seq: null,
      };
      call.segments = [...call.segments.filter(known => known.segmentId !== segmentId), segment].slice(-200);
      call.version += 1;
      const { campaignId } = call.meta;
      return { requestId, campaignId, kind: 'segment', version: call.version, at: clock.now(), data: { segment } };
    },
    forget: (requestId: string) => held.delete(requestId),
    /** Current version of each call in the store. */
    truth: () => new Map([...held].map(([id, { version }]) => [id, version])),
    afterReading(task: () => void) {
      meanwhile = task;
    },
    storeAway(away: boolean) {
      isAway = away;
    },
    /** Like `storeAway`, but the connection notices the outage. */
    storeLost(lost: boolean) {
      isAway = lost;
      for (const listener of cacheListeners) listener(!lost);
    },
    bus(connected: boolean) {
      isConnected = connected;
      for (const listener of busListeners) listener(connected);
    },
    /** The delta that a commit of the call's monitoring state would publish. */
    watch(requestId: string, watch: Partial<CallChange>): LiveDelta {
      const call = held.get(requestId);
      if (!call) throw new Error('no such call');
      call.version += 1;
      const delta = written(requestId);
      return { ...delta, kind: 'call-changed', data: { ...delta.data, ...watch } };
    },
  };
}

/** Events that one listener received, in short form. */
export function listen(feed: ReturnType<typeof liveCallRig>['feed'], scope: number | null | Partial<LiveCallScope>) {
  const events: LiveCallsEvent[] = [];
  const stop = watch(feed.channel(scopeOf(scope)), event => events.push(event));
  return { events, stop, told: () => events.map(wordOf) };
}

export function scopeOf(scope: number | null | Partial<LiveCallScope>): LiveCallScope {
  return { ...EVERY_CALL, ...(typeof scope === 'number' ? { campaignId: scope } : scope) };
}

export function wordOf(event: LiveCallsEvent): string {
  if (event.kind === 'resync') return `resync ${event.reason}`;
  if (event.kind === 'change') return wordOfChange(event.change);
  return `snapshot ${event.state.calls.map(call => `${call.requestId}@${call.version}`).join(' ')}`.trim();
}

function wordOfChange(change: ScopedCallEvent): string {
  switch (change.kind) {
    case 'segment':
      return `segment ${change.call.requestId}@${change.call.version} ${change.segment.text}`;
    case 'repaired':
      return `repaired ${change.call ? `${change.call.requestId}@${change.call.version}` : `${change.before?.requestId} gone`} ${change.reason}`;
    case 'forgotten':
      return `forgotten ${change.before.requestId}`;
    case 'started':
    case 'changed':
    case 'ended':
    case 'joined':
    case 'left':
      return `${change.kind} ${change.call.requestId}@${change.call.version} ${change.call.status}`;
    default:
      return unreachable(change);
  }
}

function metaOf(requestId: string, campaignId: number, startedAt: number): CallMeta {
  return {
    requestId,
    attemptId: 1,
    batchId: 1,
    campaignId,
    campaignName: '活动',
    businessCode: 'retail',
    contactId: 1,
    phoneNumber: '13900000001',
    customerName: '张三',
    cellId: 'cell-1',
    scriptId: null,
    scriptVersion: null,
    businessConfig: {},
    metadata: { secret: 'not for watchers' },
    lineId: 1,
    callerNumber: null,
    startedAt,
  };
}
