import type { Clock } from '#kernel/clock.ts';

/** Newcomers of the same second share one snapshot, ms. */
const FRESH_MS = 1_000;

/** What all subscribers of one kind and scope are shown. */
export interface Channel<Event> {
  /** The same for channels that show the same. */
  key: string;
  /** Gives each later event, and the end when nothing can follow; the returned function stops it. */
  follow(listener: (event: Event) => void, onEnd: () => void): () => void;
  /** What a subscriber needs to go on from a cursor, null from nothing. */
  since(cursor: string | null): readonly Event[];
  /** What a subscriber needs that left events out. */
  catchUp(): readonly Event[];
}

/** Where one subscriber's messages go; it must not wait. */
export interface Sink<Message> {
  /** `isOwed`: what the subscriber begins with, or begins anew; it cannot be left out. */
  put(message: Message, isOwed: boolean): void;
  /** Nothing follows. */
  end(): void;
}

/** The channel with each event made into another. */
export function mapChannel<Event, Other>(channel: Channel<Event>, of: (event: Event) => Other): Channel<Other> {
  return {
    key: channel.key,
    follow: (listener, onEnd) => channel.follow(event => listener(of(event)), onEnd),
    since: cursor => channel.since(cursor).map(of),
    catchUp: () => channel.catchUp().map(of),
  };
}

/** First what the channel gives from nothing, then each later event; the returned function stops it. */
export function watch<Event>(channel: Channel<Event>, listener: (event: Event) => void): () => void {
  const stop = channel.follow(listener, () => undefined);
  for (const event of channel.since(null)) listener(event);
  return stop;
}

export interface Membership {
  /** Gives the subscriber alone what it needs after it left messages out. */
  catchUp: () => void;
  leave: () => void;
}

type Encoded<Message> = Message | null | Promise<Message | null>;
type Encode<Event, Message> = (event: Event) => Encoded<Message>;

/**
 * Hands each event of a channel to its subscribers, put into its outer form once for all of them.
 *
 * Why:    what an event costs beyond the write itself does not grow with who watches
 * Source: A1.5
 */
export class FanOut<Event, Message> {
  readonly #groups = new Map<string, Group<Event, Message>>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `encode` of the first subscriber of a key serves all and never fails; null: nothing of the event is shown. */
  join(channel: Channel<Event>, encode: Encode<Event, Message>, newcomer: { cursor: string | null; sink: Sink<Message> }): Membership {
    const group = this.#groups.get(channel.key) ?? this.#groupOf(channel, encode);
    const membership = group.join(newcomer);
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
  /** What a newcomer gets, as long as nothing has happened since. */
  #beginning: { encoded: readonly Encoded<Message>[]; at: number } | null = null;
  /** Set while something is put into form that takes its time: everything after it waits for its turn. */
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

  /** What is still put into form comes first. */
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
    // Nothing yet is no beginning.
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
