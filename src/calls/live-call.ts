import { parseMeta } from './call-actor.ts';
import { callAggregate } from './call-aggregate.ts';
import { type CallChange, callChange, type CallFacts, callFacts } from './publish-call.ts';
import type { LiveSegment, StoredLiveCall } from './ports-live-call-store.ts';
import type { LiveDelta } from '#platform/feeds/live-deltas.ts';

/** Captions kept of one call. Source: D9.2 */
export const MAX_SEGMENTS = 200;

/** A live call as its watchers see it; an immutable value. Source: D9.2 */
export interface LiveCall extends CallFacts, Omit<CallChange, 'call'> {
  /** `request:<requestId>` (OCS 2.13). */
  callKey: string;
  currentNodeId: string | null;
  /** Oldest first, at most 200. */
  segments: readonly LiveSegment[];
  version: number;
}

const aggregate = callAggregate();

/** The call as its store has it; null when its static facts are missing. */
export function liveCallOf(stored: StoredLiveCall): LiveCall | null {
  const meta = parseMeta(stored.meta);
  if (!meta) return null;
  return {
    callKey: callKeyOf(stored.requestId),
    ...callFacts(meta),
    ...callChange(aggregate.parse(stored.snapshot)),
    currentNodeId: currentNode(stored.segments),
    segments: stored.segments,
    version: stored.version,
  };
}

/** Defaults for members that the deltas of an earlier server version lack. */
const UNWATCHED = { hasLeft: false, monitor: null, retainedBy: [], waitingSince: null, intentHits: [], intervention: null };

/** The call that a first delta describes; null for any other delta. */
export function startedCall({ requestId, version, data }: LiveDelta): LiveCall | null {
  const { call, ...change } = data as Partial<CallChange>;
  if (version !== 1 || call === undefined) return null;
  const known = { ...UNWATCHED, ...call, ...(change as Omit<CallChange, 'call'>) };
  return { callKey: callKeyOf(requestId), ...known, currentNodeId: null, segments: [], version };
}

/** Applies the delta of the next version to a call. */
export function changedCall(call: LiveCall, { version, data }: LiveDelta): LiveCall {
  const segment = segmentOf(data);
  if (segment === null) return { ...call, ...(data as unknown as Omit<CallChange, 'call'>), version };
  const segments = withSegment(call.segments, segment);
  return { ...call, segments, currentNodeId: segment.nodeId ?? call.currentNodeId, version };
}

/** Source: OCS 2.13 */
export function callKeyOf(requestId: string): string {
  return `request:${requestId}`;
}

/** Caption of a delta of kind `segment`; null for other kinds. */
export function segmentOf(data: LiveDelta['data']): LiveSegment | null {
  return 'segment' in data ? (data['segment'] as LiveSegment) : null;
}

/** A later text of the same segment replaces the earlier one in place (D9.1). */
function withSegment(segments: readonly LiveSegment[], segment: LiveSegment): LiveSegment[] {
  const place = segments.findIndex(({ segmentId }) => segmentId === segment.segmentId);
  if (place >= 0) return segments.with(place, segment);
  return [...segments, segment].slice(-MAX_SEGMENTS);
}

function currentNode(segments: readonly LiveSegment[]): string | null {
  return segments.findLast(({ nodeId }) => nodeId !== null)?.nodeId ?? null;
}
