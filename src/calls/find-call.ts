import { ATTEMPT_TABLE } from '#attempts/attempt-store.ts';
import { OPEN_ATTEMPT_STATUSES } from '#attempts/attempt.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import type { OpenAttempt, OutcomesPart } from '#outcomes/outcome-store.ts';
import type { FoundActor, SendOutcome } from '#platform/actor-host/actor-host.ts';
import type { Platform } from '#platform/platform.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { type CallActorEvent, type CallHost, callInput, type CallState, openCall, type CallsPart } from './call-actor.ts';
import { isOneOf } from '#kernel/typed.ts';

/**
 * Restores the actor of an open attempt that may have been dialled, after its live state was lost. The call resumes in the attempt's state, and
 * switch and runtimes are probed.
 *
 * Shape: false when the attempt does not exist, is closed, or was certainly not dialled
 */
export async function adoptCall(app: CallsPart & OutcomesPart & Pick<Platform, 'clock'>, requestId: string): Promise<boolean> {
  const [attempt] = await app.dials.findAttempts([requestId]);
  if (!attempt || !mayHaveLeft(attempt)) return false;
  const [details] = await app.dials.loadDetails([requestId]);
  if (!details) return false;
  const { lineId, callerNumber, dialingAgoMs } = attempt;
  const startedAt = app.clock.now() - (dialingAgoMs ?? 0);
  await openCall(app.calls, { ...details, lineId, callerNumber, startedAt }, callInput(app.settings, details.cellId, attempt.claimedAgoMs));
  await restoreState(app.calls, attempt);
  // A result that arrived between the reading and the creation found no actor.
  const [now] = await app.dials.findAttempts([requestId]);
  if (now?.hasResult) await app.calls.send(requestId, { type: 'resultReported' }, `adopt:result:${requestId}`);
  return true;
}

/** A call that had been answered is live again at once, so that users see it and can intervene. */
async function restoreState(calls: CallHost, { requestId, answeredAt, heardRuntime, unheardMs }: OpenAttempt): Promise<void> {
  if (answeredAt === null) return void (await calls.send(requestId, { type: 'dialUnknown' }, `adopt:${requestId}`));
  await calls.send(requestId, { type: 'answerRestored', at: answeredAt, heardRuntime, unheardMs }, `adopt:answered:${requestId}`);
}

function mayHaveLeft(attempt: OpenAttempt): boolean {
  return attempt.status !== 'claimed' && isOneOf(OPEN_ATTEMPT_STATUSES, attempt.status);
}

/**
 * Resolves a call key to a request id.
 *
 * Errors: NOT_FOUND for an unknown attempt, or an id that is no request id
 * Source: OCS 2.13 `callKey`
 */
export async function requestIdOf(app: Pick<Platform, 'db'>, callKey: string): Promise<string> {
  const [kind, id = ''] = callKey.split(':', 2);
  if (kind === 'request' && isUuid(id)) return id.toLowerCase();
  if (kind !== 'attempt') throw notFound('通话');
  return requestIdOfAttempt(app, Number(id));
}

export async function requestIdOfAttempt(app: Pick<Platform, 'db'>, attemptId: number): Promise<string> {
  return (await requireRow(app, ATTEMPT_TABLE, attemptId, '通话')).requestId;
}

type Sent = Exclude<SendOutcome<CallState>, { kind: 'absent' }>;

interface CallCommand {
  event: CallActorEvent;
  commandId: string;
  /** The state that `getCall` has just returned. */
  seen?: FoundActor<CallState>;
}

/**
 * Sends an event to a live call; a call whose live state was lost is restored first.
 *
 * Errors: NOT_FOUND; GONE when the call has ended and is no longer kept
 * Source: D2.7
 */
export async function sendToCall(
  app: CallsPart & OutcomesPart & Pick<Platform, 'db' | 'clock'>,
  requestId: string,
  { event, commandId, seen }: CallCommand,
): Promise<Sent> {
  let outcome = await app.calls.send(requestId, event, commandId, seen);
  if (outcome.kind === 'absent' && (await adoptCall(app, requestId))) outcome = await app.calls.send(requestId, event, commandId);
  if (outcome.kind === 'absent') throw await missing(app, requestId);
  return outcome;
}

/** Returns the current state of a call. Errors: those of `sendToCall` */
export async function getCall(
  app: CallsPart & OutcomesPart & Pick<Platform, 'db' | 'clock'>,
  requestId: string,
): Promise<FoundActor<CallState>> {
  let found = await app.calls.find(requestId);
  if (!found && (await adoptCall(app, requestId))) found = await app.calls.find(requestId);
  if (!found) throw await missing(app, requestId);
  return found;
}

async function missing({ dials }: OutcomesPart, requestId: string): Promise<CalloutError> {
  const [attempt] = await dials.findAttempts([requestId]);
  const isOver = attempt !== undefined && !isOneOf(OPEN_ATTEMPT_STATUSES, attempt.status);
  return isOver ? new CalloutError('GONE', '通话已结束，实时快照已过期', { reason: 'CALL_ENDED' }) : notFound('通话');
}
