import { matchesState, type StateValue } from 'xstate';
import type { CallContext, CallInput } from '#actors/call/context.ts';
import type { CallMessages } from '#actors/call/effects.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callMachine } from '#actors/call/machine.ts';
import type { TakeOverMessages } from '#actors/intervention/effects.ts';
import type { TakeOverEvent } from '#actors/intervention/events.ts';
import { interventionMachine } from '#actors/intervention/machine.ts';
import { NO_CLAIM, type TakeOver, UNCLAIMED } from '#actors/intervention/take-over.ts';
import { isMonitored } from '#campaigns/campaign.ts';
import type { CallDetails } from '#outcomes/outcome-store.ts';
import type { ActorHost } from '#platform/actor-host/actor-host.ts';
import type { JournalKind, JournalStates } from '#platform/actor-host/journal.ts';
import { machineBuild } from '#platform/actor-host/machine-build.ts';
import type { Aggregate, Decision, Effect, TimerEvent } from '#platform/actor-host/aggregate.ts';
import { firstDecision, machineAggregate, type MachineState, timersOf } from '#platform/actor-host/machine-aggregate.ts';
import { readVersion } from '#platform/version.ts';
import type { RuntimeCare } from '#runtimes/decisions/runtime-care.ts';

/** State of a call and of its intervention, which is absent until the call is first claimed. */
export interface CallState extends MachineState<CallContext> {
  intervention?: MachineState<TakeOver>;
}

export type CallActorEvent = CallEvent | TakeOverEvent;

/** Written with each snapshot; raise it and add an upgrade to `parse` when the shape of state or context changes. */
const SNAPSHOT_VERSION = 5;
/**
 * Version 1 is the call alone; version 2 has one state `live`; version 3 has a state for each end of a take-over; version 4 has states of a leg in a
 * take-over. Later members are optional.
 */
const READABLE_VERSIONS: ReadonlySet<number> = new Set([1, 2, 3, 4, SNAPSHOT_VERSION]);

const neverStored = {
  snapshotVersion: SNAPSHOT_VERSION,
  upgrade: () => {
    throw new Error('the parts of a call are stored together');
  },
};
const call = machineAggregate<CallContext, CallActorEvent>({ type: 'call', machine: callMachine, ...neverStored });
const intervention = machineAggregate<TakeOver, TakeOverEvent>({
  type: 'intervention',
  machine: interventionMachine,
  ...neverStored,
});

const INTERVENTION_TIMERS = timersOf(interventionMachine);

type Message = { type: 'toIntervention'; params: CallMessages['toIntervention'] } | { type: 'toCall'; params: TakeOverMessages['toCall'] };

/**
 * The call aggregate: two machines under one version, so that "claim only while live" and "the hang-up closes the intervention" are each one
 * commit. A message from one machine to the other is processed within it.
 *
 * Source: A3
 */
export function callAggregate(): Aggregate<CallState, CallActorEvent> {
  return {
    type: 'call',
    decide: (state, event) => (INTERVENTION_TIMERS.has(event.type) ? toIntervention(state, event as TimerEvent) : toCall(state, event)),
    serialize({ value, context, intervention: takeOver }) {
      return JSON.stringify({ v: SNAPSHOT_VERSION, value, context, ...(takeOver ? { intervention: takeOver } : {}) });
    },
    parse(snapshot) {
      const { v, ...state }: CallState & { v: number } = JSON.parse(snapshot);
      if (!READABLE_VERSIONS.has(v)) throw new Error(`call snapshot of an unknown version ${v}`);
      return withPerson(v < SNAPSHOT_VERSION ? upgraded(v, state) : state);
    },
  };
}

/** Sources that decide what becomes of a call; what they import from elsewhere is small and rarely changes. */
const SOURCES = ['actors/call', 'actors/intervention', 'src/protocol'];

/** States of a call as its journal names them (D14.9). */
export const CALL_STATES: JournalStates<CallState> = {
  placeOf: placeOfCall,
  begin: origin => firstDecision<CallContext>(callMachine, origin).state,
};

/** How the journal of a call is written; reads the sources of the machines. */
export function callJournal(): JournalKind<CallState> {
  return { ...CALL_STATES, version: readVersion(), build: machineBuild(SOURCES) };
}

/** The state of a call, then that of its take-over if there ever was one, as in `open.live.served|requested`. */
function placeOfCall({ value, intervention: takeOver }: CallState): string {
  return takeOver ? `${stateName(value)}|${stateName(takeOver.value)}` : stateName(value);
}

/** Joins the names of nested states by dots; the machines of a call have no parallel states. */
function stateName(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name}.${stateName(inner)}`)
    .join();
}

/** Before version 3, a live call had always been offered to a runtime. */
function servedIfLive(value: CallState['value']): CallState['value'] {
  return matchesState({ open: 'live' }, value as StateValue) ? { open: { live: 'served' } } : value;
}

function upgraded(v: number, { intervention: takeOver, ...state }: CallState): CallState {
  const value = v < 3 ? servedIfLive(state.value) : state.value;
  return { ...state, value, ...(takeOver && takeOver.value !== 'idle' ? { intervention: takeOverOf(v, takeOver) } : {}) };
}

function takeOverOf(v: number, { value, context }: MachineState<TakeOver>): MachineState<TakeOver> {
  if (v === 4) return { value: typeof value === 'string' ? value : 'transferring', context };
  const isOpen = value === 'requested' || value === 'transferring' || value === 'active';
  return { value: isOpen ? value : 'ended', context: { ...NO_CLAIM, ...context, outcome: isOpen ? null : (value as TakeOver['outcome']) } };
}

/** Derives that an agent has the customer, which older instances did not record. */
function withPerson(state: CallState): CallState {
  const isWithPerson = state.intervention?.value === 'active';
  return isWithPerson ? { ...state, context: { ...state.context, isWithPerson } } : state;
}

function toCall(state: CallState, event: CallActorEvent | TimerEvent): Decision<CallState> | null {
  const decided = call.decide(state, event);
  return decided && relay({ ...decided, state: { ...state, ...decided.state } });
}

function toIntervention(state: CallState, event: TakeOverEvent | TimerEvent): Decision<CallState> | null {
  const decided = intervention.decide(state.intervention ?? UNCLAIMED, event);
  return decided && relay({ ...decided, state: { ...state, intervention: decided.state } });
}

/** Delivers messages between the two machines; null when the decision is only a message that the other machine ignores. */
function relay(decided: Decision<CallState>): Decision<CallState> | null {
  const effects: Effect[] = [];
  let { state, timers } = decided;
  let isNews = decided.effects.length === 0 || Object.keys(timers).length > 0;
  for (const effect of decided.effects) {
    const delivered = isMessage(effect) ? deliver(state, effect) : { state, effects: [effect], timers: {} };
    if (!delivered) continue;
    isNews = true;
    effects.push(...delivered.effects);
    state = delivered.state;
    timers = { ...timers, ...delivered.timers };
  }
  return isNews ? { state, effects, timers } : null;
}

function isMessage(effect: Effect | Message): effect is Message {
  return effect.type === 'toIntervention' || effect.type === 'toCall';
}

function deliver(state: CallState, message: Message): Decision<CallState> | null {
  return message.type === 'toCall' ? toCall(state, message.params) : toIntervention(state, message.params);
}

/** Timeouts of a call; defaults are in compose/config, units in the names. */
export interface CallSettings {
  care: RuntimeCare;
  /** How long a channel that was never seen must stay absent (A6 step 5). */
  graceMs: number;
  /** `dispatch.resultGraceSeconds` of D7.8. */
  resultGraceMs: number;
  /** With `rest`, runtimes find their calls at the switch and get no offers. */
  runtime: 'nats' | 'rest';
  /** Ringing time that the cell allows (D1.3 originateTimeoutSeconds). */
  originateTimeoutSeconds: (cellId: string) => number;
}

/** Delay after the longest ringing time before the switch is probed, in ms. */
const DIAL_TIMEOUT_MARGIN_MS = 10_000;

/** Above the number of hand-overs of any call. */
const EPOCHS_PER_LIFE = 1_000;

/**
 * Returns the timeouts of a call at a cell, and the epoch of its first hand-over.
 *
 * Units:  `ageMs` is the time since its claim by the database's clock, null for a new call
 * Why:    epochs start from the age, so that they exceed those of a lost live state, whatever the clocks of the instances
 */
export function callInput(settings: CallSettings, cellId: string, ageMs: number | null): CallInput {
  const epoch = ageMs === null ? 0 : EPOCHS_PER_LIFE + ageMs;
  const dialTimeoutMs = settings.originateTimeoutSeconds(cellId) * 1_000 + DIAL_TIMEOUT_MARGIN_MS;
  const { graceMs, resultGraceMs, runtime, care } = settings;
  const { firstWordMs, silenceMs } = care;
  return { dialTimeoutMs, graceMs, resultGraceMs, firstWordMs, silenceMs, epoch, ...(runtime === 'rest' ? { runtimeTaken: true } : {}) };
}

export type CallHost = ActorHost<CallState, CallActorEvent>;

export interface CallsPart {
  calls: CallHost;
  settings: CallSettings;
}

/** Static facts of a call, stored beside its state. */
export interface CallMeta extends CallDetails {
  lineId: number | null;
  callerNumber: string | null;
  /** UTC ms. */
  startedAt: number;
}

/** Creates the actor of a call that is about to be dialled; false when it exists. */
export function openCall(host: CallHost, meta: CallMeta, input: CallInput): Promise<boolean> {
  const { campaignId, businessConfig } = meta;
  const watched = isMonitored(businessConfig) ? { isMonitored: true } : {};
  const first = firstDecision<CallContext>(callMachine, { ...input, campaignId, ...watched });
  return host.create(meta.requestId, first, JSON.stringify(meta), `open:${meta.requestId}`);
}

export function parseMeta(meta: string | null): CallMeta | null {
  return meta === null ? null : JSON.parse(meta);
}
