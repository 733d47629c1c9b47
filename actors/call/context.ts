import { isLocalCause, RUNTIME_UNAVAILABLE } from '#rules/hangup-cause.ts';
import type { CallMonitor, CallWatch, IntentHit } from '#model/live-call.ts';
import type { HangupBy } from '#model/attempt.ts';
import type { SettleParams } from './effects.ts';
import type { CallEvent, Ownership } from './events.ts';
import type { Speech } from './speech.ts';

/** What a call remembers beside its state; JSON only. */
export interface CallContext {
  /** Absent in snapshots of before. */
  campaignId?: number;
  /** Longest time from the send to an answer before the switch is asked, ms. */
  dialTimeoutMs: number;
  /** How long a channel that nobody has seen must stay absent before the dial counts as lost, ms. */
  graceMs: number;
  /** How long the runtime's result is awaited after the hang-up, ms (D7.8). */
  resultGraceMs: number;
  channelSeen: boolean;
  /** How often anything was seen of the channel: an absence that was asked for before the last time proves nothing. */
  sightings?: number;
  channelGone: boolean;
  ringing: boolean;
  /** Number of the newest hand-over; it grows also over a loss of the live state. Absent in snapshots of before. */
  epoch?: number;
  /** Where this actor began to count: hand-overs of a live state that was lost have lower numbers. */
  epochBase?: number;
  /** Who has taken the call; null: a runtime that has not registered. */
  owner?: string | null;
  /** Runtimes that were asked in vain. */
  tried?: readonly string[];
  /** A runtime had the call and is gone: the customer waits in the middle of it. */
  isResuming?: boolean;
  /** Who has asked for the end of the call; the switch reports only that we ended it. */
  endedBy?: HangupBy;
  /** With which cause. */
  endCause?: string;
  /** A runtime has the call, or none is offered any. */
  runtimeTaken?: boolean;
  /** The last look found that nobody hears the call's commands. */
  isUnheard?: boolean;
  /** Nobody took it in time: its customer hears the apology. */
  isDismissed?: boolean;
  /** Answered before the live state was lost: a runtime may have the call. */
  isRestored?: boolean;
  /** What the runtime has reported; absent in snapshots of before. */
  runtimeStarted?: boolean;
  runtimeEnded?: boolean;
  /** When the result was in, UTC ms. */
  resultAt?: number;
  /** What is known of the runtime's speaking, since it took the call; absent: no runtime has. */
  speech?: Speech;
  /** Runtimes that took the call one after the other and said nothing. */
  muteTakes?: number;
  /** Waits of `Speech`, ms; absent in snapshots of before. */
  firstWordMs?: number;
  silenceMs?: number;
  /** Somebody has stepped in and speaks with the customer. */
  isWithPerson?: boolean;
  answeredAt: number | null;
  endedAt: number | null;
  hangupCause: string | null;
  hangupBy: HangupBy | null;
  /** People may watch it: it is offered to monitors while it is live. */
  isMonitored?: boolean;
  /** Where the monitor registry has put it; absent before its first word. */
  watch?: CallWatch;
  /** What the customer said that a person should know of, oldest first, at most 200. */
  intentHits?: readonly IntentHit[];
}

const MAX_INTENT_HITS = 200;

/** Hits that are not known yet. */
export function newHits({ intentHits = [] }: CallContext, hits: readonly IntentHit[]): IntentHit[] {
  const isKnown = ({ keyword, segmentId }: IntentHit) => intentHits.some(hit => hit.keyword === keyword && hit.segmentId === segmentId);
  return hits.filter(hit => !isKnown(hit)).slice(0, MAX_INTENT_HITS - intentHits.length);
}

/** `runtimeTaken`: the runtime finds its calls at the switch by itself. */
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

/** The context after something was seen of the channel. */
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

/** The call went on after its result: with a person, or because the switch could not be reached. */
export function outlivedResult({ resultAt }: CallContext, endedAt: number): boolean {
  return resultAt !== undefined && endedAt - resultAt > ENDING_MS;
}

/** Who ended the call: the customer's own hang-up stands, whoever was asking for one. */
export function hangupByOf({ endedBy }: CallContext, by: HangupBy | null): HangupBy | null {
  return by === 'customer' ? by : (endedBy ?? by);
}

/** What the switch has told of answer and end; an end without a cause was not seen. */
export function seenTimes({ answeredAt, endedAt, hangupCause }: CallContext): { answeredAt: number | null; hungUpAt: number | null } {
  return { answeredAt, hungUpAt: hangupCause === null ? null : endedAt };
}

/** What is said of a hang-up that no event told: whoever has asked for it has brought it about. */
export function unseenEnd({ endedBy, endCause }: CallContext): { cause: string; by: HangupBy | null } {
  return endedBy === undefined ? { cause: 'UNKNOWN', by: null } : { cause: endCause ?? 'NORMAL_CLEARING', by: endedBy };
}

export function isAnswered(context: CallContext): boolean {
  return context.answeredAt !== null;
}

/** A runtime has the call. */
export function isTaken({ runtimeTaken, runtimeStarted, runtimeEnded }: CallContext): boolean {
  return runtimeTaken === true || runtimeStarted === true || runtimeEnded === true;
}

/**
 * A report of somebody who does not have the call: by a hand-over that is over or was never made, or in the name of another than the owner.
 *
 * Why: of hand-overs before the live state was lost nothing is known; such a report counts until somebody else has the call
 */
export function isStale(context: CallContext, { epoch, runtimeId }: Ownership): boolean {
  const { runtimeTaken, owner, epochBase = 0 } = context;
  const isOthers = runtimeTaken === true && typeof owner === 'string' && (runtimeId ?? owner) !== owner;
  if (isOthers) return true;
  if (epoch === undefined || epoch === null || epoch === epochOf(context)) return false;
  return epoch > epochOf(context) || epoch > epochBase || owner !== undefined;
}

interface Watched {
  monitor: Pick<CallMonitor, 'userId'> | null;
}

/** A supervisor may claim any live call, everybody else the ones that they watch (D9.3). */
export function mayClaim({ watch }: { watch?: Watched | undefined }, claim: { userId: number | null; isSupervisor: boolean }): boolean {
  return claim.isSupervisor || (claim.userId !== null && watch?.monitor?.userId === claim.userId);
}

type Named<Type extends CallEvent['type']> = Extract<CallEvent, { type: Type }>;

/** The switch ended the call before an answer: its cause is the result. A line that was silent to the end is at fault, not the person. */
export function unansweredSettlement({ context, event }: { context: CallContext; event: Named<'channelHungUp'> }): SettleParams {
  return {
    status: 'failed',
    isOurFault: isLocalCause(event.cause),
    isSilent: event.isSilent === true && !context.ringing && !isLocalCause(event.cause),
    callStatus: event.callStatus,
    cause: event.cause,
    by: event.by,
    replyText: null,
    endedAt: event.at,
    answeredAt: null,
  };
}

/** The switch refused the originate: no channel ever existed, which says nothing of the person. */
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
 * A call that is over without a result: answered, it is complete as far as it is known; one that no runtime took was our fault; of any other
 * nobody knows how it went.
 *
 * Source: D7.8
 */
export function lostSettlement({ context }: { context: CallContext }): SettleParams {
  const { hangupCause, hangupBy, endedAt, answeredAt } = context;
  const common = { replyText: null, endedAt, answeredAt };
  if (answeredAt === null) return { ...common, status: 'outcome_unknown', callStatus: null, cause: hangupCause, by: hangupBy };
  if (isTaken(context)) return { ...common, status: 'completed', callStatus: 'completed', cause: hangupCause, by: hangupBy };
  const isVoid = context.isDismissed !== true;
  return { ...common, status: 'failed', isOurFault: true, isVoid, callStatus: 'failed', cause: RUNTIME_UNAVAILABLE, by: 'system' };
}
