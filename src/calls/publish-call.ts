import type { Clock } from '#kernel/clock.ts';
import type { Guidance } from '#actors/call/guidance.ts';
import { type CallStage, callStage, hasLeft, ownerOf } from '#actors/call/stage.ts';
import type { Committed } from '#platform/actor-host/actor-host.ts';
import type { LiveDeltaKind, LiveDeltas } from '#platform/feeds/live-deltas.ts';
import type { CallPerson } from '#actors/call/people.ts';
import type { CallMonitor, IntentHit } from '#actors/call/watch.ts';
import { interventionStatus, type InterventionStatus, type TakeOverState } from '#actors/intervention/take-over.ts';
import type { InterventionTiming } from '#actors/intervention/events.ts';
import { type CallMeta, type CallState, parseMeta } from './call-actor.ts';

/** `data` of every delta except those of segments. */
export interface CallChange {
  status: CallStage;
  answeredAt: number | null;
  endedAt: number | null;
  hangupCause: string | null;
  /** Whether the channel is known to be gone, so that nothing is left to hang up. */
  hasLeft: boolean;
  /** The user who watches; null while the call waits for a monitor, or needs none. */
  monitor: CallMonitor | null;
  /** Users who may continue to read it (OCS 4.12 rule 3). */
  retainedBy: readonly number[];
  waitingSince: number | null;
  /** Our people whose phones are or were in the call. */
  people: readonly CallPerson[];
  /** Oldest first. */
  intentHits: readonly IntentHit[];
  /** The latest one, open or ended. */
  intervention: CallIntervention | null;
  /** Hints and sentences that users gave the bot, oldest first. */
  guidance: readonly Guidance[];
  /** The registered runtime that has the call; null when none has. */
  runtimeId: string | null;
  /** Set in the first delta of a call, so that watchers need not read it. */
  call?: CallFacts;
}

/** Source: D9.2. Units: instants UTC ms */
export interface CallIntervention {
  id: string;
  status: InterventionStatus;
  initiatorId: number | null;
  requestedAt: number | null;
  consumedAt: number | null;
  agentId: number | null;
  when: InterventionTiming;
  /** Why it ended, in Chinese. */
  reason: string | null;
}

/** Constant facts of a call that watchers display. */
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

/** Publishes the state of a call to watchers after a commit; a lost delta shows as a gap in `version`. Source: A1.5, D10 */
export function publishCall(app: { deltas: LiveDeltas; clock: Clock }, requestId: string, committed: Committed<CallState>): void {
  const meta = parseMeta(committed.meta);
  if (!meta) return;
  const change = callChange(committed.state);
  app.deltas.publish({
    requestId,
    campaignId: meta.campaignId,
    kind: kindOf(change, committed.before && callChange(committed.before)),
    version: committed.version,
    at: app.clock.now(),
    data: { ...change, ...(committed.version === 1 ? { call: callFacts(meta) } : {}) },
  });
}

export function callChange({ context, value, intervention }: CallState): CallChange {
  const { answeredAt, endedAt, hangupCause, watch, people = [], intentHits = [], guidance = [] } = context;
  return {
    status: callStage({ value, context }),
    answeredAt,
    endedAt,
    hangupCause,
    hasLeft: hasLeft({ value, context }),
    monitor: watch?.monitor ?? null,
    retainedBy: watch?.retainedBy ?? [],
    waitingSince: watch?.waitingSince ?? null,
    people,
    intentHits,
    intervention: intervention ? callIntervention(intervention) : null,
    guidance,
    runtimeId: ownerOf({ value, context }),
  };
}

function callIntervention(takeOver: TakeOverState): CallIntervention | null {
  const status = interventionStatus(takeOver);
  const { id, initiatorId, requestedAt, consumedAt, agentId, when = 'boundary', reason } = takeOver.context;
  return status === null || id === null ? null : { id, status, initiatorId, requestedAt, consumedAt, agentId, when, reason };
}

export function callFacts(meta: CallMeta): CallFacts {
  const { requestId, attemptId, campaignId, campaignName, contactId, phoneNumber, customerName, cellId, lineId, callerNumber, startedAt } =
    meta;
  return { requestId, attemptId, campaignId, campaignName, contactId, phoneNumber, customerName, cellId, lineId, callerNumber, startedAt };
}

/** Kind of the delta by its most important change, because a commit may change several parts. */
function kindOf(after: CallChange, before: CallChange | null): LiveDeltaKind {
  if (before === null) return 'call-started';
  if (after.status === 'ended') return 'call-ended';
  if (after.intervention?.id !== before.intervention?.id || after.intervention?.status !== before.intervention?.status)
    return 'intervention';
  if (after.intentHits.length > before.intentHits.length) return 'intent-alert';
  const isPlaced = after.monitor?.userId !== before.monitor?.userId || after.waitingSince !== before.waitingSince;
  return isPlaced || after.retainedBy.length !== before.retainedBy.length ? 'assignment' : 'call-changed';
}
