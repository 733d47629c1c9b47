import { assign, setup } from 'xstate';
import { declaredEffects, machineTypes } from '../declared-effects.ts';
import { type AgentBeginning, type AgentContext, freshAgent, isCurrent, toHolder } from './context.ts';
import { extensionMs, hasWrapUp, leftAt, notBefore, wrapUpLeftMs } from './wrap-up.ts';
import type { AgentEffects } from './effects.ts';
import type { AgentEvent } from './events.ts';

/** Time after which an unanswered reservation expires, ms (D12.7). */
export const RESERVATION_LEASE_MS = 30_000;

const base = setup({
  types: machineTypes<AgentContext, AgentEvent, AgentBeginning | undefined>(),
  actions: {
    ...declaredEffects<AgentEffects>()('sendTo', 'killLeg', 'probeLeg', 'recordState', 'reportUndisposed'),
    choose: assign(({ context, event }) => {
      if (event.type !== 'statusChosen') return {};
      const idleSince = event.status === 'idle' && context.chosen !== 'idle' ? event.at : context.idleSince;
      return { chosen: event.status, reason: event.reason ?? null, idleSince };
    }),
    /** A choice that changes nothing does not begin the stage anew. */
    chooseNow: assign(({ context, event }) => {
      if (event.type !== 'statusChosen') return {};
      const isSame = event.status === context.chosen && (event.reason ?? null) === (context.reason ?? null);
      return isSame ? {} : { since: event.at };
    }),
    hold: assign(({ event }) => {
      if (event.type !== 'reserveRequested') return {};
      const { holder, fence, cellId, currentCall, wrapUpMs, isRequired = false, campaignId = null, at } = event;
      const reservation = { holder, fence, cellId, currentCall, wrapUpMs, isRequired, campaignId, reservedAt: at, answeredAt: null };
      return { reservation, since: at };
    }),
    answer: assign(({ context, event }) => {
      if (event.type !== 'legAnswered' || context.reservation === null) return {};
      const reservation = { ...context.reservation, answeredAt: event.at, legUuid: event.legUuid };
      return { reservation, since: notBefore(context, event.at) };
    }),
    dispose: assign(({ context: { reservation } }) => (reservation === null ? {} : { reservation: { ...reservation, isDisposed: true } })),
    /** Ends the reservation, but keeps its data through the wrap-up. */
    letGo: assign(({ context, event }) => ({ idleSince: 'at' in event ? event.at : context.idleSince })),
    wrapUp: assign(({ context, event }) => {
      if (context.reservation === null || !('at' in event)) return {};
      return { reservation: { ...context.reservation, wrapUpAt: event.at }, since: notBefore(context, event.at) };
    }),
    extend: assign(({ context: { reservation } }) =>
      reservation === null ? {} : { reservation: { ...reservation, extraMs: extensionMs(reservation) } },
    ),
    leave: assign(({ context, event }) => ({ since: leftAt(context, event) })),
    forget: assign({ reservation: null }),
  },
  guards: {
    chooses: ({ event }, params: { status: AgentContext['chosen'] }) => event.type === 'statusChosen' && event.status === params.status,
    isCurrent: ({ context, event }) => isCurrent(context, event),
    takesOver: ({ context, event }) =>
      event.type === 'reserveRequested' && event.takesOver !== undefined && event.takesOver === context.reservation?.holder,
    isOwnCall: ({ event }) => event.type === 'reserveRequested' && event.isOwnCall,
    wasIdle: ({ context }) => context.chosen === 'idle',
    isWrappingUp: ({ context: { reservation } }) => reservation?.wrapUpAt !== undefined,
    isTalking: ({ context: { reservation } }) => reservation !== null && reservation.answeredAt !== null,
    isHeld: ({ context }) => context.reservation !== null,
    wasBusy: ({ context }) => context.chosen === 'busy',
    hasWrapUp: ({ context, event }) => isCurrent(context, event) && hasWrapUp(context.reservation),
    mustDispose: ({ context }) => context.reservation?.isRequired === true,
    isOwnCallAfter: ({ context, event }) =>
      event.type === 'reserveRequested' && event.isOwnCall && context.reservation?.isRequired !== true,
    isOfCall: ({ context, event }) => event.type === 'disposed' && event.callKeys.includes(context.reservation?.currentCall ?? ''),
    mayExtend: ({ context }) => context.reservation !== null && context.reservation.extraMs === undefined,
    mayEnd: ({ context, event }) => event.type === 'wrapUpEnded' && (event.isSupervisor || context.reservation?.isRequired !== true),
  },
  delays: {
    lease: RESERVATION_LEASE_MS,
    wrapUp: ({ context: { reservation }, event }) => (reservation === null ? 0 : wrapUpLeftMs(reservation, event)),
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

const OF_A_CALL: ReadonlySet<AgentEffects['recordState']['state']> = new Set(['ringing', 'talking', 'wrap_up']);

const record = (state: AgentEffects['recordState']['state']) =>
  ({
    type: 'recordState',
    params: ({ context: { reason, since, reservation } }: { context: AgentContext }) => ({
      state,
      reason: state === 'busy' ? (reason ?? null) : null,
      at: since ?? null,
      reservation: OF_A_CALL.has(state) ? reservation : null,
    }),
  }) as const;
const reportUndisposed = {
  type: 'reportUndisposed',
  params: ({ context: { reservation } }: { context: AgentContext }) => {
    if (reservation === null) throw new Error('a wrap-up has the reservation that it follows');
    return { reservation };
  },
} as const;

const expire = [killOwn, expired];
const over = [
  { guard: 'hasWrapUp', target: 'wrapUp', actions: ['letGo', 'wrapUp', record('wrap_up'), ended] },
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
  context: ({ input }) => ({ ...freshAgent(), reservation: input?.reservation ?? null, since: input?.at }),
  initial: 'begun',
  on: {
    // A tombstone: a leg without a reservation must not keep ringing an agent.
    legRinging: { actions: killStranger },
    legAnswered: { actions: killStranger },
    statusChosen: [
      { guard: { type: 'chooses', params: { status: 'idle' } }, target: '.idle', actions: ['chooseNow', 'choose'] },
      { guard: { type: 'chooses', params: { status: 'busy' } }, target: '.busy', actions: ['chooseNow', 'choose'] },
      { target: '.offline', actions: ['chooseNow', 'choose'] },
    ],
  },
  states: {
    /** Offline, unless the actor is restored in a call; the switch then says what has become of its leg. */
    begun: {
      always: [
        { guard: 'isWrappingUp', target: 'engaged.wrapUp', actions: record('wrap_up') },
        { guard: 'isTalking', target: 'engaged.talking', actions: [record('talking'), probe] },
        { guard: 'isHeld', target: 'engaged.pending.ringing' },
        { target: 'offline' },
      ],
    },
    offline: {
      entry: record('offline'),
      on: {
        reserveRequested: { guard: 'isOwnCall', target: 'engaged', actions: 'hold' },
      },
    },
    busy: { entry: record('busy'), on: { reserveRequested: { guard: 'isOwnCall', target: 'engaged', actions: 'hold' } } },
    idle: { entry: record('idle'), on: { reserveRequested: { target: 'engaged', actions: 'hold' } } },
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
          entry: record('ringing'),
          initial: 'reserved',
          after: { lease: '.expiring' },
          on: {
            legAnswered: [
              { guard: 'isCurrent', target: 'talking', actions: ['answer', record('talking'), answered] },
              { actions: killStranger },
            ],
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
            disposed: { guard: 'isOfCall', actions: 'dispose' },
            legEnded: over,
            legMissing: over,
            released: [
              { guard: 'hasWrapUp', target: 'wrapUp', actions: ['letGo', 'wrapUp', record('wrap_up')] },
              { guard: 'isCurrent', target: '#agent.freed', actions: 'letGo' },
            ],
          },
        },
        wrapUp: {
          after: { wrapUp: [{ guard: 'mustDispose', target: '#agent.freed', actions: reportUndisposed }, { target: '#agent.freed' }] },
          on: {
            // A choice of status ends a wrap-up that waits for nothing.
            statusChosen: [
              { guard: 'mustDispose', actions: 'choose' },
              { target: '#agent.freed', actions: 'choose' },
            ],
            disposed: { guard: 'isOfCall', target: '#agent.freed' },
            wrapUpExtended: { guard: 'mayExtend', target: 'wrapUp', reenter: true, actions: ['extend', record('wrap_up')] },
            wrapUpEnded: { guard: 'mayEnd', target: '#agent.freed' },
            legEnded: {},
            legMissing: {},
            released: {},
            legSuspected: {},
            reserveRequested: { guard: 'isOwnCallAfter', target: '#agent.engaged', actions: 'hold' },
            legAnswered: { actions: killStranger },
            legRinging: { actions: killStranger },
          },
        },
      },
    },
    freed: {
      entry: ['leave', 'forget'],
      always: [{ guard: 'wasIdle', target: 'idle' }, { guard: 'wasBusy', target: 'busy' }, { target: 'offline' }],
    },
  },
});
