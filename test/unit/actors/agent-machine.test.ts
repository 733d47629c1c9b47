import { describe, expect, test } from '@jest/globals';
import { type AgentBeginning, type AgentContext, agentStage } from '#actors/agent/context.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import { agentMachine } from '#actors/agent/machine.ts';
import { agentCallHolder } from '#agents/agent.ts';
import { firstDecision } from '#platform/actor-host/machine-aggregate.ts';
import { givenMachine, shortName } from '#test/support/machine-given.ts';

const machine = givenMachine<AgentContext, AgentEvent>(agentMachine);
/** Without the notes of the history, which `noted` reads. */
const given = (...events: AgentEvent[]) => {
  const made = machine(...events);
  return { ...made, when: (event: AgentEvent) => withoutNotes(made.when(event)) };
};
const isNote = ({ type }: { type: string }) => type === 'recordState';
const withoutNotes = <Step extends { effects: { type: string }[] }>(step: Step): Step => ({
  ...step,
  effects: step.effects.filter(effect => !isNote(effect)),
});
const noted = (...events: AgentEvent[]) =>
  machine(...events.slice(0, -1))
    .when(only(events.at(-1)))
    .effects.filter(isNote);
const only = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('there is an event');
  return value;
};

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

/** An actor at its beginning. */
const begun = (beginning: AgentBeginning) => {
  const { state, effects, timers } = firstDecision<AgentContext>(agentMachine, beginning);
  return {
    stage: agentStage(state.value),
    effects: [...effects].map(({ type, params }) => ({ type, params })),
    timers: Object.fromEntries(Object.entries(timers).map(([name, delay]) => [shortName(name), delay])),
  };
};

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

describe('wrap-up [D12.9]', () => {
  const required = reserve({ wrapUpMs: 5_000, isRequired: true, campaignId: 7 });
  const over = { type: 'xstate.after.wrapUp.agent.engaged.wrapUp' } as unknown as AgentEvent;
  const disposed = (callKey: string): AgentEvent => ({ type: 'disposed', callKeys: ['request:r', callKey], at: 30 });
  const wrapping = [idle, required, answered, ended] as const;
  const optional = [idle, reserve({ wrapUpMs: 5_000 }), answered, ended] as const;

  test('is no free time: nobody reserves the agent, and of a required one not even its own call', () => {
    expect(given(...optional).when(reserve({ fence: 'next' })).ignored).toBe(true);
    expect(given(...wrapping).when(reserve({ fence: 'next' })).ignored).toBe(true);
    expect(given(...wrapping).when(reserve({ fence: 'next', isOwnCall: true })).ignored).toBe(true);
    expect(stageAfter(...optional, reserve({ fence: 'next', isOwnCall: true }))).toBe('reserved');
  });

  test('of a required one lasts ten minutes at most, and is then reported', () => {
    expect(given(...wrapping.slice(0, -1)).when(ended).timers['wrapUp']).toBe(600_000);
    const step = given(...wrapping).when(over);
    expect(step.value).toBe('idle');
    expect(step.effects).toEqual([
      { type: 'reportUndisposed', params: { reservation: expect.objectContaining({ fence: FENCE, campaignId: 7 }) } },
    ]);
    expect(given(...optional).when(over).effects).toEqual([]);
  });

  test('of a required one is not ended by a choice of status, which is remembered', () => {
    expect(stageAfter(...wrapping, busy)).toBe('wrapUp');
    expect(stageAfter(...wrapping, busy, disposed('attempt:1'))).toBe('busy');
    expect(stageAfter(...optional, busy)).toBe('busy');
  });

  test('ends with the disposition of its call alone', () => {
    expect(given(...wrapping).when(disposed('attempt:2')).ignored).toBe(true);
    expect(stageAfter(...wrapping, disposed('attempt:1'))).toBe('idle');
  });

  test('is left out after a call whose disposition was saved during it', () => {
    expect(stageAfter(idle, required, answered, disposed('attempt:1'), ended)).toBe('idle');
    expect(stageAfter(idle, required, answered, disposed('attempt:2'), ended)).toBe('wrapUp');
  });

  test('is given more time once, as long again and a minute at least', () => {
    const extended: AgentEvent = { type: 'wrapUpExtended', at: 3_020 };
    const step = given(...optional).when(extended);
    expect([agentStage(step.value), step.timers['wrapUp']]).toEqual(['wrapUp', 62_000]);
    expect(given(...optional, extended).when({ ...extended, at: 4_000 }).ignored).toBe(true);
    const long = [idle, reserve({ wrapUpMs: 90_000 }), answered, ended] as const;
    expect(given(...long).when(extended).timers['wrapUp']).toBe(177_000);
  });

  test('is ended early: by the agent unless it is required, by a supervisor always', () => {
    expect(stageAfter(...optional, { type: 'wrapUpEnded', isSupervisor: false, at: 30 })).toBe('idle');
    expect(stageAfter(...wrapping, { type: 'wrapUpEnded', isSupervisor: false, at: 30 })).toBe('wrapUp');
    expect(stageAfter(...wrapping, { type: 'wrapUpEnded', isSupervisor: true, at: 30 })).toBe('idle');
  });

  test('goes on after a loss of the cache for the time that was left', () => {
    const { reservation } = given(...wrapping).state.context;
    const { stage, timers, effects } = begun({ at: 100_020, reservation });
    expect([stage, timers['wrapUp']]).toEqual(['wrapUp', 500_000]);
    expect(effects).toEqual([{ type: 'recordState', params: { state: 'wrap_up', reason: null, at: 100_020, reservation } }]);
  });
});

describe('history of states [D12.9]', () => {
  const note = (state: string, at: number, more = {}) => ({
    type: 'recordState',
    params: { state, at, reason: null, reservation: null, ...more },
  });
  /** A state of a call has the call, so that a loss of the cache does not take it. */
  const held = { reservation: expect.objectContaining({ fence: FENCE }) };
  const away: AgentEvent = { type: 'statusChosen', status: 'busy', reason: 'meal', at: 3 };

  test('names each state, when it began and why the agent is busy', () => {
    expect(noted(idle)).toEqual([note('idle', 1)]);
    expect(noted(idle, away)).toEqual([note('busy', 3, { reason: 'meal' })]);
    expect(noted(idle, reserve())).toEqual([note('ringing', 5, held)]);
    expect(noted(idle, reserve(), answered)).toEqual([note('talking', 9, { reservation: expect.objectContaining({ answeredAt: 9 }) })]);
    expect(noted(idle, reserve(), answered, ended)).toEqual([note('idle', 20)]);
  });

  test('begins a state at the time of its event, never before the state that it follows', () => {
    expect(noted(idle, reserve(), { ...answered, at: 2 })).toEqual([note('talking', 5, held)]);
    expect(given(away, { ...away, at: 8 }).state.context.since).toBe(3);
    expect(given(away, { ...away, reason: 'rest', at: 8 }).state.context.since).toBe(8);
  });

  test('has the end of a wrap-up when its time is over', () => {
    const over = { type: 'xstate.after.wrapUp.agent.engaged.wrapUp' } as unknown as AgentEvent;
    expect(noted(idle, reserve({ wrapUpMs: 5_000 }), answered, ended, over)).toEqual([note('idle', 5_020)]);
  });
});

describe('an actor that begins anew after a loss of the cache [D12.7]', () => {
  const heldAfter = (...events: AgentEvent[]) => given(...events).state.context.reservation;

  test('is offline where no call holds the agent', () => {
    expect(begun({ at: 50, reservation: null })).toMatchObject({ stage: 'offline', timers: {} });
  });

  test('waits for the answer of a phone that rings, and takes it', () => {
    const reservation = heldAfter(idle, reserve());
    expect(begun({ at: 50, reservation })).toMatchObject({ stage: 'ringing', timers: { lease: 30_000, look: 2_000 } });
    const restored = givenMachine<AgentContext, AgentEvent>(agentMachine, { at: 50, reservation })();
    expect(agentStage(restored.when({ ...answered, at: 60 }).value)).toBe('talking');
    const strange = restored.when({ type: 'legAnswered', fence: 'fence-2', cellId: 'cell-1', at: 60 });
    expect(strange.effects).toEqual([{ type: 'killLeg', params: { fence: 'fence-2', cellId: 'cell-1', cause: 'ORIGINATOR_CANCEL' } }]);
  });

  test('asks the switch about a conversation at once', () => {
    const { stage, effects } = begun({ at: 50, reservation: heldAfter(idle, reserve(), answered) });
    expect(stage).toBe('talking');
    expect(effects).toContainEqual({ type: 'probeLeg', params: { ...leg, legUuid: undefined } });
  });
});
