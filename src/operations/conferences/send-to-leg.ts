import type { LegEffects } from '#actors/leg/effects.ts';
import type { LegEvent } from '#actors/leg/events.ts';
import { conflict } from '#kernel/errors.ts';
import type { ConferenceSession, Leg, LegChange } from '#ports/conference-store.ts';
import { decideLeg } from '../legs/decide-leg.ts';
import type { ConferenceDeps } from './deps.ts';

type Room = Pick<ConferenceSession, 'cellId' | 'conferenceName'>;

/** Applies the event under the lock of the leg's row, then does what follows of it; true for the first one who tells it. */
export async function sendToLeg(deps: ConferenceDeps, room: Room, legUuid: string, event: LegEvent): Promise<boolean> {
  const change = await deps.conferences.changeLeg(legUuid, leg => decideLeg(leg, event));
  if (!change) return false;
  await carryOut(deps, room, change);
  return change.isNew;
}

/** Does what follows when a leg that was open goes, or ends the channel of one that is over. */
export async function dropLeg(deps: ConferenceDeps, room: Room, leg: Leg): Promise<void> {
  const change = decideLeg(leg, { type: 'legDismissed', at: deps.clock.now(), cause: 'NORMAL_CLEARING' });
  if (change) await carryOut(deps, room, change);
}

async function carryOut(deps: ConferenceDeps, room: Room, { leg, effects }: LegChange): Promise<void> {
  for (const effect of effects as readonly LegEffect[]) {
    if (effect.type === 'freeLeg') await freeLeg(deps, leg);
    else if (effect.type === 'endChannel') await hangUp(deps, room.cellId, leg.legUuid);
    else await changeVoice(deps, room, leg, effect.params.canSpeak);
  }
}

type LegEffect = { [Type in keyof LegEffects]: { type: Type; params: LegEffects[Type] } }[keyof LegEffects];

/** Gives back what a leg that is over has held. */
async function freeLeg(deps: ConferenceDeps, leg: Leg): Promise<void> {
  try {
    if (leg.agentId !== null) await deps.reservations.release(leg.fence);
    if (leg.holdsSlot) await deps.slots.release([leg.legUuid]);
  } catch (error) {
    // The agent's own watch of the leg frees it too (D12.7).
    deps.log.warn({ err: error, agentId: leg.agentId }, 'a leg could not be given back now');
  }
}

export async function hangUp({ switchPort, log }: ConferenceDeps, cellId: string | null, uuid: string): Promise<void> {
  if (cellId === null) return;
  try {
    await switchPort.hangup(cellId, uuid, 'NORMAL_CLEARING');
  } catch (error) {
    log.warn({ err: error, cellId }, 'a leg could not be ended now; the reconciler repeats it');
  }
}

/**
 * Its member id in the room.
 *
 * Errors: CONFLICT when the member is not in the room: it would join as it was called; SWITCH_UNAVAILABLE
 */
export async function changeVoice({ rooms }: ConferenceDeps, room: Room, { legUuid }: Leg, canSpeak: boolean): Promise<number> {
  const { cellId, conferenceName } = room;
  const members = cellId === null ? null : await rooms.members(cellId, conferenceName);
  const member = members?.find(each => each.channelUuid === legUuid);
  const isDone =
    cellId !== null && member && (await rooms.change(cellId, conferenceName, member.memberId, canSpeak ? 'unmute' : 'mute')) === 'done';
  if (!isDone) throw conflict('该成员尚未接通，请稍后重试');
  return member.memberId;
}
