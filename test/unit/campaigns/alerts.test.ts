import { expect, test } from '@jest/globals';
import { blockedReason } from '#actors/campaign/obstacles.ts';
import { notifyBlocked } from '#campaigns/campaign-actor.ts';
import type { NewRuntimeEvent } from '#runtime-events/runtime-event-store.ts';

const report = (causes: Record<string, number>) => ({ dials: 4, failures: 3, causes });

test('the alert has the same text, and its key allows one alert per opening of the breaker', async () => {
  const events: NewRuntimeEvent[] = [];
  const deps = { events: { record: async (event: NewRuntimeEvent) => void events.push(event) } };
  await notifyBlocked(deps as never, 7, { openedAt: 1_000, report: report({ GATEWAY_DOWN: 3 }) });
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
