import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import type { OriginateCommand, OriginateReply } from '#ports/switch.ts';
import { sendPaced } from '../dispatch/send-paced.ts';
import { type ConferenceDeps, EXTENSION_TEMPLATE } from './deps.ts';
import { freeLeg } from './end-session.ts';
import { putAside } from './set-aside.ts';

/** Whom a leg calls, and over what. */
export interface LegTarget {
  destinationNumber: string;
  dialStringTemplate: string;
  callerIdNumber: string | null;
  callerIdName: string | null;
  callerIdHeaderMode: 'caller_id_only' | 'p_preferred_identity' | 'from_and_p_preferred_identity';
}

export function extensionTarget(phoneExtension: string): LegTarget {
  return {
    destinationNumber: phoneExtension,
    dialStringTemplate: EXTENSION_TEMPLATE,
    callerIdNumber: null,
    callerIdName: null,
    callerIdHeaderMode: 'caller_id_only',
  };
}

/**
 * Originates a leg into its conference, once. False: it certainly does not ring, and what it held is given back.
 *
 * Why:    what may have left is never sent again; an unknown outcome is settled by events or the reconciler (A6). Nobody is called about a customer
 *         who still listens
 * Errors: of a consultation CONFLICT, SWITCH_UNAVAILABLE: the customer could not be put aside; what the leg held is given back
 */
export async function dialLeg(deps: ConferenceDeps, session: ConferenceSession, leg: ConferenceLeg, target: LegTarget): Promise<boolean> {
  const { conferences, clock, conferenceSettings: settings } = deps;
  if (leg.mode === 'consult') await putAsideFor(deps, session, leg);
  // Counted from before the mark: a slow answer of the database eats the deadline, it never extends it.
  const sendBefore = clock.monotonic() + settings.sendDeadlineMs;
  if (session.cellId === null || !(await conferences.markDialing(leg.legUuid))) return false;
  const command = {
    ...target,
    cellId: session.cellId,
    requestId: leg.legUuid,
    timeoutSeconds: settings.ringTimeoutSeconds,
    variables: { callout_conference_id: String(session.id), callout_softphone_call_id: String(leg.softphoneCallId) },
    conference: { name: session.conferenceName, profile: settings.profileOf(session.cellId), muted: !leg.canSpeak },
  };
  const reply = await send(deps, leg, { ...command, sendBefore });
  if (reply.kind === 'accepted' || reply.kind === 'unknown') return true;
  await conferences.legEnded(leg.legUuid, { at: clock.now(), cause: causeOf(reply) });
  await freeLeg(deps, leg);
  return false;
}

async function putAsideFor(deps: ConferenceDeps, session: ConferenceSession, leg: ConferenceLeg): Promise<void> {
  try {
    await putAside(deps, session);
  } catch (error) {
    await deps.conferences.legEnded(leg.legUuid, { at: deps.clock.now(), cause: 'NOT_SENT' });
    await freeLeg(deps, leg);
    throw error;
  }
}

/** Whoever is called over a line leaves in the turn of its slot; an extension has none, and an agent is not kept waiting. */
async function send(deps: ConferenceDeps, leg: ConferenceLeg, command: OriginateCommand): Promise<OriginateReply> {
  const write = (sendBefore: number) => deps.switchPort.originate({ ...command, sendBefore });
  if (!leg.holdsSlot) return write(command.sendBefore);
  const [sending] = sendPaced(deps, [{ requestId: leg.legUuid, send: write }], command.sendBefore);
  if (!sending) throw new Error('one send has one reply');
  return sending;
}

function causeOf(reply: OriginateReply): string {
  return reply.kind === 'refused' ? reply.cause : 'DESTINATION_OUT_OF_ORDER';
}
