import { expect, test } from '@jest/globals';
import type { CallState } from '#calls/call-actor.ts';
import { callEffects, type CallEffectOptions } from '#calls/effects.ts';
import type { EffectContext } from '#platform/actor-host/aggregate.ts';

const LOST = { status: 'outcome_unknown', callStatus: null, cause: null, by: null, replyText: null, endedAt: null, answeredAt: null };
const meta = JSON.stringify({ requestId: 'r', attemptId: 1, campaignId: 1, cellId: 'c' });
const context = { id: 'r', effectId: 'e', meta } as unknown as EffectContext<CallState>;

/** Whether the operator is notified when the call is given up while its attempt has this status. */
async function isTold(status: string): Promise<boolean> {
  let told = false;
  const deps = {
    writer: { settled: async () => undefined },
    dials: { findAttempts: async () => [{ status }] },
    notes: { ended: () => undefined },
    events: { record: async () => void (told = true) },
  } as unknown as CallEffectOptions;
  await callEffects(deps).settleAttempt(LOST as never, context);
  return told;
}

test.each([
  ['outcome_unknown', true],
  ['completed', false],
  ['cancelled', false],
])('an abandoned call with attempt status %s notifies the operator: %s [D14.3]', async (status, expected) => {
  expect(await isTold(status)).toBe(expected);
});
