import type { Cancel, Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Platform } from '../platform.ts';
import type { Channel } from './fan-out.ts';
import { type History, type Published, RingHistory } from './history.ts';

/** Default number of changes kept for replay to reconnecting clients. */
const HELD_CHANGES = 256;
/** Time that a state without subscribers is kept current, for clients that reconnect with a cursor, in ms. */
const LINGER_MS = 30_000;
/** Most states of one kind that a process keeps current at once. */
const MAX_STATES = 10_000;
const RETRY_AFTER_SECONDS = 5;

export type ResyncReason = 'GAP' | 'DISCONNECTED' | 'OVERFLOW' | 'SOURCE_UNAVAILABLE' | 'CURSOR_NOT_HELD';

/** A snapshot starts the state over and changes continue it; a resync invalidates it until the next snapshot. */
export type FeedEvent<State, Change> =
  | Published<Change>
  | (({ kind: 'snapshot'; state: State } | { kind: 'resync'; reason: ResyncReason }) & Pick<Published<Change>, 'at' | 'cursor'>);

/** Origin of a state: reads it and keeps it current. */
export interface Source<State, Change> {
  /** Keeps the state current until the returned function is called. */
  start(publisher: Publisher<Change>): () => void;
  /** The current state; null when it is not known yet, or not known any more. */
  current(): State | null;
  /** Topics of the views that a change may affect; if absent, the change is offered to every view. */
  topicsOf?(change: Change): Iterable<string>;
}

/** Receives the updates of a source; `current` already includes them. */
export interface Publisher<Change> {
  /** `at`: UTC ms, by default the current time. */
  changed(change: Change, at?: number): void;
  /** The state has become known, for the first time or again. */
  began(): void;
  /**
   * Earlier events no longer lead to the current state; `began` follows. An outage is published once, and to each client that joins in it.
   */
  lost(reason: ResyncReason): void;
  /** No event can follow. */
  ended(): void;
}

/** The part of a state that one kind of subscriber may see. */
export interface View<State, Change, Seen = State, SeenChange = Change> {
  /** Equal for views with the same content. */
  key: string;
  /** If set, only changes of this topic affect the view. */
  topic?: string;
  state(state: State): Seen;
  /** Null when the view shows nothing of the change. */
  change(change: Change): SeenChange | null;
}

export interface FeedSettings<Change> {
  heldChanges?: number;
  lingerMs?: number;
  maxStates?: number;
  /** Replaces the default ring of `heldChanges`. */
  history?: () => History<Change>;
}

/**
 * States of one kind, each kept current once per process for all its subscribers: a snapshot, then its changes, each with a cursor.
 *
 * Why:    held state and published change are updated in one synchronous step, so a subscriber sees no gap between replay and live (I8)
 * Errors: RATE_LIMITED from `follow` when there is no room for one more state
 * Source: A1.5
 */
export class Feed<State, Change> {
  readonly #app: Pick<Platform, 'clock' | 'ids'>;
  readonly #settings: FeedSettings<Change>;
  readonly #held = new Map<string, HeldState<State, Change>>();

  constructor(app: Pick<Platform, 'clock' | 'ids'>, settings: FeedSettings<Change> = {}) {
    this.#app = app;
    this.#settings = settings;
  }

  /** `open` creates the source of the key when it has no subscriber yet. */
  channel(key: string, open: () => Source<State, Change>): Channel<FeedEvent<State, Change>>;
  channel<Seen, SeenChange>(
    key: string,
    open: () => Source<State, Change>,
    view: View<State, Change, Seen, SeenChange>,
  ): Channel<FeedEvent<Seen, SeenChange>>;
  channel(key: string, open: () => Source<State, Change>, view: View<State, Change> = whole()): Channel<FeedEvent<State, Change>> {
    const since = (cursor: string | null, lost: ResyncReason) => this.#held.get(key)?.since(view, cursor, lost) ?? [];
    return {
      key: `${key} ${view.key}`,
      follow: (next, end) => this.#hold(key, open).follow({ view, next, end }),
      since: cursor => since(cursor, 'CURSOR_NOT_HELD'),
      catchUp: () => since('', 'OVERFLOW'),
    };
  }

  close(): void {
    for (const held of this.#held.values()) held.stop();
    this.#held.clear();
  }

  #hold(key: string, open: () => Source<State, Change>): HeldState<State, Change> {
    const known = this.#held.get(key);
    if (known) return known;
    const { maxStates = MAX_STATES, heldChanges = HELD_CHANGES, lingerMs = LINGER_MS, history } = this.#settings;
    if (this.#held.size >= maxStates) throw tooMany();
    const held: HeldState<State, Change> = new HeldState(open(), {
      clock: this.#app.clock,
      // The epoch is new for each held state: cursors of an earlier one are rejected.
      history: history?.() ?? new RingHistory(this.#app.ids(), heldChanges),
      lingerMs,
      onOver: () => {
        if (this.#held.get(key) === held) this.#held.delete(key);
      },
    });
    held.start();
    this.#held.set(key, held);
    return held;
  }
}

function tooMany(): CalloutError {
  return new CalloutError('RATE_LIMITED', '正在观看的对象过多，请稍后重试', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** View of a subscriber that may see the whole state. */
function whole<State, Change>(): View<State, Change> {
  return { key: '', state: state => state, change: change => change };
}

interface Listener<State, Change> {
  view: View<State, Change>;
  next: (event: FeedEvent<State, Change>) => void;
  end: () => void;
}

interface HeldSurroundings<Change> {
  clock: Clock;
  history: History<Change>;
  lingerMs: number;
  onOver: () => void;
}

class HeldState<State, Change> {
  readonly #source: Source<State, Change>;
  readonly #surroundings: HeldSurroundings<Change>;
  /** Subscribers by topic, so that a change costs only those that it may affect. */
  readonly #listeners = new Map<string, Set<Listener<State, Change>>>();
  /** The source is unavailable and subscribers have been notified. */
  #isAway = false;
  #stop: () => void = () => undefined;
  #cancelLinger: Cancel = () => undefined;

  constructor(source: Source<State, Change>, surroundings: HeldSurroundings<Change>) {
    this.#source = source;
    this.#surroundings = surroundings;
  }

  start(): void {
    this.#stop = this.#source.start({
      changed: (change, at) => this.#changed(change, at),
      began: () => this.#began(),
      lost: reason => this.#lost(reason),
      ended: () => this.#ended(),
    });
  }

  stop(): void {
    this.#cancelLinger();
    this.#stop();
    this.#listeners.clear();
  }

  follow(listener: Listener<State, Change>): () => void {
    const topic = listener.view.topic ?? '';
    const own = this.#listeners.get(topic) ?? new Set();
    this.#cancelLinger();
    this.#listeners.set(topic, own.add(listener));
    return () => {
      if (this.#listeners.get(topic) !== own || !own.delete(listener) || own.size > 0) return;
      this.#listeners.delete(topic);
      if (this.#listeners.size === 0) this.#linger();
    };
  }

  since(view: View<State, Change>, cursor: string | null, lost: ResyncReason): FeedEvent<State, Change>[] {
    const state = this.#source.current();
    const missed = cursor === null || state === null ? null : this.#surroundings.history.after(cursor);
    if (missed) return missed.flatMap(published => seen(view, published) ?? []);
    if (state === null && this.#isAway) return [this.#resync('SOURCE_UNAVAILABLE')];
    const resync = cursor === null ? [] : [this.#resync(lost)];
    return state === null ? resync : [...resync, this.#snapshot(view, state)];
  }

  #linger(): void {
    const { clock, lingerMs, onOver } = this.#surroundings;
    this.#cancelLinger = clock.schedule(lingerMs, () => {
      this.stop();
      onOver();
    });
  }

  #changed(change: Change, at = this.#surroundings.clock.now()): void {
    const published = this.#surroundings.history.put(change, at);
    for (const topic of this.#source.topicsOf?.(change) ?? ['']) {
      for (const { view, next } of this.#listeners.get(topic) ?? []) {
        const event = seen(view, published);
        if (event) next(event);
      }
    }
  }

  /** Also invalidates cursors that were issued while the state was unknown: they lead to the snapshot. */
  #began(): void {
    this.#surroundings.history.forget();
    this.#isAway = false;
    const state = this.#source.current();
    if (state !== null) this.#publish(view => this.#snapshot(view, state));
  }

  #lost(reason: ResyncReason): void {
    this.#surroundings.history.forget();
    const isKnown = this.#isAway && reason === 'SOURCE_UNAVAILABLE';
    this.#isAway ||= reason === 'SOURCE_UNAVAILABLE';
    if (!isKnown) this.#publish(() => this.#resync(reason));
  }

  #ended(): void {
    this.#surroundings.onOver();
    const listeners = [...this.#listeners.values()].flatMap(own => [...own]);
    this.stop();
    for (const { end } of listeners) end();
  }

  #publish(eventOf: (view: View<State, Change>) => FeedEvent<State, Change>): void {
    for (const own of this.#listeners.values()) for (const { view, next } of own) next(eventOf(view));
  }

  #snapshot(view: View<State, Change>, state: State): FeedEvent<State, Change> {
    return { kind: 'snapshot', state: view.state(state), ...this.#now() };
  }

  #resync(reason: ResyncReason): FeedEvent<State, Change> {
    return { kind: 'resync', reason, ...this.#now() };
  }

  #now() {
    const { clock, history } = this.#surroundings;
    return { at: clock.now(), cursor: history.cursor };
  }
}

/** Returns the published object itself when the view does not alter the change, so that its encoding can be shared. */
function seen<State, Change>(view: View<State, Change>, published: Published<Change>): Published<Change> | null {
  const change = view.change(published.change);
  if (change === published.change) return published;
  return change === null ? null : { ...published, change };
}
