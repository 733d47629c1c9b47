/**
 * A kind of actor as the host sees it: pure decisions over a state that it can write down.
 *
 * Source: A3
 */
export interface Aggregate<State, Event> {
  /** First part of the actor's key, `call`. */
  type: string;
  /** What happens now; null when the event changes nothing and the write is skipped. */
  decide(state: State, event: Event | TimerEvent): Decision<State> | null;
  serialize(state: State): string;
  /** Reads what any earlier version of the program wrote. */
  parse(snapshot: string): State;
}

/** A due timer comes back as the event that the machine named when it asked for the delay. */
export interface TimerEvent {
  type: `xstate.after.${string}`;
}

export interface Decision<State> {
  state: State;
  effects: readonly Effect[];
  /** Timer name → delay, ms; null cancels. */
  timers: Readonly<Record<string, number | null>>;
}

export interface Effect {
  type: string;
  params: unknown;
}
