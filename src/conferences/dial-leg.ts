import { conflict } from '#kernel/errors.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';
import { customerLegOf } from '#legs/leg.ts';
import { phoneRealm } from '#agents/sip-config.ts';
import { type Callee, dialPerson, phoneCallee } from '#legs/dial-person.ts';
import type { ConferenceDeps } from './deps.ts';
import { sendToConference, sendToLeg } from './send-to-conference.ts';

/**
 * Calls an agent's phone into the conference, like `dialLeg`.
 *
 * Errors: those of `dialLeg`
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
  return callee === null ? endUndialledLeg(deps, leg, 'USER_NOT_REGISTERED') : dialLeg(deps, session, leg, { callee });
}

/** Number that the agent's phone shows: the customer's. Null while the session has no customer. */
async function customerNumberOf({ conferences }: ConferenceDeps, session: ConferenceSession): Promise<string | null> {
  const customer = customerLegOf(session)?.targetNumber;
  if (customer !== undefined || session.requestId === null) return customer ?? null;
  const call = await conferences.findCall({ requestId: session.requestId });
  return call?.phoneNumber ?? null;
}

/**
 * Originates a leg into its conference, once. Returns false when it is certain not to ring; what it held is then released.
 *
 * Why:    an originate that may have left is never sent again; events or the reconciler settle an unknown outcome (A6). A consulted party is
 *         called only once the customer can no longer listen
 * Errors: in a consultation, CONFLICT or SWITCH_UNAVAILABLE when the customer could not be deafened and muted; what the leg held is released
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
  // Another instance sent it, or the session has ended: this instance must not end the leg.
  if (dialed.kind === 'sent' || dialed.kind === 'not_ours') return dialed.kind === 'sent';
  return endUndialledLeg(deps, leg, dialed.kind === 'refused' ? dialed.cause : UNSENT_CAUSES[dialed.kind]);
}

const UNSENT_CAUSES = { barred: 'OUTGOING_CALL_BARRED', not_sent: 'DESTINATION_OUT_OF_ORDER' } as const;

/** Ends a leg that is certain not to ring, which releases what it holds. */
async function endUndialledLeg(deps: ConferenceDeps, { legUuid }: ConferenceLeg, cause: string): Promise<false> {
  await sendToLeg(deps, legUuid, { type: 'legLeft', at: deps.clock.now(), cause });
  return false;
}

async function putCustomerAside(deps: ConferenceDeps, session: ConferenceSession, leg: ConferenceLeg): Promise<void> {
  try {
    if ((await sendToConference(deps, session, { type: 'consultationBegun' })) === null) throw conflict('CONFERENCE_ENDED', '会议已结束');
  } catch (error) {
    await endUndialledLeg(deps, leg, 'NOT_SENT');
    throw error;
  }
}
