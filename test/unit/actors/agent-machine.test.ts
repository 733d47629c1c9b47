import { describe, expect, test } from '@jest/globals';
import { type AgentContext, agentStage } from '#actors/agent/context.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import { agentMachine } from '#actors/agent/machine.ts';
import { agentCallHolder } from '#agents/agent.ts';
import { givenMachine } from '#test/support/machine-given.ts';

const given = givenMachine<AgentContext, AgentEvent>(agentMachine);

const idle: AgentEvent = { type: 'statusChosen', status: 'idle', at: 1 };
const busy: AgentEvent = { type: 'statusChosen', status: 'busy', at: 1 };
const FENCE = 'fence-1';
const leg = { fence: FENCE, cellId: 'cell-1' };
const reserve = (change: Partial<Extract<AgentEvent, { type: 'reserveRequested' }>> = {}): AgentEvent => ({
  type: 'reserveRequested',
  holder: agentCallHolder('c1'),
  fence: FENCE,
  cellId: 'cell-1',
  currentCall: 'attempt:1',
  wrapUpMs: 0,
  isOwnCall: false,
  at: 5,
  ...change,
});
const toCall = (event: object) => ({ type: 'sendTo', params: { to: { type: 'agentCall', id: 'c1' }, event } });
const answered: AgentEvent = { type: 'legAnswered', ...leg, at: 9 };
const ended: AgentEvent = { type: 'legEnded', fence: FENCE, cause: 'NORMAL_CLEARING', at: 20 };
const missing: AgentEvent = { type: 'legMissing', fence: FENCE, cause: 'UNKNOWN', at: 20 };
const after = (delay: string, state: string) => ({ type: `xstate.after.${delay}.agent.engaged.pending.${state}` }) as unknown as AgentEvent;
const lease = { type: 'xstate.after.lease.agent.engaged.pending' } as unknown as AgentEvent;

const stageAfter = (...events: AgentEvent[]) => agentStage(given(...events).state.value);

describe('reservation', () => {
  test('reserves an idle agent for 30 s, for one holder only [D12.7]', () => {
    const step = given(idle).when(reserve());
    expect(agentStage(step.value)).toBe('reserved');
    expect(step.timers['lease']).toBe(30_000);
    expect(given(idle, reserve()).when(reserve({ holder: 'test:2', fence: 'fence-2' })).ignored).toBe(true);
  });

  test('refuses busy and offline agents, except for calls that the agent places [D12.3]', () => {
    for (const before of [[], [busy]]) {
      expect(given(...before).when(reserve()).ignored).toBe(true);
      expect(agentStage(given(...before).when(reserve({ isOwnCall: true })).value)).toBe('reserved');
    }
  });

  test('ends by itself without an answer: the leg is hung up, the holder is notified, the agent returns to the earlier status [D12.7]', () => {
    const asked = given(idle, reserve(), { type: 'legRinging', ...leg }).when(lease);
    expect(asked.effects).toEqual([{ type: 'probeLeg', params: leg }]);
    const step = given(idle, reserve(), { type: 'legRinging', ...leg }, lease).when({ type: 'legRinging', ...leg });
    expect(step.value).toBe('idle');
    expect(step.context.reservation).toBeNull();
    expect(step.effects).toEqual([
      { type: 'killLeg', params: { ...leg, cause: 'ORIGINATOR_CANCEL' } },
      toCall({ type: 'agentGone', cause: 'NO_ANSWER', mayStand: true }),
    ]);
  });

  test('does not cut off an agent whose answer event was lost: when it expires, the switch decides [D12.7, I9]', () => {
    const late = [idle, reserve(), lease] as const;
    expect(agentStage(given(...late).state.value)).toBe('ringing');
    const step = given(...late).when({ ...answered, at: 7 });
    expect([agentStage(step.value), step.context.reservation?.answeredAt]).toEqual(['talking', 7]);
    expect(step.effects).toEqual([toCall({ type: 'agentAnswered', answeredAt: 7 })]);
    expect(given(...late).when(missing).value).toBe('idle');
  });

  test('does not expire while the cell is unreachable; after the reconnect a leg may still appear [I9]', () => {
    const away = [idle, reserve(), lease, after('reprobe', 'expiring.asking')];
    expect(given(...away).when(after('reprobe', 'expiring.away')).effects).toEqual([{ type: 'probeLeg', params: leg }]);
    const back = given(...away).when(missing);
    expect([agentStage(back.value), back.timers['arrival']]).toEqual(['ringing', 2_000]);
    expect(stageAfter(...away, missing, answered)).toBe('talking');
    expect(stageAfter(...away, missing, after('arrival', 'expiring.missing'))).toBe('idle');
  });

  test('probes the switch repeatedly until an answer [I9]', () => {
    for (const [state, before] of [
      ['reserved', []],
      ['ringing', [{ type: 'legRinging', ...leg } satisfies AgentEvent]],
    ] as const) {
      expect(given(idle, reserve(), ...before).state.value).toEqual({ engaged: { pending: state } });
      const step = given(idle, reserve(), ...before).when(after('look', state));
      expect(step.effects).toEqual([{ type: 'probeLeg', params: leg }]);
      expect([step.timers['look'], step.timers['lease']]).toEqual([2_000, undefined]);
    }
    expect(given(idle, reserve()).when(missing).ignored).toBe(true);
    expect(stageAfter(idle, reserve(), { type: 'legRinging', ...leg }, missing)).toBe('idle');
  });

  test('ends its lease on an answer and then checks the leg from time to time [D12.7]', () => {
    const step = given(idle, reserve()).when(answered);
    expect(agentStage(step.value)).toBe('talking');
    expect(step.timers['lease']).toBeNull();
    expect(step.timers['liveCheck']).toBeGreaterThan(0);
  });
});

describe('an agent who has dialled in from the browser [D12.4]', () => {
  const dialledIn: AgentEvent = { type: 'legAnswered', ...leg, legUuid: 'browser-1', at: 9 };

  test('is probed by the channel of the browser', () => {
    const step = given(idle, reserve(), dialledIn).when({ type: 'legSuspected' });
    expect(step.effects).toEqual([{ type: 'probeLeg', params: { ...leg, legUuid: 'browser-1' } }]);
  });

  test('becomes free when the reservation ends', () => {
    expect(stageAfter(idle, reserve(), dialledIn, ended)).toBe('idle');
    expect(stageAfter(idle, reserve(), dialledIn, { type: 'released', fence: FENCE, at: 20 })).toBe('idle');
  });
});

describe('the end of a leg', () => {
  test.each([
    ['while reserved', []],
    ['while ringing', [{ type: 'legRinging', ...leg } satisfies AgentEvent]],
    ['while talking', [answered]],
  ])('frees the agent %s [D12.7]', (_, between) => {
    const step = given(idle, reserve(), ...between).when(ended);
    expect(step.value).toBe('idle');
    expect(step.effects.at(-1)).toEqual(toCall({ type: 'agentGone', cause: 'NORMAL_CLEARING' }));
  });

  test('restores the status that the agent chose meanwhile [OCS 2.13]', () => {
    expect(stageAfter(idle, reserve(), answered, { type: 'statusChosen', status: 'offline', at: 10 }, ended)).toBe('offline');
    expect(stageAfter(busy, reserve({ isOwnCall: true }), answered, ended)).toBe('busy');
  });

  test('starts the wrap-up if the agent has talked, and none otherwise', () => {
    const wrapping = given(idle, reserve({ wrapUpMs: 5_000 }), answered).when(ended);
    expect(agentStage(wrapping.value)).toBe('wrapUp');
    expect(wrapping.timers['wrapUp']).toBe(5_000);
    expect(stageAfter(idle, reserve({ wrapUpMs: 5_000 }), ended)).toBe('idle');
    expect(stageAfter(idle, reserve({ wrapUpMs: 5_000 }), answered, ended, busy)).toBe('busy');
  });

  test('of another reservation changes nothing; an unknown leg that rings or answers is hung up', () => {
    expect(given(idle, reserve()).when({ ...ended, fence: 'old' }).ignored).toBe(true);
    for (const before of [[idle], [idle, reserve()], [idle, reserve(), answered]]) {
      for (const type of ['legRinging', 'legAnswered'] as const) {
        const step = given(...before).when({ type, fence: 'old', cellId: 'cell-2', at: 30 });
        expect(step.effects).toEqual([{ type: 'killLeg', params: { fence: 'old', cellId: 'cell-2', cause: 'ORIGINATOR_CANCEL' } }]);
      }
    }
  });
});
