import { afterEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type ServeRig, startServeRig } from '#test/support/serve-process.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startReceiver, verify, type WebhookReceiver } from '#test/support/webhook-receiver.ts';

let rig: ServeRig;
let receiver: WebhookReceiver;
afterEach(async () => {
  await rig.close();
  await receiver.close();
});

describe('SIGKILL between commit and delivery [D15.3]', () => {
  test('when one of two servers is killed while it delivers, every call arrives, in order and without a gap', async () => {
    receiver = await startReceiver();
    const config = { webhooks: { allowPrivateAddresses: true }, agents: { secretKey: '5e'.repeat(32) } };
    rig = await startServeRig({ talkMs: { minMs: 200, maxMs: 600 }, config });
    const first = await rig.serve();
    const made = await first.api('POST', '/api/webhooks', {
      name: '订单系统',
      url: receiver.url,
      types: ['attempt.answered', 'attempt.settled', 'campaign.completed'],
    });
    const secret = String(made.data['secret']);
    await waitUntil(
      'the lease',
      async () => (await rig.rows(sql`select from webhook_endpoint where lease_token is not null`)).length === 1,
    );
    const second = await rig.serve();
    const campaignId = await rig.start(second, 40);
    await waitUntil('some messages', () => receiver.received.length >= 10);
    first.child.kill('SIGKILL');
    await first.exit;
    // The dead server's lease would end by itself, 20 s after it was last renewed.
    await rig.rows(sql`update webhook_endpoint set lease_until = now()`);
    await rig.untilCompleted(campaignId);
    const told = () =>
      new Set(receiver.received.filter(({ json }) => json.type === 'attempt.settled').map(({ json }) => json.data.requestId));
    const settled = await rig.rows(
      sql<{ requestId: string }>`select request_id from attempt where status in ('completed','failed','outcome_unknown')`,
    );
    expect(settled.length).toBeGreaterThanOrEqual(40);
    await waitUntil('every call', () => settled.every(({ requestId }) => told().has(requestId)));
    await waitUntil('the end of the campaign', () => receiver.received.some(({ json }) => json.type === 'campaign.completed'));
    for (const message of receiver.received) verify(secret, message);
    for (const { requestId } of settled) expect(numbersOf(requestId)).toEqual(numbersOf(requestId).map((_number, index) => index + 1));
  });
});

/** The numbers of a call's messages as they came, each once: one may come again when its server died before it kept the answer. */
function numbersOf(requestId: string): number[] {
  const numbers = receiver.received.filter(({ json }) => json.key === requestId).map(({ json }) => Number(json.sequence));
  return numbers.filter((number, index) => numbers.indexOf(number) === index);
}
