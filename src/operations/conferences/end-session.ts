import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';
import type { ConferenceDeps } from './deps.ts';
import { dropLeg, hangUp } from './send-to-leg.ts';
import { type TransferNews, notifyRuntime } from './notify-runtime.ts';

export const CUSTOMER_GONE = 'CUSTOMER_GONE';

export interface SessionEnd {
  /** `CUSTOMER_GONE`, `AGENTS_GONE`, `NO_ANSWER`, or a hang-up cause. */
  cause: string;
  /** What the runtime hears; the customer's channel is ended when no runtime takes it. */
  news?: TransferNews;
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
  else if (end.news !== undefined && !(await notifyRuntime(deps, session, { status: end.news, cause: end.cause }))) {
    // A customer who was with a person is not left alone in a silent conference.
    if (session.customerState !== 'outside') await dropCustomer(deps, session);
  }
  return legs;
}

function dropCustomer(deps: ConferenceDeps, { cellId, customerUuid }: ConferenceSession): Promise<void> {
  return customerUuid === null ? Promise.resolve() : hangUp(deps, cellId, customerUuid);
}

async function stopRecording({ rooms, log }: ConferenceDeps, { cellId, conferenceName, recordingUrl }: ConferenceSession): Promise<void> {
  if (cellId === null || recordingUrl === null) return;
  try {
    await rooms.record(cellId, conferenceName, null);
  } catch (error) {
    log.warn({ err: error, cellId }, 'a recording could not be stopped; it ends with its conference');
  }
}
