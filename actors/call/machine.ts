import { enqueueActions } from 'xstate';
import { RUNTIME_UNAVAILABLE } from '#protocol/call-status.ts';
import type { TakeOverEvent } from '../intervention/events.ts';
import {
  type CallContext,
  epochOf,
  hangupByOf,
  initialContext,
  isAnswered,
  lostSettlement,
  newHits,
  refusedSettlement,
  sightingsOf,
  unansweredSettlement,
  unseenEnd,
} from './context.ts';
import { type AnyCallEvent, answerOf } from './events.ts';
import { call } from './setup.ts';
import { isTakenFromHeard } from './speech.ts';

/** Events for the intervention, from users and the runtime; only a live call has one. */
const handOn = { type: 'toIntervention', params: ({ event }: { event: TakeOverEvent }) => event } as const;

const endIntervention = {
  type: 'toIntervention',
  params: ({ context }: { context: CallContext }) => ({ type: 'callLeft' as const, at: context.endedAt }),
} as const;

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

const noteSpoke = {
  type: 'noteSpoke',
  params: ({ context }: { context: CallContext }) => ({ runtimeId: context.runtimeTaken === true ? (context.owner ?? null) : null }),
} as const;

const noteUnheard = { type: 'noteUnheard', params: undefined } as const;

const leaveHeard = call.enqueueActions(({ context, enqueue }) => {
  if (isTakenFromHeard(context, context.owner ?? null)) enqueue(noteUnheard);
});

const giveUp = (kind: 'mute' | 'silent') =>
  ({
    type: 'giveUpRuntime',
    params: ({ context }: { context: CallContext }) => ({ runtimeId: context.owner ?? null, epoch: epochOf(context), kind }),
  }) as const;

/** Actions on a runtime's first speech; the next sign of speech is awaited. */
const begun = ['seeRuntimeStart', noteSpoke, 'awaitNextWord'] as const;
const takenOver = ['seeRuntimeTake', leaveHeard, 'awaitFirstWord'] as const;
/** The runtime is lost, and the customer waits in the middle of the call. */
const lost = ['loseRuntime', noteUnheard] as const;

/** The probe carries the number of sightings, so that a result overtaken by a newer sighting is recognised. */
const askSwitch = {
  type: 'probeSwitch',
  params: ({ context }: { context: CallContext }) => ({ sightings: sightingsOf(context) }),
} as const;

const recordAnswered = {
  type: 'recordAnswered',
  params: ({ event }: { event: AnyCallEvent }) => ({ answeredAt: answerOf(event) ?? 0 }),
} as const;

/** Transitions of an open call after a probe: to the state that was missed, else back to the previous one. */
const found = [
  { guard: 'isNewAnswer', target: '#call.open.live', actions: ['seeAnswer', 'goLive', recordAnswered] },
  { guard: 'isUnheardAgain', target: '#call.open.live.offering', actions: ['seeChannel', ...lost] },
  { guard: 'isAnswered', target: '#call.open.live', actions: ['seeChannel', 'seeHearing'] },
  { guard: 'isRinging', target: '#call.open.ringing', actions: 'seeChannel' },
  { target: '#call.open.dialing', actions: 'seeChannel' },
] as const;

/** A channel that existed is gone: an answered call may still get its result, an unanswered one will not. */
const goneAfterSeen = [
  { guard: 'isOutdated' },
  {
    guard: 'isAnswered',
    target: '#call.settling',
    actions: ['loseChannel', { type: 'notifyHangup', params: ({ context }: { context: CallContext }) => unseenEnd(context) }],
  },
  { guard: 'wasSeen', target: '#call.ended.closed', actions: ['loseChannel', { type: 'settleAttempt', params: lostSettlement }] },
] as const;

/**
 * An outbound call, from sending the dial to the deletion of its snapshot.
 *
 * Why:    a slot is released only when the channel is known to be gone; "unknown" never releases (I1, I2)
 * Source: A6 steps 6–8, A7, D7.8, D9.2
 */
export const callMachine = call.createMachine({
  id: 'call',
  context: ({ input }) => initialContext(input),
  initial: 'open',
  on: {
    // Effects of different commits are not ordered: a call that ended at once may be offered after it was withdrawn.
    watchChanged: { guard: 'isNewWatch', actions: ['seeWatch', { type: 'withdrawCall', params: undefined }] },
    // The call leaves its monitors, and its intervention ends.
    leftLive: [
      { guard: 'isWatched', actions: [endIntervention, { type: 'withdrawCall', params: undefined }] },
      { actions: endIntervention },
    ],
    legsReported: { guard: 'hasNewPeople', actions: 'seePeople' },
    personJoined: { actions: 'seePerson' },
    personLeft: { actions: 'seePerson' },
    intentHeard: {
      guard: 'isNewIntent',
      actions: [{ type: 'notifyIntent', params: ({ context, event }) => ({ hits: newHits(context, event.hits) }) }, 'hearIntent'],
    },
  },
  states: {
    open: {
      initial: 'dialing',
      exit: enqueueActions(({ context, enqueue }) => {
        if (isAnswered(context)) enqueue.raise({ type: 'leftLive' });
        if (context.speech) enqueue.cancel('speechDue');
      }),
      on: {
        guided: { guard: 'isNewGuidance', actions: 'keepGuidance' },
        wentLive: { guard: 'isMonitored', actions: { type: 'offerCall', params: undefined } },
        watchChanged: { guard: 'isPlacedInTime', actions: 'seeWatch' },
        interventionClaimed: { guard: 'mayClaim', actions: handOn },
        interventionCancelled: { guard: 'isAnswered', actions: handOn },
        interventionConsumed: { guard: 'isAnswered', actions: handOn },
        interventionNoticed: { guard: 'isAnswered', actions: handOn },
        dialAccepted: { actions: 'seeChannel' },
        channelCreated: { actions: 'seeChannel' },
        channelRinging: { guard: 'isUnanswered', target: '.ringing', actions: 'seeRinging' },
        channelAnswered: { guard: 'isUnanswered', target: '.live', actions: ['seeAnswer', 'goLive', recordAnswered] },
        answerRestored: { guard: 'isUnanswered', target: '.verifying', actions: ['seeAnswer', 'goLive'] },
        channelHungUp: [
          {
            guard: 'wasAnswered',
            target: 'settling',
            actions: [
              'seeHangup',
              { type: 'notifyHangup', params: ({ context, event }) => ({ cause: event.cause, by: hangupByOf(context, event.by) }) },
            ],
          },
          { target: 'ended.closed', actions: ['seeHangup', { type: 'settleAttempt', params: unansweredSettlement }] },
        ],
        channelSuspected: { target: '.verifying' },
        // The runtime's first report may arrive before its answer to the offer.
        runtimeAccepted: { guard: 'isNewestOffer', actions: [...takenOver] },
        runtimeStarted: [
          { guard: 'isFirstWord', target: '.live.served', actions: ['seeAnswer', 'goLive', ...begun, recordAnswered] },
          { guard: 'isNewStart', actions: [...begun] },
          { guard: 'isLostFirstWord', target: '.verifying', actions: 'seeHeard' },
          { guard: 'isLostStart', actions: 'seeHeard' },
        ],
        // A runtime that does not speak loses the call to another one (I9).
        speechDue: { guard: 'isAwaited', actions: { type: 'checkSpeech', params: ({ context }) => ({ epoch: epochOf(context) }) } },
        speechFound: [
          { guard: 'isMute', target: '.live.offering', actions: [giveUp('mute'), 'leaveMute'] },
          { guard: 'isMuteAgain', target: '.parting', actions: [giveUp('mute'), 'leaveMute'] },
          { guard: 'isFallenSilent', target: '.live.offering', actions: [giveUp('silent'), ...lost] },
          { guard: 'isFirstSpeech', actions: ['seeSpeech', noteSpoke, 'awaitNextWord'] },
          { guard: 'isSpeech', actions: ['seeSpeech', 'awaitNextWord'] },
        ],
        runtimeEnded: { guard: 'isNewEnd', target: '.verifying', actions: 'seeRuntimeEnd' },
        // The runtime has finished: a customer still on the line would hear nothing.
        resultReported: [
          { guard: 'isGone', target: 'ended.closed' },
          // The runtime has finished, but the agent has not: the channel stays.
          { guard: 'isWithPerson', target: 'ended.closing', actions: 'seeResult' },
          { target: 'ended.closing', actions: ['seeResult', { type: 'killChannel', params: { cause: 'NORMAL_CLEARING' } }] },
        ],
        hangupRequested: { actions: ['seeHangupRequest', { type: 'killChannel', params: ({ event }) => ({ cause: event.cause }) }] },
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
            entered: { always: [{ guard: 'isServed', target: 'served' }, { target: 'offering' }] },
            // The customer hears nothing yet: the time is short, and a further offer does not restart it (I9).
            offering: {
              after: { offerLimit: '#call.open.parting' },
              on: {
                channelSuspected: {},
                runtimeAccepted: { guard: 'isNewestOffer', target: 'served', actions: [...takenOver] },
                runtimeDeclined: [
                  { guard: 'isAnotherLeft', target: '.asking', actions: 'seeDecline' },
                  { guard: 'isNewestOffer', target: '.resting', actions: 'seeDecline' },
                ],
                runtimeRefused: { guard: 'isNewestOffer', target: '#call.open.parting' },
                runtimeStarted: { guard: 'isFresh', target: 'served', actions: ['seeOfferTaken', ...begun] },
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
            // Even if all events are lost, an actor never outlives its channel.
            served: {
              after: { liveCheck: '#call.open.verifying' },
              on: { runtimeLost: { guard: 'isMissed', target: 'offering', actions: [...lost] } },
            },
          },
        },
        // No runtime has accepted the call: it ends, even if one accepts late.
        parting: {
          initial: 'apologising',
          on: {
            channelSuspected: { actions: askSwitch },
            runtimeAccepted: {},
            speechDue: {},
            speechFound: {},
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
            // A renewed suspicion probes again: the instance that probed last may not reach the switch.
            channelSuspected: { actions: askSwitch },
            runtimeEnded: { guard: 'isNewEnd', actions: 'seeRuntimeEnd' },
            channelFound: [...found],
            dialRefused: {
              target: '#call.ended.closed',
              actions: { type: 'settleAttempt', params: ({ event }) => refusedSettlement(event) },
            },
            // Conclusive, even after a suspicion: no other instance sends the dial.
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
            // The channel was never seen: a slow originate may still arrive.
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
        // The customer hung up first: the runtime still reports the result.
        runtimeAccepted: { guard: 'isNewestOffer', actions: 'seeRuntimeTake' },
        runtimeStarted: [
          { guard: 'isNewStart', actions: 'seeRuntimeStart' },
          { guard: 'isLostStart', actions: 'seeHeard' },
        ],
        runtimeEnded: { guard: 'isNewEnd', actions: 'seeRuntimeEnd' },
      },
    },
    ended: {
      initial: 'closing',
      states: {
        // The result has arrived and the channel may still exist: the slot is held until the switch reports that it is gone.
        closing: {
          initial: 'waiting',
          after: { zombie: { actions: { type: 'killChannel', params: { cause: 'NORMAL_CLEARING' } } } },
          on: {
            hangupRequested: { actions: { type: 'killChannel', params: ({ event }) => ({ cause: event.cause }) } },
            channelHungUp: [
              {
                guard: 'isLongAfterResult',
                target: 'closed',
                actions: ['seeHangup', { type: 'recordEnd', params: ({ event }) => ({ endedAt: event.at }) }],
              },
              { target: 'closed', actions: 'seeHangup' },
            ],
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
          entry: enqueueActions(({ context: { campaignId }, enqueue }) => {
            enqueue({ type: 'releaseSlot', params: undefined });
            if (campaignId === undefined) return;
            enqueue({ type: 'sendTo', params: { to: { type: 'campaign', id: String(campaignId) }, event: { type: 'callSettled' } } });
          }),
          after: { retention: 'forgotten' },
          on: {
            // A tombstone: a dial that leaves the switch after the end must not ring a phone.
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
