import type { Clock } from '#kernel/clock.ts';
import { type CallStage, callStage } from '#actors/call/context.ts';
import type { LiveDelta, LiveDeltas } from '#ports/live-deltas.ts';
import { type CallMeta, type CallState, parseMeta } from './call-actor.ts';

/** `data` of every delta but a segment's. */
export interface CallChange {
  status: CallStage;
  answeredAt: number | null;
  endedAt: number | null;
  hangupCause: string | null;
  /** With the first delta of a call: watchers need not read it. */
  call?: CallFacts;
}

/** What of a call never changes and watchers show. */
export type CallFacts = Pick<
  CallMeta,
  | 'requestId'
  | 'attemptId'
  | 'campaignId'
  | 'campaignName'
  | 'contactId'
  | 'phoneNumber'
  | 'customerName'
  | 'cellId'
  | 'lineId'
  | 'callerNumber'
  | 'startedAt'
>;

/** Tells watchers the stage of a call after a commit; a lost delta shows as a gap in `version`. Source: A1.5, D10 */
export function publishCall(
  deps: { deltas: LiveDeltas; clock: Clock },
  requestId: string,
  committed: { state: CallState; version: number; meta: string | null },
): void {
  const meta = parseMeta(committed.meta);
  if (!meta) return;
  const change = callChange(committed.state);
  deps.deltas.publish({
    requestId,
    campaignId: meta.campaignId,
    kind: kindOf(change.status, committed.version),
    version: committed.version,
    at: deps.clock.now(),
    data: { ...change, ...(committed.version === 1 ? { call: callFacts(meta) } : {}) },
  });
}

export function callChange({ context, value }: CallState): CallChange {
  const { answeredAt, endedAt, hangupCause } = context;
  return { status: callStage(value, context), answeredAt, endedAt, hangupCause };
}

export function callFacts(meta: CallMeta): CallFacts {
  const { requestId, attemptId, campaignId, campaignName, contactId, phoneNumber, customerName, cellId, lineId, callerNumber, startedAt } =
    meta;
  return { requestId, attemptId, campaignId, campaignName, contactId, phoneNumber, customerName, cellId, lineId, callerNumber, startedAt };
}

function kindOf(status: string, version: number): LiveDelta['kind'] {
  if (version === 1) return 'call-started';
  return status === 'ended' ? 'call-ended' : 'call-changed';
}
