import { assign, setup } from 'xstate';
import { declaredEffects } from '../declared-effects.ts';
import {
  claimedContext,
  ENDS,
  type InterventionContext,
  type InterventionStatus,
  isAbout,
  NO_INTERVENTION,
  noticedContext,
  releaseAgent,
  unaskedContext,
} from './context.ts';
import type { InterventionEffects, InterventionMessages } from './effects.ts';
import type { InterventionEvent } from './events.ts';

type AllEffects = InterventionEffects & InterventionMessages;

/** Whether the runtime tells this status; with `context`, only of the present intervention. */
function says(event: InterventionEvent, status: InterventionStatus, context?: InterventionContext): boolean {
  if (event.type !== 'interventionNoticed' || event.status !== status) return false;
  return context === undefined || isAbout(context, event.id);
}

/** D9.3: a request that nobody has consumed for so long is over, ms. */
const EXPIRY_MS = 30_000;

const base = setup({
  types: { context: {} as InterventionContext, events: {} as InterventionEvent },
  actions: {
    ...declaredEffects<AllEffects>()(
      'signalIntervene',
      'signalCancel',
      'focusMonitor',
      'pinMonitor',
      'freeMonitor',
      'sendTo',
      'notifyIntervention',
      'toCall',
    ),
    claim: assign(({ context, event }) => (event.type === 'interventionClaimed' ? claimedContext(event) : context)),
    notice: assign(({ context, event }) => (event.type === 'interventionNoticed' ? noticedContext(context, event) : context)),
    noticeUnasked: assign(({ context, event }) => (event.type === 'interventionNoticed' ? unaskedContext(context, event) : context)),
    consume: assign(({ event }) => (event.type === 'interventionConsumed' ? { consumedAt: event.at } : {})),
    end: assign(({ context, event }, { why }: { why: keyof typeof ENDS }) => ({
      endedAt: 'at' in event ? event.at : context.endedAt,
      reason: ENDS[why],
    })),
  },
  guards: {
    isInitiator: ({ context, event }) => event.type === 'interventionCancelled' && event.userId === context.initiatorId,
    isThis: ({ context, event }) => 'id' in event && event.id === context.id,
    saysTransfer: ({ event }) => says(event, 'transferring'),
    saysJoin: ({ event }) => says(event, 'active'),
    saysFailure: ({ context, event }) => says(event, 'failed', context),
    saysEnd: ({ context, event }) => says(event, 'ended', context),
    saysOtherTransfer: ({ context, event }) => says(event, 'transferring') && !says(event, 'transferring', context),
    saysOtherJoin: ({ context, event }) => says(event, 'active') && !says(event, 'active', context),
  },
  delays: { expiry: EXPIRY_MS },
});

type Scope = { context: InterventionContext };

const notify = (status: InterventionStatus, isUnasked = false) =>
  ({
    type: 'notifyIntervention',
    params: ({ context }: Scope) => ({ id: context.id ?? '', status, initiatorId: context.initiatorId, reason: context.reason, isUnasked }),
  }) as const;

const monitorOf = ({ context }: Scope) => ({ userId: context.initiatorId });
const focus = { type: 'focusMonitor', params: monitorOf } as const;
const pin = { type: 'pinMonitor', params: monitorOf } as const;
const freeMonitor = { type: 'freeMonitor', params: monitorOf } as const;
const freeAgent = { type: 'sendTo', params: ({ context }: Scope) => releaseAgent(context) } as const;
/** Whoever claimed is no longer bound, whatever ended it. */
const free = [freeMonitor, freeAgent] as const;
const end = (why: keyof typeof ENDS) => ({ type: 'end', params: { why } }) as const;
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

/** Nobody has a claim: the next one wins. */
const claimable = { target: 'requested', actions: ['claim', focus, notify('requested'), signal] } as const;

/** The runtime transferred though nothing stood asked: what has happened is accepted, and people are notified. */
const unasked = [
  { guard: 'saysTransfer', target: 'transferring', actions: ['noticeUnasked', focus, pin, notify('transferring', true)] },
  { guard: 'saysJoin', target: 'active', actions: ['noticeUnasked', focus, pin, notify('active', true)] },
] as const;

/** As `unasked`, after an intervention that came to its end: its own late notices tell nothing new. */
const unaskedOther = [
  { guard: 'saysOtherTransfer', target: 'transferring', actions: ['noticeUnasked', pin, notify('transferring', true)] },
  { guard: 'saysOtherJoin', target: 'active', actions: ['noticeUnasked', pin, notify('active', true)] },
] as const;

const failed = { guard: 'saysFailure', target: 'failed', actions: ['notice', ...free, notify('failed')] } as const;
const ended = { guard: 'saysEnd', target: 'ended', actions: ['notice', ...free, notify('ended')] } as const;

/**
 * A person takes a live call over from the machine: asked for by one claim, begun by the runtime at a boundary or at once.
 *
 * Why:    consuming is a request, so that one commit decides whether a cancel or the transfer came first (A7); what the runtime reports
 *         is a fact and is never refused
 * Source: OCS 3 "Human intervention", D9.3, A7
 */
export const interventionMachine = base.createMachine({
  id: 'intervention',
  context: NO_INTERVENTION,
  initial: 'idle',
  states: {
    idle: { on: { interventionClaimed: claimable, interventionNoticed: [...unasked] } },
    requested: {
      after: { expiry: { target: 'expired', actions: [end('notTaken'), ...free, notify('expired'), takeBack] } },
      on: {
        interventionCancelled: {
          guard: 'isInitiator',
          target: 'cancelled',
          actions: [end('cancelled'), ...free, notify('cancelled'), takeBack],
        },
        interventionConsumed: { guard: 'isThis', target: 'transferring', actions: ['consume', pin, notify('transferring')] },
        interventionNoticed: [
          failed,
          ended,
          // Whatever name the runtime gives it: what was asked for happens.
          { guard: 'saysTransfer', target: 'transferring', actions: ['notice', pin, notify('transferring')] },
          { guard: 'saysJoin', target: 'active', actions: ['notice', pin, notify('active')] },
        ],
        callLeft: { target: 'expired', actions: [end('leftEarly'), ...free, notify('expired')] },
      },
    },
    transferring: {
      on: {
        interventionNoticed: [failed, ended, { guard: 'saysJoin', target: 'active', actions: ['notice', notify('active')] }],
        // The agent's leg never joined.
        callLeft: { target: 'failed', actions: [end('leftInTransfer'), ...free, notify('failed')] },
      },
    },
    active: {
      entry: { type: 'toCall', params: { type: 'personJoined' } },
      exit: { type: 'toCall', params: { type: 'personLeft' } },
      on: {
        interventionNoticed: [failed, ended],
        callLeft: { target: 'ended', actions: [end('customerGone'), ...free, notify('ended')] },
      },
    },
    cancelled: { on: { interventionClaimed: claimable, interventionNoticed: [...unasked] } },
    expired: { on: { interventionClaimed: claimable, interventionNoticed: [...unasked] } },
    failed: { on: { interventionClaimed: claimable, interventionNoticed: [...unaskedOther] } },
    ended: { on: { interventionClaimed: claimable, interventionNoticed: [...unaskedOther] } },
  },
});
