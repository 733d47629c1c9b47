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

const remove = (body: object, as = token) => server.api('POST', '/api/call-attempts/delete', body, as);

describe('POST /api/call-attempts/delete', () => {
  test("hides closed records, clears the contacts' references and skips the rest [OCS 4.8]", async () => {
    const db = server.running.context.database;
    const campaignId = await insertCampaign(db);
    const contacts = [await insertContact(db, { campaignId }), await insertContact(db, { campaignId })];
    const [first = 0, second = 0] = contacts;
    const older = await insertAttempt(db, { campaignId, contactId: first });
    const latest = await insertAttempt(db, { campaignId, contactId: first });
    const open = await insertAttempt(db, { campaignId, contactId: second, status: 'accepted' });
    const answer = await remove({ attemptIds: [latest, open, latest, 999_999] });
    expect(answer.data).toEqual({ requested: 4, affected: 1, skipped: 3 });
    const references = await db.rows(sql`select last_attempt_id as ref from contact where campaign_id = ${campaignId} order by id`);
    expect(references).toEqual([{ ref: null }, { ref: open }]);
    expect((await server.api('GET', `/api/call-attempts/${latest}`, undefined, token)).status).toBe(404);
    expect((await server.api('GET', `/api/call-attempts/${older}`, undefined, token)).status).toBe(200);
    expect((await remove({ attemptIds: [latest] })).data).toEqual({ requested: 1, affected: 0, skipped: 1 });
    const audit = await db.first(
      sql<{ detail: object }>`select detail from audit_log where action = 'attempt.deleted' order by id limit 1`,
    );
    expect(audit?.detail).toMatchObject({ requested: 4, affected: 1 });
  });

  test('an older record leaves the reference to the latest [OCS 4.8]', async () => {
    const db = server.running.context.database;
    const campaignId = await insertCampaign(db);
    const contactId = await insertContact(db, { campaignId });
    const older = await insertAttempt(db, { campaignId, contactId });
    const latest = await insertAttempt(db, { campaignId, contactId });
    await remove({ attemptIds: [older] });
    expect(await db.first(sql`select last_attempt_id as ref from contact where id = ${contactId}`)).toEqual({ ref: latest });
  });

  test.each([
    ['no list', {}, 'attemptIds 不能为空'],
    ['an empty list', { attemptIds: [] }, 'attemptIds 不能为空'],
    ['more than 10,000', { attemptIds: Array.from({ length: 10_001 }, (_, index) => index + 1) }, 'attemptIds'],
    ['what is no id', { attemptIds: [1, 'x'] }, 'attemptIds[1]'],
  ])('refuses %s, naming the field [D2.1]', async (_, body, text) => {
    const answer = await remove(body);
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(text)]);
  });

  test('requires compliance:write [OCS 4.8]', async () => {
    expect((await remove({ attemptIds: [1] }, await server.loginAs('agent'))).status).toBe(403);
  });
});
