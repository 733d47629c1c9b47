import type { Speaker } from '#attempts/attempt.ts';

/**
 * Captions and live views of calls, stored in the same partition and under the same version as the call's actor.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: A3, A5, D9.1, D9.2
 */
export interface LiveCallStore {
  /**
   * Appends or replaces final and partial segments in one step; each segment that changes something increases the call's version. Null when the
   * call is unknown. `owner`: name of the reporting runtime and the hand-over that gave it the call; its `seq` counts from there. STALE_EPOCH
   * when the call belongs to another runtime.
   *
   * Why: reports may be repeated or out of order, so a known `seq`, or a text with a lower `seq` than the stored one, changes nothing
   */
  appendSegments(requestId: string, segments: readonly LiveSegment[], owner?: CaptionOwner): Promise<SegmentsAppended | null>;
  /** Ids of stored calls, at most `limit`. */
  listIds(limit: number): Promise<string[]>;
  /** Version, snapshot, meta and captions of each call, without unknown ones. */
  read(requestIds: readonly string[]): Promise<StoredLiveCall[]>;
  /** Version of each stored call, to compare many calls without reading them. */
  versions(requestIds: readonly string[]): Promise<Map<string, number>>;
}

export interface CaptionOwner {
  epoch: number | null;
  runtimeId: string | null;
}

export interface LiveSegment {
  segmentId: string;
  speaker: Speaker;
  text: string;
  final: boolean;
  startMs: number | null;
  endMs: number | null;
  nodeId: string | null;
  /** UTC ms. */
  at: number;
  /** Sequence number of the runtime; null when it sent none. */
  seq: number | null;
}

export interface SegmentsAppended {
  /** Version after the last segment. */
  version: number;
  /** 0 when the static facts of the call are missing. */
  campaignId: number;
  /** Keywords that raise an intent alert (OCS 4.12 rule 2). */
  intentKeywords: readonly string[];
  /** Whether each segment changed anything, in the given order. */
  accepted: boolean[];
}

export interface StoredLiveCall {
  requestId: string;
  version: number;
  snapshot: string;
  meta: string | null;
  segments: LiveSegment[];
}

export interface LiveCallsPart {
  liveCalls: LiveCallStore;
}
