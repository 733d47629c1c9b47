import { assign, setup } from 'xstate';
import { declaredEffects, machineTypes } from '../declared-effects.ts';
import { type AgentCallContext, type AgentCallInput, answerOf, endOf, initialAgentCall } from './context.ts';
import type { AgentCallEffects } from './effects.ts';
import type { AgentCallEvent } from './events.ts';

const base = setup({
  types: machineTypes<AgentCallContext, AgentCallEvent, AgentCallInput>(),
  actions: {
    ...declaredEffects<AgentCallEffects>()(
      'ringAgent',
      'dialCustomer',
      'bridgeLegs',
      'recordProgress',
      'recordCustomer',
      'recordEnd',
      'closeCall',
      'endAgentLeg',
      'sendTo',
      'endCustomerLeg',
      'probeAgent',
      'probeCustomer',
      'releaseSlot',
      'forgetCall',
    ),
    sendCustomer: assign({ customerSent: true }),
    seeAgentLeave: assign(({ context, event }) => ({
      agentLeft: context.agentLeft === true || event.type !== 'agentGone' || event.mayStand !== true,
    })),
    seeAnswer: assign(({ context, event }) => ({
      answeredAt: answerOf(event) ?? context.answeredAt,
    })),
  },
  guards: {
    hasNoCustomer: ({ context }) => !context.customerSent,
    hasNoAgent: ({ context }) => context.agentLeft === true,
    wasAnsweredUnheard: ({ context, event }) => context.answeredAt === null && answerOf(event) !== null,
  },
  delays: {
    /** Longer than the lease of the reservation, whose end is normally reported first. */
    agentTimeout: 40_000,
    /** Upper limit for noticing an unreported answer. */
    look: 2_000,
    dialTimeout: ({ context }) => context.dialTimeoutMs,
    bridgeTimeout: 5_000,
    reprobe: 5_000,
    liveCheck: 20_000,
    closeCheck: 3_000,
    retention: 60_000,
  },
});

const noParams = <Type extends keyof AgentCallEffects>(type: Type) => ({ type, params: undefined }) as const;
const close = { type: 'closeCall', params: endOf } as const;
/** Records the end of a leg with the event's cause. */
const ended = (leg: 'agent' | 'customer') =>
  ({
    type: 'recordEnd',
    params: ({ event }: { event: Extract<AgentCallEvent, { cause: string }> }) => ({ leg, cause: event.cause, at: event.at }),
  }) as const;
const progress = (status: 'ringing' | 'dialing') =>
  ({
    type: 'recordProgress',
    params: ({ event }: { event: AgentCallEvent }) => ({ status, at: event.type === 'agentAnswered' ? (event.answeredAt ?? null) : null }),
  }) as const;
const probeCustomer = (isSent: boolean) => ({ type: 'probeCustomer', params: { isSent } }) as const;
const theAnswer = ({ event }: { event: AgentCallEvent }) => ({ status: 'answered' as const, at: answerOf(event) ?? 0 });
const freeAgent = {
  type: 'sendTo',
  params: ({ event }: { event: Extract<AgentCallEvent, { type: 'agentMissing' }> }) => ({
    to: { type: 'agent' as const, id: String(event.agentId) },
    event: { type: 'released' as const, fence: event.fence },
  }),
} as const;
const isAnswered = ['seeAnswer', { type: 'recordProgress', params: theAnswer }, { type: 'recordCustomer', params: theAnswer }] as const;

/**
 * A call made by an agent: the agent's phone rings first, then the customer's, then both are bridged; when one ends, so does the other.
 *
 * Why:    the slot is released only when the customer's channel is known to be gone (I1), and a leg whose answer was not reported is found by
 *         probing, so that no one waits in silence
 * Source: OCS 4.13 "the agent extension is called first, then the customer is bridged", D12.3
 */
export const agentCallMachine = base.createMachine({
  id: 'agentCall',
  context: ({ input }) => initialAgentCall(input),
  initial: 'open',
  states: {
    open: {
      initial: 'agent',
      on: {
        agentGone: { target: 'ended', actions: ['seeAgentLeave', ended('agent'), close] },
        customerHungUp: [
          {
            guard: 'wasAnsweredUnheard',
            target: 'ended.closed',
            actions: [...isAnswered, ended('customer'), close, noParams('endAgentLeg')],
          },
          { target: 'ended.closed', actions: [ended('customer'), close, noParams('endAgentLeg')] },
        ],
        customerRefused: { target: 'ended.closed', actions: [ended('customer'), close, noParams('endAgentLeg')] },
        customerMissing: { target: 'ended.closed', actions: [close, noParams('endAgentLeg')] },
      },
      states: {
        agent: {
          entry: noParams('ringAgent'),
          initial: 'waiting',
          after: { agentTimeout: '.late' },
          on: {
            agentRinging: { actions: progress('ringing') },
            agentAnswered: 'customer',
          },
          states: {
            // The agent's actor watches the leg and reports its end.
            waiting: {},
            late: {
              entry: noParams('probeAgent'),
              after: { reprobe: { target: 'late', reenter: true } },
              on: { callSuspected: { target: 'late', reenter: true } },
            },
          },
        },
        customer: {
          entry: ['sendCustomer', progress('dialing'), noParams('dialCustomer')],
          initial: 'waiting',
          on: {
            customerAnswered: {
              target: 'bridging',
              actions: isAnswered,
            },
          },
          states: {
            waiting: {
              initial: 'unseen',
              after: { dialTimeout: 'probing' },
              on: {
                customerSent: '.seen',
                customerFound: '.seen',
                customerRinging: { target: '.seen', actions: { type: 'recordCustomer', params: { status: 'ringing', at: 0 } } },
              },
              states: {
                unseen: {
                  after: { look: { target: 'unseen', reenter: true, actions: probeCustomer(false) } },
                  on: { callSuspected: { actions: probeCustomer(false) } },
                },
                seen: {
                  after: { look: { target: 'seen', reenter: true, actions: probeCustomer(true) } },
                  on: { callSuspected: { actions: probeCustomer(true) } },
                },
              },
            },
            probing: {
              entry: probeCustomer(true),
              after: { reprobe: { target: 'probing', reenter: true } },
              on: { callSuspected: { target: 'probing', reenter: true } },
            },
          },
        },
        bridging: {
          entry: noParams('bridgeLegs'),
          after: { bridgeTimeout: { target: 'bridging', reenter: true } },
          on: {
            legsBridged: 'talking',
            bridgeFailed: { target: '#agentCall.ended', actions: close },
            callSuspected: { target: 'bridging', reenter: true },
          },
        },
        // Even if all events are lost, a call never outlives its channel.
        talking: {
          after: { liveCheck: { target: 'talking', reenter: true, actions: probeCustomer(true) } },
          on: { callSuspected: { actions: probeCustomer(true) } },
        },
      },
    },
    ended: {
      initial: 'closing',
      on: {
        // The end of the other leg is reported after the call is closed.
        agentGone: { actions: ['seeAgentLeave', ended('agent')] },
        agentMissing: { actions: ['seeAgentLeave', freeAgent] },
        customerHungUp: { actions: ended('customer') },
      },
      states: {
        closing: {
          entry: [noParams('endAgentLeg'), noParams('endCustomerLeg')],
          always: { guard: 'hasNoCustomer', target: 'closed' },
          initial: 'waiting',
          on: {
            customerHungUp: { target: 'closed', actions: ended('customer') },
            customerRefused: { target: 'closed', actions: ended('customer') },
            customerMissing: 'closed',
          },
          states: {
            waiting: { after: { closeCheck: 'checking' }, on: { callSuspected: 'checking' } },
            checking: {
              entry: [noParams('endCustomerLeg'), probeCustomer(true)],
              after: { reprobe: { target: 'checking', reenter: true } },
              on: { callSuspected: { target: 'checking', reenter: true } },
            },
          },
        },
        closed: {
          entry: noParams('releaseSlot'),
          after: {
            retention: [
              { guard: 'hasNoAgent', target: 'forgotten' },
              { target: 'closed', reenter: true },
            ],
          },
          initial: 'leaving',
          states: {
            // A cell that was unreachable missed the hang-up: do not leave the agent parked on an ended call.
            leaving: {
              always: { guard: 'hasNoAgent', target: 'quiet' },
              after: { reprobe: { target: 'leaving', reenter: true, actions: noParams('endAgentLeg') } },
              on: { callSuspected: { actions: noParams('endAgentLeg') } },
            },
            quiet: {},
          },
          on: {
            // A tombstone: a dial that leaves the switch after the end must not ring a phone.
            customerRinging: { actions: noParams('endCustomerLeg') },
            customerAnswered: { actions: noParams('endCustomerLeg') },
            customerSent: { actions: noParams('endCustomerLeg') },
          },
        },
        forgotten: { entry: noParams('forgetCall') },
      },
    },
  },
});
