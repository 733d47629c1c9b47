import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { insertBatch } from '#test/support/rows.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** OCS section 3, tables "Contact status" and "Batch": one group per row, named after it. Answered calls last for the whole file. */
let rig: DispatchRig;
beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 600_000, maxMs: 900_000 } }) });
});
afterAll(() => rig.close());

interface Contact {
  id: number;
  status: string;
  lastAttemptId: number | null;
}

let nextNumber = 16_000_000_000;
const db = () => rig.server.running.context.database;
const post = (path: string, body: object) => rig.server.api('POST', path, body, rig.token);
const contacts = async (campaignId: number) =>
  (await rig.server.api('GET', `/api/campaigns/${campaignId}/contacts`, undefined, rig.token)).data.rows as Contact[];

async function campaign(count: number, fields: object = {}): Promise<{ id: number; ids: number[] }> {
  const { id } = await rig.campaign({ contacts: numbers(count, (nextNumber += 1_000_000)), ...fields });
  return { id, ids: (await contacts(id)).map(contact => contact.id).toSorted((a, b) => a - b) };
}

const slotsOf = (campaignId: number) => rig.server.running.context.redis.run(redis => redis.zcard(`s:{0}:camp:${campaignId}`));
const statuses = async (campaignId: number) => (await contacts(campaignId)).map(({ status }) => status);

describe('failed, submitted, completed, paused | POST retry | matches the given status or contactIds | pending', () => {
  test.each(['failed', 'submitted', 'completed', 'paused'])('%s, by status', async status => {
    const { id, ids } = await campaign(2);
    await db().run(sql`update contact set status = ${status} where id = ${ids[0]}`);
    await db().run(sql`update contact set status = ${status === 'failed' ? 'completed' : 'failed'} where id = ${ids[1]}`);
    const answer = await post(`/api/campaigns/${id}/retry`, { status });
    expect([answer.status, answer.data.affected]).toEqual([200, 1]);
    const byId = new Map((await contacts(id)).map(contact => [contact.id, contact.status]));
    expect(byId.get(ids[0] ?? 0)).toBe('pending');
    expect(byId.get(ids[1] ?? 0)).not.toBe('pending');
  });

  test.each(['failed', 'submitted', 'completed', 'paused'])('%s, by contactIds', async status => {
    const { id, ids } = await campaign(2);
    await db().run(sql`update contact set status = ${status} where campaign_id = ${id}`);
    await post(`/api/campaigns/${id}/retry`, { contactIds: ids.slice(0, 1) });
    expect((await statuses(id)).toSorted()).toEqual(['pending', status].toSorted());
  });
});

describe('contact | POST bulk pause | listed contacts | paused', () => {
  test('prevents further dispatch during a run', async () => {
    const { id, ids } = await campaign(4, { maxConcurrency: 1 });
    await rig.start(id);
    // A claim that is still waiting to be dialled would be taken back.
    await waitUntil('the first call', async () => (await rig.attempts(id)).some(({ status }) => status === 'answered'));
    const answer = await post(`/api/campaigns/${id}/contacts/pause`, { contactIds: ids });
    expect(answer.data).toEqual({ requested: 4, affected: 3, skipped: 1 });
    await rig.server.api('PATCH', `/api/campaigns/${id}`, { maxConcurrency: 50 }, rig.token);
    const witness = await campaign(2);
    await rig.start(witness.id);
    await waitUntil('another campaign to be dialled', async () => (await rig.attempts(witness.id)).length === 2);
    expect((await statuses(id)).toSorted()).toEqual(['paused', 'paused', 'paused', 'submitted']);
    expect(await rig.attempts(id)).toHaveLength(1);
  });
});

describe('contacts that are claimed and wait for their dial', () => {
  /** A run that claims all its contacts at once and dials only one of them during the test. */
  async function waiting() {
    const { id, ids } = await campaign(4, { maxConcurrency: 50, callIntervalMs: 3_000 });
    await rig.start(id);
    await waitUntil('the claims, and the first call', async () => {
      const rows = await rig.attempts(id);
      return rows.length === 4 && rows.some(row => row.status === 'answered');
    });
    const claimed = (await rig.attempts(id)).filter(row => row.status === 'claimed').map(row => row.contactId);
    return { id, ids, claimed };
  }

  test('bulk pause prevents their dispatch: they are not in a call [OCS §3, D6.2]', async () => {
    const { id, ids, claimed } = await waiting();
    const answer = await post(`/api/campaigns/${id}/contacts/pause`, { contactIds: ids });
    expect(answer.data).toMatchObject({ requested: 4, affected: expect.any(Number) });
    expect(answer.data.affected).toBeGreaterThanOrEqual(claimed.length - 1);
    const dialled = ids.length - answer.data.affected;
    expect((await statuses(id)).filter(status => status === 'paused')).toHaveLength(answer.data.affected);
    const left = (await rig.attempts(id)).filter(row => row.status === 'claimed');
    expect(left).toEqual([]);
    await waitUntil('the slots of the withdrawn claims', async () => (await slotsOf(id)) === dialled);
    await rig.server.api('PATCH', `/api/campaigns/${id}`, { status: 'paused' }, rig.token);
  });

  test('bulk delete and DELETE remove them; PATCH edits them [OCS §3, D6.2]', async () => {
    const { id, claimed } = await waiting();
    const [removed = 0, listed = 0, edited = 0] = claimed.toSorted((a, b) => b - a);
    const path = `/api/campaigns/${id}/contacts`;
    const answers = await Promise.all([
      rig.server.api('DELETE', `${path}/${removed}`, undefined, rig.token),
      post(`${path}/delete`, { contactIds: [listed] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1].data).toEqual({ requested: 1, affected: 1, skipped: 0 });
    const edit = await rig.server.api('PATCH', `${path}/${edited}`, { status: 'paused', remark: '改' }, rig.token);
    expect([edit.status, edit.data.contact.status, edit.data.contact.attemptCount]).toEqual([200, 'paused', 0]);
    const gone = (await rig.attempts(id)).filter(row => [removed, listed, edited].includes(row.contactId));
    expect(gone.map(row => row.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    await rig.server.api('PATCH', `/api/campaigns/${id}`, { status: 'paused' }, rig.token);
  });
});

describe('pending | dispatch | call accepted by the switch', () => {
  test('submitted, and an attempt with status accepted is created [D7.1]', async () => {
    const { id } = await campaign(1);
    const { result } = (await post(`/api/campaigns/${id}/dispatch`, { limit: 1 })).data;
    expect(result).toMatchObject({ submitted: 1, attempts: [{ status: 'accepted', attemptId: expect.any(Number) }] });
    expect(await contacts(id)).toMatchObject([{ status: 'submitted', lastAttemptId: result.attempts[0].attemptId }]);
    const attempt = await rig.server.api('GET', `/api/call-attempts/${result.attempts[0].attemptId}`, undefined, rig.token);
    expect(['accepted', 'answered']).toContain(attempt.data.attempt.status);
  });
});

describe('contact | DELETE or bulk delete | soft-deleted', () => {
  test('DELETE of one contact', async () => {
    const { id, ids } = await campaign(2);
    await rig.server.api('DELETE', `/api/campaigns/${id}/contacts/${ids[0]}`, undefined, rig.token);
    expect((await contacts(id)).map(contact => contact.id)).toEqual(ids.slice(1));
    expect(await db().first(sql`select deleted_at is not null as hidden from contact where id = ${ids[0]}`)).toEqual({ hidden: true });
  });

  test('bulk delete of the listed contacts; none of them is dialled', async () => {
    const { id, ids } = await campaign(3);
    const answer = await post(`/api/campaigns/${id}/contacts/delete`, { contactIds: ids.slice(0, 2) });
    expect(answer.data).toEqual({ requested: 2, affected: 2, skipped: 0 });
    const { result } = (await post(`/api/campaigns/${id}/dispatch`, { limit: 10 })).data;
    expect(result.attempts.map(({ contactId }: { contactId: number }) => contactId)).toEqual(ids.slice(2));
  });
});

describe('running | POST batch cancel | batch is still running', () => {
  test('cancelled; undialled contacts return to pending [D7.3]', async () => {
    const { id, ids } = await campaign(1);
    const batchId = await insertBatch(db(), { campaignId: id, status: 'running' });
    await db().run(sql`
      insert into attempt (request_id, campaign_id, contact_id, batch_id, phone_number, dial_key, status, claimed_at)
      select gen_random_uuid(), campaign_id, id, ${batchId}, phone_number, dial_key, 'claimed', now() + interval '1 hour'
      from contact where id = ${ids[0]}`);
    await db().run(sql`
      update contact set status = 'submitted', attempt_count = 1, last_attempt_id = (select id from attempt where batch_id = ${batchId})
      where id = ${ids[0]}`);
    const answer = await post(`/api/campaigns/${id}/batches/${batchId}/cancel`, {});
    expect([answer.status, answer.data.batch.status]).toEqual([200, 'cancelled']);
    expect(await statuses(id)).toEqual(['pending']);
    expect(await rig.attempts(id)).toMatchObject([{ status: 'cancelled' }]);
  });

  test.each(['completed', 'cancelled', 'failed'] as const)('%s | POST batch cancel | unchanged, 409 [D7.3]', async status => {
    const { id } = await campaign(0);
    const batchId = await insertBatch(db(), { campaignId: id, status });
    const answer = await post(`/api/campaigns/${id}/batches/${batchId}/cancel`, {});
    expect([answer.status, answer.data]).toEqual([409, null]);
    expect(await db().first(sql`select status from batch where id = ${batchId}`)).toEqual({ status });
  });
});
