import type { RuntimeReportKind } from '#protocol/subjects.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { StartAnswer } from '#protocol/hand-over.ts';

/**
 * Counters and gauges of all parts of the program; compose exports them to Prometheus.
 *
 * Why: only compose depends on the metrics library
 */
export interface Metrics {
  requestAnswered(answer: { method: string; route: string; status: number; seconds: number }): void;
  /** An originate has completed; gives dispatch rate and originate latency. */
  dialed(dial: { cellId: string; reply: 'accepted' | 'refused' | 'not_sent' | 'unknown'; seconds: number }): void;
  callSettled(callStatus: string): void;
  /** A runtime accepted an answered call; `seconds` since the answer (I9). */
  callServed(seconds: number): void;
  /** No runtime accepted an answered call: the customer heard the apology. */
  callUnserved(): void;
  /** An answered call was offered to a runtime. */
  runtimeOffered(answer: StartAnswer): void;
  /** Registered runtimes by condition: accepting calls, draining, or without heartbeat. */
  runtimesKnown(state: RuntimeCondition, count: number): void;
  /** Total capacity of the runtimes that accept calls, or the places held there by dials and calls. */
  runtimePlaces(kind: 'max' | 'held', count: number): void;
  slotsInUse(kind: SlotKind, count: number): void;
  /** Depth of a bounded queue or backlog: `outbox`, `timers`, `effects`, `runtime_inbox` … */
  queueDepth(queue: string, depth: number): void;
  cellState(cellId: string, isUp: boolean): void;
  dependencyState(name: 'database' | 'cache' | 'bus', isUp: boolean): void;
  /** A bus message was discarded for good; the metric is its only trace, because the sender expects no reply. */
  messageDiscarded(subject: InboundSubject, reason: ErrorCode | 'OVERLOAD'): void;
  /** Rows deleted, or values cleared, because their retention period has passed. */
  retentionDeleted(kind: RetentionKind, count: number): void;
  /** Open event streams, by route. */
  streamsOpen(route: string, count: number): void;
}

/** Bus messages without a reply: kinds of the durable inbox, and messages that may be lost. */
export type InboundSubject = RuntimeReportKind | 'other' | 'captions' | 'softphone';

/** Data with a retention limit of its own in the configuration. */
export type RetentionKind = 'transcripts' | 'recordings' | 'attempts' | 'audit' | 'events';

export type RuntimeCondition = 'live' | 'draining' | 'gone';

export type SlotKind = 'campaign' | 'line' | 'number' | 'cell';
