import { isDeepStrictEqual } from 'node:util';
import type { ConferenceContext } from '#actors/conference/context.ts';
import type { ConferenceMessages } from '#actors/conference/effects.ts';
import type { ConferenceEvent } from '#actors/conference/events.ts';
import { conferenceMachine } from '#actors/conference/machine.ts';
import type { LegMessages } from '#actors/leg/effects.ts';
import type { LegEvent } from '#actors/leg/events.ts';
import type { AgentsPart, AgentDirectoryPart, AgentReservationsPart } from '#agents/agent-directory.ts';
import type { SipPart } from '#agents/sip-config.ts';
import { decideLeg } from '#legs/leg-actor.ts';
import type { CustomerState } from '#legs/leg.ts';
import type { ActorHost } from '#platform/actor-host/actor-host.ts';
import type { Aggregate, Effect, TimerEvent } from '#platform/actor-host/aggregate.ts';
import { machineAggregate, type MachineState } from '#platform/actor-host/machine-aggregate.ts';
import type { RoomsPart } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { RuntimePart } from '#runtimes/runtime-link.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import type { ConferenceChange, ConferenceLeg, ConferenceSession, ConferenceStore } from './conference.ts';
import type { LegsPart } from '#legs/originate-leg.ts';
import { membersOf } from '#kernel/typed.ts';

/** An event of the session, or of one of its legs. */
type RoomEvent = ConferenceEvent | { type: 'legChanged'; legUuid: string; event: LegEvent };

/** `reviewedAfter`: the event and the review that it requires, in one commit. Units: `at` UTC ms */
export type SessionEvent = RoomEvent | { type: 'reviewedAfter'; event: RoomEvent; at: number };

const sessionMachine = machineAggregate<ConferenceContext, ConferenceEvent>({
  type: 'conference',
  machine: conferenceMachine,
  snapshotVersion: 1,
  upgrade: () => {
    throw new Error('the rows of a conference are its snapshot');
  },
});

/**
 * The aggregate of a session and its legs: machines under one version, so that a person who is the last to leave and the end of the session are
 * one commit.
 */
export function conferenceAggregate(): Aggregate<ConferenceSession, SessionEvent> {
  return {
    type: 'conference',
    decide(state, event) {
      const change = decideConference(state, event);
      return change && { state: change.session, effects: [...change.effects, ...reportsOf(state, change.session)], timers: {} };
    },
    serialize: serializeConference,
    parse: parseConference,
  };
}

/** The customer's call learns of each step of our people's legs: who is in it decides who sees it (D9.7). */
function reportsOf(before: ConferenceSession, { requestId, legs }: ConferenceSession): Effect[] {
  const known = new Map(before.legs.map(leg => [leg.legUuid, leg.status]));
  const isNews = legs.some(leg => leg.agentId !== null && known.get(leg.legUuid) !== leg.status);
  return requestId !== null && isNews ? [{ type: 'reportLegs', params: undefined }] : [];
}

/** Between a load and its commit the rows travel as JSON. */
export function serializeConference(conference: ConferenceSession): string {
  return JSON.stringify(conference);
}

export function parseConference(snapshot: string): ConferenceSession {
  return JSON.parse(snapshot);
}

/**
 * Decides an event on the rows of a session and its legs; null when nothing changes. Messages from the session to its legs, and the first join
 * back to the session, are processed within the same commit.
 */
export function decideConference(session: ConferenceSession, event: SessionEvent | TimerEvent): ConferenceChange | null {
  if (event.type === 'legChanged') return changeLegs(session, [event.legUuid], event.event);
  if (event.type === 'reviewedAfter') return reviewedAfter(decideConference(session, event.event), event.at);
  const decision = sessionMachine.decide(stateOf(session), event);
  if (!decision) return null;
  const after = withState(session, decision.state);
  let change: ConferenceChange = { session: after, isNew: after !== session, effects: [] };
  for (const effect of decision.effects) {
    change = isForLegs(effect)
      ? joined(change, changeLegs(change.session, effect.params.legUuids, effect.params.event))
      : { ...change, effects: [...change.effects, effect] };
  }
  // Legs that remain are reviewed again.
  const isSeenAgain = event.type === 'reviewed' && change.session.legs !== session.legs;
  return isSeenAgain ? joined(change, decideConference(change.session, event)) : change;
}

function reviewedAfter(change: ConferenceChange | null, at: number): ConferenceChange | null {
  return change?.isNew ? joined(change, decideConference(change.session, { type: 'reviewed', at, isPeriodic: false })) : change;
}

function stateOf(session: ConferenceSession): MachineState<ConferenceContext> {
  const { status, customerState } = session;
  return { value: status === 'live' ? { live: customerState } : status, context: session };
}

function withState(session: ConferenceSession, { value, context }: MachineState<ConferenceContext>): ConferenceSession {
  const isLive = typeof value === 'object' && value !== null;
  const status = (isLive ? 'live' : value) as ConferenceSession['status'];
  const customerState = isLive ? (value as { live: CustomerState }).live : context.customerState;
  if (context === session && status === session.status && customerState === session.customerState) return session;
  return { ...session, ...context, legs: session.legs, status, customerState };
}

function isForLegs(effect: Effect): effect is { type: 'toLegs'; params: ConferenceMessages['toLegs'] } {
  return effect.type === 'toLegs';
}

function isForConference(effect: {
  type: string;
  params: unknown;
}): effect is { type: 'toConference'; params: LegMessages['toConference'] } {
  return effect.type === 'toConference';
}

function changeLegs(session: ConferenceSession, legUuids: readonly string[], event: LegEvent): ConferenceChange | null {
  let change: ConferenceChange | null = null;
  for (const legUuid of legUuids) {
    const now: ConferenceSession = change?.session ?? session;
    const leg = now.legs.find(each => each.legUuid === legUuid);
    const next: ConferenceChange | null = leg ? changeLeg(now, leg, event) : null;
    if (next) change = change ? joined(change, next) : next;
  }
  return change;
}

function changeLeg(session: ConferenceSession, leg: ConferenceLeg, event: LegEvent): ConferenceChange | null {
  const decided = decideLeg(leg, event);
  if (!decided) return null;
  const message = decided.effects.find(isForConference);
  const effects = decided.effects
    .filter(effect => effect !== message)
    .map(({ type, params }) => ({ type, params: { ...membersOf(params), leg: effectLegOf(decided.leg) } }));
  if (!decided.isNew) return { session, isNew: false, effects };
  const legs = session.legs.map(each => (each === leg ? decided.leg : each));
  const change = { session: { ...session, legs }, isNew: true, effects };
  return message ? joined(change, decideConference(change.session, message.params)) : change;
}

/** The members that effects of a leg need. They may wait in the outbox, so they hold nothing about the person on the line. */
export type EffectLeg = ReturnType<typeof effectLegOf>;

function effectLegOf({ legUuid, fence, agentId, holdsSlot, role, joinedAt, endCause }: ConferenceLeg) {
  return { legUuid, fence, agentId, holdsSlot, role, joinedAt, endCause };
}

function joined(first: ConferenceChange, then: ConferenceChange | null): ConferenceChange {
  return then ? { session: then.session, isNew: first.isNew || then.isNew, effects: [...first.effects, ...then.effects] } : first;
}

export interface ConferenceSettings {
  /** Ringing time of one agent's phone; shorter than the lease of a reservation (D12.7). */
  ringTimeoutSeconds: number;
  /** Most agents rung one after the other before the customer returns to the script. */
  maxAgentsAsked: number;
  /** Longest duration of a session, in ms. */
  maxSessionMs: number;
  /** Interval at which sessions are compared with the switch, in ms. */
  reconcileIntervalMs: number;
  isRecording: boolean;
  /** Conference profile of a cell. */
  profileOf(cellId: string): string;
}

export type ConferenceHost = ActorHost<ConferenceSession, SessionEvent>;

export interface ConferencesPart {
  conferences: ConferenceStore;
  conferenceHost: ConferenceHost;
  conferenceSettings: ConferenceSettings;
}

export type ConferenceApp = ConferencesPart &
  RoomsPart &
  AgentDirectoryPart &
  AgentReservationsPart &
  Pick<AgentsPart, 'phoneRegistry'> &
  SipPart &
  SlotsPart &
  Pick<LegsPart, 'sendDeadlineMs'> &
  RuntimePart &
  RuntimeEventsPart &
  Pick<Platform, 'switchPort' | 'actors' | 'clock' | 'ids' | 'log'>;

type SenderApp = Pick<ConferencesPart, 'conferenceHost'> & Pick<Platform, 'clock' | 'ids'>;

/**
 * Applies an event to a session, and waits until its effects have been tried here; null when nothing has changed.
 *
 * Errors: CONTENDED; DATABASE_UNAVAILABLE; for effects that are not repeated also CONFLICT, SWITCH_UNAVAILABLE
 */
export async function sendToConference(
  { conferenceHost, ids }: SenderApp,
  id: number,
  event: SessionEvent,
  commandId = ids(),
): Promise<{ before: ConferenceSession; after: ConferenceSession } | null> {
  const outcome = await conferenceHost.send(String(id), event, commandId);
  if (outcome.kind !== 'applied') return null;
  const [refusal] = await outcome.followUp;
  if (refusal !== undefined) throw refusal;
  return { before: outcome.before, after: outcome.state };
}

/** Returns true for the first sender of an event that changes the leg. Errors: those of `sendToConference` */
export async function sendToLeg(
  app: SenderApp,
  { conferenceId, legUuid }: Pick<ConferenceLeg, 'conferenceId' | 'legUuid'>,
  event: LegEvent,
  commandId?: string,
): Promise<boolean> {
  const change = await sendToConference(app, conferenceId, { type: 'legChanged', legUuid, event }, commandId);
  return change !== null && !isDeepStrictEqual(change.before.legs, change.after.legs);
}

/** Ends a session and all its legs; returns the legs that were open, or null when the session had ended before. */
export async function endSession(app: SenderApp, id: number, end: { cause: string } | 'customerLeft'): Promise<ConferenceLeg[] | null> {
  const at = app.clock.now();
  const change = await sendToConference(app, id, end === 'customerLeft' ? { type: end, at } : { type: 'closed', at, ...end });
  return change && change.before.legs.filter(({ status }) => status !== 'ended');
}

/**
 * Lets the session do what its state requires, safe to repeat: release legs that have handed over, ring the next agent, bring the customer in or
 * back from a consultation, or end the session. `isPeriodic` marks a review by the reconciler.
 *
 * Source: D12.5–D12.7
 */
export async function reviewConference(app: SenderApp, id: number, isPeriodic = false): Promise<void> {
  await sendToConference(app, id, { type: 'reviewed', at: app.clock.now(), isPeriodic });
}
