import { epochOf, isTaken } from '#actors/call/context.ts';
import type { CallEffects, SettleParams } from '#actors/call/effects.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callStage, isOffered } from '#actors/call/stage.ts';
import type { DialEnd } from '#campaigns/decisions/breaker.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { OpenAttempt, OutcomesPart } from '#outcomes/outcome-store.ts';
import type { SendOutcome } from '#platform/actor-host/actor-host.ts';
import { probeEnd } from '#platform/freeswitch/probe-end.ts';
import type { ChannelState } from '#platform/freeswitch/switch.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Platform } from '#platform/platform.ts';
import { GATEWAY_DOWN, RUNTIME_UNAVAILABLE } from '#protocol/call-status.ts';
import { captionSubject } from '#protocol/subjects.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { RuntimeSettingsPart } from '#runtimes/decisions/runtime-care.ts';
import { noteFact } from '#runtimes/note-fact.ts';
import { recordSilent } from '#runtimes/record-runtimes.ts';
import type { CallHolder, RuntimeLink, RuntimePart } from '#runtimes/runtime-link.ts';
import type { RuntimePoolPart } from '#runtimes/runtime-pool.ts';
import type { SlotsPart } from '#slots/slot-registry.ts';
import { type CallMeta, type CallState, parseMeta } from './call-actor.ts';
import { type CallJournalsPart, keepJournal } from './call-journals.ts';
import { checkSpeech, type SpeechOptions } from './check-speech.ts';
import { keepCaptions } from './keep-captions.ts';
import type { LiveSegment } from './live-call-store.ts';
import { unansweredEnd, type DialNotesPart } from './switch-events.ts';
import type { EffectContext, Executors } from '#platform/actor-host/aggregate.ts';
import type { AttemptWriterPart } from '#outcomes/progress.ts';

/** Parameters of a hand-over. Units: `answeredAt` UTC ms */
interface HandOver {
  epoch: number;
  answeredAt: number | null;
  /** Captions from before the previous runtime was lost; null when no runtime had the call. */
  captions: readonly LiveSegment[] | null;
  /** How the runtime reaches the customer at this cell. */
  media: JsonObject;
}

const MAX_CAPTIONS = 200;

/** Builds the command that gives an answered call to a runtime: exact values, regardless of what a channel variable can carry (D4.5). */
export function startCommandOf(call: CallMeta, { epoch, answeredAt, captions, media }: HandOver): JsonObject {
  const { requestId, attemptId, campaignId, campaignName, contactId, phoneNumber, customerName, cellId, scriptId, scriptVersion } = call;
  return {
    requestId,
    epoch,
    ...(answeredAt === null ? {} : { answeredAt: new Date(answeredAt).toISOString() }),
    ...(captions === null
      ? {}
      : {
          resuming: true,
          captions: captions
            .filter(({ final }) => final)
            .slice(-MAX_CAPTIONS)
            .map(caption),
        }),
    attemptId,
    campaignId,
    campaignName,
    contactId,
    phoneNumber,
    customerName,
    cellId,
    media,
    scriptId,
    scriptVersion,
    captionSubject: captionSubject(requestId),
    variables: { ...call.businessConfig.variables },
    metadata: call.metadata,
    ...mailboxOf(call),
    ...(call.callback ? { callback: { ...call.callback, dueAt: new Date(call.callback.dueAt).toISOString() } } : {}),
  };
}

/** Absent where nothing is to be left, as for runtimes that do not know it. */
function mailboxOf({ mailboxText }: CallMeta): JsonObject {
  return mailboxText === null || mailboxText === undefined ? {} : { mailboxText };
}

function caption({ segmentId, speaker, text, nodeId }: LiveSegment): JsonObject {
  return { segmentId, speaker, text, nodeId };
}

export interface CallEffectOptions
  extends SpeechOptions,
    AttemptWriterPart,
    CallJournalsPart,
    DialNotesPart,
    OutcomesPart,
    SlotsPart,
    RuntimePart,
    RuntimePoolPart,
    RuntimeSettingsPart,
    RuntimeEventsPart,
    Pick<Platform, 'wake' | 'switchPort' | 'clock' | 'log'> {
  /** How a runtime reaches the customers of a cell. */
  mediaOf: (cellId: string) => JsonObject;
  metrics: Pick<Metrics, 'callServed' | 'callUnserved' | 'runtimeOffered'>;
}

type Context = EffectContext<CallState>;
/** Executors of a call's effects; each is idempotent, because it may run again after a crash. */
export function callEffects(options: CallEffectOptions): Executors<CallEffects, CallState> {
  return {
    probeSwitch: (params, context) => probe(options, params, context),
    async recordAnswered({ answeredAt }, context) {
      await options.writer.answered({ requestId: context.id, answeredAt });
      if (isTaken(context.state.context)) noteReached(options, context);
    },
    startRuntime: (params, context) => startRuntime(options, params, context),
    checkSpeech: (params, context) => checkSpeech(options, params, context),
    async noteSpoke({ runtimeId }, { id, meta }) {
      const call = parseMeta(meta);
      await Promise.all([
        options.writer.heard({ requestId: id, heard: runtimeId ?? '' }),
        call && noteFact(options, { kind: 'spoke', runtimeId, businessCode: call.businessCode }),
      ]);
    },
    noteUnheard: (_, { id }) => options.writer.heard({ requestId: id, heard: false }),
    async giveUpRuntime({ runtimeId, epoch, kind }, { id }) {
      if (runtimeId !== null) options.runtime.release(runtimeId, { requestId: id, epoch, reason: 'superseded' });
      await recordSilent(options.events, { requestId: id, runtimeId, kind });
      if (runtimeId !== null) await noteFact(options, { kind: 'silent', runtimeId });
    },
    async apologise(_, { id, meta, state }) {
      const call = parseMeta(meta);
      if (call) await options.switchPort.dismiss(call.cellId, id);
      options.metrics.callUnserved();
      if (call && isEvidence(options.runtime, state.context))
        await noteFact(options, { kind: 'unserved', businessCode: call.businessCode });
    },
    notifyHangup: (params, context) => notifyHangup(options, params, context),
    settleAttempt: (params, context) => settle(options, params, context),
    async revertClaim({ reason }, { id }) {
      await options.writer.reverted({ requestId: id, reason });
    },
    async recordEnd({ endedAt }, { id }) {
      await options.dials.recordEnd(id, endedAt);
      await keepCaptions(options, id);
    },
    async releaseSlot(_, { id }) {
      await options.slots.release([id]);
    },
    async killChannel({ cause }, { id, meta }) {
      const cellId = parseMeta(meta)?.cellId;
      if (cellId) await options.switchPort.hangup(cellId, id, cause);
    },
    async forgetCall(_, { id }) {
      await keepJournal(options, id);
      await options.host().remove(id);
    },
  };
}

/** Time that runtimes get to connect again after the bus returned, ms. */
const RUNTIMES_RETURN_MS = 5_000;

/**
 * Whether an apology says anything about the runtimes that are online: not when a lost runtime had the call, nor when the bus was away, or
 * just back, while runtimes were asked for it.
 */
function isEvidence(runtime: Pick<RuntimeLink, 'reachableSince'>, { isResuming, answeredAt }: CallState['context']): boolean {
  const since = runtime.reachableSince();
  return isResuming !== true && since !== null && (answeredAt ?? 0) >= since + RUNTIMES_RETURN_MS;
}

/** An unreachable switch gives no result: the machine probes again by its own timer. */
async function probe(
  options: CallEffectOptions,
  { sightings }: CallEffects['probeSwitch'],
  { id, effectId, meta, state }: Context,
): Promise<void> {
  const cellId = parseMeta(meta)?.cellId;
  if (!cellId) return;
  const channel = await probeEnd(options, cellId, id);
  if (channel === undefined) return;
  const isOwned = channel.kind === 'answered' && isTaken(state.context) && state.context.owner !== undefined;
  const isHeard = isOwned ? await options.runtime.hears(id) : null;
  const answer: CallEvent = channel.kind === 'absent' ? { type: 'channelMissing', sightings } : { ...foundAs(channel), isHeard };
  await options.host().send(id, answer, answerId(effectId, answer));
}

function foundAs(channel: Exclude<ChannelState, { kind: 'absent' }>) {
  return { type: 'channelFound', answeredAt: channel.kind === 'answered' ? channel.answeredAt : null } as const;
}

/**
 * An effect that runs twice may get two results; each has its own command id, or the second run would mistake the first run's commit for its own.
 */
function answerId(effectId: string, answer: CallEvent): string {
  return `${effectId}:${answer.type}${'runtimeId' in answer ? `:${answer.runtimeId}` : ''}`;
}

type Offer = CallEffects['startRuntime'];
type OfferAnswer = Extract<CallEvent, { type: 'runtimeAccepted' | 'runtimeDeclined' | 'runtimeRefused' }>;

/** Offers the call to one runtime; the machine decides which one is next, and until when. */
async function startRuntime(options: CallEffectOptions, offer: Offer, { id, effectId, state, meta }: Context): Promise<void> {
  const call = parseMeta(meta);
  if (!call || !isOffered(state) || epochOf(state.context) !== offer.epoch) return;
  const { answeredAt } = state.context;
  const holder = offer.isRestored ? await options.runtime.holder(id) : null;
  const answer = holder?.runtimeId === null ? heldCall(holder, offer) : await offerCall(options, call, { ...offer, answeredAt, holder });
  const outcome = await options.host().send(id, answer, answerId(effectId, answer));
  if (answer.type === 'runtimeAccepted' && outcome.kind === 'applied') {
    if (answeredAt !== null && !offer.isResuming && holder === null)
      options.metrics.callServed(Math.max(0, options.clock.now() - answeredAt) / 1_000);
    noteReached(options, { id, meta });
  }
  releaseSuperseded(options, id, answer, outcome);
}

/**
 * Notifies a runtime that the call is not its own, when it accepted too late, or did not reply and may have accepted.
 *
 * Why: an effect may run twice, and the other run may have given the call to the same runtime
 */
function releaseSuperseded({ runtime }: CallEffectOptions, requestId: string, answer: OfferAnswer, outcome: SendOutcome<CallState>): void {
  if (answer.type === 'runtimeRefused' || answer.runtimeId === null || outcome.kind === 'absent') return;
  const { runtimeId, epoch } = answer;
  const { context } = outcome.state;
  const isHis = context.owner === runtimeId && epochOf(context) === epoch;
  const isTooLate = answer.type === 'runtimeAccepted' && outcome.kind === 'ignored' && !isHis;
  const isUnheard = answer.type === 'runtimeDeclined' && outcome.kind === 'applied';
  if (isTooLate || isUnheard) runtime.release(runtimeId, { requestId, epoch, reason: 'superseded' });
}

/** An unregistered runtime holds the call under the epoch that it reports. */
function heldCall({ runtimeId, epoch: heldEpoch }: CallHolder, { epoch }: Offer): OfferAnswer {
  return { type: 'runtimeAccepted', runtimeId, epoch, heldEpoch: heldEpoch ?? epoch };
}

interface AnsweredOffer extends Offer {
  answeredAt: number | null;
  /** The runtime that reports holding the call; it gets the offer first, since a release of an earlier hand-over may still be on its way. */
  holder: CallHolder | null;
}

async function offerCall(options: CallEffectOptions, call: CallMeta, offer: AnsweredOffer): Promise<OfferAnswer> {
  const { epoch, isResuming, tried, answeredAt, holder } = offer;
  const { requestId, businessCode, cellId } = call;
  const runtimeId = holder?.runtimeId ?? (await options.pool.pick(requestId, { businessCode, resumes: isResuming, tried }));
  // An unregistered runtime has never declared that it can resume another runtime's call.
  if (runtimeId === null && isResuming) return { type: 'runtimeDeclined', runtimeId, epoch };
  const captions = isResuming ? await captionsOf(options, requestId) : null;
  const body = startCommandOf(call, { epoch, answeredAt, captions, media: options.mediaOf(cellId) });
  const answer = await options.runtime.start(runtimeId, requestId, body);
  options.metrics.runtimeOffered(answer);
  if (answer === 'accepted') return { type: 'runtimeAccepted', runtimeId, epoch };
  if (runtimeId !== null && options.runtime.reachableSince() !== null)
    await noteFact(options, { kind: answer === 'unanswered' ? 'unanswered' : 'answered', runtimeId });
  options.log.warn({ requestId, runtimeId, answer }, 'a runtime did not accept an answered call');
  return answer === 'refused' ? { type: 'runtimeRefused', epoch } : { type: 'runtimeDeclined', runtimeId, epoch };
}

async function captionsOf({ liveCalls }: CallEffectOptions, requestId: string): Promise<readonly LiveSegment[]> {
  const [call] = await liveCalls.read([requestId]);
  return call?.segments ?? [];
}

/** Noted only once a runtime has the call: customers served by no runtime are consecutive failures, which an answer must not interrupt. */
function noteReached({ notes }: CallEffectOptions, { id, meta }: Pick<Context, 'id' | 'meta'>): void {
  const call = parseMeta(meta);
  if (call && call.isTest !== true) notes.ended(call.campaignId, { requestId: id, outcome: 'reached', cause: null, lineId: call.lineId });
}

/** A lost runtime needs no notice; while the bus is unavailable, the notice is retried as long as the result is awaited. */
async function notifyHangup(options: CallEffectOptions, { cause, by }: CallEffects['notifyHangup'], { id, state }: Context): Promise<void> {
  try {
    await options.runtime.command(id, 'hangup', by === null ? { cause } : { cause, by });
  } catch (error) {
    if (callStage(state) === 'settling') throw error;
  }
}

async function settle(options: CallEffectOptions, params: CallEffects['settleAttempt'], { id, meta }: Context): Promise<void> {
  await options.writer.settled({
    requestId: id,
    status: params.status,
    callStatus: params.callStatus,
    hangupCause: params.cause,
    hangupBy: params.by,
    replyText: params.replyText,
    endedAt: params.endedAt,
    answeredAt: params.answeredAt,
    isOurFault: params.isOurFault === true,
    isSilent: params.isSilent === true,
    ...(params.signals && { signals: params.signals }),
    isResultMissing: params.status === 'completed',
  });
  const call = parseMeta(meta);
  if (!call) return;
  // A test call says nothing about the campaign.
  const end = call.isTest === true ? null : endOf(id, params);
  if (end) options.notes.ended(call.campaignId, { ...end, lineId: call.lineId });
  if (params.status !== 'failed') await recordLost(options, params.status, call);
  if (params.answeredAt !== null) await keepCaptions(options, id);
}

/**
 * The end as the breaker counts it; null when the call was noted as reached before. A call that no runtime takes is left to the runtime pool.
 */
function endOf(
  requestId: string,
  { cause, isOurFault = false, isSilent = false, isVoid = false, answeredAt }: SettleParams,
): DialEnd | null {
  if (isSilent) return { requestId, outcome: 'failed', cause, isSilent };
  if (isVoid || cause === RUNTIME_UNAVAILABLE) return { requestId, outcome: 'void', cause };
  // The switch's own pings found the far end unreachable, which counts like a call without any response.
  if (isOurFault) return { requestId, outcome: 'failed', cause, isLocal: true, ...(cause === GATEWAY_DOWN ? { isSilent: true } : {}) };
  return answeredAt === null ? unansweredEnd(requestId, cause) : null;
}

/** Events for operators about a call without a result, and whether they still apply: a result may have arrived, or a dial been withdrawn. */
const LOST_RESULTS = {
  completed: {
    type: 'call.result_incomplete',
    title: '通话结果不完整',
    message: '客户已接听且通话已结束，但未收到话术引擎的结果；按已知情况记录，迟到的结果仍会补全',
    key: 'result_incomplete',
    holds: (attempt?: OpenAttempt) => attempt?.hasResult === false,
  },
  outcome_unknown: {
    type: 'call.outcome_unknown',
    title: '通话结果未知',
    message: '通话已不在交换机上，且未收到结果；交换机的详单到达后会补全，除非活动设置为未知也重呼，否则不会自动再呼',
    key: 'outcome_unknown',
    holds: (attempt?: OpenAttempt) => attempt?.status === 'outcome_unknown',
  },
} as const;

async function recordLost({ dials, events }: CallEffectOptions, status: keyof typeof LOST_RESULTS, call: CallMeta): Promise<void> {
  const { holds, key, ...words } = LOST_RESULTS[status];
  const [attempt] = await dials.findAttempts([call.requestId]);
  if (!holds(attempt)) return;
  const { campaignId, attemptId, cellId, requestId } = call;
  await events.record({ level: 'warning', ...words, campaignId, attemptId, cellId, dedupeKey: `${key}:${requestId}` });
}
