import type { ConferenceSession } from '#ports/conference-store.ts';
import type { ConferenceDeps } from './deps.ts';

/** What the runtime learns of a hand-over. `unanswered`: another agent is asked; `failed`: nobody takes it, the call is the script's again. */
export type TransferNews = 'ringing' | 'unanswered' | 'joined' | 'failed' | 'ended';

/**
 * Tells the runtime how the hand-over goes on; the customer hears of it from there.
 *
 * Shape: false when no runtime took it
 */
export async function notifyRuntime(
  { runtime, log }: Pick<ConferenceDeps, 'runtime' | 'log'>,
  session: ConferenceSession,
  news: { status: TransferNews; agentId?: number | null; agentName?: string | null; cause?: string | null },
): Promise<boolean> {
  const { requestId, id, conferenceName, interventionId } = session;
  if (requestId === null) return false;
  const { status, agentId = null, agentName = null, cause = null } = news;
  const body = { conferenceId: id, conferenceName, interventionId, status, agentId, agentName, cause };
  try {
    await runtime.command(requestId, 'transfer', body);
    return true;
  } catch (error) {
    log.warn({ err: error, requestId, status }, 'the runtime could not be told of a transfer');
    return false;
  }
}
