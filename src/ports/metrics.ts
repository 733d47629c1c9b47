import type { RuntimeReportKind } from '#contract/nats/subjects.ts';
import type { ErrorCode } from '#kernel/errors.ts';
import type { StartAnswer } from './runtime-link.ts';

/**
 * Counters and gauges that parts of the program move; compose joins them to Prometheus.
 *
 * Why: nobody but compose knows the metrics library
 */
export interface Metrics {
  requestAnswered(answer: { method: string; route: string; status: number; seconds: number }): void;
  /** One originate came to an end: the dispatch rate and the originate latency. */
  dialed(dial: { cellId: string; reply: 'accepted' | 'refused' | 'not_sent' | 'unknown'; seconds: number }): void;
  callSettled(callStatus: string): void;
  /** A runtime has taken an answered call, so long after the answer (I9). */
  callServed(seconds: number): void;
  /** No runtime took an answered call: its customer heard the apology. */
  callUnserved(): void;
  /** A runtime was offered an answered call. */
  runtimeOffered(answer: StartAnswer): void;
  /** Registered runtimes: those that take new calls, those that only end what they have, and those of which nothing is heard. */
  runtimesKnown(state: RuntimeCondition, count: number): void;
  /** Of those that take new calls: the calls that they take at once, and the places that dials and calls hold at them. */
  runtimePlaces(kind: 'max' | 'held', count: number): void;
  slotsInUse(kind: SlotKind, count: number): void;
  /** Depth of a bounded queue or of work that waits: `outbox`, `timers`, `effects`, `runtime_inbox` … */
  queueDepth(queue: string, depth: number): void;
  cellState(cellId: string, isUp: boolean): void;
  dependencyState(name: 'database' | 'cache' | 'bus', isUp: boolean): void;
  /** Something that was sent over the bus was not applied and will not be: reported to nobody else, its sender has no answer to read. */
  messageDiscarded(subject: InboundSubject, reason: ErrorCode | 'OVERLOAD'): void;
  /** Rows that were deleted, or whose value was cleared, because they have been kept long enough. */
  retentionDeleted(kind: RetentionKind, count: number): void;
  /** Open event streams, by route. */
  streamsOpen(route: string, count: number): void;
}

/** What comes over the bus without an answer: kinds of the durable inbox, and what may be lost. */
export type InboundSubject = RuntimeReportKind | 'other' | 'captions' | 'softphone';

/** What has a limit of its own in the configuration. */
export type RetentionKind = 'transcripts' | 'recordings' | 'attempts' | 'audit' | 'events';

export type RuntimeCondition = 'live' | 'draining' | 'gone';

export type SlotKind = 'campaign' | 'line' | 'number' | 'cell';
