import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { createSeal } from '#access/seal.ts';
import { type DispatchRig, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startReceiver, verify, type WebhookReceiver } from '#test/support/webhook-receiver.ts';

let rig: DispatchRig;
let system: WebhookReceiver;
beforeAll(async () => {
  rig = await startDispatchRig({ config: { webhooks: { allowPrivateAddresses: true }, agents: { secretKey: '5e'.repeat(32) } } });
});
afterAll(async () => {
  await rig.close();
});
beforeEach(async () => {
  system = await startReceiver();
});
afterEach(async () => {
  await system.close();
});

const NUMBERS = ['13700000001', '13700000002', '13700000003', '13700000004'];
let next = 0;
/** Numbers that no other campaign has called. */
const freshNumbers = () => NUMBERS.map(number => String(Number(number) + 10 * next++));

const answerBy = (decide: (data: { phoneNumber: string }) => object) =>
  system.answerWith(({ json }, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(decide(json.data))),
  );
const hook = (campaignId: number, body: object = {}) =>
  rig.ask('PUT', `/api/campaigns/${campaignId}/pre-dial-hook`, { url: system.url, onFailure: 'refuse', ...body });
const contactsOf = async (campaignId: number) =>
  rig.server.running.context.database.rows(sql<{ id: number; phoneNumber: string; holdReason: string | null; holdUntil: number | null }>`
    select id, phone_number, hold_reason, hold_until from contact where campaign_id = ${campaignId} order by id`);

async function why(contactId: number) {
  const query = 'query($id: ID!) { whyNotDialed(contactId: $id) { reason message nextEligibleAt } }';
  const answer = await fetch(`${rig.server.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${rig.token}` },
    body: JSON.stringify({ query, variables: { id: String(contactId) } }),
  });
  const { data } = (await answer.json()) as { data: { whyNotDialed: { reason: string; message: string; nextEligibleAt: string | null } } };
  return data.whyNotDialed;
}

describe('the pre-dial hook [D15.7]', () => {
  test('who is refused or deferred waits and says why; the others are dialled, each asked about once', async () => {
    const contacts = freshNumbers();
    const { id } = await rig.campaign({ contacts });
    const { data } = await hook(id);
    const [, refused, deferred] = contacts;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    answerBy(({ phoneNumber }) => {
      if (phoneNumber === refused) return { decision: 'refuse', reason: '已退费' };
      return phoneNumber === deferred ? { decision: 'defer', until: tomorrow, reason: '明天到货' } : { decision: 'allow' };
    });
    await rig.start(id);
    await waitUntil('two calls', async () => (await rig.attempts(id)).filter(({ status }) => status === 'completed').length === 2);
    expect((await rig.attempts(id)).map(({ phoneNumber }) => phoneNumber).sort()).toEqual([contacts[0], contacts[3]]);
    const rows = await contactsOf(id);
    const contactOf = (number: string | undefined) => rows.find(({ phoneNumber }) => phoneNumber === number)?.id ?? 0;
    expect(await why(contactOf(refused))).toMatchObject({
      reason: 'PRE_DIAL_HOOK',
      message: expect.stringContaining('已退费'),
      nextEligibleAt: null,
    });
    expect(await why(contactOf(deferred))).toMatchObject({
      reason: 'PRE_DIAL_HOOK',
      message: expect.stringContaining('明天到货'),
      nextEligibleAt: tomorrow,
    });
    expect(new Set(system.received.map(({ json }) => json.data.phoneNumber))).toEqual(new Set(contacts));
    expect(system.received).toHaveLength(contacts.length);
    for (const message of system.received) expect(verify(data.secret, message)).toMatchObject({ type: 'pre_dial.asked', version: 1 });
    await rig.ask('DELETE', `/api/campaigns/${id}/pre-dial-hook`);
    await waitUntil('those that were kept back', async () => (await rig.attempts(id)).length === 4);
  });

  test('nobody answers and nobody is dialled, until somebody does', async () => {
    const { id } = await rig.campaign({ contacts: freshNumbers() });
    await hook(id);
    system.answerWith((_message, response) => response.destroy());
    await rig.start(id);
    const phase = async () => (await rig.detail(id)).data.campaign;
    await waitUntil('the phase', async () => (await phase()).phase === 'WAITING_SLOT' && (await phase()).phaseReason?.includes('拨前询问'));
    expect(await rig.attempts(id)).toEqual([]);
    expect((await contactsOf(id)).every(({ holdReason }) => holdReason === null)).toBe(true);
    answerBy(() => ({ decision: 'allow' }));
    await rig.untilStatus(id, 'completed');
    expect(await rig.attempts(id)).toHaveLength(4);
  });

  test('a campaign that has chosen so dials without an answer, and does not wait for a dead hook each time', async () => {
    const { id } = await rig.campaign({ contacts: freshNumbers() });
    await hook(id, { onFailure: 'allow' });
    system.answerWith((_message, response) => void response.writeHead(500).end());
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expect(await rig.attempts(id)).toHaveLength(4);
    expect(system.received.length).toBeLessThanOrEqual(4);
  });

  test('a secret sealed with another key: nobody is dialled unasked, people are told, and setting the hook again mends it', async () => {
    const { id } = await rig.campaign({ contacts: freshNumbers() });
    const { data: first } = await hook(id, { onFailure: 'allow' });
    const { database } = rig.server.running.context;
    const foreign = createSeal('6f'.repeat(32), 'webhook.secret').close(first.secret);
    await database.run(sql`update pre_dial_hook set secret = ${foreign} where campaign_id = ${id}`);
    answerBy(() => ({ decision: 'allow' }));
    await rig.start(id);
    await waitUntil('the phase', async () => (await rig.detail(id)).data.campaign.phaseReason?.includes('拨前询问'));
    expect([await rig.attempts(id), system.received]).toEqual([[], []]);
    const told = await database.rows(sql`
      select level, count(*)::int from runtime_event where campaign_id = ${id} and type = 'pre_dial.secret_unreadable' group by level`);
    expect(told).toEqual([{ level: 'error', count: 1 }]);
    const { data: second } = await hook(id, { onFailure: 'allow' });
    await rig.untilStatus(id, 'completed');
    for (const message of system.received) expect(verify(second.secret, message)).toMatchObject({ type: 'pre_dial.asked' });
    expect(system.received).toHaveLength(4);
  });

  test('one that hangs holds up its own campaign, and nothing is claimed meanwhile', async () => {
    system.answerWith(() => undefined);
    const { id } = await rig.campaign({ contacts: freshNumbers() });
    await hook(id);
    await rig.start(id);
    await waitUntil('questions', () => system.received.length > 0);
    const { id: other } = await rig.campaign({ contacts: freshNumbers() });
    await rig.start(other);
    await rig.untilStatus(other, 'completed');
    expect(await rig.attempts(id)).toEqual([]);
  });

  test('what is no answer counts as none; an address must be one', async () => {
    const { id } = await rig.campaign({ contacts: freshNumbers() });
    await hook(id, { cacheSeconds: 0 });
    answerBy(() => ({ decision: 'perhaps' }));
    await rig.start(id);
    await waitUntil('questions', () => system.received.length >= 4);
    expect(await rig.attempts(id)).toEqual([]);
    const refused = await rig.server.api('PUT', `/api/campaigns/${id}/pre-dial-hook`, { url: 'smtp://a', onFailure: 'allow' }, rig.token);
    expect(refused).toMatchObject({ status: 400, msg: expect.stringContaining('url') });
  });
});
