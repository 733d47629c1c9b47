import { CalloutError, conflict } from '#kernel/errors.ts';
import type { ConferenceSession } from '#ports/conference-store.ts';
import type { MemberAction } from '#ports/conference-switch.ts';
import { customerChannelOf } from './customer-channel.ts';
import type { ConferenceDeps } from './deps.ts';

/**
 * Puts the customer aside, neither heard nor hearing; when it returns, two may talk about the customer.
 *
 * Why:    the row says `aside` from before the first command: what dies in between is brought back by the next look
 * Errors: CONFLICT when the customer is not in the conference; SWITCH_UNAVAILABLE: the customer may still hear
 * Source: D12.6
 */
export async function putAside(deps: ConferenceDeps, session: ConferenceSession): Promise<void> {
  await deps.conferences.setCustomerState(session.id, 'aside');
  if (!(await changeCustomer(deps, session, ['deaf', 'mute']))) throw conflict('客户不在会议中，不能咨询');
}

/** The customer hears and is heard again; one who is not in the conference is not looked for. */
export async function bringBack(deps: ConferenceDeps, session: ConferenceSession): Promise<void> {
  await changeCustomer(deps, session, ['unmute', 'undeaf']);
  await deps.conferences.setCustomerState(session.id, 'inside');
}

/**
 * Does all of `actions` to the customer in the conference, none of them when the customer is not there: false then.
 *
 * Errors: SWITCH_UNAVAILABLE
 */
export async function changeCustomer(
  { rooms }: Pick<ConferenceDeps, 'rooms'>,
  session: ConferenceSession,
  actions: readonly MemberAction[],
): Promise<boolean> {
  const { cellId, conferenceName } = session;
  if (cellId === null) throw new CalloutError('SWITCH_UNAVAILABLE', '会议不在任何交换机单元上');
  const customerUuid = customerChannelOf(session);
  const members = await rooms.members(cellId, conferenceName);
  const customer = members?.find(member => member.channelUuid === customerUuid);
  if (!customer) return false;
  for (const action of actions) if ((await rooms.change(cellId, conferenceName, customer.memberId, action)) === 'absent') return false;
  return true;
}
