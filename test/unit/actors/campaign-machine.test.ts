import { describe, expect, test } from '@jest/globals';
import type { CampaignEvent } from '#actors/campaign/events.ts';
import { refusalOf } from '#actors/campaign/machine.ts';
import { CAMPAIGN_STATUSES } from '#campaigns/decisions/campaign-states.ts';
import { archive, AT, drained, FIELDS, given, pause, start, turn } from '#test/support/campaign-turns.ts';

const REACHED: Record<string, CampaignEvent[]> = {
  draft: [],
  running: [start],
  paused: [start, pause],
  completed: [start, drained],
  archived: [archive],
};
const in_ = (status: string) => given(...(REACHED[status] ?? []));
const edit = { fields: { ...FIELDS, name: '新名' }, given: ['name'] as const };

describe('campaign status [OCS §3, D5.2]', () => {
  test.each<[string, CampaignEvent, unknown]>([
    ['draft', start, { running: 'DISPATCHING' }],
    ['paused', start, { running: 'DISPATCHING' }],
    ['completed', start, { running: 'DISPATCHING' }],
    ['running', pause, 'paused'],
    ['running', drained, 'completed'],
    ['draft', archive, 'archived'],
    ['paused', archive, 'archived'],
    ['completed', archive, 'archived'],
  ])('%s + %o → %s', (from, event, to) => {
    const { value, context } = in_(from).when(event);
    expect([value, context.written]).toEqual([to, expect.arrayContaining(['status'])]);
  });

  test.each<[string, CampaignEvent]>([
    ['archived', start],
    ['archived', pause],
    ['archived', { type: 'editRequested', by: 'admin', edit }],
    ['draft', pause],
    ['completed', pause],
    ['draft', drained],
    ['paused', drained],
    ['paused', turn()],
    ['running', archive],
    ['draft', { ...start, hasWork: false } as CampaignEvent],
    ['draft', { ...archive, activeCalls: 1 } as CampaignEvent],
    ['paused', { type: 'breakerClosed' }],
    ['paused', { type: 'callSettled', at: 1 }],
  ])('%s ignores %o', (from, event) => {
    expect(in_(from).when(event).ignored).toBe(true);
  });

  test('starting records the event and wakes the dispatcher', () => {
    const step = given().when(start);
    expect(step.effects).toEqual([
      { type: 'recordEvent', params: { type: 'campaign.started', by: 'admin' } },
      { type: 'forgetScriptless', params: null },
      { type: 'wakeDispatch', params: null },
    ]);
    expect(step.timers).toEqual({ wakeUp: 0 });
  });

  test('starting again keeps the phase and makes the dispatcher run at once', () => {
    const step = given(start, turn({ isCellReachable: false })).when(start);
    expect(step).toMatchObject({ value: { running: 'SWITCH_UNREACHABLE' }, context: { reason: '交换机不可达' }, timers: { wakeUp: 0 } });
    expect(step.effects.map(({ type }) => type)).toEqual(['forgetScriptless', 'wakeDispatch']);
  });

  test('pausing takes back claims that were not dialled, and cancels the wake-up', () => {
    const step = given(start, turn({ isCellReachable: false })).when(pause);
    expect(step.effects.map(effect => effect.type)).toEqual(['cancelClaims', 'recordEvent']);
    expect(step).toMatchObject({ context: { reason: null, wakeAt: null }, timers: { wakeUp: null } });
  });
});

describe('an edit is applied together with its command [OCS 4.5]', () => {
  test.each(['draft', 'running', 'paused', 'completed'])('alone, in status %s', status => {
    const { value, context, effects, timers } = in_(status).when({ type: 'editRequested', by: 'admin', edit });
    expect({ value, effects, timers }).toEqual({ value: in_(status).state.value, effects: [], timers: {} });
    expect(context).toMatchObject({ fields: { name: '新名' }, written: expect.arrayContaining(['name']) });
  });

  test('with a status change, in one step', () => {
    const { value, context } = given().when({ type: 'startRequested', hasWork: true, hasFlow: true, by: 'admin', edit });
    expect(value).toEqual({ running: 'DISPATCHING' });
    expect(context).toMatchObject({ fields: { name: '新名' }, written: ['status', 'name'] });
  });
});

describe('why a command is refused', () => {
  const commandTo = { running: start, paused: pause, archived: archive, draft: null, completed: null };

  test('only these status changes are allowed [D5.2]', () => {
    const allowed = CAMPAIGN_STATUSES.flatMap(from =>
      CAMPAIGN_STATUSES.filter(to => refusalOf(from, to, commandTo[to] as never) === null).map(to => `${from}→${to}`),
    );
    expect(allowed).toEqual([
      'draft→running',
      'draft→archived',
      'running→running',
      'running→paused',
      'paused→running',
      'paused→archived',
      'completed→running',
      'completed→archived',
    ]);
  });

  test('past its planned end a campaign without open calls completes, and the event counts the contacts left over [D5.2]', () => {
    const left = { pending: 3, held: 1, retryable: 2, promised: 1 };
    const { value, effects } = given(start).when(turn({ endsAt: AT, left }));
    expect(value).toBe('completed');
    expect(effects).toContainEqual({ type: 'recordEvent', params: { type: 'campaign.completed', by: null, left } });
    expect(given(start).when(turn({ endsAt: AT, activeCalls: 1, left })).value).toEqual({ running: 'DRAINING' });
    expect(given(start).when(turn({ endsAt: AT + 1, left })).value).toEqual({ running: 'DISPATCHING' });
  });

  test.each(['draft', 'running', 'paused', 'completed'] as const)('%s does not start without contacts to call [OCS §3]', from => {
    expect(refusalOf(from, 'running', { type: 'startRequested', hasWork: false, hasFlow: true, by: 'x' })).toEqual({
      code: 'NOTHING_TO_CALL',
      message: '活动没有可呼叫的联系人，不能启动',
    });
  });

  test.each(['draft', 'running', 'paused', 'completed'] as const)(
    '%s does not start without a script or runtime for its calls [D5.6]',
    from => {
      expect(refusalOf(from, 'running', { type: 'startRequested', hasWork: true, hasFlow: false, by: 'x' })).toEqual({
        code: 'CONFLICT',
        reason: 'NO_SCRIPT',
        message: expect.stringContaining('没有启用的话术'),
      });
    },
  );

  test.each(CAMPAIGN_STATUSES)('an archived campaign cannot become %s [OCS §3, D5.2]', to => {
    expect(refusalOf('archived', to, commandTo[to] as never)).toEqual({ code: 'CAMPAIGN_ARCHIVED', message: '活动已归档，不能再修改' });
  });

  test('a campaign with live calls cannot be archived [D5.2]', () => {
    const busy = { type: 'archiveRequested', activeCalls: 1, by: 'x' } as const;
    expect(refusalOf('paused', 'archived', busy)).toEqual({
      code: 'CONFLICT',
      reason: 'CALLS_LEFT',
      message: '活动还有进行中的通话，不能归档',
    });
  });

  test('a running campaign must be paused before it is archived [D5.2]', () => {
    expect(refusalOf('running', 'archived', archive as never)).toEqual({
      code: 'CONFLICT',
      reason: 'STATUS_FORBIDS',
      message: '活动当前为运行中，不能改为已归档',
    });
  });
});
