import { describe, expect, test } from '@jest/globals';
import { boardDay, countOnDuty, groupLoads, membersOf } from '#agent-board/decisions/board-rows.ts';
import type { ActivityView, AgentView } from '#agents/agent.ts';

const AT = Date.UTC(2026, 10, 29);
const STATUSES = { idle: 'idle', offline: 'offline', busy: 'busy', ringing: 'busy', talking: 'busy', wrap_up: 'busy' } as const;

function agent(id: number, state: ActivityView['state'], change: Partial<AgentView> = {}): AgentView {
  return {
    id,
    name: `坐席${id}`,
    phoneExtension: String(1_000 + id),
    groupId: null,
    userId: id,
    cellId: null,
    isEnabled: true,
    status: STATUSES[state],
    registrationStatus: 'registered',
    currentCall: null,
    activity: { state, chosen: 'idle', since: AT, reason: null, wrapUp: null },
    createdAt: AT,
    updatedAt: AT,
    ...change,
  };
}

const monitor = (userId: number, watched = 0) => ({ userId, displayName: `用户${userId}`, capacity: 5, watched });
const group = (id: number) => ({ id, name: `组${id}`, description: '', createdAt: AT, updatedAt: AT });
const time = (state: ActivityView['state'], seconds: number) => ({ date: '2026-11-29', agentId: 1, state, reason: null, seconds });

describe('members', () => {
  test('are the agents with the calls that they watch, then monitors who are none', () => {
    const members = membersOf([agent(1, 'idle'), agent(2, 'busy', { userId: null })], [monitor(1, 3), monitor(9)]);
    expect(members.map(each => [each.agent?.id ?? null, each.monitor?.userId ?? null])).toEqual([
      [1, 1],
      [2, null],
      [null, 9],
    ]);
  });
});

describe('on duty', () => {
  test('is who can be rung or works on a call: not on a break, offline, disabled or without a phone', () => {
    const states = (['idle', 'ringing', 'talking', 'wrap_up', 'busy', 'offline'] as const).map((state, index) => agent(index + 1, state));
    const others = [agent(8, 'idle', { isEnabled: false }), agent(9, 'idle', { registrationStatus: 'unregistered' })];
    expect(countOnDuty([...states, ...others])).toBe(4);
  });
});

describe('groups', () => {
  test('count their enabled agents by state and sum what they watch; empty groups are shown, agents without a group come last', () => {
    const agents = [
      agent(1, 'idle', { groupId: 7 }),
      agent(2, 'wrap_up', { groupId: 7 }),
      agent(3, 'talking'),
      agent(4, 'idle', { groupId: 7, isEnabled: false }),
    ];
    const loads = groupLoads([group(7), group(8)], membersOf(agents, [monitor(1, 2), monitor(2, 1), monitor(9, 4)]));
    const none = { idle: 0, busy: 0, ringing: 0, talking: 0, wrapUp: 0, offline: 0, capacity: 0, watched: 0 };
    expect(loads).toEqual([
      { ...none, groupId: 7, name: '组7', idle: 1, wrapUp: 1, capacity: 10, watched: 3 },
      { ...none, groupId: 8, name: '组8' },
      { ...none, groupId: null, name: '', talking: 1 },
    ]);
  });
});

describe('the day', () => {
  test('has its occupancy from the time on duty, breaks left out', () => {
    const states = [
      time('idle', 600),
      time('ringing', 60),
      time('talking', 240),
      time('wrap_up', 300),
      time('busy', 9_000),
      time('offline', 9),
    ];
    expect(boardDay({ callsHandled: 4, talkSeconds: 230 }, states)).toEqual({
      callsHandled: 4,
      talkSeconds: 230,
      wrapUpSeconds: 300,
      occupancy: 0.5,
    });
  });

  test('has no occupancy before anybody was on duty', () => {
    expect(boardDay({ callsHandled: 0, talkSeconds: 0 }, [time('offline', 9)]).occupancy).toBeNull();
  });
});
