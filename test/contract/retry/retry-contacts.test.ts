import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('supervisor');
});
afterAll(() => server.close());

const retry = (campaignId: number, body: object, as = token) => server.api('POST', `/api/campaigns/${campaignId}/retry`, body, as);
const contact = (id: number) =>
  server.running.context.database.first(sql`
    select status, attempt_count as count, retry_at as "retryAt", hold_reason as hold from contact where id = ${id}`);

describe('POST /api/campaigns/:id/retry', () => {
  test.each(['failed', 'submitted', 'completed', 'paused'] as const)(
    'puts %s contacts back with a fresh count [OCS 4.8, D5.5]',
    async status => {
      const db = server.running.context.database;
      const campaignId = await insertCampaign(db);
      const held = await insertContact(db, { campaignId, status, attemptCount: 4, isRetryDue: true, holdReason: 'attempts_exhausted' });
      const other = await insertContact(db, { campaignId, status: status === 'failed' ? 'completed' : 'failed', attemptCount: 2 });
      const answer = await retry(campaignId, { status });
      expect(answer.data).toEqual({ requested: 1, affected: 1, skipped: 0 });
      expect(await contact(held)).toEqual({ status: 'pending', count: 0, retryAt: null, hold: null });
      expect(await contact(other)).toMatchObject({ count: 2 });
    },
  );

  test('retries the listed contacts; unknown, foreign and pending ones are skipped [OCS 4.8]', async () => {
    const db = server.running.context.database;
    const campaignId = await insertCampaign(db);
    const failed = await insertContact(db, { campaignId, status: 'failed', attemptCount: 1 });
    const pending = await insertContact(db, { campaignId });
    const foreign = await insertContact(db, { campaignId: await insertCampaign(db), status: 'failed', attemptCount: 1 });
    const deleted = await insertContact(db, { campaignId, status: 'failed', attemptCount: 1 });
    await db.run(sql`update contact set deleted_at = now() where id = ${deleted}`);
    const answer = await retry(campaignId, { contactIds: [failed, failed, pending, foreign, deleted, 999_999] });
    expect(answer.data).toEqual({ requested: 6, affected: 1, skipped: 5 });
    expect(await contact(failed)).toMatchObject({ status: 'pending', count: 0 });
    expect(await contact(foreign)).toMatchObject({ status: 'failed', count: 1 });
  });

  test('leaves a contact with an open attempt alone [D6.2, I2]', async () => {
    const db = server.running.context.database;
    const campaignId = await insertCampaign(db);
    const busy = await insertContact(db, { campaignId, status: 'submitted', attemptCount: 1 });
    await insertAttempt(db, { campaignId, contactId: busy, status: 'accepted' });
    expect((await retry(campaignId, { status: 'submitted' })).data).toEqual({ requested: 1, affected: 0, skipped: 1 });
    expect((await retry(campaignId, { contactIds: [busy] })).data).toEqual({ requested: 1, affected: 0, skipped: 1 });
    expect(await contact(busy)).toMatchObject({ status: 'submitted', count: 1 });
  });

  test('reaches every contact, however many [OCS 4.8]', async () => {
    const db = server.running.context.database;
    const campaignId = await insertCampaign(db);
    await db.run(sql`
      insert into contact (campaign_id, phone_number, dial_key, status, attempt_count)
      select ${campaignId}, n::text, n::text, 'failed', 1 from generate_series(1, 12000) as n`);
    expect((await retry(campaignId, { status: 'failed' })).data).toEqual({ requested: 12_000, affected: 12_000, skipped: 0 });
    const rest = await db.first(sql`select count(*) as n from contact where campaign_id = ${campaignId} and status <> 'pending'`);
    expect(rest).toEqual({ n: 0 });
  });

  test('an archived campaign gives 409, an unknown one 404 [D5.2]', async () => {
    const archived = await insertCampaign(server.running.context.database, { status: 'archived' });
    const answer = await retry(archived, { status: 'failed' });
    expect([answer.status, answer.msg]).toEqual([409, '活动已归档，不能重试联系人']);
    expect((await retry(999_999, { status: 'failed' })).status).toBe(404);
  });

  test.each([
    ['neither', {}, '必须且只能给出一个'],
    ['both', { status: 'failed', contactIds: [1] }, '必须且只能给出一个'],
    ['status pending', { status: 'pending' }, 'status 必须是'],
    ['an empty list', { contactIds: [] }, 'contactIds 不能为空'],
    ['what is no id', { contactIds: [0] }, 'contactIds[0]'],
  ])('refuses %s, naming the field [OCS 4.8, D2.1]', async (_, body, text) => {
    const campaignId = await insertCampaign(server.running.context.database);
    const answer = await retry(campaignId, body);
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(text)]);
  });

  test('requires campaign:dispatch [OCS 4.8]', async () => {
    expect((await retry(1, { status: 'failed' }, await server.loginAs('agent'))).status).toBe(403);
  });

  test('writes an audit row, and none when nothing changed [D3.7]', async () => {
    const db = server.running.context.database;
    const campaignId = await insertCampaign(db);
    await insertContact(db, { campaignId, status: 'failed' });
    await retry(campaignId, { status: 'failed' });
    await retry(campaignId, { status: 'failed' });
    const rows = await db.rows(
      sql`select action, summary from audit_log where target_id = ${String(campaignId)} and action = 'contact.retried'`,
    );
    expect(rows).toEqual([{ action: 'contact.retried', summary: '重试 1 个联系人' }]);
  });
});
