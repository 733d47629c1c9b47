import { assign, setup } from 'xstate';
import { declaredEffects, machineTypes } from '../declared-effects.ts';
import type { TakeOverEffects, TakeOverMessages } from './effects.ts';
import type { TakeOverEvent } from './events.ts';
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

type Scope = { context: TakeOver; event: TakeOverEvent };

/** Whether the runtime reports this status; with `context`, only for the current intervention. */
function reports(event: TakeOverEvent, status: InterventionStatus, context?: TakeOver): boolean {
  if (event.type !== 'interventionNoticed' || event.status !== status) return false;
  return context === undefined || isAbout(context, event.id);
}

/** The runtime has begun without a current request; late reports about an ended intervention are ignored. */
function reportsUnrequested({ context, event }: Scope, status: InterventionStatus): boolean {
  const isReported = context.outcome === 'failed' || context.outcome === 'ended';
  return reports(event, status) && !(isReported && reports(event, status, context));
}

const base = setup({
  types: machineTypes<TakeOver, TakeOverEvent, TakeOver>(),
  actions: {
    ...declaredEffects<TakeOverEffects & TakeOverMessages>()(
      'signalIntervene',
      'signalCancel',
      'focusMonitor',
      'pinMonitor',
      'freeMonitor',
      'sendTo',
      'notifyIntervention',
      'toCall',
    ),
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
    isInitiator: ({ context, event }) => event.type === 'interventionCancelled' && event.userId === context.initiatorId,
    isThis: ({ context, event }) => 'id' in event && event.id === context.id,
    reports: ({ event }, { status }: { status: InterventionStatus }) => reports(event, status),
    reportsThis: ({ context, event }, { status }: { status: InterventionStatus }) => reports(event, status, context),
    reportsUnrequested: (scope, { status }: { status: InterventionStatus }) => reportsUnrequested(scope, status),
  },
  delays: { expiry: CLAIM_EXPIRY_MS },
});

const toCall = (type: TakeOverMessages['toCall']['type']) => ({ type: 'toCall', params: { type } }) as const;
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
const withdraw = { type: 'signalCancel', params: ({ context }: Scope) => ({ id: context.id ?? '' }) } as const;
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
    target: 'ended',
    actions: [{ type: 'end', params: { why } }, ...free, notify(ENDS[why].outcome)],
  }) as const;
const endsAs = (status: 'failed' | 'ended') =>
  ({
    guard: { type: 'reportsThis', params: { status } },
    target: 'ended',
    actions: ['notice', ...free, notify(status)],
  }) as const;
const isOver = [endsAs('failed'), endsAs('ended')] as const;
const expires = ends('notTaken');
const isCancelled = ends('cancelled');
/** The requested transfer begins, under whatever id the runtime reports it. */
const begins = {
  guard: { type: 'reports', params: { status: 'transferring' } },
  target: 'transferring',
  actions: ['notice', pin, notify('transferring')],
} as const;
const joined = (actions: readonly ['notice', ...(typeof pin)[]]) =>
  ({
    guard: { type: 'reports', params: { status: 'active' } },
    target: 'active',
    actions: [...actions, notify('active')],
  }) as const;
/** The runtime transferred without a pending request: the fact is accepted and users are notified. */
const unasked = (status: 'transferring' | 'active') =>
  ({
    guard: { type: 'reportsUnrequested', params: { status } },
    target: status,
    actions: ['noticeUnasked', focus, pin, notify(status, true)],
  }) as const;

/**
 * A user takes a live call over: requested by a single claim, transferred by the runtime, active, ended.
 *
 * Why:    the take-over is part of its call's snapshot, and consuming is a request, so that one commit decides whether a cancel, the transfer or
 *         the hang-up came first (A7); what the runtime reports is a fact and is never refused
 * Source: OCS 3 "Human intervention", D9.3, A7
 */
export const interventionMachine = base.createMachine({
  id: 'intervention',
  context: ({ input }) => input,
  initial: 'requested',
  states: {
    requested: {
      after: { expiry: { ...expires, actions: [...expires.actions, withdraw] } },
      on: {
        interventionCancelled: { ...isCancelled, guard: 'isInitiator', actions: [...isCancelled.actions, withdraw] },
        interventionConsumed: { guard: 'isThis', target: 'transferring', actions: ['consume', pin, notify('transferring')] },
        interventionNoticed: [...isOver, begins, joined(['notice', pin])],
        callLeft: ends('leftEarly'),
      },
    },
    transferring: { on: { interventionNoticed: [...isOver, joined(['notice'])], callLeft: ends('leftInTransfer') } },
    active: {
      entry: toCall('personJoined'),
      exit: toCall('personLeft'),
      on: { interventionNoticed: [...isOver], callLeft: ends('customerGone') },
    },
    ended: {
      on: {
        // No claim is open: the next one succeeds.
        interventionClaimed: { target: 'requested', actions: ['claim', focus, notify('requested'), signal] },
        interventionNoticed: [unasked('transferring'), unasked('active')],
      },
    },
  },
});
