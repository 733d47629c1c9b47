import { assign, setup } from 'xstate';
import { declaredEffects, machineTypes } from '../declared-effects.ts';
import { type AgentContext, freshAgent, isCurrent, toHolder } from './context.ts';
import type { AgentEffects } from './effects.ts';
import type { AgentEvent } from './events.ts';

/** Time after which an unanswered reservation expires, ms (D12.7). */
export const RESERVATION_LEASE_MS = 30_000;

const base = setup({
  types: machineTypes<AgentContext, AgentEvent>(),
  actions: {
    ...declaredEffects<AgentEffects>()('sendTo', 'killLeg', 'probeLeg'),
    choose: assign(({ context, event }) => {
      if (event.type !== 'statusChosen') return {};
      return { chosen: event.status, idleSince: event.status === 'idle' && context.chosen !== 'idle' ? event.at : context.idleSince };
    }),
    hold: assign(({ event }) => {
      if (event.type !== 'reserveRequested') return {};
      const { holder, fence, cellId, currentCall, wrapUpMs, at } = event;
      return { reservation: { holder, fence, cellId, currentCall, wrapUpMs, reservedAt: at, answeredAt: null } };
    }),
    answer: assign(({ context, event }) => {
      if (event.type !== 'legAnswered' || context.reservation === null) return {};
      return { reservation: { ...context.reservation, answeredAt: event.at, legUuid: event.legUuid } };
    }),
    /** Ends the reservation, but keeps its data through the wrap-up. */
    letGo: assign(({ context, event }) => ({ idleSince: 'at' in event ? event.at : context.idleSince })),
    forget: assign({ reservation: null }),
  },
  guards: {
    chooses: ({ event }, params: { status: AgentContext['chosen'] }) => event.type === 'statusChosen' && event.status === params.status,
    isCurrent: ({ context, event }) => isCurrent(context, event),
    takesOver: ({ context, event }) =>
      event.type === 'reserveRequested' && event.takesOver !== undefined && event.takesOver === context.reservation?.holder,
    isOwnCall: ({ event }) => event.type === 'reserveRequested' && event.isOwnCall,
    wasIdle: ({ context }) => context.chosen === 'idle',
    wasBusy: ({ context }) => context.chosen === 'busy',
    hasWrapUp: ({ context, event }) => isCurrent(context, event) && (context.reservation?.wrapUpMs ?? 0) > 0,
  },
  delays: {
    lease: RESERVATION_LEASE_MS,
    wrapUp: ({ context }) => context.reservation?.wrapUpMs ?? 0,
    liveCheck: 20_000,
    /** Upper limit for noticing an unreported answer. */
    look: 2_000,
    reprobe: 2_000,
    /** Time after a cell's recovery in which the holder finds an agent that dialled in. */
    arrival: 2_000,
  },
});

const probe = {
  type: 'probeLeg',
  params: ({ context }: { context: AgentContext }) => ({
    fence: context.reservation?.fence ?? '',
    cellId: context.reservation?.cellId ?? '',
    legUuid: context.reservation?.legUuid,
  }),
} as const;

const killOwn = {
  type: 'killLeg',
  params: ({ context }: { context: AgentContext }) => ({
    fence: context.reservation?.fence ?? '',
    cellId: context.reservation?.cellId ?? '',
    cause: 'ORIGINATOR_CANCEL',
  }),
} as const;

const killStranger = {
  type: 'killLeg',
  params: ({ event }: { event: { fence: string; cellId: string } }) => ({
    fence: event.fence,
    cellId: event.cellId,
    cause: 'ORIGINATOR_CANCEL',
  }),
} as const;

const send = (params: (args: { context: AgentContext; event: AgentEvent }) => ReturnType<typeof toHolder>) =>
  ({ type: 'sendTo', params }) as const;
const ringing = send(({ context }) => toHolder(context, { type: 'agentRinging' }));
const answered = send(({ context }) =>
  toHolder(context, { type: 'agentAnswered', answeredAt: context.reservation?.answeredAt ?? undefined }),
);
const ended = send(({ context, event }) => toHolder(context, { type: 'agentGone', cause: 'cause' in event ? event.cause : 'UNKNOWN' }));
const expired = send(({ context }) => toHolder(context, { type: 'agentGone', cause: 'NO_ANSWER', mayStand: true }));

const expire = [killOwn, expired];
const over = [
  { guard: 'hasWrapUp', target: 'wrapUp', actions: ['letGo', ended] },
  { guard: 'isCurrent', target: '#agent.freed', actions: ['letGo', ended] },
] as const;

/**
 * An agent: the chosen status, and the one call that may hold the agent.
 *
 * Why:    only one reservation succeeds at a time, and every end of the leg, reported, probed or timed out, releases the agent. An unreported
 *         answer is found by probing, and while the cell does not answer the agent is not released
 * Source: D12.1, D12.7, OCS 2.13
 */
export const agentMachine = base.createMachine({
  id: 'agent',
  context: freshAgent(),
  initial: 'offline',
  on: {
    // A tombstone: a leg without a reservation must not keep ringing an agent.
    legRinging: { actions: killStranger },
    legAnswered: { actions: killStranger },
    statusChosen: [
      { guard: { type: 'chooses', params: { status: 'idle' } }, target: '.idle', actions: 'choose' },
      { guard: { type: 'chooses', params: { status: 'busy' } }, target: '.busy', actions: 'choose' },
      { target: '.offline', actions: 'choose' },
    ],
  },
  states: {
    offline: { on: { reserveRequested: { guard: 'isOwnCall', target: 'engaged', actions: 'hold' } } },
    busy: { on: { reserveRequested: { guard: 'isOwnCall', target: 'engaged', actions: 'hold' } } },
    idle: { on: { reserveRequested: { target: 'engaged', actions: 'hold' } } },
    engaged: {
      initial: 'pending',
      on: {
        // Remembered; takes effect after the call.
        statusChosen: { actions: 'choose' },
        legEnded: { guard: 'isCurrent', target: 'freed', actions: ['letGo', ended] },
        released: { guard: 'isCurrent', target: 'freed', actions: 'letGo' },
        legSuspected: { actions: probe },
      },
      states: {
        pending: {
          initial: 'reserved',
          after: { lease: '.expiring' },
          on: {
            legAnswered: [{ guard: 'isCurrent', target: 'talking', actions: ['answer', answered] }, { actions: killStranger }],
          },
          states: {
            // The leg may not have been dialled yet: a missing leg proves nothing.
            reserved: {
              after: { look: { target: 'reserved', reenter: true, actions: probe } },
              on: {
                // An agent held for a claim is called now: the lease restarts.
                reserveRequested: { guard: 'takesOver', target: '#agent.engaged', reenter: true, actions: 'hold' },
                legRinging: [{ guard: 'isCurrent', target: 'ringing', actions: ringing }, { actions: killStranger }],
              },
            },
            ringing: {
              after: { look: { target: 'ringing', reenter: true, actions: probe } },
              on: {
                legRinging: [{ guard: 'isCurrent' }, { actions: killStranger }],
                legMissing: { guard: 'isCurrent', target: '#agent.freed', actions: ['letGo', ended] },
              },
            },
            // The switch decides: an answered agent must not be cut off because the event was lost.
            expiring: {
              initial: 'asking',
              on: { legRinging: [{ guard: 'isCurrent', target: '#agent.freed', actions: expire }, { actions: killStranger }] },
              states: {
                asking: {
                  entry: probe,
                  after: { reprobe: 'away' },
                  on: { legMissing: { guard: 'isCurrent', target: '#agent.freed', actions: expire } },
                },
                away: {
                  entry: probe,
                  after: { reprobe: { target: 'away', reenter: true } },
                  on: { legMissing: { guard: 'isCurrent', target: 'missing' } },
                },
                missing: { after: { arrival: { target: '#agent.freed', actions: expire } } },
              },
            },
          },
        },
        talking: {
          // Even if all events are lost, a conversation never outlives its leg.
          after: { liveCheck: { target: 'talking', reenter: true, actions: probe } },
          on: {
            legAnswered: [{ guard: 'isCurrent' }, { actions: killStranger }],
            legRinging: [{ guard: 'isCurrent' }, { actions: killStranger }],
            legEnded: over,
            legMissing: over,
            released: [
              { guard: 'hasWrapUp', target: 'wrapUp', actions: 'letGo' },
              { guard: 'isCurrent', target: '#agent.freed', actions: 'letGo' },
            ],
          },
        },
        wrapUp: {
          after: { wrapUp: '#agent.freed' },
          on: {
            // Any choice of status ends the wrap-up.
            statusChosen: { target: '#agent.freed', actions: 'choose' },
            legEnded: {},
            legMissing: {},
            released: {},
            legSuspected: {},
            reserveRequested: { guard: 'isOwnCall', target: '#agent.engaged', actions: 'hold' },
            legAnswered: { actions: killStranger },
            legRinging: { actions: killStranger },
          },
        },
      },
    },
    freed: {
      entry: 'forget',
      always: [{ guard: 'wasIdle', target: 'idle' }, { guard: 'wasBusy', target: 'busy' }, { target: 'offline' }],
    },
  },
});
