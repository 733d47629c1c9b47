import type { Speaker } from '#model/attempt.ts';

/**
 * Captions and live views beside the call actors, in the same partition and under the same version.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: A3, A5, D9.1, D9.2
 */
export interface LiveCallStore {
  /**
   * Appends or replaces final and partial segments in one step, each that changes anything a version of the call; null when the call is unknown. `owner`: the hand-over
   * by which the call is the reporter's, who counts `seq` from its own beginning, and its name; STALE_EPOCH when the call is not theirs.
   *
   * Why: a `seq` that was taken before, and a text with a lower `seq` than the one that stands, change nothing: reports come again and out of order
   */
  appendSegments(requestId: string, segments: readonly LiveSegment[], owner?: CaptionOwner): Promise<SegmentsAppended | null>;
  /** Ids of calls that are held, at most `limit`. */
  listIds(limit: number): Promise<string[]>;
  /** Version, snapshot, meta and captions of each call; unknown ones are left out. */
  read(requestIds: readonly string[]): Promise<StoredLiveCall[]>;
  /** The version of each call that is held; for comparing many without reading them. */
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
  /** The runtime's sequence number, null when it sent none. */
  seq: number | null;
}

export interface SegmentsAppended {
  /** After the last of them. */
  version: number;
  /** 0 when the call's static facts are missing. */
  campaignId: number;
  /** What people want to hear of (OCS 4.12 rule 2). */
  intentKeywords: readonly string[];
  /** In the order given: whether each changed anything. */
  accepted: boolean[];
}

export interface StoredLiveCall {
  requestId: string;
  version: number;
  snapshot: string;
  meta: string | null;
  segments: LiveSegment[];
}
