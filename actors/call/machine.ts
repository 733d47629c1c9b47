import { assign, setup } from 'xstate';
import type { CallEffects, WatchEffects } from './effects.ts';
import { answerOf, type CallEvent, isAnswerToOffer } from './events.ts';
import {
  type CallContext,
  type CallInput,
  epochOf,
  hangupByOf,
  initialContext,
  isAnswered,
  isTaken,
  lostSettlement,
  newHits,
  refusedSettlement,
  RUNTIME_UNAVAILABLE,
  seen,
  sightingsOf,
  unansweredSettlement,
} from './context.ts';

type AllEffects = CallEffects & WatchEffects;

/** Asked in vain one after the other before the first is asked again. */
const MAX_TRIED = 20;

/** An answered customer waits this long for a runtime, ms (I9). */
export const OFFER_LIMIT_MS = 4_000;

/** Longer than a runtime takes to connect anew, ms. */
const RECONNECT_MS = 15_000;

const declared =
  <Name extends keyof AllEffects>(_name: Name) =>
  (_scope: unknown, _params: AllEffects[Name]) =>
    undefined;

const base = setup({
  types: { context: {} as CallContext, events: {} as CallEvent, input: {} as CallInput },
  actions: {
    probeSwitch: declared('probeSwitch'),
    recordAnswered: declared('recordAnswered'),
    startRuntime: declared('startRuntime'),
    apologise: declared('apologise'),
    notifyHangup: declared('notifyHangup'),
    settleAttempt: declared('settleAttempt'),
    revertClaim: declared('revertClaim'),
    releaseSlot: declared('releaseSlot'),
    killChannel: declared('killChannel'),
    forgetCall: declared('forgetCall'),
    tellIntent: declared('tellIntent'),
    seeWatch: assign(({ context, event }) => (event.type === 'watchChanged' ? { watch: event.watch } : { ...context })),
    hearIntent: assign(({ context, event }) => ({
      intentHits: [...(context.intentHits ?? []), ...(event.type === 'intentHeard' ? newHits(context, event.hits) : [])],
    })),
    seeChannel: assign(({ context }) => seen(context)),
    seeRinging: assign(({ context }) => ({ ...seen(context), ringing: true })),
    seeAnswer: assign(({ context, event }) => ({
      ...seen(context),
      answeredAt: answerOf(event) ?? context.answeredAt,
      ...(event.type === 'answerRestored' ? { isRestored: true } : {}),
    })),
    seeHangup: assign(({ context, event }) => {
      if (event.type !== 'channelHungUp') return {};
      return {
        ...seen(context),
        channelGone: true,
        endedAt: event.at,
        hangupCause: event.cause,
        hangupBy: hangupByOf(context, event.by),
        answeredAt: context.answeredAt ?? event.answeredAt,
      };
    }),
    loseChannel: assign({ channelGone: true }),
    offerAnew: assign(({ context }) => ({ epoch: epochOf(context) + 1 })),
    seeRuntimeTake: assign(({ context, event }) =>
      event.type === 'runtimeAccepted'
        ? { runtimeTaken: true, owner: event.runtimeId, epoch: event.heldEpoch ?? event.epoch, tried: [] }
        : { ...context },
    ),
    seeDecline: assign(({ context, event }) => {
      const runtimeId = event.type === 'runtimeDeclined' ? event.runtimeId : null;
      return { tried: runtimeId === null ? [] : [...(context.tried ?? []), runtimeId] };
    }),
    loseRuntime: assign(({ context }) => ({
      runtimeTaken: false,
      runtimeStarted: false,
      runtimeEnded: false,
      isRestored: false,
      isResuming: true,
      isUnheard: false,
      tried: typeof context.owner === 'string' ? [context.owner] : [],
    })),
    seeHearing: assign(({ event }) => ({ isUnheard: event.type === 'channelFound' && event.isHeard === false })),
    seeHangupWish: assign(({ event }) => (event.type === 'hangupRequested' && event.by ? { endedBy: event.by } : {})),
    dismiss: assign({ isDismissed: true }),
    seeRuntimeStart: assign({ runtimeStarted: true }),
    seeRuntimeEnd: assign({ runtimeEnded: true }),
  },
  guards: {
    isAnswered: ({ context }) => isAnswered(context),
    isTaken: ({ context }) => isTaken(context),
    isNewAnswer: ({ context, event }) => !isAnswered(context) && answerOf(event) !== null,
    isRinging: ({ context }) => context.ringing,
    isUnanswered: ({ context }) => !isAnswered(context),
    wasAnswered: ({ context, event }) => isAnswered(context) || (event.type === 'channelHungUp' && event.answeredAt !== null),
    wasSeen: ({ context }) => context.channelSeen,
    isOutdated: ({ context, event }) => event.type === 'channelMissing' && event.sightings !== sightingsOf(context),
    isNewStart: ({ context }) => context.runtimeStarted !== true,
    isNewEnd: ({ context }) => context.runtimeEnded !== true,
    isNewWatch: ({ context, event }) => event.type === 'watchChanged' && event.watch.fence > (context.watch?.fence ?? 0),
    isNewIntent: ({ context, event }) => event.type === 'intentHeard' && newHits(context, event.hits).length > 0,
    isGone: ({ context }) => context.channelGone,
    isNewestOffer: ({ context, event }) => isAnswerToOffer(event) && event.epoch === epochOf(context),
    isAnotherLeft: ({ context, event }) =>
      event.type === 'runtimeDeclined' &&
      event.epoch === epochOf(context) &&
      event.runtimeId !== null &&
      (context.tried ?? []).length < MAX_TRIED,
    // Once may be the moment in which it connects anew.
    isUnheardAgain: ({ context, event }) => event.type === 'channelFound' && event.isHeard === false && context.isUnheard === true,
    isOwner: ({ context, event }) => event.type === 'runtimeLost' && event.runtimeId === context.owner,
  },
  delays: {
    dialTimeout: ({ context }) => context.dialTimeoutMs,
    grace: ({ context }) => context.graceMs,
    resultGrace: ({ context }) => context.resultGraceMs,
    reprobe: 5_000,
    reoffer: 1_500,
    breath: 500,
    offerLimit: OFFER_LIMIT_MS,
    apology: 15_000,
    liveCheck: ({ context }) => (context.isUnheard === true ? RECONNECT_MS : 60_000),
    closeCheck: 3_000,
    zombie: 60_000,
    retention: 60_000,
  },
});

const notTaken = { cause: RUNTIME_UNAVAILABLE, by: 'system' } as const;

const offer = {
  type: 'startRuntime',
  params: ({ context }: { context: CallContext }) => ({
    epoch: epochOf(context),
    isRestored: context.isRestored === true,
    isResuming: context.isResuming === true,
    tried: context.tried ?? [],
  }),
} as const;

/** The question carries what had been seen, so that an answer which a sighting has overtaken can be told. */
const askSwitch = {
  type: 'probeSwitch',
  params: ({ context }: { context: CallContext }) => ({ sightings: sightingsOf(context) }),
} as const;

const recordAnswered = {
  type: 'recordAnswered',
  params: ({ event }: { event: CallEvent }) => ({ answeredAt: answerOf(event) ?? 0 }),
} as const;

/** Where the channel's state leads an open call: to what was missed, else back to where the call stood. */
const found = [
  { guard: 'isNewAnswer', target: '#call.open.live', actions: ['seeAnswer', recordAnswered] },
  { guard: 'isUnheardAgain', target: '#call.open.live.offering', actions: ['seeChannel', 'loseRuntime'] },
  { guard: 'isAnswered', target: '#call.open.live', actions: ['seeChannel', 'seeHearing'] },
  { guard: 'isRinging', target: '#call.open.ringing', actions: 'seeChannel' },
  { target: '#call.open.dialing', actions: 'seeChannel' },
] as const;

/** A channel that existed and is gone: an answered call may still get its result, another has none to come. */
const goneAfterSeen = [
  { guard: 'isOutdated' },
  {
    guard: 'isAnswered',
    target: '#call.settling',
    actions: ['loseChannel', { type: 'notifyHangup', params: { cause: 'UNKNOWN', by: null } }],
  },
  { guard: 'wasSeen', target: '#call.ended.closed', actions: ['loseChannel', { type: 'settleAttempt', params: lostSettlement }] },
] as const;

/**
 * One outbound call from the send to the forgotten snapshot.
 *
 * Why:    a slot is released only when the channel is known to be gone; "unknown" never releases (I1, I2)
 * Source: A6 steps 6–8, A7, D7.8, D9.2
 */
export const callMachine = base.createMachine({
  id: 'call',
  context: ({ input }) => initialContext(input),
  initial: 'open',
  on: {
    watchChanged: { guard: 'isNewWatch', actions: 'seeWatch' },
    intentHeard: {
      guard: 'isNewIntent',
      actions: [{ type: 'tellIntent', params: ({ context, event }) => ({ hits: newHits(context, event.hits) }) }, 'hearIntent'],
    },
  },
  states: {
    open: {
      initial: 'dialing',
      on: {
        dialAccepted: { actions: 'seeChannel' },
        channelCreated: { actions: 'seeChannel' },
        channelRinging: { guard: 'isUnanswered', target: '.ringing', actions: 'seeRinging' },
        channelAnswered: { guard: 'isUnanswered', target: '.live', actions: ['seeAnswer', recordAnswered] },
        answerRestored: { guard: 'isUnanswered', target: '.verifying', actions: 'seeAnswer' },
        channelHungUp: [
          {
            guard: 'wasAnswered',
            target: 'settling',
            actions: ['seeHangup', { type: 'notifyHangup', params: ({ event }) => ({ cause: event.cause, by: event.by }) }],
          },
          { target: 'ended.closed', actions: ['seeHangup', { type: 'settleAttempt', params: ({ event }) => unansweredSettlement(event) }] },
        ],
        channelSuspected: { target: '.verifying' },
        // Its first report may be faster than its answer.
        runtimeAccepted: { guard: 'isNewestOffer', actions: 'seeRuntimeTake' },
        runtimeStarted: [
          {
            guard: 'isUnanswered',
            target: '.live.served',
            actions: ['seeAnswer', 'seeRuntimeStart', recordAnswered],
          },
          { guard: 'isNewStart', actions: 'seeRuntimeStart' },
        ],
        runtimeEnded: { guard: 'isNewEnd', target: '.verifying', actions: 'seeRuntimeEnd' },
        // The runtime is through with the call: a customer who is still there would hear nobody.
        resultReported: [
          { guard: 'isGone', target: 'ended.closed' },
          { target: 'ended.closing', actions: { type: 'killChannel', params: { cause: 'NORMAL_CLEARING' } } },
        ],
        hangupRequested: { actions: ['seeHangupWish', { type: 'killChannel', params: ({ event }) => ({ cause: event.cause }) }] },
      },
      states: {
        dialing: {
          after: { dialTimeout: 'verifying' },
          on: {
            dialRefused: {
              target: '#call.ended.closed',
              actions: { type: 'settleAttempt', params: ({ event }) => refusedSettlement(event) },
            },
            dialNotSent: {
              target: '#call.ended.closed',
              actions: { type: 'revertClaim', params: ({ event }) => ({ reason: event.reason }) },
            },
            dialUnknown: 'verifying',
          },
        },
        ringing: { after: { dialTimeout: 'verifying' } },
        live: {
          initial: 'entered',
          states: {
            entered: { always: [{ guard: 'isTaken', target: 'served' }, { target: 'offering' }] },
            // The customer hears nothing yet: this is short, whatever else happens (I9).
            offering: {
              after: { offerLimit: '#call.open.parting' },
              on: {
                channelSuspected: {},
                runtimeAccepted: { guard: 'isNewestOffer', target: 'served', actions: 'seeRuntimeTake' },
                runtimeDeclined: [
                  { guard: 'isAnotherLeft', target: '.asking', actions: 'seeDecline', reenter: true },
                  { guard: 'isNewestOffer', target: '.resting', actions: 'seeDecline' },
                ],
                runtimeRefused: { guard: 'isNewestOffer', target: '#call.open.parting' },
                runtimeStarted: { target: 'served', actions: 'seeRuntimeStart' },
              },
              initial: 'asking',
              states: {
                asking: {
                  entry: ['offerAnew', offer],
                  after: { reoffer: { target: 'asking', reenter: true } },
                },
                resting: { after: { breath: 'asking' } },
              },
            },
            // Whatever happened to events and attempt, an actor never lives longer than its channel.
            served: {
              after: { liveCheck: '#call.open.verifying' },
              on: { runtimeLost: { guard: 'isOwner', target: 'offering', actions: 'loseRuntime' } },
            },
          },
        },
        // Nobody has taken the call: it ends, whoever takes it late.
        parting: {
          initial: 'apologising',
          on: {
            channelSuspected: { actions: askSwitch },
            runtimeAccepted: {},
            runtimeEnded: { guard: 'isNewEnd', actions: 'seeRuntimeEnd' },
            channelHungUp: {
              target: '#call.ended.closed',
              actions: ['seeHangup', { type: 'notifyHangup', params: notTaken }, { type: 'settleAttempt', params: lostSettlement }],
            },
            channelMissing: [
              { guard: 'isOutdated' },
              {
                target: '#call.ended.closed',
                actions: ['loseChannel', { type: 'notifyHangup', params: notTaken }, { type: 'settleAttempt', params: lostSettlement }],
              },
            ],
          },
          states: {
            apologising: { entry: ['dismiss', { type: 'apologise', params: undefined }], after: { apology: 'ending' } },
            ending: {
              entry: [{ type: 'killChannel', params: { cause: 'NORMAL_CLEARING' } }, askSwitch],
              after: { reprobe: { target: 'ending', reenter: true } },
            },
          },
        },
        verifying: {
          initial: 'probing',
          on: {
            // Whoever suspects it may reach the switch when the one that asked last does not.
            channelSuspected: { actions: askSwitch },
            runtimeEnded: { guard: 'isNewEnd', actions: 'seeRuntimeEnd' },
            channelFound: [...found],
            dialRefused: {
              target: '#call.ended.closed',
              actions: { type: 'settleAttempt', params: ({ event }) => refusedSettlement(event) },
            },
            // Certain, whoever suspected it meanwhile: nobody else sends it.
            dialNotSent: {
              target: '#call.ended.closed',
              actions: { type: 'revertClaim', params: ({ event }) => ({ reason: event.reason }) },
            },
          },
          states: {
            probing: {
              entry: askSwitch,
              after: { reprobe: { target: 'probing', reenter: true } },
              on: { channelMissing: [...goneAfterSeen, { target: 'waiting' }] },
            },
            // Nobody has seen the channel yet: a slow originate may still arrive.
            waiting: { after: { grace: 'confirming' } },
            confirming: {
              entry: askSwitch,
              after: { reprobe: { target: 'confirming', reenter: true } },
              on: {
                channelMissing: [
                  ...goneAfterSeen,
                  { target: '#call.ended.closed', actions: ['loseChannel', { type: 'settleAttempt', params: lostSettlement }] },
                ],
              },
            },
          },
        },
      },
    },
    settling: {
      after: { resultGrace: { target: 'ended.closed', actions: { type: 'settleAttempt', params: lostSettlement } } },
      on: {
        resultReported: 'ended.closed',
        channelHungUp: { actions: 'seeHangup' },
        // The customer was faster: the result is the runtime's all the same.
        runtimeAccepted: { guard: 'isNewestOffer', actions: 'seeRuntimeTake' },
        runtimeStarted: { guard: 'isNewStart', actions: 'seeRuntimeStart' },
        runtimeEnded: { guard: 'isNewEnd', actions: 'seeRuntimeEnd' },
      },
    },
    ended: {
      initial: 'closing',
      states: {
        // The result is in and the channel may still stand: its slot is held until the switch says that it is gone.
        closing: {
          initial: 'waiting',
          after: { zombie: { actions: { type: 'killChannel', params: { cause: 'NORMAL_CLEARING' } } } },
          on: {
            hangupRequested: { actions: { type: 'killChannel', params: ({ event }) => ({ cause: event.cause }) } },
            channelHungUp: { target: 'closed', actions: 'seeHangup' },
            channelMissing: [{ guard: 'isOutdated' }, { target: 'closed', actions: 'loseChannel' }],
          },
          states: {
            waiting: { after: { closeCheck: 'checking' } },
            checking: {
              entry: askSwitch,
              after: { reprobe: { target: 'checking', reenter: true } },
              on: { channelFound: 'waiting' },
            },
          },
        },
        closed: {
          entry: { type: 'releaseSlot', params: undefined },
          after: { retention: 'forgotten' },
          on: {
            // A tombstone: whatever leaves the switch after the end must not ring anybody.
            channelCreated: { actions: { type: 'killChannel', params: { cause: 'ORIGINATOR_CANCEL' } } },
            channelRinging: { actions: { type: 'killChannel', params: { cause: 'ORIGINATOR_CANCEL' } } },
            channelAnswered: { actions: { type: 'killChannel', params: { cause: 'ORIGINATOR_CANCEL' } } },
          },
        },
        forgotten: { entry: { type: 'forgetCall', params: undefined } },
      },
    },
  },
});
