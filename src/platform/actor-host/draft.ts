import type { Aggregate, Effect, TimerEvent } from './aggregate.ts';

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
  state: State;
  timers: Record<string, number | null>;
  effects: OutboxEntry[];
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
  const draft: Draft<State> = { verdicts: [], commandIds: [], state: before, timers: {}, effects: [] };
  for (const { event, commandId } of commands) {
    const { state } = draft;
    // The switch may report an event twice, the second time while the first still waits.
    const isKnown = applied.includes(commandId) || draft.commandIds.includes(commandId);
    const decided = !isKnown && typeof event === 'function' ? (event as (state: State) => Event | null)(state) : event;
    const decision = isKnown || decided === null ? null : aggregate.decide(state, decided as Event | TimerEvent);
    if (decision) {
      draft.state = decision.state;
      draft.commandIds.push(commandId);
      draft.effects.push(...outboxOf(commandId, decision.effects));
      Object.assign(draft.timers, decision.timers);
      draft.verdicts.push({ kind: 'applied', before: state, state: decision.state });
    } else draft.verdicts.push({ kind: isKnown ? 'duplicate' : 'ignored' });
  }
  return draft;
}
