/**
 * An actor type from the host's point of view: pure decisions over a serialisable state.
 *
 * Source: A3
 */
export interface Aggregate<State, Event> {
  /** First part of the actor's key, such as `call`. */
  type: string;
  /** Decides the next state and effects; null when the event changes nothing, which skips the write. */
  decide(state: State, event: Event | TimerEvent): Decision<State> | null;
  serialize(state: State): string;
  /** Reads snapshots of every earlier version of the program. */
  parse(snapshot: string): State;
}

/** A due timer, delivered as the event that XState defines for the delay. */
export interface TimerEvent {
  type: `xstate.after.${string}`;
}

export interface Decision<State> {
  state: State;
  effects: readonly Effect[];
  /** Delay by timer name, ms; null cancels. */
  timers: Readonly<Record<string, number | null>>;
}

export interface Effect {
  type: string;
  params: unknown;
}
