const ID_DIGITS = 8;
const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/;
/** UUID version 8 (RFC 9562), followed by a digit of our own for the kind of channel. */
const AGENT_MARK = '8a';
const CUSTOMER_MARK = '8c';
const DISPATCHED_MARK = '8d';

/**
 * The uuid of an agent's leg. It contains the agent's id, so that events of the switch reach the agent without a look-up.
 *
 * Why:    an ended leg frees its agent even when the call that requested it is unknown (D12.7)
 * Shape:  a UUID of version 8 whose last eight digits are the agent's id
 */
export function agentLegUuid(agentId: number, random: string): string {
  const base = marked(random, AGENT_MARK);
  return base.slice(0, -ID_DIGITS) + agentId.toString(16).padStart(ID_DIGITS, '0');
}

/** Agent id of an agent's leg; null for any other channel. */
export function agentOfLeg(uuid: string): number | null {
  if (!hasMark(uuid, AGENT_MARK)) return null;
  const agentId = Number.parseInt(uuid.slice(-ID_DIGITS), 16);
  return agentId > 0 ? agentId : null;
}

/** The uuid of a customer called by an agent; also the call's `requestId`. */
export function customerLegUuid(random: string): string {
  return marked(random, CUSTOMER_MARK);
}

export function isCustomerLeg(uuid: string): boolean {
  return hasMark(uuid, CUSTOMER_MARK);
}

/**
 * The uuid of a call dialled by a campaign; its `requestId`.
 *
 * Why: the switch reports each call several times, and the uuid shows without a look-up that the channel is not a leg
 */
export function dispatchedCallUuid(random: string): string {
  return marked(random, DISPATCHED_MARK);
}

export function isDispatchedCall(uuid: string): boolean {
  return hasMark(uuid, DISPATCHED_MARK);
}

function marked(random: string, mark: string): string {
  const [, a = '', b = '', c = '', d = '', e = ''] = UUID.exec(random) ?? [];
  return `${a}-${b}-${mark}${c.slice(2)}-${d}-${e}`;
}

function hasMark(uuid: string, mark: string): boolean {
  return UUID.test(uuid) && uuid.slice(14, 16) === mark;
}
