import { isUuid } from '#kernel/ids.ts';
import { callStatusOf, isLocalCause } from '#rules/hangup-cause.ts';
import type { CallEvent } from '#actors/call/events.ts';
import type { DialStore, SettledDial } from '#ports/dial-store.ts';
import type { Ports } from '#ports/ports.ts';
import type { CallHost } from './call-actor.ts';
import { adoptCall, type AdoptDeps } from './adopt-call.ts';

export interface SettleByRecordDeps extends AdoptDeps, Pick<Ports, 'wake' | 'log'> {
  dials: AdoptDeps['dials'] & Pick<DialStore, 'settleUnknown'>;
  calls: CallHost;
}

/** What the switch has written down of one channel, after its end. Instants are UTC ms. */
export interface CallRecord {
  /** The channel's uuid. */
  requestId: string;
  cause: string;
  by: 'customer' | 'system' | null;
  answeredAt: number | null;
  endedAt: number;
  /** Nothing ever came from the far end. */
  isSilent: boolean;
}

/** `settled`: it said what was missed; `known`: it said nothing new; `unknown`: a channel of nobody's attempt. */
export type RecordOutcome = 'settled' | 'known' | 'unknown';

/**
 * Settles by the switch's own record what its events did not: an open call as if the event had come, one of which nobody knew how it ended by what
 * the record says. However often and late it comes, it counts once.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE: the switch keeps the record and sends it again
 * Source: D7.8
 */
export async function settleByRecord(deps: SettleByRecordDeps, record: CallRecord): Promise<RecordOutcome> {
  const { requestId } = record;
  if (!isUuid(requestId)) return 'unknown';
  const [attempt] = await deps.dials.findAttempts([requestId]);
  if (!attempt) return 'unknown';
  if (await hearEnd(deps, record)) return 'settled';
  const settled = await deps.dials.settleUnknown(outcomeOf(record));
  if (settled === null) return 'known';
  deps.log.info({ requestId, cause: record.cause }, 'a call detail record has settled a call whose outcome was unknown');
  deps.wake.campaign(settled.campaignId);
  return 'settled';
}

/** Whether a call that is still open has taken the end; its live state may be lost. */
async function hearEnd(deps: SettleByRecordDeps, record: CallRecord): Promise<boolean> {
  const send = () => deps.calls.send(record.requestId, hungUp(record), `cdr:${record.requestId}`);
  const heard = await send();
  if (heard.kind !== 'absent') return heard.kind === 'applied';
  return (await adoptCall(deps, record.requestId)) && (await send()).kind === 'applied';
}

function hungUp({ cause, by, answeredAt, endedAt, isSilent }: CallRecord): CallEvent {
  const end = { at: endedAt, cause, callStatus: callStatusOf(cause), by, answeredAt } as const;
  return { type: 'channelHungUp', ...end, ...(isSilent ? { isSilent } : {}) };
}

/** An answered call is complete as far as it is known; of any other the cause is the result. */
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
