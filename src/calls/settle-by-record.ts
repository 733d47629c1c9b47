import { isUuid } from '#kernel/ids.ts';
import { callStatusOf, isLocalCause } from '#protocol/call-status.ts';
import type { CallEvent } from '#actors/call/events.ts';
import type { SettledDial, OutcomesPart } from '#outcomes/outcome-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { CallsPart } from './call-actor.ts';
import { adoptCall } from './find-call.ts';

/** The switch's call detail record of one channel. Instants are UTC ms. */
export interface CallRecord {
  /** The channel's uuid. */
  requestId: string;
  cause: string;
  by: 'customer' | 'system' | null;
  answeredAt: number | null;
  endedAt: number;
  /** Whether the far end never responded. */
  isSilent: boolean;
}

/** `settled`: the record supplied a missing end; `known`: it added nothing; `unknown`: its channel belongs to no attempt. */
export type RecordOutcome = 'settled' | 'known' | 'unknown';

/**
 * Settles a call by the switch's call detail record when events were missed: an open call as by the hang-up event, a call of unknown outcome by
 * the record itself. A repeated or late record counts once.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE; the switch keeps the record and sends it again
 * Source: D7.8
 */
export async function settleByRecord(
  app: CallsPart & OutcomesPart & Pick<Platform, 'wake' | 'clock' | 'log'>,
  record: CallRecord,
): Promise<RecordOutcome> {
  const { requestId } = record;
  if (!isUuid(requestId)) return 'unknown';
  const [attempt] = await app.dials.findAttempts([requestId]);
  if (!attempt) return 'unknown';
  if (await reportEnd(app, record)) return 'settled';
  const settled = await app.dials.settleUnknown(outcomeOf(record));
  if (settled === null) return 'known';
  app.log.info({ requestId, cause: record.cause }, 'a call detail record has settled a call whose outcome was unknown');
  app.wake.campaign(settled.campaignId);
  return 'settled';
}

/** Whether a call that is still open accepted the end; its live state may have to be restored first. */
async function reportEnd(app: CallsPart & OutcomesPart & Pick<Platform, 'wake' | 'clock' | 'log'>, record: CallRecord): Promise<boolean> {
  const send = () => app.calls.send(record.requestId, hungUp(record), `cdr:${record.requestId}`);
  const outcome = await send();
  if (outcome.kind !== 'absent') return outcome.kind === 'applied';
  return (await adoptCall(app, record.requestId)) && (await send()).kind === 'applied';
}

function hungUp({ cause, by, answeredAt, endedAt, isSilent }: CallRecord): CallEvent {
  const end = { at: endedAt, cause, callStatus: callStatusOf(cause), by, answeredAt } as const;
  return { type: 'channelHungUp', ...end, ...(isSilent ? { isSilent } : {}) };
}

/** An answered call is completed with what is known; for any other call the cause is the result. */
function outcomeOf({ requestId, cause, by, answeredAt, endedAt, isSilent }: CallRecord): SettledDial {
  const isAnswered = answeredAt !== null;
  return {
    requestId,
    status: isAnswered ? 'completed' : 'failed',
    callStatus: callStatusOf(cause, isAnswered),
    hangupCause: cause,
    hangupBy: by,
    replyText: null,
    endedAt,
    answeredAt,
    isOurFault: !isAnswered && isLocalCause(cause),
    isSilent: isSilent && !isLocalCause(cause),
    isResultMissing: isAnswered,
  };
}
