import { unlessUnreachable } from '#kernel/errors.ts';
import type { CallEffects, SettleParams } from '#actors/call/effects.ts';
import { epochOf, isTaken } from '#actors/call/context.ts';
import { callStage, isOffered } from '#actors/call/stage.ts';
import type { CallEvent } from '#actors/call/events.ts';
import type { EffectContext, Executors, SendOutcome } from '#host/actor-host.ts';
import type { Metrics } from '#ports/metrics.ts';
import type { LiveSegment } from '#ports/live-call-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { CallHolder } from '#ports/runtime-link.ts';
import type { RuntimeCare } from '#rules/runtime-care.ts';
import type { RuntimePool } from '#ports/runtime-pool.ts';
import type { ChannelState } from '#ports/switch.ts';
import type { OpenAttempt } from '#ports/dial-store.ts';
import type { Ports } from '#ports/ports.ts';
import type { AttemptWriter } from './attempt-writer.ts';
import { GATEWAY_DOWN, RUNTIME_UNAVAILABLE } from '#rules/hangup-cause.ts';
import { noteFact } from '../runtimes/note-fact.ts';
import { recordSilent } from '../runtimes/record-runtimes.ts';
import { checkSpeech, type SpeechDeps } from './check-speech.ts';
import { keepCaptions } from './keep-captions.ts';
import type { DialEnd } from '#rules/breaker.ts';
import { type DialNotes, unansweredEnd } from './dial-notes.ts';
import { type CallMeta, parseMeta } from './call-actor.ts';
import type { CallState } from './call-aggregate.ts';
import { startCommandOf } from './start-command.ts';

export interface CallEffectDeps extends SpeechDeps, Pick<Ports, 'dials' | 'slots' | 'switchPort' | 'runtime' | 'events' | 'clock' | 'log'> {
  writer: AttemptWriter;
  pool: Pick<RuntimePool, 'pick' | 'note' | 'list'>;
  wake: Ports['wake'];
  settings: { care: RuntimeCare };
  /** How a runtime reaches the customers of a cell. */
  mediaOf: (cellId: string) => JsonObject;
  notes: DialNotes;
  metrics: Pick<Metrics, 'callServed' | 'callUnserved' | 'runtimeOffered'>;
}

type Context = EffectContext<CallState>;
/** Executors of a call's effects: each may run again after a crash and then changes nothing more. */
export function callEffects(deps: CallEffectDeps): Executors<CallEffects, CallState> {
  return {
    probeSwitch: (params, context) => probe(deps, params, context),
    async recordAnswered({ answeredAt }, context) {
      await deps.writer.answered({ requestId: context.id, answeredAt });
      if (isTaken(context.state.context)) noteReached(deps, context);
    },
    startRuntime: (params, context) => startRuntime(deps, params, context),
    checkSpeech: (params, context) => checkSpeech(deps, params, context),
    async noteSpoke({ runtimeId }, { meta }) {
      const call = parseMeta(meta);
      if (call) await noteFact(deps, { kind: 'spoke', runtimeId, businessCode: call.businessCode });
    },
    async giveUpRuntime({ runtimeId, epoch, kind }, { id }) {
      if (runtimeId !== null) deps.runtime.release(runtimeId, { requestId: id, epoch, reason: 'superseded' });
      await recordSilent(deps.events, { requestId: id, runtimeId, kind });
      if (runtimeId !== null) await noteFact(deps, { kind: 'silent', runtimeId });
    },
    async apologise(_, { id, meta, state }) {
      const call = parseMeta(meta);
      if (call) await deps.switchPort.dismiss(call.cellId, id);
      deps.metrics.callUnserved();
      // Whom a runtime that has gone leaves behind says nothing of those that are there.
      if (call && state.context.isResuming !== true) await noteFact(deps, { kind: 'unserved', businessCode: call.businessCode });
    },
    notifyHangup: (params, context) => notifyHangup(deps, params, context),
    settleAttempt: (params, context) => settle(deps, params, context),
    async revertClaim({ reason }, { id }) {
      await deps.writer.reverted({ requestId: id, reason });
    },
    async recordEnd({ endedAt }, { id }) {
      await deps.dials.recordEnd(id, endedAt);
      await keepCaptions(deps, id);
    },
    async releaseSlot(_, { id }) {
      await deps.slots.release([id]);
    },
    async killChannel({ cause }, { id, meta }) {
      const cellId = parseMeta(meta)?.cellId;
      if (cellId) await deps.switchPort.hangup(cellId, id, cause);
    },
    forgetCall: (_, { id }) => deps.host().remove(id),
  };
}

/** An unreachable switch says nothing: the machine asks again by its own timer. */
async function probe(
  deps: CallEffectDeps,
  { sightings }: CallEffects['probeSwitch'],
  { id, effectId, meta, state }: Context,
): Promise<void> {
  const cellId = parseMeta(meta)?.cellId;
  if (!cellId) return;
  const channel = await unlessUnreachable(() => deps.switchPort.probe(cellId, id));
  if (channel === undefined) return;
  const isOwned = channel.kind === 'answered' && isTaken(state.context) && state.context.owner !== undefined;
  const isHeard = isOwned ? await deps.runtime.hears(id) : null;
  const answer: CallEvent = channel.kind === 'absent' ? { type: 'channelMissing', sightings } : { ...foundAs(channel), isHeard };
  await deps.host().send(id, answer, answerId(effectId, answer));
}

function foundAs(channel: Exclude<ChannelState, { kind: 'absent' }>) {
  return { type: 'channelFound', answeredAt: channel.kind === 'answered' ? channel.answeredAt : null } as const;
}

/** An effect may run twice and get two answers: each is a command of its own, or the second run would take the first one's commit for its own. */
function answerId(effectId: string, answer: CallEvent): string {
  return `${effectId}:${answer.type}${'runtimeId' in answer ? `:${answer.runtimeId}` : ''}`;
}

type Offer = CallEffects['startRuntime'];
type OfferAnswer = Extract<CallEvent, { type: 'runtimeAccepted' | 'runtimeDeclined' | 'runtimeRefused' }>;

/** One runtime is asked; who comes next, and until when, is the machine's. */
async function startRuntime(deps: CallEffectDeps, offer: Offer, { id, effectId, state, meta }: Context): Promise<void> {
  const call = parseMeta(meta);
  if (!call || !isOffered(state) || epochOf(state.context) !== offer.epoch) return;
  const { answeredAt } = state.context;
  const holder = offer.isRestored ? await deps.runtime.holder(id) : null;
  const answer = holder?.runtimeId === null ? heldCall(holder, offer) : await offerCall(deps, call, { ...offer, answeredAt, holder });
  const outcome = await deps.host().send(id, answer, answerId(effectId, answer));
  if (answer.type === 'runtimeAccepted' && outcome.kind === 'applied') {
    if (answeredAt !== null && !offer.isResuming && holder === null)
      deps.metrics.callServed(Math.max(0, deps.clock.now() - answeredAt) / 1_000);
    noteReached(deps, { id, meta });
  }
  letGo(deps, id, answer, outcome);
}

/**
 * Who took the call too late, or was silent and may have taken it all the same, is notified that it is not theirs.
 *
 * Why: an effect may run twice, and the other run may have given the call to this very runtime
 */
function letGo({ runtime }: CallEffectDeps, requestId: string, answer: OfferAnswer, outcome: SendOutcome<CallState>): void {
  if (answer.type === 'runtimeRefused' || answer.runtimeId === null || outcome.kind === 'absent') return;
  const { runtimeId, epoch } = answer;
  const { context } = outcome.state;
  const isHis = context.owner === runtimeId && epochOf(context) === epoch;
  const isTooLate = answer.type === 'runtimeAccepted' && outcome.kind === 'ignored' && !isHis;
  const isUnheard = answer.type === 'runtimeDeclined' && outcome.kind === 'applied';
  if (isTooLate || isUnheard) runtime.release(runtimeId, { requestId, epoch, reason: 'superseded' });
}

/** One that has not registered has the call as it says. */
function heldCall({ runtimeId, epoch: heldEpoch }: CallHolder, { epoch }: Offer): OfferAnswer {
  return { type: 'runtimeAccepted', runtimeId, epoch, heldEpoch: heldEpoch ?? epoch };
}

interface AnsweredOffer extends Offer {
  answeredAt: number | null;
  /** Who says that it has the call: it is asked first, for a release of an earlier hand-over may still be under way to it. */
  holder: CallHolder | null;
}

async function offerCall(deps: CallEffectDeps, call: CallMeta, offer: AnsweredOffer): Promise<OfferAnswer> {
  const { epoch, isResuming, tried, answeredAt, holder } = offer;
  const { requestId, businessCode, cellId } = call;
  const runtimeId = holder?.runtimeId ?? (await deps.pool.pick(requestId, { businessCode, resumes: isResuming, tried }));
  // One that has not registered has never said that it can go on with another's call.
  if (runtimeId === null && isResuming) return { type: 'runtimeDeclined', runtimeId, epoch };
  const captions = isResuming ? await captionsOf(deps, requestId) : null;
  const body = startCommandOf(call, { epoch, answeredAt, captions, media: deps.mediaOf(cellId) });
  const answer = await deps.runtime.start(runtimeId, requestId, body);
  deps.metrics.runtimeOffered(answer);
  if (answer === 'accepted') return { type: 'runtimeAccepted', runtimeId, epoch };
  if (runtimeId !== null && deps.runtime.isReachable())
    await noteFact(deps, { kind: answer === 'unanswered' ? 'unanswered' : 'answered', runtimeId });
  deps.log.warn({ requestId, runtimeId, answer }, 'a runtime has not taken an answered call');
  return answer === 'refused' ? { type: 'runtimeRefused', epoch } : { type: 'runtimeDeclined', runtimeId, epoch };
}

async function captionsOf({ liveCalls }: CallEffectDeps, requestId: string): Promise<readonly LiveSegment[]> {
  const [call] = await liveCalls.read([requestId]);
  return call?.segments ?? [];
}

/** Only once a runtime has the call: customers whom nobody takes are failures in a row, and no answer comes between them. */
function noteReached({ notes }: CallEffectDeps, { id, meta }: Pick<Context, 'id' | 'meta'>): void {
  const call = parseMeta(meta);
  if (call) notes.ended(call.campaignId, { requestId: id, outcome: 'reached', cause: null, lineId: call.lineId });
}

/** A runtime that is gone needs no notice; an unreachable bus is tried again while the result is still awaited. */
async function notifyHangup(deps: CallEffectDeps, { cause, by }: CallEffects['notifyHangup'], { id, state }: Context): Promise<void> {
  try {
    await deps.runtime.command(id, 'hangup', by === null ? { cause } : { cause, by });
  } catch (error) {
    if (callStage(state) === 'settling') throw error;
  }
}

async function settle(deps: CallEffectDeps, params: CallEffects['settleAttempt'], { id, meta }: Context): Promise<void> {
  await deps.writer.settled({
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
    isResultMissing: params.status === 'completed',
  });
  const call = parseMeta(meta);
  if (!call) return;
  const end = endOf(id, params);
  if (end) deps.notes.ended(call.campaignId, { ...end, lineId: call.lineId });
  if (params.status !== 'failed') await recordLost(deps, params.status, call);
  if (params.answeredAt !== null) await keepCaptions(deps, id);
}

/** What the end says to the breaker; null: the breaker heard of it when a runtime took the call. Whom no runtime takes is the pool's matter. */
function endOf(
  requestId: string,
  { cause, isOurFault = false, isSilent = false, isVoid = false, answeredAt }: SettleParams,
): DialEnd | null {
  if (isSilent) return { requestId, outcome: 'failed', cause, isSilent };
  if (isVoid || cause === RUNTIME_UNAVAILABLE) return { requestId, outcome: 'void', cause };
  // The switch's own pings found the far end away: as good as a call to which nothing came.
  if (isOurFault) return { requestId, outcome: 'failed', cause, isLocal: true, ...(cause === GATEWAY_DOWN ? { isSilent: true } : {}) };
  return answeredAt === null ? unansweredEnd(requestId, cause) : null;
}

/** What operators read of a call whose result did not come, and when that is still so: a result may have come meanwhile, or a dial been taken back. */
const LOST_RESULTS = {
  completed: {
    type: 'call.result_incomplete',
    title: '通话结果不完整',
    message: '客户已接听且通话已结束，但未收到话术运行时的结果；按已知情况记录，迟到的结果仍会补全',
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

async function recordLost({ dials, events }: CallEffectDeps, status: keyof typeof LOST_RESULTS, call: CallMeta): Promise<void> {
  const { holds, key, ...words } = LOST_RESULTS[status];
  const [attempt] = await dials.findAttempts([call.requestId]);
  if (!holds(attempt)) return;
  const { campaignId, attemptId, cellId, requestId } = call;
  await events.record({ level: 'warning', ...words, campaignId, attemptId, cellId, dedupeKey: `${key}:${requestId}` });
}
