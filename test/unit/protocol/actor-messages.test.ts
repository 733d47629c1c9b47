import { expect, test } from '@jest/globals';
import { COMMAND_ID_HEADER, SENT_AT_HEADER, SIGNATURE_HEADER, signedParts } from '#protocol/actor-messages.ts';
import { deliverMessage } from '#platform/nats/actor-carrier.ts';
import type { Clock } from '#kernel/clock.ts';
import { sign } from '#kernel/signature.ts';

const KEY = 'a key of the servers';
const NOW = 1_000_000;
const serverKey = { read: () => Promise.resolve(KEY), forget: () => undefined };
const actors = { deliver: () => Promise.resolve('applied' as const) };
const subject = 'callout.v1.actor.call.c1.runtimeLost';
const event = { type: 'runtimeLost', runtimeId: 'rt-1' };

/** Delivers a message signed at `sentAt` whose header claims `claimed`. */
function deliver(sentAt: string, claimed = sentAt) {
  const signature = sign(KEY, signedParts({ subject, commandId: 'c', sentAt, event }));
  const headers = { [COMMAND_ID_HEADER]: 'c', [SENT_AT_HEADER]: claimed, [SIGNATURE_HEADER]: signature };
  const clock = { now: () => NOW } as Clock;
  return deliverMessage({ actors, serverKey, clock }, { subject, headers, body: event });
}

test.each([
  ['half a minute old', NOW - 30_000],
  ['half a minute ahead of this clock', NOW + 30_000],
])("a server's message is accepted when it is at most %s", async (_, sentAt) => {
  expect(await deliver(String(sentAt))).toBe('applied');
});

test.each([
  ['was recorded earlier', String(NOW - 30_001)],
  ['is from the future', String(NOW + 30_001)],
  ['has an invalid time', 'soon'],
  ['has no time', ''],
])('a signed message that %s is rejected', async (_, sentAt) => {
  await expect(deliver(sentAt)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('a recorded message cannot be made newer, because the signature covers its time', async () => {
  await expect(deliver(String(NOW - 60_000), String(NOW))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
