import type { RuntimeEventType } from '#rules/runtime-event-types.ts';
import type { RuntimeEvent } from '#model/runtime-event.ts';
import type { JsonValue } from '#kernel/json.ts';

/**
 * Runtime events, in one order: an event takes a position when it is written and another when it is acknowledged.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: D10, D14.3
 */
export interface RuntimeEventStore {
  /** Writes the event and signals it. An event whose `dedupeKey` was written before is not written again: the first row is answered. */
  record(event: NewRuntimeEvent): Promise<RuntimeEvent>;
  /** Newest first. */
  recent(limit: number): Promise<RuntimeEvent[]>;
  /** Id of the last event of this type about the cell; null when there is none. */
  lastOfCell(cellId: string, type: string): Promise<number | null>;
  /** Id of the last event of this type about the dependency, its `detail.name`; null when there is none. */
  lastOfDependency(name: string, type: 'dependency.down' | 'dependency.up'): Promise<number | null>;
  /** Marks the event as seen by a user and signals it; the first one stays. Null when absent. */
  acknowledge(eventId: number, userId: number | null): Promise<{ event: RuntimeEvent; first: boolean } | null>;
  /** What happened after `position`, oldest first, at most `limit`. */
  changesAfter(position: number, limit: number): Promise<RuntimeEventChange[]>;
  /** The highest position taken so far, 0 when none. */
  lastPosition(): Promise<number>;
}

/** Source: D14.3 */
export interface NewRuntimeEvent {
  level: RuntimeEvent['level'];
  type: RuntimeEventType;
  /** Chinese, one line. */
  title: string;
  /** Chinese; no phone number. */
  message?: string;
  campaignId?: number | null;
  attemptId?: number | null;
  cellId?: string | null;
  detail?: JsonValue;
  /** Same key, same event: written once whatever happens (null: always written). */
  dedupeKey?: string | null;
}

export interface RuntimeEventChange {
  /** Unique and increasing; the stream's event id. */
  position: number;
  kind: 'recorded' | 'acknowledged';
  /** The row as it is now. */
  event: RuntimeEvent;
}

/** Tells every instance that a runtime event was written or acknowledged; a lost signal is covered by the feed's slow poll. */
export interface RuntimeEventSignals {
  publish(): void;
  /** The returned function ends it. */
  subscribe(listener: () => void): () => void;
}
