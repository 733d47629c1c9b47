import { type AnyActorScope, type AnyStateMachine, type AnyStateNode, createActor, type EventObject } from 'xstate';
import type { Aggregate, Beginning, Decision, Effect, TimerEvent } from './aggregate.ts';

/** A machine's state in its stored form: JSON only. */
export interface MachineState<Context> {
  value: unknown;
  context: Context;
}

/** An action returned by XState, built-in or one of our effects. */
interface ReturnedAction {
  type: string;
  params: unknown;
}

/**
 * Adapts an XState machine to a pure aggregate: delayed transitions become timers, custom actions become effects.
 *
 * Why: XState does not re-arm the timers of a restored snapshot, so they are kept in the store (A3)
 */
export function machineAggregate<Context, Event extends EventObject>(definition: {
  type: string;
  machine: AnyStateMachine;
  /** Increase it when old snapshots need `upgrade`. */
  snapshotVersion: number;
  upgrade(snapshot: { v: number; value: unknown; context: unknown }): MachineState<Context>;
}): Aggregate<MachineState<Context>, Event> {
  const { machine, snapshotVersion } = definition;
  const restore = (state: MachineState<Context>) => machine.resolveState({ value: state.value as never, context: state.context });

  return {
    type: definition.type,
    decide(state, event) {
      const before = restore(state);
      const [after, actions] = step(machine, scope => machine.transition(before, event as never, scope));
      // An unhandled event returns the same snapshot object, but so does an event that only triggers effects.
      const isSame = (after as unknown) === before;
      return isSame && actions.length === 0 ? null : decisionOf<Context>(after, actions);
    },
    serialize: state => JSON.stringify({ v: snapshotVersion, value: state.value, context: state.context }),
    parse(snapshot) {
      const stored: MachineState<Context> & { v: number } = JSON.parse(snapshot);
      return stored.v === snapshotVersion ? { value: stored.value, context: stored.context } : definition.upgrade(stored);
    },
  };
}

/** Initial state of a machine with the timers and effects of its entry. */
export function firstDecision<Context>(machine: AnyStateMachine, input?: unknown): Beginning<MachineState<Context>> {
  return { ...decisionOf<Context>(...step(machine, scope => machine.getInitialSnapshot(scope, input as never))), origin: input };
}

interface Stepper {
  scope: AnyActorScope;
  actions: ReturnedAction[];
}

const steppers = new WeakMap<AnyStateMachine, Stepper>();

/**
 * Does the same as XState's `transition`, including the returned actions.
 *
 * Why: `transition` creates an actor for each step, which costs six times the step; here one actor that never runs is reused
 */
function step<Snapshot>(machine: AnyStateMachine, take: (scope: AnyActorScope) => Snapshot): [Snapshot, ReturnedAction[]] {
  const stepper = steppers.get(machine) ?? newStepper(machine);
  steppers.set(machine, stepper);
  // A previous step that threw may have left actions.
  stepper.actions.length = 0;
  return [take(stepper.scope), [...stepper.actions]];
}

function newStepper(machine: AnyStateMachine): Stepper {
  const self = createActor(machine, { input: {} });
  const ignore = () => undefined;
  const actions: ReturnedAction[] = [];
  const actionExecutor = (action: ReturnedAction) => void actions.push(action);
  const scope = {
    self,
    id: '',
    sessionId: '',
    system: self.system,
    logger: ignore,
    defer: ignore,
    stopChild: ignore,
    emit: ignore,
    actionExecutor,
  };
  return { scope, actions };
}

/** Names of all timers that a machine can set. */
export function timersOf(machine: AnyStateMachine): ReadonlySet<string> {
  const timersIn = ({ after, states }: AnyStateNode): string[] => [
    ...after.map(({ eventType }) => eventType),
    ...Object.values(states).flatMap(timersIn),
  ];
  return new Set(timersIn(machine.root));
}

function decisionOf<Context>(
  snapshot: { value: unknown; context: unknown },
  actions: readonly ReturnedAction[],
): Decision<MachineState<Context>> {
  const effects: Effect[] = [];
  const timers: Record<string, number | null> = {};
  for (const action of actions) {
    if (action.type === 'xstate.raise') {
      const { event, delay } = action.params as { event: TimerEvent; delay: number | undefined };
      if (delay !== undefined) timers[event.type] = delay;
    } else if (action.type === 'xstate.cancel') {
      timers[(action.params as { sendId: string }).sendId] = null;
    } else if (!action.type.startsWith('xstate.')) {
      effects.push({ type: action.type, params: action.params ?? null });
    }
  }
  return { state: { value: snapshot.value, context: snapshot.context as Context }, effects, timers };
}
