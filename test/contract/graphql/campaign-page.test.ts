import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt } from '#test/support/rows.ts';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { ask, askFor } from './graphql-client.ts';
import { statementsOf } from './statements.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const PAGE = `query Page($id: ID!) {
  campaign(id: $id) {
    id: databaseId name status phase phaseReason maxConcurrency createdAt
    lines { id: databaseId name numbers { number weight } }
    progress { total pending completed failed awaitingRetry held activeCalls fraction }
    contacts(first: 20) { totalCount nodes { id: databaseId phoneNumber status } }
    attempts(first: 20) {
      nodes { id: databaseId status callStatus line { name } contact { id: databaseId phoneNumber customerName } campaign { name } transcript { speaker text } }
    }
  }
}`;

describe('the campaign page in one query', () => {
  test('shows lines, progress, contacts and the last attempts, in at most 8 statements', async () => {
    const lines = [await api.line({ name: '线路甲' }), await api.line({ name: '线路乙' })];
    const campaign = await api.campaign({ name: '春季', lineIds: lines.map(line => line.id) });
    const contactIds = await api.contacts(campaign.id, ...Array.from({ length: 12 }, (_, index) => String(13_900_000_000 + index)));
    const { database } = api.server.running.context;
    for (const [index, contactId] of contactIds.entries()) {
      const attemptId = await insertAttempt(database, { campaignId: campaign.id, contactId, status: 'completed', callStatus: 'completed' });
      await database.run(sql`update attempt set line_id = ${lines[index % 2].id} where id = ${attemptId}`);
      await database.run(sql`
        insert into transcript_segment (attempt_id, segment_id, position, speaker, text) values (${attemptId}, '0', 0, 'bot', '您好')`);
    }
    await database.run(
      sql`update contact set status = 'completed' where campaign_id = ${campaign.id} and id = any(${contactIds.slice(0, 3)}::bigint[])`,
    );
    const { answer, statements } = await statementsOf(api.server, () => askFor(api.server, api.admin, PAGE, { id: campaign.id }));
    const page = answer.campaign;
    expect(page).toMatchObject({ id: String(campaign.id), name: '春季', status: 'DRAFT', phase: 'IDLE', createdAt: campaign.createdAt });
    expect(page.lines.map((line: { name: string }) => line.name)).toEqual(['线路甲', '线路乙']);
    expect(page.progress).toEqual({
      total: 12,
      pending: 9,
      completed: 3,
      failed: 0,
      awaitingRetry: 0,
      held: 0,
      activeCalls: 0,
      fraction: 0.25,
    });
    expect(page.contacts.totalCount).toBe(12);
    expect(page.attempts.nodes).toHaveLength(12);
    expect(page.attempts.nodes[0]).toMatchObject({
      status: 'COMPLETED',
      callStatus: 'COMPLETED',
      line: { name: '线路乙' },
      contact: { id: String(contactIds.at(-1)) },
      campaign: { name: '春季' },
      transcript: [{ speaker: 'BOT', text: '您好' }],
    });
    expect(statements).toHaveLength(8);
  });

  test('an unknown campaign is null; a malformed id is refused by name', async () => {
    expect((await askFor(api.server, api.admin, PAGE, { id: 999_999 })).campaign).toBeNull();
    const beyond =
      '{ campaign(id: "99999999999") { id: databaseId } conference(id: "99999999999") { id: databaseId } attempt(id: "999999999999999") { id: databaseId } }';
    expect(await askFor(api.server, api.admin, beyond)).toEqual({ campaign: null, conference: null, attempt: null });
    const { errors } = await ask(api.server, api.admin, PAGE, { id: 'abc' });
    expect(errors[0]).toMatchObject({ message: '参数错误：id 必须是正整数', extensions: { code: 'INVALID_ARGUMENT', field: 'id' } });
  });
});
