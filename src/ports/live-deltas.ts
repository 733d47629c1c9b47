/**
 * Tells every instance's watchers what changed in a live call. Lost deltas are noticed by a gap in `version`.
 *
 * Source: A1.5, A4 `callout.v1.live.<campaignId>.<userId or _>.<requestId>.<kind>`
 */
export interface LiveDeltas {
  publish(delta: LiveDelta): void;
  /** Calls `listener` for each delta of any instance, this one's included; the returned function stops it. */
  subscribe(listener: (delta: LiveDelta) => void): () => void;
}

export interface LiveDelta {
  requestId: string;
  campaignId: number;
  kind: 'call-started' | 'call-changed' | 'segment' | 'call-ended';
  version: number;
  /** UTC ms. */
  at: number;
  /** Of the kind: the stage and instants, or the segment. */
  data: Readonly<Record<string, unknown>>;
}
