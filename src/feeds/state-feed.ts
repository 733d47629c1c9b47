import type { Cancel, Clock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Channel } from './fan-out.ts';
import type { ResyncReason } from './live-calls-feed.ts';
import { ReplayRing } from './replay-ring.ts';

/** Changes of one state that can be told again to who comes back, unless the feed says otherwise. */
const HELD_CHANGES = 256;
/** A state is kept true for so long without listeners, for those that come back with a cursor. ms */
const LINGER_MS = 30_000;
/** States of one kind that one process keeps true at once. */
const MAX_STATES = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** Everything after a snapshot continues it; a resync takes it all back until the next snapshot. */
export type StateEvent<State, Change> = (
  | { kind: 'snapshot'; state: State }
  | { kind: 'change'; change: Change }
  | { kind: 'resync'; reason: ResyncReason }
) & {
  /** UTC ms. */
  at: number;
  /** A listener that has gone comes back with it and misses nothing. */
  cursor: string;
};

/** Where a state comes from. */
export interface StateSource<State, Change> {
  /**
   * Keeps the state true until the returned function is called.
   *
   * Errors: RATE_LIMITED when there is no room for one more
   */
  start(teller: StateTeller<Change>): () => void;
  /** Null: not known yet, or not known any more. */
  current(): State | null;
}

/** What a source says; `current` of the source holds it already. */
export interface StateTeller<Change> {
  changed(change: Change): void;
  /** The state is known, for the first time or again. */
  began(): void;
  /** What was told before no longer adds up; `began` follows. */
  lost(reason: ResyncReason): void;
  /** Nothing can follow. */
  ended(): void;
}

export interface StateFeedDeps {
  clock: Clock;
  ids: IdSource;
  /** Changes of one state that can be told again. */
  heldChanges?: number;
}

/**
 * States of one kind, each kept true once per process for all that watch it: a snapshot, then its changes, with a cursor.
 *
 * Why:    what is held and what is told change in one synchronous step, so a subscriber has no gap between replay and live
 * Source: A1.5
 */
export class StateFeed<State, Change> {
  readonly #deps: StateFeedDeps;
  readonly #held = new Map<string, HeldState<State, Change>>();

  constructor(deps: StateFeedDeps) {
    this.#deps = deps;
  }

  /** `open` makes the source of the key when nobody watches it yet. */
  channel(key: string, open: () => StateSource<State, Change>): Channel<StateEvent<State, Change>> {
    const since = (cursor: string | null, lost: ResyncReason) => this.#held.get(key)?.since(cursor, lost) ?? [];
    return {
      key,
      follow: (listener, onEnd) => this.#hold(key, open).follow(listener, onEnd),
      since: cursor => since(cursor, 'CURSOR_NOT_HELD'),
      catchUp: () => since('', 'OVERFLOW'),
    };
  }

  close(): void {
    for (const held of this.#held.values()) held.stop();
    this.#held.clear();
  }

  #hold(key: string, open: () => StateSource<State, Change>): HeldState<State, Change> {
    const known = this.#held.get(key);
    if (known) return known;
    if (this.#held.size >= MAX_STATES) throw tooMany();
    const held: HeldState<State, Change> = new HeldState(open(), {
      clock: this.#deps.clock,
      epoch: this.#deps.ids(),
      heldChanges: this.#deps.heldChanges ?? HELD_CHANGES,
      onOver: () => {
        if (this.#held.get(key) === held) this.#held.delete(key);
      },
    });
    held.start();
    this.#held.set(key, held);
    return held;
  }
}

export function tooMany(): CalloutError {
  return new CalloutError('RATE_LIMITED', '正在观看的对象过多，请稍后重试', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

interface Listener<State, Change> {
  tell(event: StateEvent<State, Change>): void;
  end(): void;
}

interface HeldSurroundings {
  clock: Clock;
  epoch: string;
  heldChanges: number;
  onOver: () => void;
}

class HeldState<State, Change> {
  readonly #source: StateSource<State, Change>;
  readonly #clock: Clock;
  /** Of this state's life here: cursors of another are not held. */
  readonly #epoch: string;
  readonly #onOver: () => void;
  readonly #ring: ReplayRing<StateEvent<State, Change>>;
  readonly #listeners = new Set<Listener<State, Change>>();
  #lost: ResyncReason | null = null;
  #stop: () => void = () => undefined;
  #cancelLinger: Cancel = () => undefined;

  constructor(source: StateSource<State, Change>, surroundings: HeldSurroundings) {
    this.#source = source;
    this.#ring = new ReplayRing(surroundings.heldChanges);
    this.#clock = surroundings.clock;
    this.#epoch = surroundings.epoch;
    this.#onOver = surroundings.onOver;
  }

  start(): void {
    this.#stop = this.#source.start({
      changed: change => this.#changed(change),
      began: () => this.#began(),
      lost: reason => this.#lose(reason),
      ended: () => this.#end(),
    });
  }

  stop(): void {
    this.#cancelLinger();
    this.#stop();
    this.#listeners.clear();
  }

  follow(tell: (event: StateEvent<State, Change>) => void, end: () => void): () => void {
    const own = { tell, end };
    this.#cancelLinger();
    this.#listeners.add(own);
    return () => {
      if (!this.#listeners.delete(own) || this.#listeners.size > 0) return;
      this.#cancelLinger = this.#clock.schedule(LINGER_MS, () => {
        this.stop();
        this.#onOver();
      });
    };
  }

  since(cursor: string | null, lost: ResyncReason): StateEvent<State, Change>[] {
    const state = this.#source.current();
    const missed = cursor === null || state === null ? null : this.#ring.after(this.#positionOf(cursor));
    if (missed) return missed;
    if (state === null && this.#lost !== null) return [this.#resync(this.#lost)];
    const resync = cursor === null ? [] : [this.#resync(lost)];
    return state === null ? resync : [...resync, this.#snapshot(state)];
  }

  #changed(change: Change): void {
    const event = { kind: 'change' as const, change, at: this.#clock.now(), cursor: this.#cursorOf(this.#ring.next) };
    this.#ring.put(event);
    this.#tell(event);
  }

  /** A cursor of the time without a state leads to the snapshot, too. */
  #began(): void {
    this.#ring.forget();
    this.#lost = null;
    const state = this.#source.current();
    if (state !== null) this.#tell(this.#snapshot(state));
  }

  #lose(reason: ResyncReason): void {
    this.#ring.forget();
    this.#lost = reason;
    this.#tell(this.#resync(reason));
  }

  #end(): void {
    this.#onOver();
    const listeners = [...this.#listeners];
    this.stop();
    for (const listener of listeners) listener.end();
  }

  #tell(event: StateEvent<State, Change>): void {
    for (const listener of this.#listeners) listener.tell(event);
  }

  #snapshot(state: State): StateEvent<State, Change> {
    return { kind: 'snapshot', state, at: this.#clock.now(), cursor: this.#cursorOf(this.#ring.last) };
  }

  #resync(reason: ResyncReason): StateEvent<State, Change> {
    return { kind: 'resync', reason, at: this.#clock.now(), cursor: this.#cursorOf(this.#ring.last) };
  }

  #cursorOf(position: number): string {
    return `${this.#epoch}.${position.toString(36)}`;
  }

  /** −1, which is never held: the cursor is of another life, or none. */
  #positionOf(cursor: string): number {
    const [epoch = '', position = ''] = cursor.split('.');
    return epoch === this.#epoch && /^[0-9a-z]{1,10}$/.test(position) ? Number.parseInt(position, 36) : -1;
  }
}
