import { conflict } from '#kernel/errors.ts';
import { audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import { addParticipant } from '../conferences/add-participant.ts';
import { changeCustomer } from '../conferences/send-to-conference.ts';
import { type SoftphoneSessionDeps, notifySession } from './deps.ts';
import { findOpenSession, requireCustomer, type SoftphoneSession } from './find-session.ts';

export type SoftphoneControl =
  | { type: 'hold' }
  | { type: 'resume' }
  | { type: 'dtmf'; digits: string }
  | { type: 'transfer'; targetNumber: string };

/**
 * Holds and resumes the customer, sends digits to it, or hands it over; the id of the call that a transfer makes, else null.
 *
 * Errors: NOT_FOUND, FORBIDDEN; CONFLICT when the session has ended, the customer is not on the line, or not in the conference; SWITCH_UNAVAILABLE
 * Source: OCS 2.13, 4.14
 */
export async function control(
  deps: SoftphoneSessionDeps,
  caller: Caller,
  sessionId: string,
  command: SoftphoneControl,
): Promise<number | null> {
  const session = await findOpenSession(deps, caller, sessionId);
  const made = await carryOut(deps, caller, session, command);
  await notifySession(deps, session.call.id, 'session', { status: STATUS[command.type] });
  await audit(deps, caller, {
    action: ACTIONS[command.type],
    targetType: 'softphone_call',
    targetId: session.call.id,
    summary: `网页话机操作：${NAMES[command.type]}`,
  });
  return made;
}

const ACTIONS = {
  hold: 'softphone_session.held',
  resume: 'softphone_session.resumed',
  dtmf: 'softphone_session.digits_sent',
  transfer: 'softphone_session.transferred',
} as const;
const STATUS = { hold: 'held', resume: 'resumed', dtmf: 'digits_sent', transfer: 'transferring' } as const;
const NAMES = { hold: '保持', resume: '恢复', dtmf: '按键', transfer: '转接' } as const;

async function carryOut(
  deps: SoftphoneSessionDeps,
  caller: Caller,
  session: SoftphoneSession,
  command: SoftphoneControl,
): Promise<number | null> {
  const { leg, cellId } = requireCustomer(session);
  const { conference } = session;
  switch (command.type) {
    case 'hold':
      requireThere(await changeCustomer(deps, conference, ['mute', 'deaf']));
      return null;
    case 'resume':
      requireThere(await changeCustomer(deps, conference, ['unmute', 'undeaf']));
      return null;
    case 'dtmf':
      requireThere((await deps.rooms.sendDigits(cellId, leg.legUuid, command.digits)) === 'done');
      return null;
    case 'transfer': {
      // Nobody is called for a customer who is not there.
      requireThere(await changeCustomer(deps, conference, []));
      const made = await addParticipant(deps, caller, conference.id, { mode: 'blind', targetNumber: command.targetNumber });
      return made.softphoneCallId;
    }
    default:
      return command satisfies never;
  }
}

/** The rows may not have heard yet that the customer is out; the switch knows. */
function requireThere(isThere: boolean): void {
  if (!isThere) throw conflict('客户不在会议中');
}
