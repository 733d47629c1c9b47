import type { PhoneCall } from '../../phone/phone-state.ts';
import type { OpenCall } from './open-call.ts';

/** How far the user's phone is in a call with a conference: it rings, the customer is being connected, or both talk. */
export type PartStage = 'RINGING' | 'CONNECTING' | 'TALKING';

export interface PartFacts {
  userId: string;
  /** Call of the browser phone; null without one. */
  phoneCall: Pick<PhoneCall, 'phase'> | null;
  /** Empty: no agent has the customer, or is about to. */
  conferenceId: string;
  /** Reason code for which the customer cannot be held now; null when they can. */
  holdReason: string | null;
}

/** Null: the user's phone is not in the call. */
export function partStageOf(
  { people }: Pick<OpenCall, 'people'>,
  { userId, phoneCall, conferenceId, holdReason }: PartFacts,
): PartStage | null {
  const own = people.find(person => person.userId === userId && person.leftAt === null);
  if (!own || conferenceId === '') return null;
  // The browser phone sees the answer before the server does.
  if (own.joinedAt === null && phoneCall?.phase !== 'talking') return 'RINGING';
  return isAbsence(holdReason) ? 'CONNECTING' : 'TALKING';
}

/** Whether the reason passes by itself once the agent has answered and the customer is with them. */
export function isAbsence(reason: string | null): boolean {
  return reason === 'PARTICIPANT_ABSENT' || reason === 'CUSTOMER_ABSENT';
}

/** Acts that an agent whose phone is in the call needs no more: it has the customer. */
const WITHOUT_PART: ReadonlySet<string> = new Set(['CLAIM', 'ASSIGN', 'LISTEN', 'BARGE']);
/** Acts of the phone bar when the call's phone is the browser's. */
const BY_PHONE: ReadonlySet<string> = new Set(['HOLD', 'MUTE', 'KEYPAD']);

interface Shown {
  /** Whether the user has the permission that the action needs; undefined: unknown. */
  isPermitted: boolean | undefined;
  isSupervisor: boolean;
  stage: PartStage | null;
  /** Whether the call's phone of the user is the one in this browser. */
  isBrowserPhone: boolean;
}

/** Whether the action bar has the action: not one that the user can never have, nor one that the phone bar has. */
export function isShown(name: string, { isPermitted, isSupervisor, stage, isBrowserPhone }: Shown): boolean {
  if (isPermitted === false) return false;
  if (isBrowserPhone && BY_PHONE.has(name)) return false;
  return isSupervisor || stage === null || !WITHOUT_PART.has(name);
}
