import { isLocalCause, RUNTIME_UNAVAILABLE } from '#protocol/call-status.ts';
import type { CallPerson } from '#actors/call/people.ts';
import type { CallMonitor, CallWatch, IntentHit } from '#actors/call/watch.ts';
import type { Guidance } from '#actors/call/guidance.ts';
import type { SwitchSignals } from '#outcomes/decisions/outcome.ts';
import type { HangupBy } from '#attempts/attempt.ts';
import type { SettleParams } from './effects.ts';
import type { CallEvent, Ownership } from './events.ts';
import type { Speech } from './speech.ts';

/** Context of a call; JSON only. */
export interface CallContext {
  /** Absent in old snapshots. */
  campaignId?: number;
  /** Time from sending the dial to an answer after which the switch is probed, ms. */
  dialTimeoutMs: number;
  /** How long a channel that was never seen must be absent before the dial counts as lost, ms. */
  graceMs: number;
  /** How long the runtime's result is awaited after the hang-up, ms (D7.8). */
  resultGraceMs: number;
  channelSeen: boolean;
  /** Number of sightings of the channel: a probe result from before the latest sighting proves nothing. */
  sightings?: number;
  channelGone: boolean;
  ringing: boolean;
  /** Number of the latest hand-over; keeps increasing even across a loss of the live state. Absent in old snapshots. */
  epoch?: number;
  /** Epoch at which this actor started: lower ones are hand-overs of a lost live state. */
  epochBase?: number;
  /** Runtime that has accepted the call; null when it is not registered. */
  owner?: string | null;
  /** Runtimes that were offered the call in vain. */
  tried?: readonly string[];
  /** Number of the last offer that was declined: no registered runtime has the call by it. */
  declinedEpoch?: number;
  /** The previous runtime was lost: the customer waits in the middle of the conversation. */
  isResuming?: boolean;
  /** The side that requested the hang-up; the switch only reports that the system hung up. */
  endedBy?: HangupBy;
  /** Cause of the requested hang-up. */
  endCause?: string;
  /** A runtime has the call, or calls are not offered to runtimes. */
  runtimeTaken?: boolean;
  /** The latest probe found no subscriber for the call's commands. */
  isUnheard?: boolean;
  /** No runtime accepted it in time: the customer hears the apology. */
  isDismissed?: boolean;
  /** Answered before the live state was lost: a runtime may have the call. */
  isRestored?: boolean;
  /** Runtime that the customer heard before the live state was lost; '' for an unregistered one. */
  heardRuntime?: string;
  /** How long the customer had heard no runtime when the live state was restored, ms. */
  unheardMs?: number;
  /** Reports received from the runtime; absent in old snapshots. */
  runtimeStarted?: boolean;
  runtimeEnded?: boolean;
  /** Time at which the result arrived, UTC ms. */
  resultAt?: number;
  /** Evidence of the runtime's speech since it accepted the call; absent while none has. */
  speech?: Speech;
  /** Number of consecutive runtimes that accepted the call and said nothing. */
  muteTakes?: number;
  /** Time limits for `Speech`, ms; absent in old snapshots. */
  firstWordMs?: number;
  silenceMs?: number;
  /** An agent or supervisor has intervened and talks to the customer. */
  isWithPerson?: boolean;
  answeredAt: number | null;
  endedAt: number | null;
  /** Report of the switch at the end of the call; absent before it, and in old snapshots. */
  signals?: SwitchSignals;
  hangupCause: string | null;
  hangupBy: HangupBy | null;
  /** The call is offered to monitors while it is live. */
  isMonitored?: boolean;
  /** Its assignment in the monitor registry; absent before the first. */
  watch?: CallWatch;
  /** Agents and supervisors whose phones are or were in the call; absent before the first. */
  people?: readonly CallPerson[];
  /** Intent keywords that the customer said, oldest first, at most 200. */
  intentHits?: readonly IntentHit[];
  /** Hints and sentences that users gave the bot, oldest first; absent before the first. */
  guidance?: readonly Guidance[];
}

const MAX_INTENT_HITS = 200;

/** Hits that are not recorded yet. */
export function newHits({ intentHits = [] }: CallContext, hits: readonly IntentHit[]): IntentHit[] {
  const isKnown = ({ keyword, segmentId }: IntentHit) => intentHits.some(hit => hit.keyword === keyword && hit.segmentId === segmentId);
  return hits.filter(hit => !isKnown(hit)).slice(0, MAX_INTENT_HITS - intentHits.length);
}

/** `runtimeTaken`: calls are not offered, the runtime finds them at the switch. */
export type CallInput = Pick<
  CallContext,
  'campaignId' | 'dialTimeoutMs' | 'graceMs' | 'resultGraceMs' | 'epoch' | 'isMonitored' | 'runtimeTaken' | 'firstWordMs' | 'silenceMs'
>;

export function initialContext(input: CallInput): CallContext {
  return {
    ...input,
    ...(input.epoch === undefined ? {} : { epochBase: input.epoch }),
    channelSeen: false,
    channelGone: false,
    ringing: false,
    answeredAt: null,
    endedAt: null,
    hangupCause: null,
    hangupBy: null,
  };
}

/** The context after evidence that the channel exists. */
export function seen(context: CallContext): Pick<CallContext, 'channelSeen' | 'sightings'> {
  return { channelSeen: true, sightings: sightingsOf(context) + 1 };
}

export function sightingsOf(context: CallContext): number {
  return context.sightings ?? 0;
}

export function epochOf({ epoch = 0 }: CallContext): number {
  return epoch;
}

/** Longer than the switch takes to end a call, ms. */
const ENDING_MS = 2_000;

/** Whether the call outlasted its result, with an agent or because the switch was unreachable. */
export function outlivedResult({ resultAt }: CallContext, endedAt: number): boolean {
  return resultAt !== undefined && endedAt - resultAt > ENDING_MS;
}

/** The side that ended the call: a hang-up by the customer counts as such, even if another side had requested one. */
export function hangupByOf({ endedBy }: CallContext, by: HangupBy | null): HangupBy | null {
  return by === 'customer' ? by : (endedBy ?? by);
}

interface SeenTimes {
  answeredAt: number | null;
  hungUpAt: number | null;
  signals?: SwitchSignals;
}

/** Answer and hang-up as reported by the switch; an end without a cause was not reported. */
export function seenTimes({ answeredAt, endedAt, hangupCause, signals }: CallContext): SeenTimes {
  return { answeredAt, hungUpAt: hangupCause === null ? null : endedAt, ...(signals && { signals }) };
}

/** Cause and side of a hang-up that was not reported: those of the request, if there was one. */
export function unseenEnd({ endedBy, endCause }: CallContext): { cause: string; by: HangupBy | null } {
  return endedBy === undefined ? { cause: 'UNKNOWN', by: null } : { cause: endCause ?? 'NORMAL_CLEARING', by: endedBy };
}

export function isAnswered(context: CallContext): boolean {
  return context.answeredAt !== null;
}

/** Whether a runtime has the call. */
export function isTaken({ runtimeTaken, runtimeStarted, runtimeEnded }: CallContext): boolean {
  return runtimeTaken === true || runtimeStarted === true || runtimeEnded === true;
}

/**
 * Whether a report comes from a runtime that does not own the call: its hand-over is outdated or unknown, its name is not the owner's, or the call
 * was released from it.
 *
 * Why: hand-overs from before a loss of the live state are unknown; their reports count until another runtime has the call
 */
export function isStale(context: CallContext, { epoch, runtimeId }: Ownership): boolean {
  const { runtimeTaken, owner, epochBase = 0, tried = [], declinedEpoch = 0 } = context;
  const isOthers = runtimeTaken === true && typeof owner === 'string' && (runtimeId ?? owner) !== owner;
  const isReleased = runtimeTaken !== true && typeof runtimeId === 'string' && (tried.includes(runtimeId) || epoch === declinedEpoch);
  if (isOthers || isReleased) return true;
  if (epoch === undefined || epoch === null || epoch === epochOf(context)) return false;
  return epoch > epochOf(context) || epoch > epochBase || owner !== undefined;
}

/** Whether this actor was created by an adoption, after the earlier live state was lost. */
export function beganAnew({ epochBase = 0 }: CallContext): boolean {
  return epochBase > 0;
}

/**
 * Whether a report has an epoch from before the live state was lost, and nothing refutes it.
 *
 * Why: such a report may have been in transit for long, and its sender may have left the call since
 */
export function isOfLostState(context: CallContext, ownership: Ownership): boolean {
  const { epoch } = ownership;
  return beganAnew(context) && typeof epoch === 'number' && epoch < (context.epochBase ?? 0) && !isStale(context, ownership);
}

/** Whether any runtime has served the call. */
function wasServed(context: CallContext): boolean {
  return isTaken(context) || (context.isRestored === true && context.heardRuntime !== undefined);
}

interface Watched {
  monitor: Pick<CallMonitor, 'userId'> | null;
}

/** A supervisor may claim any live call, other users only those that they monitor (D9.3). */
export function mayClaim({ watch }: { watch?: Watched | undefined }, claim: { userId: number | null; isSupervisor: boolean }): boolean {
  return claim.isSupervisor || (claim.userId !== null && watch?.monitor?.userId === claim.userId);
}

type Named<Type extends CallEvent['type']> = Extract<CallEvent, { type: Type }>;

/** The switch ended the call before an answer: its cause is the result. If the far end never responded, the line is at fault. */
export function unansweredSettlement({ context, event }: { context: CallContext; event: Named<'channelHungUp'> }): SettleParams {
  return {
    status: 'failed',
    isOurFault: isLocalCause(event.cause),
    isSilent: event.isSilent === true && !context.ringing && !isLocalCause(event.cause),
    callStatus: event.callStatus,
    ...(event.signals && { signals: event.signals }),
    cause: event.cause,
    by: event.by,
    replyText: null,
    endedAt: event.at,
    answeredAt: null,
  };
}

/** The switch refused the originate: no channel existed, and nothing is known about the called person. */
export function refusedSettlement(event: Named<'dialRefused'>): SettleParams {
  return {
    status: 'failed',
    isOurFault: event.isOurFault,
    callStatus: event.callStatus,
    cause: event.cause,
    by: 'system',
    replyText: event.replyText,
    endedAt: null,
    answeredAt: null,
  };
}

/**
 * Settles an ended call without a result: an answered one counts as completed, unless no runtime accepted it, which is our fault. The outcome
 * of any other is unknown.
 *
 * Source: D7.8
 */
export function lostSettlement({ context }: { context: CallContext }): SettleParams {
  const { hangupCause, hangupBy, endedAt, answeredAt, signals } = context;
  const common = { replyText: null, endedAt, answeredAt, ...(signals && { signals }) };
  if (answeredAt === null) return { ...common, status: 'outcome_unknown', callStatus: null, cause: hangupCause, by: hangupBy };
  if (wasServed(context)) return { ...common, status: 'completed', callStatus: 'completed', cause: hangupCause, by: hangupBy };
  const isVoid = context.isDismissed !== true;
  return { ...common, status: 'failed', isOurFault: true, isVoid, callStatus: 'failed', cause: RUNTIME_UNAVAILABLE, by: 'system' };
}
