import type { ConferenceEffects, ReviewEffects, TransferNews } from '#actors/conference/effects.ts';
import { customerUuidOf } from '#actors/conference/voices.ts';
import type { LegEffects } from '#actors/leg/effects.ts';
import type { LegEvent } from '#actors/leg/events.ts';
import { CalloutError, conflict, notFound } from '#kernel/errors.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';
import type { MemberAction, RoomsPart } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import { isLostPhone } from '#protocol/call-status.ts';
import { type ConferenceApp, decideConference, type SessionEvent, type ConferencesPart } from './conference-actor.ts';
import {
  type ConferenceChange,
  type ConferenceKey,
  type ConferenceLeg,
  type ConferenceSession,
  type ConferenceStore,
  MAX_LISTED_CONFERENCES,
  type NewConferenceLeg,
} from './conference.ts';
import { failRecording, hasSameSupervisors, isSupervised, membersOf, setVoice, startRecording, stopRecording, applyVoice } from './room.ts';
import type { RuntimePart } from '#runtimes/runtime-link.ts';

/** Poll interval while a conference is watched, in ms; a poll reads one row and its legs by id. */
const POLL_MS = 500;

/** One conference with its legs. Each change carries the whole conference; the last one is its end. Source: OCS 4.15 */
export function conferenceSource(
  app: Pick<ConferencesPart, 'conferences'> & Pick<Platform, 'clock' | 'log'>,
  conferenceId: number,
): Source<ConferenceSession, ConferenceSession> {
  return polledSource(app, {
    what: 'a conference',
    read: () => app.conferences.find(conferenceId),
    changes: wholeWhenOther,
    isLast: ({ status }) => status === 'ended',
    pollMs: POLL_MS,
    spacingMs: POLL_MS,
  });
}

/** Lists running sessions with their current member counts, newest first. Source: OCS 4.15 */
export function listConferences({ conferences }: Pick<ConferencesPart, 'conferences'>): Promise<ConferenceSession[]> {
  return conferences.listRunning(MAX_LISTED_CONFERENCES);
}

/** Errors: NOT_FOUND. Source: OCS 4.15 */
export async function getConference(
  { conferences }: Pick<ConferencesPart, 'conferences'>,
  conferenceId: number,
): Promise<ConferenceSession> {
  const session = await conferences.find(conferenceId);
  if (session === null) throw notFound('会议');
  return session;
}

type LegParams = { [Name in keyof LegEffects]: { leg: ConferenceLeg } & (LegEffects[Name] extends object ? LegEffects[Name] : unknown) };
type Executors<Effects> = {
  [Name in keyof Effects]: (app: ConferenceApp, session: ConferenceSession, params: Effects[Name]) => Promise<void>;
};

/** Executors of effects that only a review emits. */
export type ReviewExecutors = Executors<ReviewEffects>;

const EXECUTORS: Executors<ConferenceEffects & LegParams> = {
  freeLeg: (app, _session, { leg }) => freeLeg(app, leg),
  // This customer was called by a browser phone's agent, who was lost: no runtime is there to speak, so the switch plays the apology.
  endChannel: (app, { cellId }, { leg }) =>
    leg.role === 'external' && leg.joinedAt !== null && isLostPhone(leg.endCause)
      ? apologise(app, cellId, leg.legUuid)
      : hangUp(app, cellId, leg.legUuid),
  async changeVoice(app, session, { leg, mode }) {
    const { memberId, canSpeak } = await applyVoice(app, session, leg, mode);
    await sendToLeg(app, leg.legUuid, { type: 'voiceChanged', mode, memberId, canSpeak });
    await applyVoices(app, { id: session.id });
  },
  async changeVoices(app, session, { voices }) {
    for (const voice of voices) await setVoice(app, session, voice);
    // A participant may have changed mode meanwhile: the voices follow the current modes.
    const now = await app.conferences.find(session.id);
    if (now && !hasSameSupervisors(now, session)) await applyVoices(app, { id: session.id });
  },
  async notifyRuntime(app, session, { endsCallIfRefused, ...news }) {
    if ((await notifyRuntime(app, session, news)) || !endsCallIfRefused) return;
    if (news.status === 'failed') await apologise(app, session.cellId, session.customerUuid);
    else await endCustomer(app, session);
  },
  endCustomer,
  returnCustomer,
  async putCustomerAside(app, session) {
    if (!(await changeCustomer(app, session, ['deaf', 'mute']))) throw conflict('CUSTOMER_ABSENT', '客户不在会议中，不能咨询');
  },
  startRecording: (app, session) => recordConference(app, session, startRecording),
  stopRecording,
  failRecording,
  async endChannels({ switchPort }, { cellId }, { channelUuids }) {
    for (const uuid of channelUuids) if (cellId !== null) await switchPort.hangup(cellId, uuid, 'NORMAL_CLEARING');
  },
};

/**
 * Applies the event under the session's lock, then executes the resulting effects; null when nothing has changed.
 *
 * Why:    the rows decide once; the effects are safe to repeat, and the next review repeats them
 * Errors: DATABASE_UNAVAILABLE; for a consultation or a change of voice also CONFLICT, SWITCH_UNAVAILABLE
 */
export async function sendToConference(
  app: ConferenceApp,
  key: ConferenceKey,
  event: SessionEvent,
  more?: ReviewExecutors,
): Promise<ConferenceChange | null> {
  const change = await app.conferences.change(key, session => decideConference(session, event));
  if (!change) return null;
  const executors: Record<string, (app: ConferenceApp, session: ConferenceSession, params: never) => Promise<void>> = {
    ...EXECUTORS,
    ...more,
  };
  for (const { type, params } of change.effects) await executors[type]?.(app, change.session, params as never);
  return change;
}

/**
 * Adds a leg before it is dialled; null when the session has ended, or another agent is already being rung for it. `number_busy`: another call
 * uses the outside number.
 */
export function addLeg(
  { conferences }: Pick<ConferencesPart, 'conferences'>,
  leg: NewConferenceLeg,
): ReturnType<ConferenceStore['addLeg']> {
  const { mode, agentId } = leg;
  return conferences.addLeg(leg, session => decideConference(session, { type: 'participantEntered', mode, agentId }));
}

/** Returns true for the first sender of an event. */
export async function sendToLeg(app: ConferenceApp, legUuid: string, event: LegEvent): Promise<boolean> {
  return (await sendToConference(app, { legUuid }, { type: 'legChanged', legUuid, event }))?.isNew ?? false;
}

/** Runs a recording attempt; whether a refusal is final is decided by the session. */
export async function recordConference(app: ConferenceApp, session: ConferenceSession, attempt: typeof startRecording): Promise<void> {
  if (await attempt(app, session)) return;
  app.log.warn({ conferenceId: session.id }, 'the switch refused to record a conference');
  await sendToConference(app, session, { type: 'recordingRefused', at: app.clock.now() });
}

/** Applies every supervisor's mode again: a member who has just joined must not hear whispers meant for others. Errors: SWITCH_UNAVAILABLE */
export async function applyVoices(app: ConferenceApp, key: { id: number } | { name: string }): Promise<void> {
  const { conferences, clock } = app;
  const session = 'id' in key ? await conferences.find(key.id) : await conferences.findByName(key.name);
  if (session === null || !isSupervised(session)) return;
  await sendToConference(app, session, { type: 'roomSeen', at: clock.now(), members: await membersOf(app, session) });
}

/** Ends a session and all its legs; returns the legs that were open, or null when the session had ended before. */
export async function endSession(app: ConferenceApp, id: number, end: { cause: string } | 'customerLeft'): Promise<ConferenceLeg[] | null> {
  const at = app.clock.now();
  const change = await sendToConference(app, { id }, end === 'customerLeft' ? { type: end, at } : { type: 'closed', at, ...end });
  const ended = change?.effects.filter(({ type }) => type === 'freeLeg').map(({ params }) => (params as LegParams['freeLeg']).leg);
  return ended ?? null;
}

/** Releases what an ended leg held. */
async function freeLeg(app: ConferenceApp, leg: ConferenceLeg): Promise<void> {
  try {
    if (leg.agentId !== null) await app.agentReservations.release(leg.fence);
    if (leg.holdsSlot) await app.slots.release([leg.legUuid]);
  } catch (error) {
    // The agent's own supervision of the leg releases it too (D12.7).
    app.log.warn({ err: error, agentId: leg.agentId }, 'the agent of a leg could not be released');
  }
}

async function hangUp({ switchPort, log }: ConferenceApp, cellId: string | null, uuid: string): Promise<void> {
  if (cellId === null) return;
  try {
    await switchPort.hangup(cellId, uuid, 'NORMAL_CLEARING');
  } catch (error) {
    log.warn({ err: error, cellId }, 'a leg could not be hung up; the reconciler retries');
  }
}

async function endCustomer(app: ConferenceApp, { cellId, customerUuid }: ConferenceSession): Promise<void> {
  if (customerUuid !== null) await hangUp(app, cellId, customerUuid);
}

/** Plays the apology to the customer and hangs up. */
async function apologise({ switchPort, log }: ConferenceApp, cellId: string | null, uuid: string | null): Promise<void> {
  if (cellId === null || uuid === null) return;
  try {
    await switchPort.dismiss(cellId, uuid);
  } catch (error) {
    log.warn({ err: error, cellId }, 'a customer could not be dismissed; the reconciler retries');
  }
}

/** Parks the customer, as before the transfer; one who cannot be moved now is hung up with the room. */
async function returnCustomer({ rooms, log }: ConferenceApp, { cellId, customerUuid }: ConferenceSession): Promise<void> {
  if (cellId === null || customerUuid === null) return;
  try {
    await rooms.park(cellId, customerUuid);
  } catch (error) {
    log.warn({ err: error, cellId }, 'a customer could not be parked; the room ends the call');
  }
}

/** Notifies the runtime of the transfer's progress, which it announces to the customer. Returns false when no runtime accepted it. */
export async function notifyRuntime(
  { runtime, log }: RuntimePart & Pick<Platform, 'log'>,
  { requestId, id, conferenceName, interventionId }: ConferenceSession,
  { status, agentId = null, agentName = null, cause = null }: TransferNews,
): Promise<boolean> {
  if (requestId === null) return false;
  const body = { conferenceId: id, conferenceName, interventionId, status, agentId, agentName, cause };
  try {
    await runtime.command(requestId, 'transfer', body);
    return true;
  } catch (error) {
    log.warn({ err: error, requestId, status }, 'the runtime could not be notified of a transfer');
    return false;
  }
}

/**
 * Applies all `actions` to the customer in the conference; returns false, without applying any, when the customer is not there.
 *
 * Errors: SWITCH_UNAVAILABLE
 */
export async function changeCustomer({ rooms }: RoomsPart, session: ConferenceSession, actions: readonly MemberAction[]): Promise<boolean> {
  const { cellId, conferenceName } = session;
  if (cellId === null) throw new CalloutError('SWITCH_UNAVAILABLE', '会议不在任何交换机单元上');
  const customerUuid = customerUuidOf(session);
  const members = await rooms.members(cellId, conferenceName);
  const customer = members?.find(member => member.channelUuid === customerUuid);
  if (!customer) return false;
  for (const action of actions) if ((await rooms.change(cellId, conferenceName, customer.memberId, action)) === 'absent') return false;
  return true;
}
