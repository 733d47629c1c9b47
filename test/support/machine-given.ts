import type { AnyStateMachine } from 'xstate';
import { firstDecision, machineAggregate, type MachineState } from '#platform/actor-host/machine-aggregate.ts';

/** Result of one event on a machine: given(events).when(event). */
export interface Step<Context> {
  value: unknown;
  context: Context;
  /** Effects in order: `type`, with its params if any. */
  effects: { type: string; params: unknown }[];
  /** Timers that were set (delay in ms) or cancelled (null), by the short name of the delay. */
  timers: Record<string, number | null>;
  ignored: boolean;
}

/** Drives a machine through the same pure steps as the host: serialise, parse, decide. */
export function givenMachine<Context, Event extends { type: string }>(
  machine: AnyStateMachine,
  input?: unknown,
  before?: MachineState<Context>,
) {
  const aggregate = machineAggregate<Context, Event>({
    type: 'test',
    machine,
    snapshotVersion: 1,
    upgrade: () => {
      throw new Error('old');
    },
  });
  const start = before ?? firstDecision<Context>(machine, input).state;
  const pass = (state: MachineState<Context>, event: Event) => {
    const decision = aggregate.decide(aggregate.parse(aggregate.serialize(state)), event);
    return { state: decision?.state ?? state, decision };
  };
  return (...events: Event[]) => {
    let state = start;
    for (const event of events) state = pass(state, event).state;
    return {
      state,
      when(event: Event): Step<Context> {
        const { state: after, decision } = pass(state, event);
        return {
          value: after.value,
          context: after.context,
          effects: [...(decision?.effects ?? [])].map(({ type, params }) => ({ type, params })),
          timers: Object.fromEntries(Object.entries(decision?.timers ?? {}).map(([name, delay]) => [shortName(name), delay])),
          ignored: decision === null,
        };
      },
    };
  };
}

/** Short name of a timer: `xstate.after.dialTimeout.call.open.dialing` → `dialTimeout`. */
export function shortName(timer: string): string {
  return timer.split('.')[2] ?? timer;
}
