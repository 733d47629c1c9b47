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
import type { Effect } from '#platform/actor-host/aggregate.ts';
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
export type SessionEvent = ConferenceEvent | { type: 'legChanged'; legUuid: string; event: LegEvent };

const aggregate = machineAggregate<ConferenceContext, ConferenceEvent>({
  type: 'conference',
  machine: conferenceMachine,
  snapshotVersion: 1,
  upgrade: () => {
    throw new Error('the rows of a conference are its snapshot');
  },
});

/**
 * Decides an event on the rows of a session and its legs; null when nothing changes. Messages from the session to its legs, and the first join
 * back to the session, are processed within the same commit.
 */
export function decideConference(session: ConferenceSession, event: SessionEvent): ConferenceChange | null {
  if (event.type === 'legChanged') return changeLegs(session, [event.legUuid], event.event);
  const decision = aggregate.decide(stateOf(session), event);
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
    .map(({ type, params }) => ({ type, params: { ...membersOf(params), leg: decided.leg } }));
  if (!decided.isNew) return { session, isNew: false, effects };
  const legs = session.legs.map(each => (each === leg ? decided.leg : each));
  const change = { session: { ...session, legs }, isNew: true, effects };
  return message ? joined(change, decideConference(change.session, message.params)) : change;
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

export interface ConferencesPart {
  conferences: ConferenceStore;
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
  Pick<Platform, 'switchPort' | 'clock' | 'ids' | 'log'>;
