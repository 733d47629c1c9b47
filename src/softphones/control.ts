import { audit, auditChange, changeOf } from '#audit/audit.ts';
import { addParticipant } from '#conferences/add-participant.ts';
import { endSession } from '#conferences/conference-actor.ts';
import { changeCustomer } from '#conferences/room.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, isCalloutError } from '#kernel/errors.ts';
import {
  findOpenSession,
  findSession,
  notifySession,
  releaseAgent,
  requireCustomer,
  type SoftphoneSession,
  type SoftphoneApp,
} from './session.ts';

/**
 * Ends a session at its agent's request, with its conference and recording; a repeated request returns `ended` false.
 *
 * Errors: NOT_FOUND, FORBIDDEN
 * Source: OCS 4.14
 */
export async function endSoftphoneSession(
  app: SoftphoneApp,
  caller: Caller,
  sessionId: string,
): Promise<{ ended: boolean; recordingUrl: string | null }> {
  const { call } = await findSession(app, caller, sessionId);
  const ended = await finishSession(app, call.id, 'NORMAL_CLEARING');
  if (ended) {
    await audit(app, caller, {
      action: 'softphone_session.ended',
      targetType: 'softphone_call',
      targetId: call.id,
      summary: '结束网页话机会话',
    });
  }
  return { ended, recordingUrl: (await app.softphoneCalls.find(call.id))?.recordingUrl ?? null };
}

/** Ends a session for any cause: conference, record, streams and runtime are each updated once. */
export async function finishSession(app: SoftphoneApp, softphoneCallId: number, cause: string): Promise<boolean> {
  const call = await app.softphoneCalls.find(softphoneCallId);
  if (call?.conferenceId == null || call.sessionId === null) return false;
  const legs = await endSession(app, Number(call.conferenceId), { cause });
  await releaseAgent(app, call.requestId);
  const status = call.answeredAt === null ? 'failed' : 'completed';
  await app.softphoneCalls.close(call.id, { status, endedAt: app.clock.now(), hangupCause: cause });
  app.softphoneSignals.publish(call.id);
  if (legs === null) return false;
  await app.softphoneRuntime.command(call.sessionId, 'end', { cause }).catch((error: unknown) => {
    app.log.debug({ err: error }, 'the runtime of a session that has ended is away');
  });
  return true;
}

type SoftphoneControl =
  | { type: 'hold' }
  | { type: 'resume' }
  | { type: 'dtmf'; digits: string }
  | { type: 'transfer'; targetNumber: string };

/**
 * Holds or resumes the customer, sends digits, or transfers. Returns the id of the call that a transfer creates, else null.
 *
 * Errors: NOT_FOUND, FORBIDDEN; CONFLICT when the session has ended, or the customer is not on the line or not in the conference;
 *         SWITCH_UNAVAILABLE
 * Source: OCS 2.13, 4.14
 */
export async function control(app: SoftphoneApp, caller: Caller, sessionId: string, command: SoftphoneControl): Promise<number | null> {
  const session = await findOpenSession(app, caller, sessionId);
  const made = await carryOut(app, caller, session, command);
  await notifySession(app, session.call.id, 'session', { status: STATUS[command.type] });
  await audit(app, caller, {
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

async function carryOut(app: SoftphoneApp, caller: Caller, session: SoftphoneSession, command: SoftphoneControl): Promise<number | null> {
  const { leg, cellId } = requireCustomer(session);
  const { conference } = session;
  switch (command.type) {
    case 'hold':
      requireThere(await changeCustomer(app, conference, ['mute', 'deaf']));
      return null;
    case 'resume':
      requireThere(await changeCustomer(app, conference, ['unmute', 'undeaf']));
      return null;
    case 'dtmf':
      requireThere((await app.rooms.sendDigits(cellId, leg.legUuid, command.digits)) === 'done');
      return null;
    case 'transfer': {
      // Without a customer in the conference, no transfer target is called.
      requireThere(await changeCustomer(app, conference, []));
      const made = await addParticipant(app, caller, conference.id, { mode: 'blind', targetNumber: command.targetNumber });
      return made.softphoneCallId;
    }
    default:
      return command satisfies never;
  }
}

/** The switch decides, because the rows may not show yet that the customer has left. */
function requireThere(isThere: boolean): void {
  if (!isThere) throw conflict('CUSTOMER_ABSENT', '客户不在会议中');
}

/**
 * Has the runtime speak the agent's typed text to the customer.
 *
 * Errors: NOT_FOUND, FORBIDDEN; CONFLICT when the session has ended or the customer is not on the line; DOWNSTREAM_INVALID
 * Source: OCS 4.14, D12.4
 */
export async function say(app: SoftphoneApp, caller: Caller, sessionId: string, text: string): Promise<string> {
  const session = await findOpenSession(app, caller, sessionId);
  const { leg, cellId } = requireCustomer(session);
  const messageId = app.ids();
  await notifySession(app, session.call.id, 'message', { messageId, speaker: 'agent', text });
  try {
    const { conferenceName } = session.conference;
    await app.softphoneRuntime.command(sessionId, 'say', { messageId, text, cellId, conferenceName, customerUuid: leg.legUuid });
  } catch (error) {
    await notifySession(app, session.call.id, 'error', { messageId, message: isCalloutError(error) ? error.message : '语音播放失败' });
    throw error;
  }
  await audit(app, caller, {
    action: 'softphone_session.text_spoken',
    targetType: 'softphone_call',
    targetId: session.call.id,
    summary: '向客户播放输入的文字',
    detail: { messageId, text },
  });
  return messageId;
}

/** Updates the note, also after the call. Errors: NOT_FOUND, FORBIDDEN. Source: OCS 4.14 */
export async function updateNote(app: SoftphoneApp, caller: Caller, sessionId: string, note: string): Promise<void> {
  const { call } = await findSession(app, caller, sessionId);
  await app.softphoneSessions.setNote(call.id, note);
  const place = { targetType: 'softphone_call', targetId: call.id } as const;
  const entry = { action: 'softphone_session.noted', ...place, summary: '更新网页话机会话备注' } as const;
  await auditChange(app, caller, entry, changeOf({ note: call.note }, { note }));
}
