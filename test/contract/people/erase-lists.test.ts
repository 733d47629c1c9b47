import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { insertCampaign } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let admin: string;
let campaignId: number;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.loginAs('admin');
  campaignId = await insertCampaign(server.running.context.database);
});
afterAll(() => server.close());

const NUMBER = '13700009876';
const post = (path: string, body: object) => server.api('POST', path, body, admin);
const erase = () => server.api('DELETE', `/api/contacts/by-number/${NUMBER}`, undefined, admin);

async function blacklist(numbers: string[], isEnabled: 0 | 1 = 1): Promise<number> {
  const body = { name: '黑名单', scope: 'global', type: 'phone_blacklist', action: 'block', config: { numbers }, isEnabled };
  return (await post('/api/policies', body)).data.policy.id;
}

/** Every value in Redis, as text. */
async function cached(): Promise<string> {
  const { redis } = server.running.context;
  return redis.run(async client => {
    const texts: string[] = [];
    for (const key of await client.keys('*')) {
      const type = await client.type(key);
      if (type === 'string') texts.push((await client.get(key)) ?? '');
      if (type === 'hash') texts.push(JSON.stringify(await client.hgetall(key)));
    }
    return texts.join('\n');
  });
}

describe('an erased number is in no list of another record [D3.7, D8.7]', () => {
  test('a policy that blocked it does not contain it, and it stays blocked on the do-not-call list', async () => {
    const [enabled, disabled] = [await blacklist(['13800000001', `+86 ${NUMBER}`, NUMBER]), await blacklist([NUMBER, '13800000002'], 0)];
    await erase();
    const rows = (await server.api('GET', '/api/policies', undefined, admin)).data.rows as { id: number; config: object }[];
    const configOf = (id: number) => rows.find(row => row.id === id)?.config;
    expect([configOf(enabled), configOf(disabled)]).toEqual([{ numbers: ['13800000001'] }, { numbers: ['13800000002'] }]);
    const verdict = await post('/api/policies/evaluate', { campaignId, phoneNumber: NUMBER });
    const listed = await server.running.context.database.rows(sql`select expires_at from do_not_call where dial_key like ${`%${NUMBER}`}`);
    expect([verdict.status, listed]).toEqual([200, [{ expiresAt: null }]]);
    const summary = '从外呼策略「黑名单」中清除号码 ***9876';
    const audited = await server.running.context.database.rows(sql`select target_id from audit_log where summary = ${summary} order by id`);
    expect(audited).toEqual([{ targetId: String(enabled) }, { targetId: String(disabled) }]);
  });

  test('neither does a list of the library, by any of the numbers of its row, nor the refused rows of an import', async () => {
    const db = server.running.context.database;
    const { list } = (await post('/api/lists', { name: '名单', kind: 'contacts' })).data;
    const key = dialKey(NUMBER, 'CN');
    const number = { phoneNumber: NUMBER, dialKey: key, label: '', extension: '' };
    await db.run(sql`
      insert into contact_list_row (list_id, since_version, phone_number, dial_key, customer_name, remark, time_zone, external_id, metadata, numbers)
      values (${list.id}, 1, ${NUMBER}, ${key}, '一', '', '', '', '{}', '[]'),
        (${list.id}, 1, '13800000007', '13800000007', '二', '', '', '', '{}', ${JSON.stringify([number])}::jsonb),
        (${list.id}, 1, '13800000008', '13800000008', '三', '', '', '', '{}', '[]')`);
    await db.run(sql`update contact_list set version = 1, row_count = 3 where id = ${list.id}`);
    await db.run(sql`
      with made as (insert into job (kind, title, input, owner_name, owner) values ('held', '导入', '{}', 'admin', '{}') returning id)
      insert into import_refusal (job_id, row_number, file_row, reason, dial_key, cells) select id, 1, 2, '坏', ${key}, '[]' from made`);
    await erase();
    const left = await db.rows(
      sql`select r.phone_number, l.row_count from contact_list_row r join contact_list l on l.id = r.list_id where l.id = ${list.id}`,
    );
    expect(left).toEqual([{ phoneNumber: '13800000008', rowCount: 1 }]);
    expect(await db.rows(sql`select 1 from import_refusal where dial_key = ${key}`)).toEqual([]);
  });

  test('neither does the report of an import on its rows, nor the stored response of a request', async () => {
    const importId = randomUUID();
    const form = new FormData();
    form.append('file', new Blob([`phone,name\n${NUMBER},一\n${NUMBER},二\n`]), '名单.csv');
    const headers = { Authorization: `Bearer ${admin}` };
    await fetch(`${server.url}/api/campaigns/${campaignId}/import-files?importId=${importId}`, { method: 'POST', headers, body: form });
    const told = async () =>
      JSON.stringify((await server.api('GET', `/api/campaigns/${campaignId}/import-files/${importId}`, undefined, admin)).data);
    expect(await told()).toContain(NUMBER);
    const repeatable = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'one' } };
    const body = JSON.stringify({ phoneNumber: NUMBER, reason: '要求' });
    const again = () => fetch(`${server.url}/api/dnc`, { ...repeatable, body });
    expect([(await again()).status, (await again()).status]).toEqual([200, 200]);
    expect((await erase()).status).toBe(200);
    expect(await cached()).not.toContain(NUMBER);
    expect(await told()).toContain('***9876');
    expect((await again()).status).toBe(409);
  });
});
