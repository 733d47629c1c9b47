import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import type { OriginateReply } from '#ports/switch.ts';
import { type PersonDial, sendForPerson } from '#dialling/send-for-person.ts';
import { phoneRealm, phoneTemplate } from '../agents/phone-address.ts';
import type { ConferenceDeps } from './deps.ts';
import { freeLeg } from './end-session.ts';
import { putAside } from './set-aside.ts';

/** Whom a leg calls, and over what. */
export interface LegTarget {
  destinationNumber: string;
  dialStringTemplate: string;
  callerIdNumber: string | null;
  callerIdName: string | null;
  callerIdHeaderMode: 'caller_id_only' | 'p_preferred_identity' | 'from_and_p_preferred_identity';
  /** Asked when its turn has come; absent: nothing forbids it. */
  mayLeave?: () => Promise<boolean>;
}

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
  const dialStringTemplate = session.cellId === null ? null : phoneTemplate(phoneRealm(deps, phoneExtension, session.cellId));
  if (dialStringTemplate === null) return giveUp(deps, leg, 'USER_NOT_REGISTERED');
  return dialLeg(deps, session, leg, {
    destinationNumber: phoneExtension,
    dialStringTemplate,
    callerIdNumber: null,
    callerIdName: null,
    callerIdHeaderMode: 'caller_id_only',
  });
}

/**
 * Originates a leg into its conference, once. False: it certainly does not ring, and what it held is given back.
 *
 * Why:    what may have left is never sent again; an unknown outcome is settled by events or the reconciler (A6). Nobody is called about a customer
 *         who still listens
 * Errors: of a consultation CONFLICT, SWITCH_UNAVAILABLE: the customer could not be put aside; what the leg held is given back
 */
export async function dialLeg(deps: ConferenceDeps, session: ConferenceSession, leg: ConferenceLeg, target: LegTarget): Promise<boolean> {
  const { conferences, conferenceSettings: settings } = deps;
  if (leg.mode === 'consult') await putAsideFor(deps, session, leg);
  const { cellId } = session;
  if (cellId === null) return false;
  const { mayLeave = () => Promise.resolve(true), ...callee } = target;
  const command = {
    ...callee,
    cellId,
    requestId: leg.legUuid,
    timeoutSeconds: settings.ringTimeoutSeconds,
    variables: { callout_conference_id: String(session.id), callout_softphone_call_id: String(leg.softphoneCallId) },
    conference: { name: session.conferenceName, profile: settings.profileOf(cellId), muted: !leg.canSpeak },
  };
  const barred = { isBarred: false };
  const reply = await sendForPerson(deps, {
    turn: turnOf(deps, leg, cellId),
    sendDeadlineMs: settings.sendDeadlineMs,
    mark: async () => {
      barred.isBarred = !(await mayLeave());
      return !barred.isBarred && conferences.markDialing(leg.legUuid);
    },
    originate: sendBefore => deps.switchPort.originate({ ...command, sendBefore }),
  });
  if (reply?.kind === 'accepted' || reply?.kind === 'unknown') return true;
  // Sent by somebody else, or the session is over: the leg is not ours to end.
  if (reply === null && !barred.isBarred) return false;
  return giveUp(deps, leg, reply === null ? 'OUTGOING_CALL_BARRED' : causeOf(reply));
}

/** What certainly does not ring holds nothing. */
async function giveUp(deps: ConferenceDeps, leg: ConferenceLeg, cause: string): Promise<false> {
  await deps.conferences.legEnded(leg.legUuid, { at: deps.clock.now(), cause });
  await freeLeg(deps, leg);
  return false;
}

async function putAsideFor(deps: ConferenceDeps, session: ConferenceSession, leg: ConferenceLeg): Promise<void> {
  try {
    await putAside(deps, session);
  } catch (error) {
    await giveUp(deps, leg, 'NOT_SENT');
    throw error;
  }
}

/** Whoever is called over a line leaves in the turn of its slot; an extension holds none, but is a start of the cell like any other (A10). */
function turnOf({ switchPort }: ConferenceDeps, leg: ConferenceLeg, cellId: string): PersonDial['turn'] {
  const cell = leg.holdsSlot ? undefined : switchPort.cells().find(each => each.cellId === cellId);
  const rate = cell && { cell: { cellId, maxPerSecond: cell.maxOriginatesPerSecond } };
  return { requestId: leg.legUuid, ...rate };
}

function causeOf(reply: OriginateReply): string {
  return reply.kind === 'refused' ? reply.cause : 'DESTINATION_OUT_OF_ORDER';
}
