import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { insertAttempt, insertBatch, insertContact } from '#test/support/rows.ts';
import { askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const ROWS = 'query($filter: AuditLogFilter) { auditLogs(first: 1, filter: $filter) { nodes { targetName } } }';

test('an audit row names its target: a campaign, the customer of a call, nothing where there is none', async () => {
  const { database } = api.server.running.context;
  const { id: campaignId, name } = await api.campaign({ name: '夜间测试' });
  const contactId = await insertContact(database, { campaignId, phoneNumber: '13612340001' });
  await database.run(sql`update contact set customer_name = '韩梅梅' where id = ${contactId}`);
  const attemptId = await insertAttempt(database, { campaignId, contactId, phoneNumber: '13612340001' });
  const attempt = await database.first(sql<{ requestId: string }>`select request_id from attempt where id = ${attemptId}`);
  const conference = await database.first(sql<{ id: number }>`
    insert into conference_session (conference_name, kind, status, attempt_id, customer_state)
    values ('room', 'transfer', 'ended', ${attemptId}, 'gone') returning id`);
  const batchId = await insertBatch(database, { campaignId });
  const person = '韩梅梅 13612340001';
  const named = [
    ['campaign', campaignId, name],
    ['contact', contactId, person],
    ['attempt', attemptId, person],
    ['call', attempt?.requestId, person],
    ['conference', conference?.id, person],
    ['batch', batchId, name],
    ['softphone_call', 999_999, null],
    ['call', 'no-uuid', null],
    ['live_calls', 'all', null],
  ] as const;
  for (const [targetType, targetId, expected] of named) {
    await database.run(sql`insert into audit_log (actor_name, action, target_type, target_id, summary)
      values ('internal', 'line.created', ${targetType}, ${String(targetId)}, '')`);
    const { auditLogs } = await askFor(api.server, api.admin, ROWS, { filter: { targetType, targetId: String(targetId) } });
    expect([targetType, auditLogs.nodes]).toEqual([targetType, [{ targetName: expected }]]);
  }
});
