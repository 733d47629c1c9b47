import type { RuntimeEvent } from './runtime-event.ts';
import type { RuntimeEventChange, RuntimeEventSignals, RuntimeEventStore } from './runtime-event-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { Channel } from '#platform/feeds/fan-out.ts';
import { Feed, type FeedEvent, type Source, type View } from '#platform/feeds/feed.ts';
import type { History, Published } from '#platform/feeds/history.ts';
import { keepReading } from '#platform/feeds/polled-source.ts';

/** Poll interval, in ms: signals arrive at once, and polling covers a lost one. */
const POLL_MS = 5_000;
/** Changes kept in memory for reconnecting clients; a client that missed more is resynchronised. */
const MAX_HELD_CHANGES = 1_000;
/** Most changes in one read. */
const READ_LIMIT = 500;
/** Positions read again each time: a transaction that commits late becomes visible behind the newest position. */
const LATE_WINDOW = 64;
/** Events of a snapshot, the newest. */
const SNAPSHOT_EVENTS = 50;

/** The state is the newest events of the view, newest first, at most 50; cursors are positions of rows and equal at every instance. */
export type RuntimeEventsEvent = FeedEvent<readonly RuntimeEvent[], RuntimeEventChange>;

export interface RuntimeEventFeed {
  /** Events that `isAsked` accepts; `view` identifies that filter. */
  channel(view?: string, isAsked?: (event: RuntimeEvent) => boolean): Channel<RuntimeEventsEvent>;
  close(): void;
}

export interface RuntimeEventFeedPart {
  runtimeEventFeed: Pick<RuntimeEventFeed, 'channel'>;
}

export interface RuntimeEventFeedOptions extends Pick<Platform, 'clock' | 'ids' | 'log'> {
  events: Pick<RuntimeEventStore, 'changesAfter' | 'lastPosition'>;
  signals: Pick<RuntimeEventSignals, 'subscribe'>;
}

/**
 * Reads runtime events once per process for all subscribers.
 *
 * Errors: DATABASE_UNAVAILABLE when the first read fails; later failures are logged and retried
 * Source: A1.5, D10
 */
export async function startRuntimeEventFeed(options: RuntimeEventFeedOptions): Promise<RuntimeEventFeed> {
  const held = new HeldEvents(Math.max(0, (await options.events.lastPosition()) - MAX_HELD_CHANGES));
  for (let read = READ_LIMIT; read === READ_LIMIT; ) {
    const { late, next, count } = await readChanges(options, held);
    held.insert(late, next);
    read = count;
  }
  const feed = new Feed<HeldEvents, RuntimeEventChange>(options, { history: () => held });
  const open = () => source(options, held);
  // Subscribes for the whole life of the process, so that reconnecting clients can replay events from a time without subscribers.
  feed.channel('runtime-events', open).follow(
    () => undefined,
    () => undefined,
  );
  return {
    channel: (view = '', isAsked = () => true) => feed.channel('runtime-events', open, viewOf(view, isAsked)),
    close: () => feed.close(),
  };
}

function viewOf(
  key: string,
  isAsked: (event: RuntimeEvent) => boolean,
): View<HeldEvents, RuntimeEventChange, readonly RuntimeEvent[], RuntimeEventChange> {
  return { key, state: held => held.newest(isAsked), change: change => (isAsked(change.event) ? change : null) };
}

function source(options: RuntimeEventFeedOptions, held: HeldEvents): Source<HeldEvents, RuntimeEventChange> {
  return {
    current: () => held,
    start(publisher) {
      const reading = keepReading(options, {
        what: 'runtime events',
        read: () => readChanges(options, held),
        take({ late, next, count }) {
          if (late.length === 0) for (const change of next) publisher.changed(change);
          else {
            // A change that became visible behind a later one cannot be published in order any more: every subscriber gets a new snapshot.
            held.insert(late, next);
            publisher.lost('GAP');
            publisher.began();
          }
          if (count === READ_LIMIT) reading.refresh();
        },
        listen: refresh => options.signals.subscribe(refresh),
        pollMs: POLL_MS,
        spacingMs: 0,
      });
      return () => reading.stop();
    },
  };
}

async function readChanges({ events }: Pick<RuntimeEventFeedOptions, 'events'>, held: HeldEvents) {
  const changes = await events.changesAfter(held.readFrom(), READ_LIMIT);
  return { ...held.newOf(changes), count: changes.length };
}

/** Newest changes by the position of their row. `forget` keeps them: rows outlast any outage of the feed. */
class HeldEvents implements History<RuntimeEventChange> {
  /** By position, ascending. */
  #held: Published<RuntimeEventChange>[] = [];
  /** Every change after this position is held or still to come. */
  #heldFrom: number;
  #last: number;
  /** Changes that became visible behind later ones, with the newest position of that moment: a cursor in between may have missed them. */
  #overtaken: { position: number; last: number }[] = [];

  constructor(position: number) {
    this.#heldFrom = position;
    this.#last = position;
  }

  get cursor(): string {
    return String(this.#last);
  }

  readFrom(): number {
    return Math.max(this.#heldFrom, this.#last - LATE_WINDOW);
  }

  /** Splits newly read changes into those behind the newest held position and those after it; held ones are left out. */
  newOf(changes: readonly RuntimeEventChange[]): { late: readonly RuntimeEventChange[]; next: readonly RuntimeEventChange[] } {
    const known = new Set(this.#held.map(({ change }) => change.position));
    const isNew = changes.filter(({ position }) => !known.has(position));
    return { late: isNew.filter(({ position }) => position <= this.#last), next: isNew.filter(({ position }) => position > this.#last) };
  }

  put(change: RuntimeEventChange, at: number): Published<RuntimeEventChange> {
    const published = publish(change, at);
    this.#held.push(published);
    this.#last = change.position;
    this.#trim();
    return published;
  }

  /** Takes in changes that are not published one by one. */
  insert(late: readonly RuntimeEventChange[], next: readonly RuntimeEventChange[]): void {
    for (const { position } of late) this.#overtaken.push({ position, last: this.#last });
    const all = [...late, ...next].map(change => publish(change, change.event.updatedAt));
    this.#held = [...this.#held, ...all].sort((a, b) => a.change.position - b.change.position);
    this.#last = next.at(-1)?.position ?? this.#last;
    this.#trim();
  }

  forget(): void {}

  after(cursor: string): readonly Published<RuntimeEventChange>[] | null {
    const position = /^\d{1,15}$/.test(cursor) ? Number(cursor) : -1;
    return this.#isHeld(position) ? this.#held.filter(({ change }) => change.position > position) : null;
  }

  /** Newest first. */
  newest(isAsked: (event: RuntimeEvent) => boolean): readonly RuntimeEvent[] {
    const latest = new Map<number, RuntimeEvent>();
    for (const { change } of this.#held) if (isAsked(change.event)) latest.set(change.event.id, change.event);
    return [...latest.values()].sort((a, b) => b.id - a.id).slice(0, SNAPSHOT_EVENTS);
  }

  #trim(): void {
    const dropped = this.#held.splice(0, Math.max(0, this.#held.length - MAX_HELD_CHANGES));
    this.#heldFrom = dropped.at(-1)?.change.position ?? this.#heldFrom;
    this.#overtaken = this.#overtaken.filter(({ last }) => last >= this.#heldFrom);
  }

  /** Whether every change that a client at `position` has missed comes after that position. */
  #isHeld(position: number): boolean {
    if (position < this.#heldFrom || position > this.#last) return false;
    return !this.#overtaken.some(late => late.position <= position && position <= late.last);
  }
}

function publish(change: RuntimeEventChange, at: number): Published<RuntimeEventChange> {
  return { kind: 'change', change, at, cursor: String(change.position) };
}
