import { assign, raise, setup } from 'xstate';
import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { declaredEffects, machineTypes } from '../declared-effects.ts';
import type { CallEffects, CallMessages, WatchEffects } from './effects.ts';
import { type AnyCallEvent, answerOf, isAnswerToOffer } from './events.ts';
import { type CallPerson, withPeople } from './people.ts';
import {
  beganAnew,
  type CallContext,
  type CallInput,
  epochOf,
  hangupByOf,
  isAnswered,
  isOfLostState,
  isStale,
  mayClaim,
  newHits,
  outlivedResult,
  seen,
  sightingsOf,
} from './context.ts';
import { isNewGuidance, withGuidance } from './guidance.ts';
import {
  failureOf,
  firstLookMs,
  lookMs,
  MAX_MUTE_TAKES,
  muteTakesIn,
  OFFER_LIMIT_MS,
  speechAfter,
  speechAtTake,
  type SpeechWaits,
} from './speech.ts';

type AllEffects = CallEffects & WatchEffects & CallMessages;

/** Limit of runtimes excluded from further offers; beyond it the first one is offered the call again. */
const MAX_TRIED = 20;

/** Longer than a runtime takes to reconnect, ms. */
const RECONNECT_MS = 15_000;

/** The context of a call that needs a runtime again. */
function withoutRuntime({ owner }: CallContext): Partial<CallContext> {
  return {
    runtimeTaken: false,
    runtimeStarted: false,
    runtimeEnded: false,
    isRestored: false,
    isUnheard: false,
    tried: typeof owner === 'string' ? [owner] : [],
  };
}

function waitsOf({ firstWordMs = RUNTIME_CARE.firstWordMs, silenceMs = RUNTIME_CARE.silenceMs }: CallContext): SpeechWaits {
  return { firstWordMs, silenceMs };
}

/** Facts that a restored call has about the runtime that the customer heard. */
function restored(context: CallContext, event: AnyCallEvent): Partial<CallContext> {
  if (event.type !== 'answerRestored') return beganAnew(context) ? { isRestored: true } : {};
  const { heardRuntime, unheardMs } = event;
  if (heardRuntime !== null) return { isRestored: true, heardRuntime };
  const waitedMs = unheardMs ?? 0;
  return { isRestored: true, unheardMs: waitedMs, muteTakes: muteTakesIn(waitedMs, waitsOf(context).firstWordMs) };
}

/** Whether a runtime has accepted the call over the bus and must show signs of speech. */
function isAwaited(context: CallContext): boolean {
  return context.runtimeTaken === true && context.owner !== undefined && context.runtimeEnded !== true && !context.channelGone;
}

function failure(context: CallContext, event: AnyCallEvent): 'mute' | 'silent' | null {
  const { speech, isWithPerson } = context;
  if (event.type !== 'speechFound' || event.epoch !== epochOf(context) || !isAwaited(context)) return null;
  return speech && isWithPerson !== true ? failureOf(speech, event) : null;
}

/** Whether a report comes from the current owner. A runtime that began before the live state was lost is first asked whether it still has the call. */
function isFresh(context: CallContext, event: AnyCallEvent): boolean {
  if (event.type === 'runtimeStarted') return !isStale(context, event) && !isOfLostState(context, event);
  return event.type === 'runtimeEnded' && !isStale(context, event);
}

/** Whether this is the only sign of a runtime in the call, and dates from before the live state was lost. */
function isLostStart(context: CallContext, event: AnyCallEvent): boolean {
  const isNews = context.runtimeTaken !== true && context.heardRuntime === undefined;
  return isNews && event.type === 'runtimeStarted' && isOfLostState(context, event);
}

/** Whether it is certain that a runtime has the call, so that it is not offered. */
function isServed({ isRestored, runtimeTaken, runtimeStarted, runtimeEnded }: CallContext): boolean {
  return runtimeTaken === true || runtimeEnded === true || (runtimeStarted === true && isRestored !== true);
}

/** Whether the runtime does not receive the call's commands, and no agent has the customer. */
function saysUnheard({ isWithPerson }: CallContext, event: AnyCallEvent): boolean {
  return event.type === 'channelFound' && event.isHeard === false && isWithPerson !== true;
}

const NOBODY: readonly CallPerson[] = [];

function hasNewPeople({ people = NOBODY }: CallContext, event: AnyCallEvent): boolean {
  return event.type === 'legsReported' && withPeople(people, event.people) !== people;
}

function isNewWatch({ watch }: CallContext, event: AnyCallEvent): boolean {
  return event.type === 'watchChanged' && event.watch.fence > (watch?.fence ?? 0);
}

/** Actions, guards and delays of the call's machine. */
export const call = setup({
  types: machineTypes<CallContext, AnyCallEvent, CallInput>(),
  actions: {
    ...declaredEffects<AllEffects>()(
      'probeSwitch',
      'recordAnswered',
      'startRuntime',
      'checkSpeech',
      'noteSpoke',
      'noteUnheard',
      'giveUpRuntime',
      'apologise',
      'notifyHangup',
      'settleAttempt',
      'revertClaim',
      'recordEnd',
      'releaseSlot',
      'sendTo',
      'killChannel',
      'forgetCall',
      'notifyIntent',
      'offerCall',
      'withdrawCall',
      'toIntervention',
    ),
    seePeople: assign(({ context, event }) =>
      event.type === 'legsReported' ? { people: withPeople(context.people ?? NOBODY, event.people) } : { ...context },
    ),
    seeWatch: assign(({ context, event }) => (event.type === 'watchChanged' ? { watch: event.watch } : { ...context })),
    hearIntent: assign(({ context, event }) => ({
      intentHits: [...(context.intentHits ?? []), ...(event.type === 'intentHeard' ? newHits(context, event.hits) : [])],
    })),
    keepGuidance: assign(({ context, event }) => (event.type === 'guided' ? { guidance: withGuidance(context, event.guidance) } : {})),
    seeChannel: assign(({ context }) => seen(context)),
    seeRinging: assign(({ context }) => ({ ...seen(context), ringing: true })),
    seeAnswer: assign(({ context, event }) => ({
      ...seen(context),
      answeredAt: answerOf(event) ?? context.answeredAt,
      ...restored(context, event),
    })),
    seeHangup: assign(({ context, event }) => {
      if (event.type !== 'channelHungUp') return {};
      return {
        ...seen(context),
        channelGone: true,
        endedAt: event.at,
        ...(event.signals && { signals: event.signals }),
        hangupCause: event.cause,
        hangupBy: hangupByOf(context, event.by),
        answeredAt: context.answeredAt ?? event.answeredAt,
      };
    }),
    seeResult: assign(({ event }) => (event.type === 'resultReported' && event.at !== undefined ? { resultAt: event.at } : {})),
    loseChannel: assign({ channelGone: true }),
    offerAnew: assign(({ context }) => ({ epoch: epochOf(context) + 1 })),
    seeRuntimeTake: assign(({ context, event }) =>
      event.type === 'runtimeAccepted'
        ? {
            runtimeTaken: true,
            owner: event.runtimeId,
            epoch: event.heldEpoch ?? event.epoch,
            tried: [],
            speech: speechAtTake(context, event.runtimeId),
          }
        : { ...context },
    ),
    // The runtime's answer to the offer was lost or arrives later.
    seeOfferTaken: assign(({ context, event }) => {
      const owner = (event.type === 'runtimeStarted' && event.runtimeId) || null;
      return { runtimeTaken: true, owner, tried: [], speech: speechAtTake(context, owner) };
    }),
    seeDecline: assign(({ context, event }) => {
      if (event.type !== 'runtimeDeclined') return {};
      const { runtimeId, epoch } = event;
      return { tried: runtimeId === null ? [] : [...(context.tried ?? []), runtimeId], declinedEpoch: epoch };
    }),
    loseRuntime: assign(({ context }) => ({ ...withoutRuntime(context), isResuming: true })),
    // The next runtime starts from the beginning if the customer has heard no runtime.
    leaveMute: assign(({ context }) => ({
      ...withoutRuntime(context),
      isResuming: context.isResuming === true || context.heardRuntime !== undefined,
      muteTakes: (context.muteTakes ?? 0) + 1,
    })),
    awaitFirstWord: raise({ type: 'speechDue' }, { id: 'speechDue', delay: 'firstWord' }),
    awaitNextWord: raise({ type: 'speechDue' }, { id: 'speechDue', delay: 'nextWord' }),
    seeSpeech: assign(({ context, event }) =>
      event.type === 'speechFound' && context.speech ? { speech: speechAfter(context.speech, event), muteTakes: 0 } : { ...context },
    ),
    seeHeard: assign(({ event }) => (event.type === 'runtimeStarted' ? { heardRuntime: event.runtimeId ?? '' } : {})),
    seeHearing: assign(({ context, event }) => ({ isUnheard: saysUnheard(context, event) })),
    seePerson: assign(({ event }) => ({ isWithPerson: event.type === 'personJoined' })),
    seeHangupRequest: assign(({ event }) =>
      event.type === 'hangupRequested' && event.by ? { endedBy: event.by, endCause: event.cause } : {},
    ),
    goLive: raise({ type: 'wentLive' }),
    dismiss: assign({ isDismissed: true }),
    seeRuntimeStart: assign(({ context }) => ({
      runtimeStarted: true,
      ...(context.speech ? { speech: { ...context.speech, hasBegun: true } } : {}),
    })),
    seeRuntimeEnd: assign({ runtimeEnded: true }),
  },
  guards: {
    isAnswered: ({ context }) => isAnswered(context),
    isServed: ({ context }) => isServed(context),
    isNewAnswer: ({ context, event }) => !isAnswered(context) && answerOf(event) !== null,
    isRinging: ({ context }) => context.ringing,
    isUnanswered: ({ context }) => !isAnswered(context),
    wasAnswered: ({ context, event }) => isAnswered(context) || (event.type === 'channelHungUp' && event.answeredAt !== null),
    wasSeen: ({ context }) => context.channelSeen,
    isOutdated: ({ context, event }) => event.type === 'channelMissing' && event.sightings !== sightingsOf(context),
    isWithPerson: ({ context }) => context.isWithPerson === true,
    isWatched: ({ context }) => context.isMonitored === true || context.watch !== undefined,
    isMonitored: ({ context }) => context.isMonitored === true,
    mayClaim: ({ context, event }) => isAnswered(context) && event.type === 'interventionClaimed' && mayClaim(context, event),
    isFresh: ({ context, event }) => isFresh(context, event),
    isFirstWord: ({ context, event }) => !isAnswered(context) && isFresh(context, event),
    isLostStart: ({ context, event }) => isLostStart(context, event),
    isLostFirstWord: ({ context, event }) => !isAnswered(context) && isLostStart(context, event),
    isNewStart: ({ context, event }) => context.runtimeStarted !== true && isFresh(context, event),
    isNewEnd: ({ context, event }) => context.runtimeEnded !== true && isFresh(context, event),
    hasNewPeople: ({ context, event }) => hasNewPeople(context, event),
    isNewWatch: ({ context, event }) => isNewWatch(context, event),
    isPlacedInTime: ({ context, event }) => isAnswered(context) && isNewWatch(context, event),
    isNewIntent: ({ context, event }) => event.type === 'intentHeard' && newHits(context, event.hits).length > 0,
    isNewGuidance: ({ context, event }) => event.type === 'guided' && isNewGuidance(context, event.guidance),
    isLongAfterResult: ({ context, event }) => event.type === 'channelHungUp' && outlivedResult(context, event.at),
    isGone: ({ context }) => context.channelGone,
    isNewestOffer: ({ context, event }) => isAnswerToOffer(event) && event.epoch === epochOf(context),
    isAnotherLeft: ({ context, event }) =>
      event.type === 'runtimeDeclined' &&
      event.epoch === epochOf(context) &&
      event.runtimeId !== null &&
      (context.tried ?? []).length < MAX_TRIED,
    // A single miss may be a reconnection.
    isUnheardAgain: ({ context, event }) => context.isUnheard === true && saysUnheard(context, event),
    isAwaited: ({ context }) => isAwaited(context),
    isMute: ({ context, event }) => failure(context, event) === 'mute' && (context.muteTakes ?? 0) + 1 < MAX_MUTE_TAKES,
    isMuteAgain: ({ context, event }) => failure(context, event) === 'mute',
    isFallenSilent: ({ context, event }) => failure(context, event) === 'silent',
    isFirstSpeech: ({ context, event }) =>
      isAwaited(context) && event.type === 'speechFound' && event.epoch === epochOf(context) && context.speech?.hasBegun === false,
    isSpeech: ({ context, event }) => isAwaited(context) && event.type === 'speechFound' && event.epoch === epochOf(context),
    // A customer who talks to an agent needs no other runtime.
    isMissed: ({ context, event }) => event.type === 'runtimeLost' && event.runtimeId === context.owner && context.isWithPerson !== true,
  },
  delays: {
    dialTimeout: ({ context }) => context.dialTimeoutMs,
    grace: ({ context }) => context.graceMs,
    resultGrace: ({ context }) => context.resultGraceMs,
    reprobe: 5_000,
    reoffer: 1_500,
    breath: 500,
    firstWord: ({ context }) => firstLookMs(context, waitsOf(context)),
    nextWord: ({ context }) => lookMs(waitsOf(context).silenceMs),
    offerLimit: OFFER_LIMIT_MS,
    apology: 15_000,
    liveCheck: ({ context }) => (context.isUnheard === true ? RECONNECT_MS : 60_000),
    closeCheck: 3_000,
    zombie: 60_000,
    retention: 60_000,
  },
});
