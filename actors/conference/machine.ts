import { assign, setup } from 'xstate';
import { declaredEffects, machineTypes } from '../declared-effects.ts';
import {
  type ConferenceContext,
  CUSTOMER_GONE,
  HANDED_BACK,
  HANDED_OVER,
  handedOver,
  hasTalker,
  isAbandoned,
  isConsulting,
  hasLostLastAgent,
  isLastTalker,
  isMissing,
  isNextAgent,
  isOpening,
  isSessionOver,
  isTooOld,
  isUncalled,
  isUnrecordable,
  leftBehind,
  mayEnter,
  mayHandBack,
  openLegs,
  talkingAgent,
  unansweredNews,
} from './context.ts';
import type { ConferenceEffects, ConferenceMessages, TransferNews } from './effects.ts';
import type { ConferenceEvent } from './events.ts';
import { voicesIn } from './voices.ts';

type AllEffects = ConferenceEffects & ConferenceMessages;

const base = setup({
  types: machineTypes<ConferenceContext, ConferenceEvent, ConferenceContext>(),
  actions: {
    ...declaredEffects<AllEffects>()(
      'notifyRuntime',
      'endCustomer',
      'returnCustomer',
      'handBack',
      'putCustomerAside',
      'startRecording',
      'stopRecording',
      'failRecording',
      'changeVoices',
      'endChannels',
      'ringNextAgent',
      'bringCustomerIn',
      'bringCustomerBack',
      'toLegs',
    ),
    enter: assign(({ context, event }) =>
      event.type === 'participantEntered' && event.mode === 'transfer' && event.agentId !== null
        ? { triedAgentIds: [...context.triedAgentIds, event.agentId] }
        : {},
    ),
    giveUpRecording: assign({ recordingFailed: true, recordingUrl: null }),
    answer: assign(({ context, event }) => (event.type === 'personJoined' ? { answeredAt: context.answeredAt ?? event.at } : {})),
    end: assign(({ event }, { cause }: { cause: string }) => ({
      endedAt: 'at' in event ? event.at : null,
      endCause: cause,
      ...(cause === CUSTOMER_GONE ? { customerState: 'gone' as const } : {}),
    })),
  },
  guards: {
    isNextAgent: ({ context, event }) => isNextAgent(context, event),
    mayEnter: ({ context, event }) => mayEnter(context, event),
    isSessionOver: ({ context }) => isSessionOver(context),
    isOfScript: ({ context }) => context.kind === 'transfer' && context.interventionId === null,
    isOpening: ({ context, event }) => isOpening(context, event),
    hasAsked: ({ context }) => context.kind === 'transfer' && openLegs(context).length === 0 && context.legs.length > 0,
    isUnanswered: ({ context }) => context.kind === 'transfer' && openLegs(context).length === 0,
    isTooOld: ({ context, event }, { state }: { state: 'routing' | 'live' }) => isTooOld(context, event, state),
    isUncalled: ({ context, event }) => isUncalled(context, event),
    isUnrecordable: ({ context, event }) => isUnrecordable(context, event),
    isStaleSession: ({ context, event }) => context.kind === 'session' && isTooOld(context, event, 'routing'),
    mayBeRemoved: ({ context, event }) => event.type === 'participantRemoved' && (event.isForced || !isLastTalker(context, event)),
    mayHandBack: ({ context }) => mayHandBack(context),
    isHandedOver: ({ context }) => handedOver(context).length > 0,
    isAbandoned: ({ context }) => context.kind === 'transfer' && isAbandoned(context),
    hasLostLastAgent: ({ context }) => context.kind === 'transfer' && hasLostLastAgent(context),
    isTaken: ({ context }) => context.kind === 'transfer' && hasTalker(context),
    isConsultationOver: ({ context }) => !isConsulting(context),
    isMissing: ({ context, event }) => context.kind === 'transfer' && isMissing(event),
    isSupervised: ({ context, event }) => event.type === 'roomSeen' && voicesIn(context, event.members).length > 0,
    isLeftBehind: ({ context, event }) => leftBehind(context, event).length > 0,
  },
});

type Scope = { context: ConferenceContext; event: ConferenceEvent };

const instant = (event: ConferenceEvent) => ('at' in event ? event.at : 0);
const causeOf = (event: ConferenceEvent) => ('cause' in event ? event.cause : '');
const noParams = <Type extends keyof AllEffects>(type: Type) => ({ type, params: undefined }) as const;
const notify = (news: (scope: Scope) => TransferNews, endsCallIfRefused: (context: ConferenceContext) => boolean = () => false) =>
  ({ type: 'notifyRuntime', params: (scope: Scope) => ({ ...news(scope), endsCallIfRefused: endsCallIfRefused(scope.context) }) }) as const;
const dismiss = (legUuids: (scope: Scope) => readonly string[], cause: (event: ConferenceEvent) => string) =>
  ({
    type: 'toLegs',
    params: (scope: Scope) => ({
      legUuids: legUuids(scope),
      event: { type: 'legDismissed' as const, at: instant(scope.event), cause: cause(scope.event) },
    }),
  }) as const;
const end = (cause: (event: ConferenceEvent) => string) =>
  [
    { type: 'end', params: ({ event }: Scope) => ({ cause: cause(event) }) },
    noParams('stopRecording'),
    dismiss(({ context }) => openLegs(context).map(leg => leg.legUuid), cause),
  ] as const;
/** Returns the customer to the script; a customer who was with an agent is hung up if no runtime accepts the report. */
const notifyEnd = (status: 'failed' | 'ended', cause: string) =>
  notify(
    () => ({ status, cause }),
    ({ customerState }) => customerState !== 'outside',
  );

const AGENT_LOST = 'AGENT_LOST';
const TIMEOUT = 'ALLOTTED_TIMEOUT';
const removes = dismiss(
  ({ event }) => (event.type === 'participantRemoved' ? [event.legUuid] : []),
  () => 'REMOVED',
);
const closes = {
  closed: { target: '#conference.ended', actions: [...end(causeOf)] },
  customerLeft: { target: '#conference.ended', actions: [...end(() => CUSTOMER_GONE)] },
} as const;
const givesUpRecording = {
  guard: 'isUnrecordable',
  actions: ['giveUpRecording', { type: 'failRecording', params: ({ event }: Scope) => ({ isRefused: event.type === 'recordingRefused' }) }],
} as const;
const releases = {
  guard: 'isHandedOver',
  actions: dismiss(
    ({ context }) => handedOver(context),
    () => HANDED_OVER,
  ),
} as const;
const losesLastAgent = {
  guard: 'hasLostLastAgent',
  target: '#conference.ended',
  actions: [...end(() => AGENT_LOST), noParams('returnCustomer'), notifyEnd('failed', AGENT_LOST)],
} as const;
/** The customer leaves the room before the agents do, so that nobody is left alone in it. */
const handsBack = {
  guard: 'mayHandBack',
  target: '#conference.ended',
  actions: [
    noParams('returnCustomer'),
    ...end(() => HANDED_BACK),
    { type: 'handBack', params: ({ event }: { event: Extract<ConferenceEvent, { type: 'handedBack' }> }) => event.order },
  ],
} as const;
const abandons = {
  guard: 'isAbandoned',
  target: '#conference.ended',
  actions: [...end(() => 'AGENTS_GONE'), notifyEnd('ended', 'AGENTS_GONE')],
} as const;
const notifyUnanswered = notify(({ context }) => unansweredNews(context) ?? { status: 'unanswered' });
const notifyJoined = notify(({ context }) => {
  const agent = talkingAgent(context);
  return { status: 'joined', agentId: agent?.agentId ?? null, agentName: agent?.agentName ?? null };
});

/**
 * A customer's conference with agents: routing, live with the customer outside, inside or kept aside, ended.
 *
 * Why:    the rows of session and legs are the snapshot, changed in one commit. Events and the periodic check lead to the same review, so
 *         that a lost event or instance only costs time. The end of a browser phone's session belongs to its call
 * Source: OCS 4.15, D12.5–D12.7
 */
export const conferenceMachine = base.createMachine({
  id: 'conference',
  context: ({ input }) => input,
  initial: 'routing',
  on: { recordingRefused: givesUpRecording, recordingLost: givesUpRecording },
  states: {
    routing: {
      on: {
        ...closes,
        participantEntered: { guard: 'isNextAgent', actions: 'enter' },
        // Phones are ringing for a transfer by the script: an intervention takes precedence and replaces it.
        intervened: { guard: 'isOfScript', target: 'ended', actions: [...end(() => 'INTERVENED')] },
        participantRemoved: { actions: removes },
        personJoined: { target: 'live', actions: 'answer' },
        reviewed: [{ guard: 'isOpening' }, { guard: 'isUnanswered', actions: noParams('ringNextAgent') }],
        // Another instance may have found an agent in the meantime.
        nobodyFound: [
          { guard: 'hasAsked', target: 'ended', actions: [...end(() => 'NO_ANSWER'), notifyUnanswered, notifyEnd('failed', 'NO_ANSWER')] },
          { guard: 'isUnanswered', target: 'ended', actions: [...end(() => 'NO_ANSWER'), notifyEnd('failed', 'NO_ANSWER')] },
        ],
        aged: [
          // The agent's browser has not joined.
          { guard: 'isStaleSession', target: 'ended', actions: [...end(() => 'NO_ANSWER')] },
          {
            guard: { type: 'isTooOld', params: { state: 'routing' } },
            target: 'ended',
            actions: [...end(() => TIMEOUT), notifyEnd('ended', TIMEOUT)],
          },
        ],
      },
    },
    live: {
      initial: 'outside',
      on: {
        ...closes,
        participantEntered: { guard: 'mayEnter', actions: 'enter' },
        participantRemoved: { guard: 'mayBeRemoved', actions: removes },
        // Recorded before the command to the switch: after a crash in between, the next review repeats it.
        consultationBegun: { target: '.aside', actions: noParams('putCustomerAside') },
        handedBack: handsBack,
        legsLeft: { guard: 'isSessionOver', target: 'ended', actions: [...end(causeOf)] },
        aged: [
          { guard: 'isSessionOver', target: 'ended', actions: [...end(() => 'LOST')] },
          {
            guard: { type: 'isTooOld', params: { state: 'live' } },
            target: 'ended',
            actions: [...end(() => TIMEOUT), noParams('endCustomer')],
          },
          { guard: 'isUncalled', target: 'ended', actions: [...end(() => 'FAILED')] },
        ],
        reviewed: [releases, losesLastAgent, abandons],
        roomSeen: {
          guard: 'isSupervised',
          actions: { type: 'changeVoices', params: ({ context, event }) => ({ voices: voicesIn(context, event.members) }) },
        },
      },
      states: {
        outside: {
          on: {
            // The row says `inside` before the command is sent, so that only one instance moves the customer.
            reviewed: [releases, losesLastAgent, abandons, { guard: 'isTaken', target: 'inside', actions: noParams('bringCustomerIn') }],
          },
        },
        inside: {
          on: {
            customerArrived: { actions: [notifyJoined, noParams('startRecording')] },
            customerNotMoved: 'outside',
            customerMissed: { guard: 'isMissing', target: 'outside' },
          },
        },
        aside: {
          on: {
            customerReturned: 'inside',
            reviewed: [releases, { guard: 'isConsultationOver', actions: noParams('bringCustomerBack') }],
          },
        },
      },
    },
    ended: {
      on: {
        participantRemoved: { actions: removes },
        roomSeen: {
          guard: 'isLeftBehind',
          actions: { type: 'endChannels', params: ({ context, event }) => ({ channelUuids: leftBehind(context, event) }) },
        },
      },
    },
  },
});
