import { isCalloutError } from '#kernel/errors.ts';
import { audit } from '../access/audit.ts';
import type { Caller } from '../access/caller.ts';
import { type SoftphoneSessionDeps, notifySession } from './deps.ts';
import { findOpenSession, requireCustomer } from './find-session.ts';

/**
 * Text that the agent has typed, spoken to the customer by the runtime.
 *
 * Errors: NOT_FOUND, FORBIDDEN; CONFLICT when the session has ended or the customer is not on the line; DOWNSTREAM_INVALID
 * Source: OCS 4.14, D12.4
 */
export async function say(deps: SoftphoneSessionDeps, caller: Caller, sessionId: string, text: string): Promise<string> {
  const session = await findOpenSession(deps, caller, sessionId);
  const { leg, cellId } = requireCustomer(session);
  const messageId = deps.ids();
  await notifySession(deps, session.call.id, 'message', { messageId, speaker: 'agent', text });
  try {
    const { conferenceName } = session.conference;
    await deps.softphoneRuntime.command(sessionId, 'say', { messageId, text, cellId, conferenceName, customerUuid: leg.legUuid });
  } catch (error) {
    await notifySession(deps, session.call.id, 'error', { messageId, message: isCalloutError(error) ? error.message : '语音播放失败' });
    throw error;
  }
  await audit(deps, caller, {
    action: 'softphone_session.text_spoken',
    targetType: 'softphone_call',
    targetId: session.call.id,
    summary: '向客户播放输入的文字',
    detail: { messageId, text },
  });
  return messageId;
}
