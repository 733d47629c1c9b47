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

/** An event, or a function that derives it from the state that the commit is fenced on; null ignores, a throw refuses. */
export type EventOf<State, Event> = Event | TimerEvent | ((state: State) => Event | null);

export interface Command<State, Event> {
  event: EventOf<State, Event>;
  commandId: string;
}

export interface OutboxEntry {
  effectId: string;
  body: string;
}

/** Pending write for one or more commands of an actor. */
export interface Draft<State> {
  /** Outcome of each command. */
  verdicts: ({ kind: 'applied'; before: State; state: State } | { kind: 'ignored' } | { kind: 'duplicate' })[];
  /** Ids of the applied commands. */
  commandIds: string[];
  /** What each applied command was and what was decided on it, for the journal. */
  steps: DecidedStep<State>[];
  state: State;
  timers: Record<string, number | null>;
  effects: OutboxEntry[];
}

/** An applied command: the event that was decided on, and the decision. */
export interface DecidedStep<State> {
  event: unknown;
  before: State;
  decision: Decision<State>;
}

/** How an actor begins, and from what. */
export interface Beginning<State> extends Decision<State> {
  origin?: unknown;
}

interface Drafting<State, Event> {
  aggregate: Aggregate<State, Event>;
  /** Ids of commands that were applied earlier. */
  applied: readonly string[];
  outboxOf: (commandId: string, effects: readonly Effect[]) => OutboxEntry[];
}

/** Decides the commands in order, each on the state that the previous one left. */
export function draftOf<State, Event>(
  { aggregate, applied, outboxOf }: Drafting<State, Event>,
  commands: readonly Command<State, Event>[],
  before: State,
): Draft<State> {
  const draft: Draft<State> = { verdicts: [], commandIds: [], steps: [], state: before, timers: {}, effects: [] };
  for (const { event, commandId } of commands) {
    const { state } = draft;
    // The switch may report an event twice, the second time while the first still waits.
    const isKnown = applied.includes(commandId) || draft.commandIds.includes(commandId);
    const decided = !isKnown && typeof event === 'function' ? (event as (state: State) => Event | null)(state) : event;
    const decision = isKnown || decided === null ? null : aggregate.decide(state, decided as Event | TimerEvent);
    if (decision) {
      draft.state = decision.state;
      draft.commandIds.push(commandId);
      draft.steps.push({ event: decided, before: state, decision });
      draft.effects.push(...outboxOf(commandId, decision.effects));
      Object.assign(draft.timers, decision.timers);
      draft.verdicts.push({ kind: 'applied', before: state, state: decision.state });
    } else draft.verdicts.push({ kind: isKnown ? 'duplicate' : 'ignored' });
  }
  return draft;
}

export interface EffectContext<State> {
  /** The actor's type. */
  type: string;
  /** The actor's key without the type, `<requestId>`. */
  id: string;
  effectId: string;
  state: State;
  meta: string | null;
}

export type EffectExecutor<State> = (params: never, context: EffectContext<State>) => Promise<void>;

/** One executor per effect of a machine. */
export type Executors<Effects, State> = {
  [Name in keyof Effects]: (params: Effects[Name], context: EffectContext<State>) => Promise<void>;
};
