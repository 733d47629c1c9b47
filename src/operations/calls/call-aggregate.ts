import { callMachine } from '#actors/call/machine.ts';
import { type CallContext, callStage, epochOf } from '#actors/call/context.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { type InterventionContext, interventionStatus, isOpen } from '#actors/intervention/context.ts';
import type { InterventionEvent } from '#actors/intervention/events.ts';
import { interventionMachine } from '#actors/intervention/machine.ts';
import type { Aggregate, Decision, TimerEvent } from '#host/aggregate.ts';
import { firstDecision, machineAggregate, type MachineState } from '#host/machine-aggregate.ts';

/** A call with the intervention in it; absent: nobody has ever claimed. */
export interface CallState extends MachineState<CallContext> {
  intervention?: MachineState<InterventionContext>;
}

export type CallActorEvent = CallEvent | InterventionEvent;

/** Written with each snapshot; raise it with an upgrade in `parse` when the shape of state or context changes. */
const SNAPSHOT_VERSION = 3;
/** Version 1 is the call alone, version 2 has one state `live`; every member that came since may be absent. */
const READABLE_VERSIONS: ReadonlySet<number> = new Set([1, 2, SNAPSHOT_VERSION]);

const neverStored = {
  snapshotVersion: SNAPSHOT_VERSION,
  upgrade: () => {
    throw new Error('the parts of a call are stored together');
  },
};
const call = machineAggregate<CallContext, CallEvent>({ type: 'call', machine: callMachine, ...neverStored });
const intervention = machineAggregate<InterventionContext, InterventionEvent>({
  type: 'intervention',
  machine: interventionMachine,
  ...neverStored,
});

const NO_CLAIM = firstDecision<InterventionContext>(interventionMachine).state;

/**
 * The call aggregate: two machines under one version, so that "claim only while live" and "the hang-up closes the intervention" are one commit.
 *
 * Source: A3
 */
export function callAggregate(): Aggregate<CallState, CallActorEvent> {
  return {
    type: 'call',
    decide(state, event) {
      if (isStale(state, event)) return null;
      return isIntervention(event) ? decideIntervention(state, event) : decideCall(state, event);
    },
    serialize({ value, context, intervention: asked }) {
      return JSON.stringify({ v: SNAPSHOT_VERSION, value, context, ...(asked ? { intervention: asked } : {}) });
    },
    parse(snapshot) {
      const { v, ...state } = JSON.parse(snapshot) as CallState & { v: number };
      if (!READABLE_VERSIONS.has(v)) throw new Error(`call snapshot of an unknown version ${v}`);
      return v < 3 ? { ...state, value: servedIfLive(state.value) } : state;
    },
  };
}

/** Before version 3 a live call had been offered to a runtime. */
function servedIfLive(value: CallState['value']): CallState['value'] {
  return matches(value, ['open', 'live']) ? { open: { live: 'served' } } : value;
}

/** Whether the customer is on the line. */
export function isLive({ value, context }: CallState): boolean {
  return callStage(value, context) === 'live';
}

/** The channel is known to be gone; before, whatever was reported, it may still be ended. */
export function hasLeft({ value, context }: CallState): boolean {
  return (
    callStage(value, context) === 'settling' ||
    (typeof value === 'object' && (matches(value, ['ended', 'closed']) || matches(value, ['ended', 'forgotten'])))
  );
}

/** Answered, and no runtime has taken the call yet. */
export function isOffered({ value }: CallState): boolean {
  return typeof value === 'object' && matches(value, ['open', 'live', 'offering']);
}

/** The runtime that has taken the call, by its name; null: none, or one that has not registered. */
export function ownerOf({ context }: CallState): string | null {
  return context.runtimeTaken === true ? (context.owner ?? null) : null;
}

function matches(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (typeof value === 'string') return value === first && rest.length === 0;
  return typeof value === 'object' && value !== null && first in value && matches((value as Record<string, unknown>)[first], rest);
}

/**
 * A report under an older hand-over: the call is another runtime's by now.
 *
 * Why: of hand-overs before the live state was lost nothing is known; such a report counts until somebody else has the call
 */
export function isStale({ context }: Pick<CallState, 'context'>, report: { type?: string; epoch?: number | undefined }): boolean {
  const isOfOffer = report.type === 'runtimeAccepted' || report.type === 'runtimeDeclined' || report.type === 'runtimeRefused';
  if (isOfOffer || report.epoch === undefined || report.epoch >= epochOf(context)) return false;
  return report.epoch > (context.epochBase ?? 0) || context.owner !== undefined;
}

/** Somebody has stepped in and speaks with the customer. */
function isWithPerson({ intervention: asked }: CallState): boolean {
  return asked !== undefined && interventionStatus(asked.value) === 'active';
}

/** A supervisor may claim any live call, everybody else the ones that they watch (D9.3). */
export function mayClaim({ context }: CallState, claim: { userId: number | null; isSupervisor: boolean }): boolean {
  return claim.isSupervisor || (claim.userId !== null && context.watch?.monitor?.userId === claim.userId);
}

type Timed<Event> = Event | TimerEvent;

function isIntervention(event: Timed<CallActorEvent>): event is Timed<InterventionEvent> {
  return event.type.startsWith('intervention') || /^xstate\.after\.\w+\.intervention\./.test(event.type);
}

function decideIntervention(state: CallState, event: Timed<InterventionEvent>): Decision<CallState> | null {
  if (!isLive(state)) return null;
  if (event.type === 'interventionClaimed' && !mayClaim(state, event)) return null;
  const decision = intervention.decide(state.intervention ?? NO_CLAIM, event);
  return decision && { ...decision, state: { ...state, intervention: decision.state } };
}

function decideCall(state: CallState, event: Timed<CallEvent>): Decision<CallState> | null {
  // A customer who speaks with a person needs no other runtime.
  if (event.type === 'runtimeLost' && isWithPerson(state)) return null;
  const isUnmissed = event.type === 'channelFound' && isWithPerson(state);
  const decided = call.decide(state, isUnmissed ? { ...event, isHeard: null } : event);
  if (!decided) return null;
  const decision = event.type === 'resultReported' && isWithPerson(state) ? sparing(decided) : decided;
  const after: CallState = state.intervention ? { ...decision.state, intervention: state.intervention } : decision.state;
  const isPlacedLate = event.type === 'watchChanged' && !isLive(after);
  if (isPlacedLate) return withdrawn({ ...decision, state: after });
  if (isLive(state) === isLive(after)) return { ...decision, state: after };
  return isLive(after) ? offered({ ...decision, state: after }) : left({ ...decision, state: after }, event);
}

/** The runtime is through, the person is not: the channel stays. */
function sparing(decision: Decision<CallState>): Decision<CallState> {
  return { ...decision, effects: decision.effects.filter(({ type }) => type !== 'killChannel') };
}

function offered(decision: Decision<CallState>): Decision<CallState> {
  if (decision.state.context.isMonitored !== true) return decision;
  return { ...decision, effects: [...decision.effects, { type: 'offerCall', params: null }] };
}

/** Effects of two commits have no order: one that ended at once may have been offered after it was withdrawn, and would stay with a monitor for ever. */
function withdrawn(decision: Decision<CallState>): Decision<CallState> {
  return { ...decision, effects: [...decision.effects, { type: 'withdrawCall', params: null }] };
}

/** The customer is gone: nobody watches the call any more, and what somebody has claimed is over. */
function left(decision: Decision<CallState>, event: Timed<CallEvent>): Decision<CallState> {
  const { state } = decision;
  const at = 'at' in event ? event.at : state.context.endedAt;
  const closing = isOpen(state.intervention?.value) ? intervention.decide(state.intervention ?? NO_CLAIM, { type: 'callLeft', at }) : null;
  const withdrawal = state.context.isMonitored === true || state.context.watch ? [{ type: 'withdrawCall', params: null }] : [];
  return {
    state: closing ? { ...state, intervention: closing.state } : state,
    effects: [...decision.effects, ...(closing?.effects ?? []), ...withdrawal],
    timers: { ...decision.timers, ...closing?.timers },
  };
}
