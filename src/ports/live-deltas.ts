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
  kind: LiveDeltaKind;
  version: number;
  /** UTC ms. */
  at: number;
  /** The segment of a `segment`; else the whole of what changes in a call (operations/calls/publish-call.ts `CallChange`), whatever the kind. */
  data: Readonly<Record<string, unknown>>;
}

/** `assignment`, `intervention` and `intent-alert` say which part of a call has changed. */
export type LiveDeltaKind = 'call-started' | 'call-changed' | 'segment' | 'assignment' | 'intervention' | 'intent-alert' | 'call-ended';
