import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RawBuilder, sql } from 'kysely';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { insertAttempt } from '#test/support/rows.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** OCS section 3, table "Campaign status": one group per row, named after it. Answered calls last for the whole file. */
let rig: DispatchRig;
beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 900_000 } }) });
});
afterAll(() => rig.close());

const HOUR_LATER = sql`now() + interval '1 hour'`;
let nextNumber = 15_000_000_000;
const someNumbers = (count: number) => numbers(count, (nextNumber += 1_000_000));

const patch = (id: number, status: string) => rig.server.api('PATCH', `/api/campaigns/${id}`, { status }, rig.token);
const statusOf = async (id: number) => (await rig.detail(id)).data.campaign.status as string;
const set = (table: RawBuilder<unknown>, change: RawBuilder<unknown>, campaignId: number) =>
  rig.server.running.context.database.run(sql`update ${table} set ${change} where ${campaignColumn(table)} = ${campaignId}`);
const campaignColumn = (table: RawBuilder<unknown>) => (table === CAMPAIGN ? sql`id` : sql`campaign_id`);
const CAMPAIGN = sql`campaign`;
const CONTACT = sql`contact`;

async function campaignIn(status: string, contacts: number): Promise<number> {
  const { id } = await rig.campaign({ contacts: someNumbers(contacts), maxRetries: 3 });
  await set(CAMPAIGN, sql`status = ${status}`, id);
  return id;
}

const isDialling = (id: number) =>
  waitUntil('an accepted call', async () => (await rig.attempts(id)).some(({ status }) => ['accepted', 'answered'].includes(status)));

describe('any except archived | PATCH status running | has pending or retryable contacts, or an active call, or a future retry | running', () => {
  test.each(['draft', 'paused', 'completed', 'running'])('from %s with a pending contact; the scheduler dials it', async from => {
    const id = await campaignIn(from, 1);
    const answer = await patch(id, 'running');
    expect([answer.status, answer.data.campaign.status]).toEqual([200, 'running']);
    await isDialling(id);
  });

  test('from paused with a contact whose retry is due; the scheduler dials it', async () => {
    const id = await campaignIn('paused', 1);
    await set(CONTACT, sql`status = 'failed', attempt_count = 1, retry_at = now()`, id);
    expect((await patch(id, 'running')).status).toBe(200);
    await isDialling(id);
  });

  test('from paused with only a future retry, for which it waits', async () => {
    const id = await campaignIn('paused', 1);
    await set(CONTACT, sql`status = 'failed', attempt_count = 1, retry_at = ${HOUR_LATER}`, id);
    expect((await patch(id, 'running')).status).toBe(200);
    await waitUntil('the wait', async () => (await rig.detail(id)).data.campaign.phase === 'WAITING_RETRY');
    expect([await statusOf(id), await rig.attempts(id)]).toEqual(['running', []]);
  });

  test('from paused with only an active call', async () => {
    const id = await campaignIn('draft', 1);
    await patch(id, 'running');
    await isDialling(id);
    await patch(id, 'paused');
    const answer = await patch(id, 'running');
    expect([answer.status, answer.data.campaign.status]).toEqual([200, 'running']);
  });
});

describe('any | PATCH status running | no pending or retryable contact and no active call | unchanged, 409', () => {
  test.each(['draft', 'paused', 'completed'])('from %s without contacts', async from => {
    const id = await campaignIn(from, 0);
    const answer = await patch(id, 'running');
    expect([answer.status, answer.code, answer.data, await statusOf(id)]).toEqual([409, '409', null, from]);
  });

  test.each([
    ['completed', sql`status = 'completed'`],
    ['paused', sql`status = 'paused'`],
    ['failed with no attempt left', sql`status = 'failed', attempt_count = 4, retry_at = null`],
    ['deleted', sql`deleted_at = now()`],
  ])('from draft with contacts that are all %s', async (_, change) => {
    const id = await campaignIn('draft', 2);
    await set(CONTACT, change, id);
    expect([(await patch(id, 'running')).status, await statusOf(id)]).toEqual([409, 'draft']);
  });
});

describe('archived | PATCH status running | always | unchanged, 409', () => {
  test('with contacts to call and with an open attempt', async () => {
    const id = await campaignIn('archived', 1);
    const answer = await patch(id, 'running');
    expect([answer.status, answer.msg, await statusOf(id)]).toEqual([409, '活动已归档，不能再修改', 'archived']);
    const db = rig.server.running.context.database;
    const contact = await db.first(sql<{ id: number }>`select id from contact where campaign_id = ${id}`);
    const attempt = await insertAttempt(db, { campaignId: id, contactId: contact?.id ?? 0, status: 'answered' });
    expect([(await patch(id, 'running')).status, await statusOf(id)]).toEqual([409, 'archived']);
    await db.run(sql`update attempt set status = 'failed' where id = ${attempt}`);
  });
});

describe('running | PATCH status paused | paused, automatic dispatch stops', () => {
  test('nothing more of it is dialled, while another campaign continues; its live call goes on [D5.2]', async () => {
    const { id } = await rig.campaign({ contacts: someNumbers(5), maxConcurrency: 1 });
    await rig.start(id);
    await isDialling(id);
    const answer = await patch(id, 'paused');
    expect([answer.status, answer.data.campaign.status]).toEqual([200, 'paused']);
    await set(CAMPAIGN, sql`max_concurrency = 100`, id);
    const other = await campaignIn('draft', 3);
    await patch(other, 'running');
    await waitUntil('the other campaign to be dialled', async () => (await rig.attempts(other)).length === 3);
    const attempts = await rig.attempts(id);
    expect([attempts.length, await statusOf(id)]).toEqual([1, 'paused']);
    expect(['accepted', 'answered']).toContain(attempts[0]?.status);
  });

  test('paused again: unchanged, no error', async () => {
    const id = await campaignIn('paused', 1);
    expect([(await patch(id, 'paused')).status, await statusOf(id)]).toEqual([200, 'paused']);
  });
});

describe('transitions that OCS does not list [D5.2]', () => {
  test('draft, paused and completed → archived with no active call', async () => {
    for (const from of ['draft', 'paused', 'completed']) {
      const id = await campaignIn(from, 1);
      expect([(await patch(id, 'archived')).status, await statusOf(id)]).toEqual([200, 'archived']);
    }
  });

  test('paused with an active call → archived: 409, unchanged', async () => {
    const id = await campaignIn('draft', 1);
    await patch(id, 'running');
    await isDialling(id);
    await patch(id, 'paused');
    expect([(await patch(id, 'archived')).status, await statusOf(id)]).toEqual([409, 'paused']);
  });

  test.each([
    ['running', 'archived'],
    ['draft', 'paused'],
    ['completed', 'paused'],
    ['draft', 'completed'],
    ['paused', 'draft'],
  ])('%s → %s: 409, unchanged', async (from, to) => {
    const id = await campaignIn('draft', 1);
    await set(CONTACT, sql`status = 'failed', attempt_count = 1, retry_at = ${HOUR_LATER}`, id);
    await set(CAMPAIGN, sql`status = ${from}`, id);
    expect([(await patch(id, to)).status, await statusOf(id)]).toEqual([409, from]);
  });

  test('running → completed by itself when no contact is pending, retryable or active', async () => {
    const id = await campaignIn('draft', 1);
    await patch(id, 'running');
    await isDialling(id);
    const [attempt] = await rig.attempts(id);
    await rig.server.internal('POST', '/api/call-results', { requestId: attempt?.requestId, callStatus: 'completed' });
    await waitUntil('the end', async () => (await statusOf(id)) === 'completed');
    expect(await rig.attempts(id)).toHaveLength(1);
  });
});
