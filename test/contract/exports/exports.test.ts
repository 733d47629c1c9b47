import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { askFor } from '../graphql/graphql-client.ts';

let server: TestServer;
let supervisor: string;
beforeAll(async () => {
  server = await startTestServer();
  supervisor = await server.loginAs('supervisor');
});
afterAll(() => server.close());

const db = () => server.running.context.database;

async function download(path: string, token = supervisor, method = 'GET') {
  const answer = await fetch(`${server.url}/${path}`, { method, headers: { Authorization: `Bearer ${token}` } });
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, text };
}

/** Lines without the byte order mark and the final line break. */
const linesOf = (text: string) => text.replace('\ufeff', '').trimEnd().split('\r\n');

async function urlOf(field: 'callsExport' | 'contactsExport', variables: object, language = 'zh'): Promise<string> {
  const types = field === 'callsExport' ? '$filter: AttemptFilter' : '$filter: ContactFilter, $campaignId: ID';
  const args = field === 'callsExport' ? 'filter: $filter' : 'filter: $filter, campaignId: $campaignId';
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${supervisor}`, 'Content-Type': 'application/json', 'Accept-Language': language },
    body: JSON.stringify({ query: `query(${types}) { export: ${field}(${args}) { url } }`, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: { export: { url: string } | null }; errors?: { message: string }[] };
  if (!data.export) throw new Error(errors?.map(({ message }) => message).join());
  return data.export.url;
}

async function lastAudit(action: string): Promise<unknown> {
  return db().first(
    sql`select actor_name, target_type, target_id, detail from audit_log where action = ${action} order by id desc limit 1`,
  );
}

describe('calls as a file', () => {
  test('match the filter, newest first, with names and labels', async () => {
    const campaignId = await insertCampaign(db(), { name: '春季, 回访' });
    const contactId = await insertContact(db(), { campaignId });
    await db().run(sql`update contact set customer_name = '王"敏"' where id = ${contactId}`);
    const first = await insertAttempt(db(), { campaignId, contactId, status: 'failed', callStatus: 'busy' });
    const second = await insertAttempt(db(), { campaignId, contactId, status: 'completed', callStatus: 'completed' });
    await insertAttempt(db(), { campaignId: await insertCampaign(db()), contactId });
    const url = await urlOf('callsExport', { filter: { campaignId: String(campaignId) } });
    const { status, headers, text } = await download(url);
    expect([status, headers.get('content-type'), headers.get('content-disposition'), headers.get('cache-control')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="calls.csv"',
      'no-store',
    ]);
    expect(text.startsWith('\ufeff编号,活动,号码,姓名,结果,')).toBe(true);
    const [, ...rows] = linesOf(text);
    expect(rows.map(row => row.split(',')[0])).toEqual([String(second), String(first)]);
    expect(rows[1]).toMatch(/^\d+,"春季, 回访",\d+,"王""敏""",用户忙,/);
    expect(await lastAudit('attempt.exported')).toMatchObject({ detail: { rows: 2, filter: { campaignId } } });
  });

  test('name the user who hung up, as the page of the call does', async () => {
    const campaignId = await insertCampaign(db());
    const contactId = await insertContact(db(), { campaignId });
    const [ended, cut] = [await insertAttempt(db(), { campaignId, contactId }), await insertAttempt(db(), { campaignId, contactId })];
    await db().run(sql`update attempt set hangup_by = 'system' where campaign_id = ${campaignId}`);
    await db().run(sql`
      insert into runtime_event (level, type, title, attempt_id, detail) values ('info', 'supervisor.hangup', '主管挂断通话', ${cut}, '{"by":"王敏"}')`);
    const [, ...rows] = linesOf((await download(`api/exports/calls?campaignId=${campaignId}&order=asc`)).text);
    expect(rows.map(row => /系统|王敏/.exec(row)?.[0])).toEqual(ended < cut ? ['系统', '王敏'] : ['王敏', '系统']);
  });

  test('are in English for an English reader, by the filter of the GraphQL request', async () => {
    const from = '2026-01-01T00:00:00.000Z';
    const url = await urlOf('callsExport', { filter: { from, callStatus: 'NO_ANSWER', minDurationSeconds: 0 } }, 'en');
    expect(url).toBe(`api/exports/calls?callStatus=no_answer&from=${encodeURIComponent(from)}&minDurationSeconds=0&language=en`);
    expect(linesOf((await download(url)).text)[0]).toMatch(/^Id,Campaign,Number,Name,Outcome,/);
  });

  test('several slices form one order, with each row once', async () => {
    const campaignId = await insertCampaign(db());
    const contactId = await insertContact(db(), { campaignId });
    await db().run(sql`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, emotion_status, claimed_at)
      select gen_random_uuid(), ${campaignId}, ${contactId}, '13800138002', '13800138002', 'failed', 'none', now() from generate_series(1, 2500)`);
    const ids = linesOf((await download(`api/exports/calls?campaignId=${campaignId}&order=asc`)).text)
      .slice(1)
      .map(row => Number(row.split(',')[0]));
    expect(ids).toHaveLength(2500);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  test('a filter that would scan every call is refused, as in the list', async () => {
    const { status, text } = await download('api/exports/calls?classification=A');
    expect([status, JSON.parse(text).msg]).toEqual([400, expect.stringContaining('classification')]);
    await expect(urlOf('callsExport', { filter: { classification: 'A' } })).rejects.toThrow('classification');
  });
});

describe('contacts as a file', () => {
  test('a text that a spreadsheet would evaluate stays text [D6.4]', async () => {
    const campaignId = await insertCampaign(db());
    const id = await insertContact(db(), { campaignId, phoneNumber: '+8613800138003' });
    await insertContact(db(), { campaignId, phoneNumber: '＠SUM(1)' });
    await db().run(sql`update contact set customer_name = '=1+1', remark = ${'两行\n备注'} where id = ${id}`);
    const url = await urlOf('contactsExport', { campaignId: String(campaignId), filter: { status: 'PENDING' } });
    const { text } = await download(url);
    expect(text).toContain(`'+8613800138003,'=1+1,`);
    expect(text).toContain('"两行\n备注"');
    expect(text).toContain(`'＠SUM(1)`);
    expect(await lastAudit('contact.exported')).toMatchObject({
      targetType: 'campaign',
      targetId: String(campaignId),
      detail: { rows: 2 },
    });
  });

  test('of every campaign', async () => {
    const campaignId = await insertCampaign(db(), { name: '另一个活动' });
    await insertContact(db(), { campaignId, phoneNumber: '13800138004' });
    const { text } = await download(await urlOf('contactsExport', { filter: { phoneNumber: '13800138004' } }));
    expect(linesOf(text)).toHaveLength(2);
    expect(linesOf(text)[1]).toContain('另一个活动,13800138004');
  });

  test('an unknown campaign is 404, and a filter by reason requires a campaign', async () => {
    expect((await download('api/exports/contacts?campaignId=999999')).status).toBe(404);
    expect((await download('api/exports/contacts?notDialedReason=dnc')).status).toBe(400);
    const campaignId = await insertCampaign(db());
    const held = await download(await urlOf('contactsExport', { campaignId: String(campaignId), filter: { notDialedReason: 'PAUSED' } }));
    expect([held.status, linesOf(held.text)]).toEqual([200, [expect.stringContaining('编号')]]);
  });
});

test('more rows than a file may have are refused before anything is sent', async () => {
  const campaignId = await insertCampaign(db());
  await db().run(sql`
    insert into contact (campaign_id, phone_number, dial_key, status)
    select ${campaignId}, 'n' || n, 'n' || n, 'pending' from generate_series(1, 100001) as n`);
  const { status, text } = await download(`api/exports/contacts?campaignId=${campaignId}`);
  expect([status, JSON.parse(text).msg]).toEqual([400, expect.stringContaining('100000')]);
  expect(await lastAudit('contact.exported')).not.toMatchObject({ targetId: String(campaignId) });
}, 60_000);

describe('a client that reads slowly', () => {
  let campaignId: number;
  beforeAll(async () => {
    campaignId = await insertCampaign(db());
    await db().run(sql`
      insert into contact (campaign_id, phone_number, dial_key, status, remark)
      select ${campaignId}, 's' || n, 's' || n, 'pending', repeat(md5(n::text), 60) from generate_series(1, 30000) as n`);
  });

  /** An export whose response has begun and is not read. */
  async function begin(token: string): Promise<IncomingMessage> {
    const headers = { Authorization: `Bearer ${token}` };
    const asking = request(`${server.url}/api/exports/contacts?campaignId=${campaignId}`, { headers, agent: false }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.on('error', () => undefined).pause();
    return answer;
  }

  test('takes two places, and none of another user', async () => {
    const held = [await begin(supervisor), await begin(supervisor)];
    const third = await begin(supervisor);
    expect([...held, third].map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    const other = await begin(await server.loginAs('admin'));
    expect(other.statusCode).toBe(200);
    for (const answer of [...held, third, other]) answer.destroy();
    await waitUntil('the places to be free again', async () => {
      const again = await begin(supervisor);
      again.destroy();
      return again.statusCode === 200;
    });
  }, 30_000);

  test('gets nothing more once their session has ended [D3.2]', async () => {
    const { token } = (await server.api('POST', '/api/auth/login', ADMIN)).data as { token: string };
    const answer = await begin(token);
    await server.api('POST', '/api/auth/logout', undefined, token);
    const whole = answer.resume().on('data', () => undefined);
    await waitUntil('the connection to break', () => whole.destroyed);
    expect(whole.complete).toBe(false);
  }, 30_000);
});

test('a user without access to recordings may not export calls, and GraphQL reports that', async () => {
  const agent = await server.loginAs('agent');
  expect((await download('api/exports/calls', agent)).status).toBe(403);
  const refused = await askFor(server, agent, '{ callsExport { url } }').catch((error: Error) => error.message);
  expect(JSON.stringify(refused)).toContain('campaign:dispatch');
});
