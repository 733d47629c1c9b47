import { OPEN_ATTEMPT_STATUSES } from '#attempts/attempt.ts';
import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { Platform } from '#platform/platform.ts';
import { type CallHost, openCall } from './call-actor.ts';
import { callInput } from './call-input.ts';
import type { CallSettings } from './settings.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';

export interface AdoptDeps extends OutcomesPart, Pick<Platform, 'clock'> {
  calls: CallHost;
  settings: CallSettings;
}

/**
 * Restores the actor of an open attempt that may have been dialled, after its live state was lost. The call resumes in the attempt's state, and
 * switch and runtimes are probed.
 *
 * Shape: false when the attempt does not exist, is closed, or was certainly not dialled
 */
export async function adoptCall(deps: AdoptDeps, requestId: string): Promise<boolean> {
  const [attempt] = await deps.dials.findAttempts([requestId]);
  if (!attempt || !mayHaveLeft(attempt)) return false;
  const [details] = await deps.dials.loadDetails([requestId]);
  if (!details) return false;
  const { lineId, callerNumber, dialingAgoMs } = attempt;
  const startedAt = deps.clock.now() - (dialingAgoMs ?? 0);
  await openCall(
    deps.calls,
    { ...details, lineId, callerNumber, startedAt },
    callInput(deps.settings, details.cellId, attempt.claimedAgoMs),
  );
  await restoreState(deps.calls, attempt);
  // A result that arrived between the reading and the creation found no actor.
  const [now] = await deps.dials.findAttempts([requestId]);
  if (now?.hasResult) await deps.calls.send(requestId, { type: 'resultReported' }, `adopt:result:${requestId}`);
  return true;
}

/** A call that had been answered is live again at once, so that users see it and can intervene. */
async function restoreState(calls: CallHost, { requestId, answeredAt, heardRuntime, unheardMs }: OpenAttempt): Promise<void> {
  if (answeredAt === null) return void (await calls.send(requestId, { type: 'dialUnknown' }, `adopt:${requestId}`));
  await calls.send(requestId, { type: 'answerRestored', at: answeredAt, heardRuntime, unheardMs }, `adopt:answered:${requestId}`);
}

function mayHaveLeft(attempt: OpenAttempt): boolean {
  return attempt.status !== 'claimed' && (OPEN_ATTEMPT_STATUSES as readonly string[]).includes(attempt.status);
}
