import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

// Contacts that a user sets to pending after a dial: through POST /retry, and from paused to pending.

let rig: DispatchRig;
beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('busy') });
});
afterAll(() => rig.close());

interface Attempt {
  status: string;
  callerNumber: string;
}
interface Contact {
  id: number;
  status: string;
  retryAt: string | null;
}

const attempts = async (campaignId: number) =>
  (await rig.ask('GET', `/api/call-attempts?campaignId=${campaignId}&pageSize=50`)).data.rows as Attempt[];
const contactsOf = async (campaignId: number): Promise<Contact[]> =>
  (await rig.ask('GET', `/api/campaigns/${campaignId}/contacts`)).data.rows;
const byRetry = (a: Contact, b: Contact) => Date.parse(a.retryAt ?? '') - Date.parse(b.retryAt ?? '');
const campaignOf = async (campaignId: number) => (await rig.detail(campaignId)).data.campaign;

async function dialled(campaignId: number, count: number): Promise<Attempt[]> {
  return waitUntil(`${count} attempts to end`, async () => {
    const rows = await attempts(campaignId);
    return rows.filter(({ status }) => status === 'failed').length >= count ? rows : null;
  });
}

test('POST /retry and the end of a pause call from another number than the last time [D4.3]', async () => {
  const { id, lineId } = await rig.campaign({ contacts: numbers(1, 13_700_000_000), maxRetries: 9, retryIntervalSeconds: 0 });
  const pool = ['02160000001', '02160000002', '02160000003'].map(number => ({ number, weight: number.endsWith('1') ? 1_000 : 1 }));
  await rig.ask('PATCH', `/api/lines/${lineId}`, { allocationMode: 'number_pool', numbers: pool });
  const [contact] = await contactsOf(id);
  const again = [
    () => rig.ask('POST', `/api/campaigns/${id}/retry`, { contactIds: [contact?.id] }),
    async () => {
      await rig.ask('PATCH', `/api/campaigns/${id}/contacts/${contact?.id}`, { status: 'paused' });
      await rig.ask('PATCH', `/api/campaigns/${id}/contacts/${contact?.id}`, { status: 'pending' });
    },
  ];
  await rig.ask('POST', `/api/campaigns/${id}/dispatch`, { limit: 1 });
  for (let round = 0; round < 6; round++) {
    const [last] = await dialled(id, round + 1);
    await again[round % 2]?.();
    await waitUntil(
      'a dial',
      async () => (await rig.ask('POST', `/api/campaigns/${id}/dispatch`, { limit: 1 })).data.result.requested === 1,
    );
    const [next] = await dialled(id, round + 2);
    expect({ round, again: next?.callerNumber }).not.toEqual({ round, again: last?.callerNumber });
  }
}, 60_000);

test('a contact set to pending again waits for its retry: the phase, the campaign, the row and a manual dispatch show it [D5.1, D5.5, D7.10]', async () => {
  // The second contact waits for its retry all along, because a campaign whose only contact is paused completes.
  const { id } = await rig.campaign({ contacts: numbers(2, 13_700_100_000), maxRetries: 1, retryIntervalSeconds: 3_600 });
  await rig.start(id);
  const contact = await waitUntil('both dials to end', async () => {
    const contacts = await contactsOf(id);
    return contacts.every(({ status }) => status === 'failed') ? contacts.toSorted(byRetry)[0] : null;
  });
  expect(contact.retryAt).not.toBeNull();
  await rig.ask('PATCH', `/api/campaigns/${id}/contacts/${contact.id}`, { status: 'paused' });
  const { data } = await rig.ask('PATCH', `/api/campaigns/${id}/contacts/${contact.id}`, { status: 'pending' });
  expect(data.contact).toMatchObject({ status: 'pending', retryAt: contact.retryAt });
  const waiting = await waitUntil('the campaign to wait for it', async () => {
    const campaign = await campaignOf(id);
    return campaign.phase === 'WAITING_RETRY' ? campaign : null;
  });
  expect(waiting).toMatchObject({ status: 'running', phaseReason: '等待下次重试时间' });
  // The wake-up is counted from the instant of the commit.
  expect(Math.abs(Date.parse(waiting.nextWakeAt) - Date.parse(contact.retryAt ?? ''))).toBeLessThan(1_000);
  const manual = await rig.ask('POST', `/api/campaigns/${id}/dispatch`, { limit: 1 });
  expect(manual.data.result).toMatchObject({ requested: 0, remainingPending: 1, reason: '未到重试时间' });
  expect(await campaignOf(id)).toMatchObject({ phase: 'WAITING_RETRY', nextWakeAt: waiting.nextWakeAt });
}, 60_000);

test('a campaign whose contacts are all held by a policy names it, and wakes when the first hold ends [D5.1, D7.10, D8.4]', async () => {
  const phoneNumbers = numbers(2, 13_700_200_000);
  const first = await rig.campaign({ contacts: phoneNumbers });
  await rig.ask('POST', '/api/policies', {
    name: '频次',
    scope: 'global',
    type: 'contact_frequency_limit',
    action: 'limit',
    config: { days: 1, maxAttempts: 1 },
  });
  await rig.ask('POST', `/api/campaigns/${first.id}/dispatch`, { limit: 2 });
  await dialled(first.id, 2);
  const { id } = await rig.campaign({ contacts: phoneNumbers });
  await rig.start(id);
  const held = await waitUntil('the campaign to be held', async () => {
    const campaign = await campaignOf(id);
    return campaign.phase === 'BLOCKED_BY_POLICY' ? campaign : null;
  });
  expect(held.phaseReason).toBe('联系人都在等待限制解除：号码已达到联系频次上限');
  expect(Date.parse(held.nextWakeAt)).toBeGreaterThan(Date.now() + 3_600_000);
  const manual = await rig.ask('POST', `/api/campaigns/${id}/dispatch`, { limit: 2 });
  expect(manual.data.result).toMatchObject({ requested: 0, reason: held.phaseReason });
}, 60_000);
