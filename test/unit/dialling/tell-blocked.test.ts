import { expect, test } from '@jest/globals';
import { blockedReason, tellBlocked } from '#dialling/breaker/tell-blocked.ts';
import type { NewRuntimeEvent } from '#ports/runtime-event-store.ts';

const report = (causes: Record<string, number>) => ({ dials: 4, failures: 3, causes });

test.each([
  [{ DESTINATION_OUT_OF_ORDER: 3 }, 'DESTINATION_OUT_OF_ORDER 3 次', 'fsctl pause'],
  [{ GATEWAY_DOWN: 2, INVALID_GATEWAY: 1 }, 'GATEWAY_DOWN 2 次，INVALID_GATEWAY 1 次', '检查运营商连接'],
  [{ NORMAL_TEMPORARY_FAILURE: 2, RUNTIME_UNAVAILABLE: 1 }, 'RUNTIME_UNAVAILABLE 1 次', '话术运行时是否在线'],
])('the reason names what failed and what to mend: %j', (causes, named, remedy) => {
  const reason = blockedReason(report(causes));
  expect(reason).toContain('最近 4 次呼叫有 3 次');
  expect(reason).toContain(named);
  expect(reason).toContain(remedy);
});

test('causes of the network alone name nothing to mend', () => {
  expect(blockedReason(report({ NORMAL_TEMPORARY_FAILURE: 3 }))).toMatch(/稍后自动试呼$/);
});

test('the alert says the same, and one opening is told once', async () => {
  const events: NewRuntimeEvent[] = [];
  const deps = { events: { record: async (event: NewRuntimeEvent) => void events.push(event) } };
  await tellBlocked(deps as never, { campaignId: 7, openedAt: 1_000, report: report({ GATEWAY_DOWN: 3 }) });
  expect(events).toMatchObject([
    {
      level: 'error',
      type: 'campaign.blocked',
      campaignId: 7,
      message: blockedReason(report({ GATEWAY_DOWN: 3 })),
      detail: { causes: { GATEWAY_DOWN: 3 } },
      dedupeKey: 'breaker:7:1000',
    },
  ]);
});
