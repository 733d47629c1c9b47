import type { RuntimeEventType } from './runtime-event-types.ts';
import type { RuntimeEvent } from './runtime-event.ts';
import type { JsonValue } from '#kernel/json.ts';

/**
 * Runtime events in a total order: an event takes one position when it is recorded and another when it is acknowledged.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 * Source: D10, D14.3
 */
export interface RuntimeEventStore {
  /** Writes the event and signals it. If an event with the same `dedupeKey` exists, that row is returned and nothing is written. */
  record(event: NewRuntimeEvent): Promise<RuntimeEvent>;
  /** Newest first. */
  recent(limit: number): Promise<RuntimeEvent[]>;
  /** Id of the cell's latest event of this type; null when there is none. */
  lastOfCell(cellId: string, type: string): Promise<number | null>;
  /** Id of the latest event of this type about the dependency (`detail.name`); null when there is none. */
  lastOfDependency(name: string, type: 'dependency.down' | 'dependency.up'): Promise<number | null>;
  /** Marks the event as acknowledged by a user and signals it; the first acknowledgement stays. Null when the event does not exist. */
  acknowledge(eventId: number, userId: number | null): Promise<{ event: RuntimeEvent; first: boolean } | null>;
  /** Changes after `position`, oldest first, at most `limit`. */
  changesAfter(position: number, limit: number): Promise<RuntimeEventChange[]>;
  /** The highest position so far, 0 when there is none. */
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
  /** Events with the same key are written once; null: always written. */
  dedupeKey?: string | null;
}

export interface RuntimeEventChange {
  /** Unique and increasing; the stream's event id. */
  position: number;
  kind: 'recorded' | 'acknowledged';
  /** The row's current state. */
  event: RuntimeEvent;
}

/** Notifies every instance that a runtime event was recorded or acknowledged; the feed's slow poll covers lost signals. */
export interface RuntimeEventSignals {
  publish(): void;
  /** The returned function unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export interface RuntimeEventsPart {
  events: RuntimeEventStore;
}
