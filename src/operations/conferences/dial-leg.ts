import { conflict } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession } from '#model/conference.ts';
import { customerLegOf } from '#rules/leg.ts';
import { phoneRealm } from '../agents/phone-address.ts';
import { type Callee, dialPerson, phoneCallee } from '../legs/dial-person.ts';
import type { ConferenceDeps } from './deps.ts';
import { sendToConference, sendToLeg } from './send-to-conference.ts';

/**
 * Calls an agent's phone into the conference, as `dialLeg`.
 *
 * Errors: as `dialLeg`
 */
export async function dialPhone(
  deps: ConferenceDeps,
  session: ConferenceSession,
  leg: ConferenceLeg,
  phoneExtension: string,
): Promise<boolean> {
  const { cellId } = session;
  const callee =
    cellId === null ? null : phoneCallee(phoneRealm(deps, phoneExtension, cellId), phoneExtension, await customerNumberOf(deps, session));
  return callee === null ? giveUp(deps, leg, 'USER_NOT_REGISTERED') : dialLeg(deps, session, leg, { callee });
}

/** What the phone shows: whom it is rung for. Null: the session has no customer yet. */
async function customerNumberOf({ conferences }: ConferenceDeps, session: ConferenceSession): Promise<string | null> {
  const customer = customerLegOf(session)?.targetNumber;
  if (customer !== undefined || session.requestId === null) return customer ?? null;
  const call = await conferences.findCall({ requestId: session.requestId });
  return call?.phoneNumber ?? null;
}

/**
 * Originates a leg into its conference, once. False: it certainly does not ring, and what it held is given back.
 *
 * Why:    what may have left is never sent again; an unknown outcome is settled by events or the reconciler (A6). Nobody is called about a customer
 *         who still listens
 * Errors: of a consultation CONFLICT, SWITCH_UNAVAILABLE: the customer could not be put aside; what the leg held is given back
 */
export async function dialLeg(
  deps: ConferenceDeps,
  session: ConferenceSession,
  leg: ConferenceLeg,
  { callee, ...refusal }: { callee: Callee; refusal?: () => Promise<string | null> },
): Promise<boolean> {
  if (leg.mode === 'consult') await putCustomerAside(deps, session, leg);
  const { cellId, conferenceName } = session;
  if (cellId === null) return false;
  const { conferenceSettings: settings } = deps;
  const dialed = await dialPerson(deps, {
    ...refusal,
    command: {
      ...callee,
      cellId,
      requestId: leg.legUuid,
      timeoutSeconds: settings.ringTimeoutSeconds,
      variables: { callout_conference_id: String(session.id), callout_softphone_call_id: String(leg.softphoneCallId) },
      conference: { name: conferenceName, profile: settings.profileOf(cellId), muted: !leg.canSpeak },
    },
    slotId: leg.holdsSlot ? leg.legUuid : null,
    mark: () => sendToLeg(deps, leg.legUuid, { type: 'legDialled' }),
  });
  // Sent by somebody else, or the session is over: the leg is not ours to end.
  if (dialed.kind === 'sent' || dialed.kind === 'not_ours') return dialed.kind === 'sent';
  return giveUp(deps, leg, dialed.kind === 'refused' ? dialed.cause : UNSENT_CAUSES[dialed.kind]);
}

const UNSENT_CAUSES = { barred: 'OUTGOING_CALL_BARRED', not_sent: 'DESTINATION_OUT_OF_ORDER' } as const;

/** What certainly does not ring holds nothing. */
async function giveUp(deps: ConferenceDeps, { legUuid }: ConferenceLeg, cause: string): Promise<false> {
  await sendToLeg(deps, legUuid, { type: 'legLeft', at: deps.clock.now(), cause });
  return false;
}

async function putCustomerAside(deps: ConferenceDeps, session: ConferenceSession, leg: ConferenceLeg): Promise<void> {
  try {
    if ((await sendToConference(deps, session, { type: 'consultationBegun' })) === null) throw conflict('CONFERENCE_ENDED', '会议已结束');
  } catch (error) {
    await giveUp(deps, leg, 'NOT_SENT');
    throw error;
  }
}
