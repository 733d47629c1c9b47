import type { Clock } from '#kernel/clock.ts';

/** Most bytes that may be queued for a slow client beyond its initial snapshot. */
const MAX_BACKLOG_BYTES = 256 * 1024;

/**
 * Decides whether a client keeps up or is too slow.
 *
 * Why: a snapshot may be larger than the bound; counted as slowness while it is being sent, it would make a busy stream start over for ever
 */
export class Backlog {
  #owedBytes = 0;

  /** `queuedBytes`: bytes that are queued for the client now. */
  isFull(queuedBytes: number): boolean {
    return queuedBytes > this.#owedBytes + MAX_BACKLOG_BYTES;
  }

  /** Exempts a snapshot that was just queued from the bound; `queuedBytes`: bytes that are queued now. */
  owe(queuedBytes: number): void {
    this.#owedBytes = queuedBytes;
  }

  drained(): void {
    this.#owedBytes = 0;
  }
}

/** Subscribers that join within this interval share one snapshot, in ms. */
const FRESH_MS = 1_000;

/** Stream of events that all subscribers of one kind and scope receive. */
export interface Channel<Event> {
  /** Equal for channels with the same content. */
  key: string;
  /** Passes each later event to `listener` and calls `onEnd` when no more can follow; call the returned function to unsubscribe. */
  follow(listener: (event: Event) => void, onEnd: () => void): () => void;
  /** Events that a subscriber needs to continue from a cursor, or to start when the cursor is null. */
  since(cursor: string | null): readonly Event[];
  /** Events that a subscriber needs to catch up after some were dropped. */
  catchUp(): readonly Event[];
}

/** Receiver of one subscriber's messages; it must not block. */
export interface Sink<Message> {
  /** `isOwed`: the message is part of a snapshot or resync and must not be dropped. */
  put(message: Message, isOwed: boolean): void;
  /** Marks the end of the stream. */
  end(): void;
}

/** The same channel with every event mapped by `of`. */
export function mapChannel<Event, Other>(channel: Channel<Event>, of: (event: Event) => Other): Channel<Other> {
  return {
    key: channel.key,
    follow: (listener, onEnd) => channel.follow(event => listener(of(event)), onEnd),
    since: cursor => channel.since(cursor).map(of),
    catchUp: () => channel.catchUp().map(of),
  };
}

/** Delivers the channel's initial events, then each later one; call the returned function to unsubscribe. */
export function watch<Event>(channel: Channel<Event>, listener: (event: Event) => void): () => void {
  const stop = channel.follow(listener, () => undefined);
  for (const event of channel.since(null)) listener(event);
  return stop;
}

export interface Membership {
  /** Sends this subscriber alone what it needs after messages were dropped. */
  catchUp: () => void;
  leave: () => void;
}

type Encoded<Message> = Message | null | Promise<Message | null>;
type Encode<Event, Message> = (event: Event) => Encoded<Message>;

/**
 * Delivers each event of a channel to its subscribers and encodes it once for all of them.
 *
 * Why:    beyond the write itself, the cost of an event does not grow with the number of subscribers
 * Source: A1.5
 */
export class FanOut<Event, Message> {
  readonly #groups = new Map<string, Group<Event, Message>>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Encodes with the `encode` of a key's first subscriber; it must not throw, and returns null for events that are not shown. */
  join(channel: Channel<Event>, encode: Encode<Event, Message>, subscriber: { cursor: string | null; sink: Sink<Message> }): Membership {
    const group = this.#groups.get(channel.key) ?? this.#groupOf(channel, encode);
    const membership = group.join(subscriber);
    this.#groups.set(channel.key, group);
    return membership;
  }

  #groupOf(channel: Channel<Event>, encode: Encode<Event, Message>): Group<Event, Message> {
    const group: Group<Event, Message> = new Group(channel, encode, {
      clock: this.#clock,
      onEmpty: () => {
        if (this.#groups.get(channel.key) === group) this.#groups.delete(channel.key);
      },
    });
    return group;
  }
}

class Group<Event, Message> {
  readonly #channel: Channel<Event>;
  readonly #encode: Encode<Event, Message>;
  readonly #clock: Clock;
  readonly #onEmpty: () => void;
  readonly #sinks = new Set<Sink<Message>>();
  #stop: (() => void) | null = null;
  /** Initial messages of a new subscriber; valid until the next event. */
  #beginning: { encoded: readonly Encoded<Message>[]; at: number } | null = null;
  /** Set while an asynchronous encoding runs: later messages queue behind it, to keep the order. */
  #tail: Promise<void> | null = null;

  constructor(channel: Channel<Event>, encode: Encode<Event, Message>, surroundings: { clock: Clock; onEmpty: () => void }) {
    this.#channel = channel;
    this.#encode = encode;
    this.#clock = surroundings.clock;
    this.#onEmpty = surroundings.onEmpty;
  }

  join({ cursor, sink }: { cursor: string | null; sink: Sink<Message> }): Membership {
    this.#stop ??= this.#channel.follow(
      event => this.#publish(event),
      () => this.#end(),
    );
    this.#sinks.add(sink);
    this.#deliver([sink], cursor === null ? this.#begin() : this.#channel.since(cursor).map(this.#encode), true);
    return {
      catchUp: () => this.#deliver([sink], this.#channel.catchUp().map(this.#encode), true),
      leave: () => this.#leave(sink),
    };
  }

  #leave(sink: Sink<Message>): void {
    if (!this.#sinks.delete(sink) || this.#sinks.size > 0) return;
    this.#stop?.();
    this.#stop = null;
    this.#onEmpty();
  }

  #publish(event: Event): void {
    this.#beginning = null;
    this.#deliver(this.#sinks, [this.#encode(event)], false);
  }

  /** Ends the stream after messages that are still being encoded. */
  #end(): void {
    this.#onEmpty();
    const end = () => {
      for (const sink of this.#sinks) sink.end();
    };
    if (this.#tail) void this.#tail.then(end);
    else end();
  }

  #begin(): readonly Encoded<Message>[] {
    const now = this.#clock.monotonic();
    if (this.#beginning && now - this.#beginning.at <= FRESH_MS) return this.#beginning.encoded;
    const encoded = this.#channel.since(null).map(this.#encode);
    // An empty beginning is not cached: the state is not known yet.
    this.#beginning = encoded.length > 0 ? { encoded, at: now } : null;
    return encoded;
  }

  #deliver(sinks: Iterable<Sink<Message>>, messages: readonly Encoded<Message>[], isOwed: boolean): void {
    if (this.#tail || messages.some(message => message instanceof Promise)) return this.#deliverLater([...sinks], messages, isOwed);
    for (const message of messages) if (message !== null) for (const sink of sinks) sink.put(message as Message, isOwed);
  }

  #deliverLater(sinks: readonly Sink<Message>[], messages: readonly Encoded<Message>[], isOwed: boolean): void {
    const turn = (this.#tail ?? Promise.resolve()).then(async () => {
      for (const each of messages) {
        const message = await each;
        if (message !== null) for (const sink of sinks) if (this.#sinks.has(sink)) sink.put(message, isOwed);
      }
      if (this.#tail === turn) this.#tail = null;
    });
    this.#tail = turn;
  }
}
