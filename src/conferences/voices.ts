import { type Voice, voiceOf, supervisorsOf } from '#actors/conference/voices.ts';
import { conflict } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';
import type { ConferenceMember } from '#platform/freeswitch/switch.ts';
import type { LegMode } from '#legs/leg.ts';
import type { ConferenceDeps } from './deps.ts';

type Rooms = Pick<ConferenceDeps, 'rooms'>;

/** Lists the current members; empty when there is no room. Errors: SWITCH_UNAVAILABLE */
export async function membersOf({ rooms }: Rooms, { cellId, conferenceName }: ConferenceSession): Promise<readonly ConferenceMember[]> {
  return cellId === null ? [] : ((await rooms.members(cellId, conferenceName)) ?? []);
}

/** Whether the supervisors' modes must be applied again whenever a member joins or leaves. */
export function isSupervised(session: ConferenceSession): boolean {
  return session.status === 'live' && supervisorsOf(session).length > 0;
}

/** Whether the supervisors of both have the same modes. */
export function hasSameParts(one: ConferenceSession, other: ConferenceSession): boolean {
  return JSON.stringify(supervisorsOf(one)) === JSON.stringify(supervisorsOf(other));
}

/**
 * Makes a member audible as its mode requires.
 *
 * Errors: CONFLICT when the member is not in the room, because it would join with its old setting; SWITCH_UNAVAILABLE
 */
export async function takeVoice(deps: Rooms, session: ConferenceSession, leg: ConferenceLeg, mode: LegMode): Promise<Voice> {
  const voice = voiceOf(session, await membersOf(deps, session), { legUuid: leg.legUuid, mode });
  const isSet = voice !== null && (await setVoice(deps, session, voice));
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
