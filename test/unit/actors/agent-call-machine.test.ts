import { describe, expect, test } from '@jest/globals';
import type { AgentCallContext } from '#actors/agent-call/context.ts';
import type { AgentCallEvent } from '#actors/agent-call/events.ts';
import { agentCallMachine } from '#actors/agent-call/machine.ts';
import { firstDecision } from '#platform/actor-host/machine-aggregate.ts';
import { givenMachine } from '#test/support/machine-given.ts';

const INPUT = { dialTimeoutMs: 35_000 };
const given = givenMachine<AgentCallContext, AgentCallEvent>(agentCallMachine, INPUT);

const agentAnswered: AgentCallEvent = { type: 'agentAnswered' };
const customerAnswered: AgentCallEvent = { type: 'customerAnswered', at: 10 };
const bridged: AgentCallEvent = { type: 'legsBridged' };
const agentGone: AgentCallEvent = { type: 'agentGone', cause: 'NORMAL_CLEARING', at: 20 };
const customerHungUp: AgentCallEvent = { type: 'customerHungUp', cause: 'NORMAL_CLEARING', by: 'customer', at: 20 };

const names = (effects: { type: string }[]) => effects.map(effect => effect.type);

describe('a call that an agent places', () => {
  test('rings only the agent first [OCS 4.13 "the agent extension is called first"]', () => {
    expect(names([...firstDecision(agentCallMachine, INPUT).effects])).toEqual(['ringAgent']);
  });

  test('dials the customer once the agent has answered, and bridges the legs once the customer has [D12.3]', () => {
    expect(names(given().when(agentAnswered).effects)).toEqual(['recordProgress', 'dialCustomer']);
    expect(names(given(agentAnswered).when(customerAnswered).effects)).toEqual(['recordProgress', 'recordCustomer', 'bridgeLegs']);
    expect(given(agentAnswered, customerAnswered).when(bridged).value).toEqual({ open: 'talking' });
  });

  test('a probe finds a customer whose answer event was lost, with the true time; before the customer is dialled a missing channel proves nothing [I9]', () => {
    const look = (state: string) => ({ type: `xstate.after.look.agentCall.open.customer.waiting.${state}` }) as unknown as AgentCallEvent;
    expect(given(agentAnswered).when(look('unseen')).effects).toEqual([{ type: 'probeCustomer', params: { isSent: false } }]);
    for (const sent of [{ type: 'customerSent' }, { type: 'customerFound' }, { type: 'customerRinging' }] as const) {
      const step = given(agentAnswered, sent).when(look('seen'));
      expect(step.effects).toEqual([{ type: 'probeCustomer', params: { isSent: true } }]);
      expect([step.timers['look'], step.timers['dialTimeout']]).toEqual([2_000, undefined]);
    }
    const found = given(agentAnswered).when(customerAnswered);
    expect(found.effects[1]).toEqual({ type: 'recordCustomer', params: { status: 'answered', at: 10 } });
  });

  test('a reconnected cell is probed at once in every state of the call [A6 step 11, I9]', () => {
    const suspected: AgentCallEvent = { type: 'callSuspected' };
    const late = { type: 'xstate.after.agentTimeout.agentCall.open.agent' } as unknown as AgentCallEvent;
    expect(names(given(late).when(suspected).effects)).toEqual(['probeAgent']);
    expect(names(given(agentAnswered).when(suspected).effects)).toEqual(['probeCustomer']);
    expect(names(given(agentAnswered, customerAnswered).when(suspected).effects)).toEqual(['bridgeLegs']);
    expect(names(given(agentAnswered, customerAnswered, bridged).when(suspected).effects)).toEqual(['probeCustomer']);
    expect(names(given(agentAnswered, agentGone).when(suspected).effects)).toEqual(['endCustomerLeg', 'probeCustomer']);
  });

  test('an agent without events is probed at the time-out instead of given up [I9]', () => {
    const late = { type: 'xstate.after.agentTimeout.agentCall.open.agent' } as unknown as AgentCallEvent;
    expect(names(given().when(late).effects)).toEqual(['probeAgent']);
    expect(names(given(late).when({ type: 'agentAnswered', answeredAt: 7 }).effects)).toEqual(['recordProgress', 'dialCustomer']);
    expect(given(late).when({ ...agentGone, mayStand: true }).value).toEqual({ ended: { closed: 'leaving' } });
  });

  test('an answer that only the hang-up event reports counts [I9]', () => {
    const step = given(agentAnswered).when({ ...customerHungUp, answeredAt: 12 });
    expect(names(step.effects)).toEqual(['recordProgress', 'recordCustomer', 'recordEnd', 'closeCall', 'endAgentLeg', 'releaseSlot']);
    expect(step.effects[0]?.params).toEqual({ status: 'answered', at: 12 });
    expect(step.effects[3]?.params).toMatchObject({ status: 'completed', by: 'customer' });
  });

  test('an agent leg that ends before the answer leaves the customer undialled and frees the slot [D12.7]', () => {
    const step = given().when(agentGone);
    expect(names(step.effects)).toEqual(['recordEnd', 'closeCall', 'endAgentLeg', 'endCustomerLeg', 'releaseSlot']);
    expect(step.value).toEqual({ ended: { closed: 'quiet' } });
    expect(step.effects[1]?.params).toMatchObject({ status: 'failed', by: 'agent' });
  });

  test('an agent who hangs up while the customer is being dialled keeps the slot until the customer leg ends [I1]', () => {
    const step = given(agentAnswered).when(agentGone);
    expect(names(step.effects)).toEqual(['recordEnd', 'closeCall', 'endAgentLeg', 'endCustomerLeg']);
    expect(names(given(agentAnswered, agentGone).when(customerHungUp).effects)).toEqual(['recordEnd', 'releaseSlot']);
    expect(names(given(agentAnswered, agentGone).when({ type: 'customerMissing', at: 30 }).effects)).toEqual(['releaseSlot']);
  });

  test('a customer who hangs up ends the agent leg and frees the slot', () => {
    const step = given(agentAnswered, customerAnswered, bridged).when(customerHungUp);
    expect(names(step.effects)).toEqual(['recordEnd', 'closeCall', 'endAgentLeg', 'releaseSlot']);
    expect(step.effects[1]?.params).toMatchObject({ status: 'completed', by: 'customer' });
  });

  test('each leg keeps its own hang-up cause, even one reported after the call is closed [OCS 4.13]', () => {
    const first = given(agentAnswered, customerAnswered, bridged).when({ ...customerHungUp, cause: 'NORMAL_UNSPECIFIED' });
    expect(first.effects[0]?.params).toEqual({ leg: 'customer', cause: 'NORMAL_UNSPECIFIED', at: 20 });
    const second = given(agentAnswered, customerAnswered, bridged, customerHungUp).when({ ...agentGone, at: 21 });
    expect(second.effects).toEqual([{ type: 'recordEnd', params: { leg: 'agent', cause: 'NORMAL_CLEARING', at: 21 } }]);
    const other = given(agentAnswered, customerAnswered, bridged, agentGone, customerHungUp).when(customerHungUp);
    expect(other.effects).toEqual([{ type: 'recordEnd', params: { leg: 'customer', cause: 'NORMAL_CLEARING', at: 20 } }]);
  });

  test('hanging up the agent leg is repeated until the switch reports that it has ended [A6 step 11]', () => {
    const refused: AgentCallEvent = { type: 'customerRefused', cause: 'USER_BUSY', reason: '占线', at: 20 };
    const again = { type: 'xstate.after.reprobe.agentCall.ended.closed.leaving' } as unknown as AgentCallEvent;
    const retention = { type: 'xstate.after.retention.agentCall.ended.closed' } as unknown as AgentCallEvent;
    expect(given(agentAnswered).when(refused).timers['reprobe']).toBe(5_000);
    const step = given(agentAnswered, refused).when(again);
    expect([names(step.effects), step.timers['reprobe']]).toEqual([['endAgentLeg'], 5_000]);
    expect(names(given(agentAnswered, refused).when(retention).effects)).not.toContain('forgetCall');
    for (const over of [agentGone, { type: 'agentMissing', agentId: 7, fence: 'leg-7' } as const]) {
      expect(given(agentAnswered, refused, again).when(over)).toMatchObject({
        value: { ended: { closed: 'quiet' } },
        timers: { reprobe: null },
      });
      expect(names(given(agentAnswered, refused, over).when(retention).effects)).toContain('forgetCall');
    }
  });

  test('an agent who did not answer in time may still be ringing: the leg is hung up until it has ended [D12.7]', () => {
    const expired: AgentCallEvent = { type: 'agentGone', cause: 'NO_ANSWER', mayStand: true, at: 20 };
    expect(given().when(expired)).toMatchObject({ value: { ended: { closed: 'leaving' } }, timers: { reprobe: 5_000 } });
    const missing = given(expired).when({ type: 'agentMissing', agentId: 7, fence: 'leg-7' });
    expect(missing.value).toEqual({ ended: { closed: 'quiet' } });
    const released = { to: { type: 'agent', id: '7' }, event: { type: 'released', fence: 'leg-7' } };
    expect(missing.effects).toEqual([{ type: 'sendTo', params: released }]);
  });

  test('a hang-up by the switch after the customer answered means that the agent hung up first', () => {
    const step = given(agentAnswered, customerAnswered, bridged).when({ ...customerHungUp, by: 'system' });
    expect(step.effects[1]?.params).toMatchObject({ status: 'completed', by: 'agent' });
  });

  test('a refused dial to the customer fails the call with its reason', () => {
    const step = given(agentAnswered).when({ type: 'customerRefused', cause: 'USER_BUSY', reason: '占线', at: 20 });
    expect(step.effects[1]?.params).toMatchObject({ status: 'failed', cause: 'USER_BUSY', reason: '占线' });
    expect(names(step.effects)).toContain('releaseSlot');
  });

  test('a channel that appears after the end is hung up', () => {
    expect(names(given(agentAnswered, customerHungUp).when(customerAnswered).effects)).toEqual(['endCustomerLeg']);
  });
});
