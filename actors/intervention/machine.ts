import { assign, setup } from 'xstate';
import { declaredEffects } from '../declared-effects.ts';
import type { InterventionMessages, LegEffects, TakeOverEffects } from './effects.ts';
import type { InterventionEvent, LegEvent } from './events.ts';
import { changesVoice, isLost, isNewMember, type LegContext, mayMove } from '../leg/context.ts';
import {
  CLAIM_EXPIRY_MS,
  claimedContext,
  ENDS,
  type InterventionStatus,
  isAbout,
  noticedContext,
  releaseAgent,
  type TakeOver,
  unaskedContext,
} from './take-over.ts';

/** Events of legs never reach a take-over, nor the reverse; each uses its own part of the context. */
type Context = LegContext & TakeOver;
type AllEffects = LegEffects & TakeOverEffects & InterventionMessages;
type Scope = { context: Context; event: InterventionEvent };

/** Whether the runtime reports this status; with `context`, only for the current intervention. */
function says(event: InterventionEvent, status: InterventionStatus, context?: TakeOver): boolean {
  if (event.type !== 'interventionNoticed' || event.status !== status) return false;
  return context === undefined || isAbout(context, event.id);
}

/** The runtime has begun without a current request; late reports about an ended intervention are ignored. */
function saysUnasked({ context, event }: Scope, status: InterventionStatus): boolean {
  const isTold = context.outcome === 'failed' || context.outcome === 'ended';
  return says(event, status) && !(isTold && says(event, status, context));
}

const base = setup({
  types: { context: {} as Context, events: {} as InterventionEvent, input: {} as Context },
  actions: {
    ...declaredEffects<AllEffects>()(
      'freeLeg',
      'endChannel',
      'changeVoice',
      'signalIntervene',
      'signalCancel',
      'focusMonitor',
      'pinMonitor',
      'freeMonitor',
      'sendTo',
      'notifyIntervention',
      'toOwner',
    ),
    join: assign(({ event }) => (event.type === 'legJoined' ? { joinedAt: event.at } : {})),
    leave: assign(({ context, event }) => ('cause' in event ? { endedAt: context.endedAt ?? event.at, endCause: event.cause } : {})),
    lose: assign(({ event }) => (event.type === 'legMissing' ? { endedAt: event.at, endCause: 'LOST' } : {})),
    seeMember: assign(({ event }) => (event.type === 'memberSeen' ? { memberId: event.memberId, canSpeak: event.canSpeak } : {})),
    move: assign(({ event }) => (event.type === 'modeAsked' ? { mode: event.mode } : {})),
    moveHeard: assign(({ event }) => {
      if (event.type !== 'voiceChanged') return {};
      const { mode, memberId, canSpeak } = event;
      return { mode, memberId, canSpeak };
    }),
    claim: assign(({ event }) => (event.type === 'interventionClaimed' ? claimedContext(event) : {})),
    notice: assign(({ context, event }) => (event.type === 'interventionNoticed' ? noticedContext(context, event) : {})),
    noticeUnasked: assign(({ context, event }) => (event.type === 'interventionNoticed' ? unaskedContext(context, event) : {})),
    consume: assign(({ event }) => (event.type === 'interventionConsumed' ? { consumedAt: event.at } : {})),
    end: assign(({ context, event }, { why }: { why: keyof typeof ENDS }) => ({
      endedAt: 'at' in event ? event.at : context.endedAt,
      ...ENDS[why],
    })),
  },
  guards: {
    isLost: ({ context, event }) => isLost(context, event),
    isUnexplained: ({ context }) => context.endCause === null,
    isNewMember: ({ context, event }) => isNewMember(context, event),
    mayMove: ({ context, event }) => mayMove(context, event),
    mayMoveHeard: ({ context, event }) => mayMove(context, event) && changesVoice(context, event),
    isInitiator: ({ context, event }) => event.type === 'interventionCancelled' && event.userId === context.initiatorId,
    isThis: ({ context, event }) => 'id' in event && event.id === context.id,
    says: ({ event }, { status }: { status: InterventionStatus }) => says(event, status),
    saysOfThis: ({ context, event }, { status }: { status: InterventionStatus }) => says(event, status, context),
    saysUnasked: (scope, { status }: { status: InterventionStatus }) => saysUnasked(scope, status),
  },
  delays: { expiry: CLAIM_EXPIRY_MS },
});

const noParams = <Type extends keyof LegEffects>(type: Type) => ({ type, params: undefined }) as const;
const changeVoice = {
  type: 'changeVoice',
  params: ({ event }: { event: Extract<LegEvent, { type: 'modeAsked' }> }) => ({ mode: event.mode }),
} as const;
const dismissal = [noParams('freeLeg'), noParams('endChannel')] as const;
const toOwner = (type: InterventionMessages['toOwner']['type']) => ({ type: 'toOwner', params: { type } }) as const;

const joins = { legJoined: { target: '#intervention.active', actions: 'join' } } as const;
const rings = { legRang: '#intervention.joining.ringing' } as const;
/** Transitions of every leg that has not ended. */
const open = {
  memberSeen: { guard: 'isNewMember', actions: 'seeMember' },
  modeAsked: [
    // The mode changes after the switch has applied the audio settings.
    { guard: 'mayMoveHeard', actions: changeVoice },
    { guard: 'mayMove', actions: 'move' },
  ],
  voiceChanged: { actions: 'moveHeard' },
  legLeft: { target: '#intervention.ended', actions: ['leave', noParams('freeLeg')] },
  legMissing: { guard: 'isLost', target: '#intervention.ended', actions: ['lose', noParams('freeLeg')] },
  legDismissed: { target: '#intervention.ended', actions: ['leave', ...dismissal] },
} as const;

const notify = (status: InterventionStatus, isUnasked = false) =>
  ({
    type: 'notifyIntervention',
    params: ({ context: { id, initiatorId, agentId, reason } }: Scope) => ({
      id: id ?? '',
      status,
      initiatorId,
      agentId,
      reason,
      isUnasked,
    }),
  }) as const;
const monitorOf = ({ context }: Scope) => ({ userId: context.initiatorId });
const focus = { type: 'focusMonitor', params: monitorOf } as const;
const pin = { type: 'pinMonitor', params: monitorOf } as const;
/** Releases the claiming user and agent, however the intervention ended. */
const free = [
  { type: 'freeMonitor', params: monitorOf },
  { type: 'sendTo', params: ({ context }: Scope) => releaseAgent(context) },
] as const;
const takeBack = { type: 'signalCancel', params: ({ context }: Scope) => ({ id: context.id ?? '' }) } as const;
const signal = {
  type: 'signalIntervene',
  params: ({ context }: Scope) => ({
    id: context.id ?? '',
    initiatorId: context.initiatorId,
    agentId: context.agentId,
    when: context.when ?? 'boundary',
  }),
} as const;

const ends = (why: keyof typeof ENDS) =>
  ({
    target: '#intervention.ended',
    actions: [{ type: 'end', params: { why } }, ...free, notify(ENDS[why].outcome)],
  }) as const;
const endsAs = (status: 'failed' | 'ended') =>
  ({
    guard: { type: 'saysOfThis', params: { status } },
    target: '#intervention.ended',
    actions: ['notice', ...free, notify(status)],
  }) as const;
const isOver = [endsAs('failed'), endsAs('ended')] as const;
const expires = ends('notTaken');
const isCancelled = ends('cancelled');
/** The requested transfer begins, under whatever id the runtime reports it. */
const begins = {
  guard: { type: 'says', params: { status: 'transferring' } },
  target: '#intervention.joining',
  actions: ['notice', pin, notify('transferring')],
} as const;
const joined = (actions: readonly ['notice', ...(typeof pin)[]]) =>
  ({
    guard: { type: 'says', params: { status: 'active' } },
    target: '#intervention.active',
    actions: [...actions, notify('active')],
  }) as const;
/** The runtime transferred without a pending request: the fact is accepted and users are notified. */
const unasked = (status: 'transferring' | 'active', target: '#intervention.joining' | '#intervention.active') =>
  ({ guard: { type: 'saysUnasked', params: { status } }, target, actions: ['noticeUnasked', focus, pin, notify(status, true)] }) as const;

/**
 * A participant of a call: requested, joining, active in a mode, changed to another mode, ended. A leg of an agent's own call or of a conference
 * transfers, consults, listens, whispers or barges in; a take-over is requested by a single claim and carried out by the runtime.
 *
 * Why:    a leg's row is its snapshot, changed under the row's lock, so that only one of several observers of a fact acts. A take-over is part of
 *         its call's snapshot. Consuming is a request, so that one commit decides whether a cancel or the transfer came first (A7); what the
 *         runtime reports is a fact and is never refused
 * Source: OCS 3 "Human intervention", 4.15, D9.3, D12.5–D12.7, A7
 */
export const interventionMachine = base.createMachine({
  id: 'intervention',
  context: ({ input }) => input,
  initial: 'requested',
  states: {
    requested: {
      after: { expiry: { ...expires, actions: [...expires.actions, takeBack] } },
      on: {
        ...open,
        ...rings,
        ...joins,
        legDialled: 'joining',
        interventionCancelled: { ...isCancelled, guard: 'isInitiator', actions: [...isCancelled.actions, takeBack] },
        interventionConsumed: { guard: 'isThis', target: 'joining', actions: ['consume', pin, notify('transferring')] },
        interventionNoticed: [...isOver, begins, joined(['notice', pin])],
        callLeft: ends('leftEarly'),
      },
    },
    joining: {
      initial: 'dialing',
      on: { ...open, ...joins, interventionNoticed: [...isOver, joined(['notice'])], callLeft: ends('leftInTransfer') },
      states: { dialing: { on: rings }, ringing: {} },
    },
    active: {
      entry: toOwner('personJoined'),
      exit: toOwner('personLeft'),
      on: { ...open, interventionNoticed: [...isOver], callLeft: ends('customerGone') },
    },
    ended: {
      on: {
        // The call was closed before the end of this leg was reported.
        legLeft: { guard: 'isUnexplained', actions: 'leave' },
        // A leg that has ended must not stay in the room.
        legDismissed: { actions: dismissal },
        memberSeen: { actions: dismissal },
        // No claim is open: the next one succeeds.
        interventionClaimed: { target: 'requested', actions: ['claim', focus, notify('requested'), signal] },
        interventionNoticed: [unasked('transferring', '#intervention.joining'), unasked('active', '#intervention.active')],
      },
    },
  },
});
