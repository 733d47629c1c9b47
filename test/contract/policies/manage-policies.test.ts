import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const WINDOW = {
  name: '白天外呼',
  scope: 'global',
  type: 'daily_window',
  action: 'allow_window',
  config: { start: '09:00', end: '20:00' },
};

let server: TestServer;
let token: string;
let campaignId: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('supervisor');
  campaignId = await insertCampaign(server.running.context.database);
});
afterAll(() => server.close());

const create = (body: object) => server.api('POST', '/api/policies', body, token);

describe('POST /api/policies', () => {
  test('returns the policy with its defaults [OCS 2.9, D2.3, D2.5]', async () => {
    const answer = await create(WINDOW);
    expect(answer.status).toBe(200);
    expect(answer.data.policy).toEqual({
      ...WINDOW,
      id: expect.any(Number),
      campaignId: null,
      ruleId: null,
      priority: 0,
      isEnabled: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
    });
  });

  test.each([
    ['a missing name', { ...WINDOW, name: undefined }, 'name 不能为空'],
    ['an unknown type', { ...WINDOW, type: 'moon_phase' }, 'type 必须是'],
    ['an action that does not fit the type', { ...WINDOW, action: 'block' }, 'action'],
    ['a config that does not fit its type', { ...WINDOW, config: { start: '9', end: '20:00' } }, 'config.start'],
    [
      'a config member of the wrong kind',
      { ...WINDOW, type: 'blocked_dates', action: 'block', config: { dates: ['2026-02-30'] } },
      'config.dates[0]',
    ],
    ['scope campaign without campaignId', { ...WINDOW, scope: 'campaign' }, 'campaignId'],
    ['a campaign that does not exist', { ...WINDOW, scope: 'campaign', campaignId: 999_999 }, 'campaignId 对应的活动不存在'],
    ['isEnabled that is not 0 or 1', { ...WINDOW, isEnabled: 2 }, 'isEnabled 必须是 0 或 1'],
    [
      'a prefix that is all of the own country',
      { ...WINDOW, type: 'phone_prefix_blocklist', action: 'block', config: { prefixes: ['170', '+86'] } },
      'config.prefixes[1] 会禁止拨打本地区（+86）的全部号码，号段必须比国家码长',
    ],
    [
      'a listed number that nobody has',
      { ...WINDOW, type: 'phone_blacklist', action: 'block', config: { numbers: ['13800138000', '张三'] } },
      'config.numbers[1] 不是可以拨打的号码',
    ],
  ])('refuses %s, naming the member [D2.1, D8.2]', async (_, body, text) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.msg).toContain(text);
  });

  test('requires policy:write [OCS 4.9, D3.1]', async () => {
    const answer = await server.api('POST', '/api/policies', WINDOW, await server.loginAs('agent'));
    expect(answer.status).toBe(403);
  });

  test('writes an audit row [D3.7]', async () => {
    const { data } = await create({ ...WINDOW, name: '审计策略' });
    const row = await server.running.context.database.first(sql<{ action: string; actorName: string }>`
      select action, actor_name from audit_log where target_type = 'policy' and target_id = ${String(data.policy.id)}`);
    expect(row).toMatchObject({ action: 'policy.created', actorName: expect.stringContaining('supervisor') });
  });
});

describe('GET /api/policies', () => {
  test('lists by priority, higher first, and by campaign [OCS 4.9, D8.2]', async () => {
    const own = { ...WINDOW, scope: 'campaign', campaignId };
    const low = (await create({ ...own, priority: 1 })).data.policy.id;
    const high = (await create({ ...own, priority: 9 })).data.policy.id;
    const ids = async (query: string) =>
      (await server.api('GET', `/api/policies${query}`, undefined, token)).data.rows.map((row: { id: number }) => row.id);
    expect(await ids(`?campaignId=${campaignId}`)).toEqual([high, low]);
    const all = await ids('');
    expect(all.indexOf(high)).toBeLessThan(all.indexOf(low));
    expect(all.length).toBeGreaterThan(2);
  });
});

describe('PATCH and DELETE /api/policies/:id', () => {
  test('a list that an older version stored stays until it is changed [D8.7]', async () => {
    const config = { prefixes: ['170'] };
    const { id } = (await create({ ...WINDOW, type: 'phone_prefix_blocklist', action: 'block', config, isEnabled: 0 })).data.policy;
    await server.running.context.database.run(sql`update policy set config = '{"prefixes":["+86"]}' where id = ${id}`);
    expect((await server.api('PATCH', `/api/policies/${id}`, { name: '旧号段' }, token)).status).toBe(200);
    const refused = await server.api('PATCH', `/api/policies/${id}`, { config: { prefixes: ['+86', '171'] } }, token);
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('config.prefixes[0] 会禁止拨打本地区')]);
    expect((await server.api('PATCH', `/api/policies/${id}`, { config: { prefixes: ['171'] } }, token)).status).toBe(200);
  });

  test('accepts any subset and validates the whole [OCS 4.9, D8.2]', async () => {
    const { id } = (await create(WINDOW)).data.policy;
    const changed = await server.api('PATCH', `/api/policies/${id}`, { config: { start: '10:00', end: '18:00' }, isEnabled: 0 }, token);
    expect(changed.data.policy).toMatchObject({ name: WINDOW.name, config: { start: '10:00', end: '18:00' }, isEnabled: 0 });
    const refused = await server.api('PATCH', `/api/policies/${id}`, { type: 'rate_limit' }, token);
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('action')]);
    const list = await server.api('GET', '/api/policies', undefined, token);
    expect(list.data.rows.find((row: { id: number }) => row.id === id).type).toBe('daily_window');
  });

  test('a global policy has no campaign [OCS 2.9]', async () => {
    const { id } = (await create({ ...WINDOW, scope: 'campaign', campaignId })).data.policy;
    const changed = await server.api('PATCH', `/api/policies/${id}`, { scope: 'global' }, token);
    expect(changed.data.policy).toMatchObject({ scope: 'global', campaignId: null });
  });

  test('a policy that does not exist gives 404', async () => {
    expect((await server.api('PATCH', '/api/policies/999999', { name: 'x' }, token)).status).toBe(404);
    expect((await server.api('DELETE', '/api/policies/999999', undefined, token)).status).toBe(404);
  });

  test('a deleted policy is gone [OCS 4.9]', async () => {
    const { id } = (await create(WINDOW)).data.policy;
    expect((await server.api('DELETE', `/api/policies/${id}`, undefined, token)).data.policy.id).toBe(id);
    expect((await server.api('DELETE', `/api/policies/${id}`, undefined, token)).status).toBe(404);
  });

  test('an edit increments the rules version and ends holds by policies [D8.6]', async () => {
    const db = server.running.context.database;
    const version = async () => (await db.first(sql<{ version: number }>`select version from rules_version`))?.version;
    const held = await insertContact(db, { campaignId, holdReason: 'blacklist' });
    const listed = await insertContact(db, { campaignId, holdReason: 'dnc' });
    const before = await version();
    const { id } = (await create({ ...WINDOW, scope: 'campaign', campaignId })).data.policy;
    await server.api('DELETE', `/api/policies/${id}`, undefined, token);
    const holds = await db.rows(sql<{ id: number; reason: string | null }>`
      select id, hold_reason as reason from contact where id in (${held}, ${listed}) order by id`);
    expect(holds).toEqual([
      { id: held, reason: null },
      { id: listed, reason: 'dnc' },
    ]);
    expect(await version()).toBe((before ?? 0) + 2);
  });

  test('an edit of one campaign leaves the holds of others alone [D8.6]', async () => {
    const db = server.running.context.database;
    const other = await insertCampaign(db);
    const held = await insertContact(db, { campaignId: other, holdReason: 'blacklist' });
    await create({ ...WINDOW, scope: 'campaign', campaignId });
    const row = await db.first(sql<{ reason: string }>`select hold_reason as reason from contact where id = ${held}`);
    expect(row?.reason).toBe('blacklist');
  });

  test('an edit waits for a concurrent claim and ends the hold that it wrote under the old rules [D8.6]', async () => {
    const db = server.running.context.database;
    const contact = await insertContact(db, { campaignId });
    const { id } = (await create({ ...WINDOW, scope: 'campaign', campaignId })).data.policy;
    const edit = await db.transaction(async claim => {
      await claim.run(sql`select id from campaign where id = ${campaignId} for no key update`);
      const pending = server.api('DELETE', `/api/policies/${id}`, undefined, token);
      await blockedBackend(server);
      await claim.run(sql`update contact set hold_reason = 'outside_window' where id = ${contact}`);
      return { pending };
    });
    expect((await edit.pending).status).toBe(200);
    const row = await db.first(sql<{ reason: string | null }>`select hold_reason as reason from contact where id = ${contact}`);
    expect(row?.reason).toBeNull();
  });
});

async function blockedBackend({ running }: TestServer): Promise<void> {
  const { waitUntil } = await import('#test/support/wait-until.ts');
  await waitUntil('a statement that waits for a lock', () =>
    running.context.database.first(sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'`),
  );
}
