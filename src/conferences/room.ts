import { customerUuidOf, supervisorsOf, type Voice, voiceOf } from '#actors/conference/voices.ts';
import { type Clock, sleep } from '#kernel/clock.ts';
import { CalloutError, conflict, isCalloutError } from '#kernel/errors.ts';
import type { LegMode } from '#legs/leg.ts';
import type { ConferenceMember, MemberAction, SwitchEvent, RoomsPart } from '#platform/freeswitch/switch.ts';
import { type ConferenceApp, sendToConference } from './conference-actor.ts';
import type { ConferenceSession } from './conference.ts';
import type { Platform } from '#platform/platform.ts';

/** Longest wait for a room after a channel was sent into it, in ms: without an RTP timer and without RTP the switch takes 5 s. */
const ROOM_CREATION_MS = 6_000;
/** Interval of retries when an event of the room is lost, in ms. */
const RETRY_MS = 250;

type Room = ConferenceSession & { cellId: string };

/** Runs a recording attempt; whether a refusal is final is decided by the session. */
export async function recordConference(app: ConferenceApp, session: ConferenceSession, attempt: typeof startRecording): Promise<void> {
  if (await attempt(app, session)) return;
  app.log.warn({ conferenceId: session.id }, 'the switch refused to record a conference');
  await sendToConference(app, session.id, { type: 'recordingRefused', at: app.clock.now() });
}

/**
 * Starts the recording of a conference once its room exists; false when the switch refuses. A call whose conference cannot be recorded goes on.
 *
 * Why:    the switch accepts a transfer before the room exists, and refuses every command for the room until then; for a recording that is
 *         already running, it reports so
 * Source: test/fixtures/esl/README.md §1a "room not yet there"
 */
export async function startRecording(app: ConferenceApp, session: ConferenceSession): Promise<boolean> {
  if (!isWanted(app, session)) return true;
  const until = app.clock.monotonic() + ROOM_CREATION_MS;
  const birth = watchRoom(app, session);
  try {
    while (!(await record(app, session))) {
      if (app.clock.monotonic() >= until) return false;
      await birth.changed();
    }
    return true;
  } finally {
    birth.stop();
  }
}

/** Tries once to record a conference whose room exists and that is not recorded yet; false when the switch refuses. */
export async function keepRecording(app: ConferenceApp, session: ConferenceSession): Promise<boolean> {
  const isThere = session.kind === 'session' ? session.status === 'live' : session.customerState !== 'outside';
  return !isThere || !isWanted(app, session) || record(app, session);
}

export async function stopRecording(
  { rooms, log }: ConferenceApp,
  { cellId, conferenceName, recordingUrl }: ConferenceSession,
): Promise<void> {
  if (cellId === null || recordingUrl === null) return;
  try {
    await rooms.record(cellId, conferenceName, null);
  } catch (error) {
    log.warn({ err: error, cellId }, 'a recording could not be stopped; it ends with its conference');
  }
}

/** Raises the alert that a conference is not recorded, once per conference. */
export async function alertUnrecorded(
  { events }: ConferenceApp,
  session: ConferenceSession,
  { isRefused }: { isRefused: boolean },
): Promise<void> {
  await events.record({
    level: 'error',
    type: 'conference.recording_failed',
    title: '会议未能录音',
    message: isRefused ? '交换机一直拒绝录音命令' : '交换机无法写入录音文件，请检查录音目录的权限和磁盘空间',
    campaignId: session.campaignId,
    attemptId: session.attemptId,
    cellId: session.cellId,
    detail: { conferenceId: session.id },
    dedupeKey: `recording:${session.conferenceName}`,
  });
}

function isWanted({ conferenceSettings }: ConferenceApp, session: ConferenceSession): session is Room {
  return conferenceSettings.isRecording && session.cellId !== null && session.recordingUrl === null && !session.recordingFailed;
}

async function record({ rooms, conferences, log }: ConferenceApp, { id, cellId, conferenceName }: Room): Promise<boolean> {
  const file = `${conferenceName}.wav`;
  try {
    if ((await rooms.record(cellId, conferenceName, file)) !== 'done') return false;
  } catch (error) {
    if (!isCalloutError(error, 'SWITCH_UNAVAILABLE')) throw error;
    log.debug({ err: error, conferenceId: id }, 'a conference is not recorded yet');
    return false;
  }
  await conferences.setRecording(id, file);
  return true;
}

/** `changed` resolves with the next event of the room, or after the retry interval. */
function watchRoom({ switchPort, clock }: Pick<Platform, 'switchPort'> & { clock: Clock }, { conferenceName }: ConferenceSession) {
  let wake = new AbortController();
  const stop = switchPort.subscribe((event: SwitchEvent) => {
    if (event.kind === 'conference' && event.conferenceName === conferenceName) wake.abort();
  });
  return {
    stop,
    async changed() {
      await sleep(clock, RETRY_MS, wake.signal);
      wake = new AbortController();
    },
  };
}

type Rooms = RoomsPart;

/** Lists the current members; empty when there is no room. Errors: SWITCH_UNAVAILABLE */
export async function membersOf({ rooms }: Rooms, { cellId, conferenceName }: ConferenceSession): Promise<readonly ConferenceMember[]> {
  return cellId === null ? [] : ((await rooms.members(cellId, conferenceName)) ?? []);
}

/** Whether the supervisors' modes must be applied again whenever a member joins or leaves. */
export function isSupervised(session: ConferenceSession): boolean {
  return session.status === 'live' && supervisorsOf(session).length > 0;
}

/** Whether the supervisors of both have the same modes. */
export function hasSameSupervisors(one: ConferenceSession, other: ConferenceSession): boolean {
  return JSON.stringify(supervisorsOf(one)) === JSON.stringify(supervisorsOf(other));
}

/** Applies every supervisor's mode again: a member who has just joined must not hear whispers meant for others. Errors: SWITCH_UNAVAILABLE */
export async function applyVoices(app: ConferenceApp, conferenceId: number): Promise<void> {
  const session = await app.conferences.find(conferenceId);
  if (session === null || !isSupervised(session)) return;
  await sendToConference(app, conferenceId, { type: 'roomSeen', at: app.clock.now(), members: await membersOf(app, session) });
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

/**
 * Makes a member audible as its mode requires.
 *
 * Errors: CONFLICT when the member is not in the room, because it would join with its old setting; SWITCH_UNAVAILABLE
 */
export async function applyVoice(app: Rooms, session: ConferenceSession, legUuid: string, mode: LegMode): Promise<Voice> {
  const voice = voiceOf(session, await membersOf(app, session), { legUuid, mode });
  const isSet = voice !== null && (await setVoice(app, session, voice));
  if (!isSet) throw conflict('PARTICIPANT_ABSENT', '该成员尚未接通，请稍后重试');
  return voice;
}

/**
 * Mutes before others may hear the member, and excludes listeners before it may speak. Returns false when it has left. Errors: SWITCH_UNAVAILABLE
 */
export async function setVoice({ rooms }: Rooms, { cellId, conferenceName }: ConferenceSession, voice: Voice) {
  const { memberId, canSpeak, isNew, unheardBy } = voice;
  if (cellId === null) return false;
  const turn = (action: 'mute' | 'unmute') => rooms.change(cellId, conferenceName, memberId, action);
  if (isNew && !canSpeak && (await turn('mute')) === 'absent') return false;
  if (canSpeak && unheardBy === null) await rooms.relate(cellId, conferenceName, memberId, { how: 'clear' });
  for (const otherId of unheardBy ?? []) await rooms.relate(cellId, conferenceName, memberId, { otherId, how: 'nospeak' });
  return !isNew || !canSpeak || (await turn('unmute')) === 'done';
}
