import { describe, expect, test } from '@jest/globals';
import { interventionStatus, isOpen, type TakeOver, UNCLAIMED } from '#actors/intervention/take-over.ts';
import type { TakeOverEvent } from '#actors/intervention/events.ts';
import { interventionMachine } from '#actors/intervention/machine.ts';
import { givenMachine } from '#test/support/machine-given.ts';

const given = givenMachine<TakeOver, TakeOverEvent>(interventionMachine, UNCLAIMED.context, UNCLAIMED);
const ANNA = 7;
const BEN = 8;

const claimed = (id = 'iv-1', userId = ANNA): TakeOverEvent => ({
  type: 'interventionClaimed',
  id,
  userId,
  agentId: 12,
  isSupervisor: false,
  at: 1_000,
});
const cancelled = (userId = ANNA): TakeOverEvent => ({ type: 'interventionCancelled', userId, at: 2_000 });
const consumed = (id = 'iv-1'): TakeOverEvent => ({ type: 'interventionConsumed', id, at: 3_000 });
type Noticed = Extract<TakeOverEvent, { type: 'interventionNoticed' }>;
const noticed = (status: Noticed['status'], id = 'iv-1'): Noticed => ({
  type: 'interventionNoticed',
  id,
  status,
  agentId: null,
  reason: null,
  at: 4_000,
});
const RELEASED = { to: { type: 'agent', id: '12' }, event: { type: 'released', holder: 'intervention:iv-1' } };
const left: TakeOverEvent = { type: 'callLeft', at: 5_000 };
const expiry = { type: 'xstate.after.expiry.intervention.requested' } as unknown as TakeOverEvent;
const types = (step: { effects: { type: string }[] }) => step.effects.map(effect => effect.type);
const isUnasked = (step: { effects: { type: string; params: unknown }[] }) =>
  step.effects.some(({ type, params }) => type === 'notifyIntervention' && (params as { isUnasked: boolean }).isUnasked);

describe('an agent takes over a live call [OCS 3, D9.3]', () => {
  test('the first claim requests the runtime, binds the monitor and lasts 30 s', () => {
    const step = given().when(claimed());
    expect(interventionStatus(step)).toBe('requested');
    expect(step.context).toMatchObject({ id: 'iv-1', initiatorId: ANNA, agentId: 12, requestedAt: 1_000, consumedAt: null });
    expect(types(step)).toEqual(['focusMonitor', 'notifyIntervention', 'signalIntervene']);
    expect(step.timers).toEqual({ expiry: 30_000 });
  });

  test('a second claim changes nothing while the first is open', () => {
    for (const before of [[], [consumed()], [consumed(), noticed('active')]])
      expect(given(claimed(), ...before).when(claimed('iv-2', BEN)).ignored).toBe(true);
  });

  test('only the initiator can cancel', () => {
    expect(given(claimed()).when(cancelled(BEN)).ignored).toBe(true);
    const step = given(claimed()).when(cancelled());
    expect(interventionStatus(step)).toBe('cancelled');
    expect(types(step)).toEqual(['freeMonitor', 'sendTo', 'notifyIntervention', 'signalCancel']);
    expect(step.timers).toEqual({ expiry: null });
  });

  test('consuming starts the transfer and pins the call to its monitor; after that it cannot be cancelled', () => {
    const step = given(claimed()).when(consumed());
    expect(interventionStatus(step)).toBe('transferring');
    expect(step.context.consumedAt).toBe(3_000);
    expect(types(step)).toEqual(['pinMonitor', 'notifyIntervention']);
    expect(given(claimed(), consumed()).when(cancelled()).ignored).toBe(true);
  });

  test('of cancel and consume, the first commit wins [A7]', () => {
    expect(given(claimed(), cancelled()).when(consumed()).ignored).toBe(true);
    expect(given(claimed(), consumed()).when(cancelled()).ignored).toBe(true);
  });

  test('consuming another intervention changes nothing', () => {
    expect(given(claimed()).when(consumed('iv-0')).ignored).toBe(true);
  });

  test('a request that is not consumed expires and is withdrawn from the runtime', () => {
    const step = given(claimed()).when(expiry);
    expect(interventionStatus(step)).toBe('expired');
    expect(types(step)).toEqual(['freeMonitor', 'sendTo', 'notifyIntervention', 'signalCancel']);
  });

  test.each([
    ['requested', [], 'expired', []],
    ['transferring', [consumed()], 'failed', []],
    ['active', [consumed(), noticed('active')], 'ended', ['toCall']],
  ] as const)('the end of the call closes an intervention that is %s', (_place, events, exit, said) => {
    const step = given(claimed(), ...events).when(left);
    expect(interventionStatus(step)).toBe(exit);
    expect(step.context.endedAt).toBe(5_000);
    expect(types(step)).toEqual([...said, 'freeMonitor', 'sendTo', 'notifyIntervention']);
  });

  test.each(['failed', 'ended'] as const)('a report of the runtime that it has %s is accepted in every state', status => {
    for (const before of [[], [consumed()], [consumed(), noticed('active')]]) {
      const step = given(claimed(), ...before).when(noticed(status));
      expect(interventionStatus(step)).toBe(status);
      expect(types(step)).toContain('freeMonitor');
    }
  });

  test.each([[[cancelled()]], [[expiry]], [[consumed(), noticed('failed')]], [[consumed(), noticed('active'), noticed('ended')]]])(
    'after %j the next claim starts afresh',
    events => {
      const step = given(claimed(), ...events).when(claimed('iv-2', BEN));
      expect(interventionStatus(step)).toBe('requested');
      expect(step.context).toMatchObject({ id: 'iv-2', initiatorId: BEN, consumedAt: null, endedAt: null });
    },
  );
});

describe('reports of the runtime state facts [A7]', () => {
  test('a notice replaces the request to consume', () => {
    const step = given(claimed()).when(noticed('transferring'));
    expect(interventionStatus(step)).toBe('transferring');
    expect(isUnasked(step)).toBe(false);
    expect(given(claimed()).when(noticed('active')).value).toBe('active');
  });

  test("an intervention id of the runtime's own is accepted until the end", () => {
    const step = given(claimed(), noticed('transferring', 'rt-9'), noticed('active', 'rt-9')).when(noticed('ended', 'rt-9'));
    expect(interventionStatus(step)).toBe('ended');
    expect(step.context).toMatchObject({ id: 'iv-1', initiatorId: ANNA });
  });

  test.each([[[cancelled()]], [[expiry]]])('after %j a transfer is accepted as a fact, with an alert', events => {
    for (const status of ['transferring', 'active'] as const) {
      const step = given(claimed(), ...events).when(noticed(status));
      expect(interventionStatus(step)).toBe(status);
      expect(isUnasked(step)).toBe(true);
      expect(step.context.initiatorId).toBe(ANNA);
      // The cancellation had freed the monitor for other calls.
      expect(step.effects).toContainEqual({ type: 'focusMonitor', params: { userId: ANNA } });
    }
  });

  test('a transfer without a claim is accepted, with an alert', () => {
    const step = given().when(noticed('active', 'rt-1'));
    expect(interventionStatus(step)).toBe('active');
    expect(step.context).toMatchObject({ id: 'rt-1', initiatorId: null });
    expect(isUnasked(step)).toBe(true);
  });

  test('late notices of an ended intervention change nothing, because NATS may redeliver in any order', () => {
    for (const status of ['transferring', 'active', 'failed', 'ended'] as const)
      expect(given(claimed(), consumed(), noticed('active'), noticed('ended')).when(noticed(status)).ignored).toBe(true);
    expect(given(claimed(), consumed(), noticed('active')).when(noticed('transferring')).ignored).toBe(true);
    expect(given(claimed(), cancelled(), claimed('iv-2')).when(noticed('ended', 'iv-1')).ignored).toBe(true);
  });
});

test('subscribers see no status before the first claim, and the outcome after the last [D9.2]', () => {
  expect(interventionStatus(given().state)).toBe(null);
  expect(interventionStatus(given(claimed(), cancelled()).state)).toBe('cancelled');
  expect([given(claimed()), given(claimed(), cancelled())].map(({ state }) => isOpen(state))).toEqual([true, false]);
});

describe('why an intervention ended [D9.3]', () => {
  test.each<[string, TakeOverEvent[], TakeOverEvent, string, string]>([
    ['cancelled', [claimed()], cancelled(), 'cancelled', '申请人取消了介入'],
    ['not taken', [claimed()], expiry, 'expired', '30 秒内未能开始转接，申请已失效'],
    ['the call ends first', [claimed()], left, 'expired', '通话在开始转接前已结束'],
    ['the call ends while phones ring', [claimed(), consumed()], left, 'failed', '通话在坐席接听前已结束'],
    ['the customer leaves', [claimed(), consumed(), noticed('active')], left, 'ended', '客户通话已结束'],
    ['nobody answers', [claimed(), consumed()], noticed('failed'), 'failed', '坐席未能接听'],
    [
      'in words of the runtime',
      [claimed(), consumed()],
      { ...noticed('failed'), reason: '当前没有空闲坐席' },
      'failed',
      '当前没有空闲坐席',
    ],
    ['the agent leaves', [claimed(), consumed(), noticed('active')], noticed('ended'), 'ended', '坐席已结束通话'],
  ])('%s: the reason is given, and the agent of the claim is released [D9.3]', (_, before, event, value, reason) => {
    const step = given(...before).when(event);
    expect({ value: interventionStatus(step), reason: step.context.reason }).toEqual({ value, reason });
    expect(step.effects).toContainEqual(expect.objectContaining({ type: 'sendTo', params: RELEASED }));
    expect(step.effects).toContainEqual(
      expect.objectContaining({ type: 'notifyIntervention', params: expect.objectContaining({ reason }) }),
    );
  });

  test('a claim with "now" is signalled to the runtime, and the reason of an earlier claim is cleared', () => {
    const step = given(claimed(), cancelled()).when({ ...claimed('iv-2'), when: 'now' } as TakeOverEvent);
    expect(step.context.reason).toBeNull();
    expect(step.effects).toContainEqual(
      expect.objectContaining({ type: 'signalIntervene', params: expect.objectContaining({ when: 'now' }) }),
    );
  });
});
