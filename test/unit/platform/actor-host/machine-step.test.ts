import { describe, expect, test } from '@jest/globals';
import { type AnyStateMachine, initialTransition, transition } from 'xstate';
import { agentMachine } from '#actors/agent/machine.ts';
import { agentCallMachine } from '#actors/agent-call/machine.ts';
import { callMachine } from '#actors/call/machine.ts';
import { campaignMachine } from '#actors/campaign/machine.ts';
import { conferenceMachine } from '#actors/conference/machine.ts';
import { interventionMachine } from '#actors/intervention/machine.ts';
import { legMachine } from '#actors/leg/machine.ts';
import { firstDecision, machineAggregate, type MachineState } from '#platform/actor-host/machine-aggregate.ts';
import { randomPick, seededRandom } from '#kernel/random.ts';

const MACHINES: Record<string, AnyStateMachine> = {
  agentMachine,
  agentCallMachine,
  callMachine,
  campaignMachine,
  conferenceMachine,
  interventionMachine,
  legMachine,
};
const WALKS = 40;
const STEPS = 25;

describe("a step equals XState's own result [A3]", () => {
  test.each(Object.entries(MACHINES))('%s: random walks, including refused and ignored events', (_name, machine) => {
    const random = seededRandom(11);
    const taken = new Set<string>();
    for (let walk = 0; walk < WALKS; walk += 1) {
      const input = { at: walk, agentId: 1, callId: walk, kind: 'transfer', legs: [], triedAgentIds: [], createdAt: walk };
      const [first] = initialTransition(machine, input as never);
      let state: MachineState<unknown> = firstDecision(machine, input).state;
      expect(state).toEqual({ value: first.value, context: first.context });
      for (let step = 0; step < STEPS; step += 1) {
        const event = {
          type: randomPick(random, machine.events as string[]),
          at: walk + step,
          by: 'x',
          agentId: 1,
          timing: 'now',
          hasWork: true,
          activeCalls: 0,
        };
        const expected = attempt(() => expectedStep(machine, state, event));
        expect(attempt(() => decided(machine, state, event))).toEqual(expected);
        if (typeof expected !== 'object' || expected === null) continue;
        taken.add(event.type);
        state = { value: expected.value, context: expected.context };
      }
    }
    expect(taken.size).toBeGreaterThan(1);
  });
});

interface Step {
  value: unknown;
  context: unknown;
  effects: string[];
}

function expectedStep(machine: AnyStateMachine, state: MachineState<unknown>, event: { type: string }): Step | null {
  const before = machine.resolveState({ value: state.value as never, context: state.context });
  const [after, actions] = transition(machine, before, event as never);
  if (after === before && actions.length === 0) return null;
  return {
    value: after.value,
    context: after.context,
    effects: actions.map(action => action.type).filter(type => !type.startsWith('xstate.')),
  };
}

function decided(machine: AnyStateMachine, state: MachineState<unknown>, event: { type: string }): Step | null {
  const upgrade = () => state;
  const decision = machineAggregate({ type: 'any', machine, snapshotVersion: 1, upgrade }).decide(state, event);
  return decision && { ...decision.state, effects: decision.effects.map(effect => effect.type) };
}

/** The outcome, or the message of the exception. */
function attempt(work: () => Step | null): Step | null | string {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}
