import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import type { ConferenceDeps } from './deps.ts';
import { type TransferNews, tellRuntime } from './tell-runtime.ts';

export const CUSTOMER_GONE = 'CUSTOMER_GONE';

export interface SessionEnd {
  /** `CUSTOMER_GONE`, `AGENTS_GONE`, `NO_ANSWER`, or a hang-up cause. */
  cause: string;
  /** What the runtime hears; the customer's channel is ended when no runtime takes it. */
  tell?: TransferNews;
  /** The customer's channel ends with the session. */
  endsCustomer?: boolean;
}

/**
 * Ends a session and all legs with it; what was open is returned, null when it had ended before.
 *
 * Why:    the rows decide once; hang-ups and releases are harmless to repeat, and the reconciler repeats what a cell did not hear
 * Source: D12.5, D12.7
 */
export async function endSession(deps: ConferenceDeps, conferenceId: number, end: SessionEnd): Promise<ConferenceLeg[] | null> {
  const ended = await deps.conferences.end(conferenceId, { at: deps.clock.now(), cause: end.cause });
  if (ended === null) return null;
  const { session, legs } = ended;
  await stopRecording(deps, session);
  await Promise.all(legs.map(leg => dropLeg(deps, session, leg)));
  if (end.endsCustomer) await dropCustomer(deps, session);
  else if (end.tell !== undefined && !(await tellRuntime(deps, session, { status: end.tell, cause: end.cause }))) {
    // A customer who was with a person is not left alone in a silent conference.
    if (session.customerState !== 'outside') await dropCustomer(deps, session);
  }
  return legs;
}

/** Frees whoever the leg held and ends its channel. */
export async function dropLeg(deps: ConferenceDeps, session: ConferenceSession, leg: ConferenceLeg): Promise<void> {
  await freeLeg(deps, leg);
  await hangUp(deps, session.cellId, leg.legUuid);
}

/** Gives back what a leg that is over has held. */
export async function freeLeg(deps: ConferenceDeps, leg: ConferenceLeg): Promise<void> {
  try {
    if (leg.agentId !== null) await deps.reservations.release(leg.fence);
    if (leg.holdsSlot) await deps.slots.release([leg.legUuid]);
  } catch (error) {
    // The agent's own watch of the leg frees it too (D12.7).
    deps.log.warn({ err: error, agentId: leg.agentId }, 'a leg could not be given back now');
  }
}

function dropCustomer(deps: ConferenceDeps, { cellId, customerUuid }: ConferenceSession): Promise<void> {
  return customerUuid === null ? Promise.resolve() : hangUp(deps, cellId, customerUuid);
}

async function hangUp({ switchPort, log }: ConferenceDeps, cellId: string | null, uuid: string): Promise<void> {
  if (cellId === null) return;
  try {
    await switchPort.hangup(cellId, uuid, 'NORMAL_CLEARING');
  } catch (error) {
    log.warn({ err: error, cellId }, 'a leg could not be ended now; the reconciler repeats it');
  }
}

async function stopRecording({ rooms, log }: ConferenceDeps, { cellId, conferenceName, recordingUrl }: ConferenceSession): Promise<void> {
  if (cellId === null || recordingUrl === null) return;
  try {
    await rooms.record(cellId, conferenceName, null);
  } catch (error) {
    log.warn({ err: error, cellId }, 'a recording could not be stopped; it ends with its conference');
  }
}
