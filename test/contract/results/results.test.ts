import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { askFor } from '../graphql/graphql-client.ts';
import example from '../../../examples/spring-visit.script.json' with { type: 'json' };

const FIELDS = [
  { key: 'visit_time', label: '上门时间', type: 'datetime' },
  { key: 'amount', label: '金额', type: 'number' },
  { key: 'wish', label: '诉求', type: 'text' },
  { key: 'other_phone', label: '备用电话', type: 'phone' },
];
/** The script of the demo asks for consent, too. */
const DECLARED = [...example.nlu.fields, ...FIELDS];
const DAY_MS = 86_400_000;

let server: TestServer;
let admin: string;
let script: { id: number; version: number };
let campaignId: number;
beforeAll(async () => {
  server = await startTestServer({ config: { agents: { seeNumbers: false } } });
  admin = await server.loginAs('admin');
  const saved = await api('POST', '/api/v1/scripts', { ...example, nlu: { ...example.nlu, fields: DECLARED } });
  script = { id: saved.data.script.id, version: saved.data.script.version };
});
afterAll(() => server.close());
beforeEach(async () => {
  campaignId = await insertCampaign(db());
});

const db = () => server.running.context.database;
const api = (method: string, path: string, body?: unknown, token = admin) => server.api(method, path, body, token);

/** An answered call of a new contact that ran the script. */
async function newCall(): Promise<{ id: number; contactId: number }> {
  const contactId = await insertContact(db(), {
    campaignId,
    phoneNumber: `139${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`,
  });
  const id = await insertAttempt(db(), { campaignId, contactId, status: 'answered', hasResult: false });
  await db().run(
    sql`update attempt set script_id = ${script.id}, script_version = ${script.version}, answered_at = now() where id = ${id}`,
  );
  return { id, contactId };
}

async function report(attemptId: number, fields: object, more: object = {}): Promise<void> {
  const body = { attemptId, callStatus: 'completed', classification: 'A', ...more, payload: { result: { fields } } };
  const answer = await server.internal('POST', '/api/call-results', body);
  if (answer.status !== 200) throw new Error(answer.text);
}

async function reported(fields: object): Promise<number> {
  const { id } = await newCall();
  await report(id, fields);
  return id;
}

/** Routes whose answers have attempts, as the published interface says. */
async function doorsWithAttempts(): Promise<string[]> {
  const { paths, components } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses?: unknown }>>;
    components: { schemas: Record<string, unknown> };
  };
  const namesOf = (schema: unknown): string[] =>
    [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name);
  const reaches = (name: string, seen = new Set<string>()): boolean => {
    if (name === 'Attempt') return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return namesOf(components.schemas[name] ?? {}).some(next => reaches(next, seen));
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses = {} }]) =>
      namesOf(responses).some(name => reaches(name)) ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  );
}

const rowOf = async (id: number) => (await api('GET', `/api/call-attempts/${id}`)).data.attempt;
const inZone = (at: number) => new Date(at).toISOString();

describe('what a runtime reports of the script’s fields [D7.17]', () => {
  test('is kept on the call with its types, and a value of the wrong type raises a conflict event', async () => {
    const id = await reported({ visit_time: '2026-12-03T15:00:00+08:00', amount: '5000', consent: false, other: 1 });
    expect(await rowOf(id)).toMatchObject({
      resultFields: { visit_time: '2026-12-03T07:00:00.000Z', consent: false },
      reportedResult: null,
      payload: { result: { fields: { amount: '5000', other: 1 } } },
    });
    const event = await db().first(
      sql`select message, detail from runtime_event where attempt_id = ${id} and type = 'call.result_conflict'`,
    );
    expect(event).toMatchObject({ detail: { conflicts: ['result.fields.amount'] }, message: expect.stringContaining('结果字段') });
  });

  test('shows in GraphQL by the fields of the version that the call ran, and at the contact', async () => {
    const { id, contactId } = await newCall();
    await report(id, { amount: 5, wish: '周末上门' });
    const { attempt } = await askFor(
      server,
      admin,
      `query($id: ID!) { attempt(id: $id) { resultFields { key label type value reported source } contact { resultFields { key label value attemptId } } } }`,
      { id: String(id) },
    );
    expect(attempt.resultFields.filter(({ value }: { value: unknown }) => value !== null)).toEqual([
      { key: 'amount', label: '金额', type: 'number', value: 5, reported: 5, source: 'RUNTIME' },
      { key: 'wish', label: '诉求', type: 'text', value: '周末上门', reported: '周末上门', source: 'RUNTIME' },
    ]);
    expect(attempt.resultFields).toHaveLength(DECLARED.length);
    expect(attempt.contact.resultFields).toEqual([
      { key: 'amount', label: '金额', value: 5, attemptId: String(id) },
      { key: 'wish', label: '诉求', value: '周末上门', attemptId: String(id) },
    ]);
    expect(contactId).toBeGreaterThan(0);
  });

  test('a number that a customer gave is masked as the customer’s own is [D3.11]', async () => {
    const { id } = await newCall();
    await report(id, { other_phone: '13900139000', wish: '13900139000' });
    const document = `query($id: ID!) { attempt(id: $id) { resultFields { key value } contact { resultFields { key value } } } }`;
    const valuesFor = async (token: string) => {
      const { attempt } = await askFor(server, token, document, { id: String(id) });
      const of = (fields: { key: string; value: unknown }[], key: string) => fields.find(field => field.key === key)?.value;
      return [of(attempt.resultFields, 'other_phone'), of(attempt.contact.resultFields, 'other_phone'), of(attempt.resultFields, 'wish')];
    };
    expect(await valuesFor(admin)).toEqual(['13900139000', '13900139000', '13900139000']);
    expect(await valuesFor(await server.loginAs('agent'))).toEqual(['***9000', '***9000', '13900139000']);
  });

  test('whichever door shows the result of a call, an agent reads no number in it [D3.11]', async () => {
    const { id, contactId } = await newCall();
    await report(id, { other_phone: '13900779000' });
    await api('PATCH', `/api/call-attempts/${id}/result`, { reason: 'r', fields: { other_phone: '13900779111' } });
    await db().run(sql`
      insert into call_disposition (request_id, attempt_id, code, label, category, fields)
      select request_id, id, 'sold', '成交', 'sale', '{"other_phone":"13900779222"}' from attempt where id = ${id}`);
    await db().run(sql`update contact set external_id = 'D-1' where id = ${contactId}`);
    const doors = await doorsWithAttempts();
    const paths = {
      'GET /api/call-attempts': `/api/call-attempts?campaignId=${campaignId}`,
      'GET /api/call-attempts/{attemptId}': `/api/call-attempts/${id}`,
      'GET /api/campaigns/{id}': `/api/campaigns/${campaignId}`,
      'GET /api/campaigns/{id}/dials/{contactId}': `/api/campaigns/${campaignId}/dials/${contactId}`,
      'GET /api/campaigns/{id}/dials': `/api/campaigns/${campaignId}/dials?externalId=D-1`,
      'GET /api/overview': '/api/overview',
    };
    expect(doors.filter(door => door.startsWith('GET')).sort()).toEqual(Object.keys(paths).sort());
    const others = [`/api/call-attempts/${id}/result-corrections`, `/api/call-attempts/${id}/dispositions`];
    const agent = await server.loginAs('agent');
    for (const path of [...Object.values(paths), ...others]) {
      const shown = async (token: string) => `${path} ${JSON.stringify((await api('GET', path, undefined, token)).data)}`;
      expect(await shown(admin)).toMatch(/1390077(9000|9111|9222)/);
      const masked = await shown(agent);
      expect(masked).toMatch(/\*{3}(9000|9111|9222)/);
      expect(masked).not.toMatch(/1390077\d{4}/);
    }
    const document = `query($id: ID!) { attempt(id: $id) {
      payload reportedResult { fields } resultCorrections { changes { before after } } dispositions { fields } } }`;
    const { attempt } = await askFor(server, agent, document, { id: String(id) });
    expect(JSON.stringify(attempt)).not.toMatch(/1390077\d{4}/);
    expect(attempt.dispositions[0].fields).toEqual({ other_phone: '***9222' });
    const stats = `/api/reports/call-stats?from=${inZone(Date.now() - DAY_MS)}&to=${inZone(Date.now() + DAY_MS)}&groupBy=result_field&groupFields=other_phone&measures=dials`;
    expect(JSON.stringify((await api('GET', stats, undefined, agent)).data)).not.toMatch(/1390077\d{4}/);
  });

  test('are columns of exported calls and contacts, which an import of the file leaves out', async () => {
    await reported({ visit_time: '2026-12-03T07:00:00Z', consent: true });
    const read = async (kind: string) => {
      const answer = await fetch(`${server.url}/api/exports/${kind}?campaignId=${campaignId}`, {
        headers: { Authorization: `Bearer ${admin}` },
      });
      return answer.text();
    };
    await db().run(sql`update campaign set business_code = ${example.businessCode} where id = ${campaignId}`);
    for (const kind of ['calls', 'contacts']) {
      const [header = '', row = ''] = (await read(kind)).trimEnd().split('\r\n');
      const cell = (title: string) => row.split(',')[header.replace('\ufeff', '').split(',').indexOf(title)];
      expect([cell('结果：上门时间'), cell('结果：愿意听介绍'), cell('结果：金额')]).toEqual(['2026-12-03 15:00:00', '是', '']);
    }
    const into = await insertCampaign(db());
    const form = new FormData();
    form.set('file', new File([await read('contacts')], 'contacts.csv'));
    const { data } = await server.api('POST', `/api/campaigns/${into}/import-files`, form, admin);
    expect(data).toMatchObject({ createdRows: 1 });
    const row = await db().first(sql<{ metadata: object }>`select metadata from contact where campaign_id = ${into}`);
    expect(Object.keys(row?.metadata ?? {}).filter(name => name.includes('结果'))).toEqual([]);
  });
});

describe('lists filtered by what calls found out [D7.17]', () => {
  const found = async (...conditions: object[]) => {
    const query = new URLSearchParams({ campaignId: String(campaignId), resultField: JSON.stringify(conditions) });
    const { data } = await api('GET', `/api/call-attempts?${query.toString()}`);
    return data.rows.map(({ id }: { id: number }) => id);
  };

  test.each([
    [{ key: 'amount', op: 'equals', value: 5 }, ['five']],
    [{ key: 'amount', op: 'differs', value: 5 }, ['nine']],
    [{ key: 'amount', op: 'at_least', value: 5 }, ['nine', 'five']],
    [{ key: 'amount', op: 'at_most', value: 8 }, ['five']],
    [{ key: 'amount', op: 'at_most', value: '8' }, []],
    [{ key: 'wish', op: 'contains', value: '上门' }, ['five']],
    [{ key: 'wish', op: 'contains', value: '%' }, []],
    [{ key: 'consent', op: 'equals', value: false }, ['nine']],
    [{ key: 'amount', op: 'exists' }, ['nine', 'five']],
    [{ key: 'amount', op: 'missing' }, ['nothing']],
    [{ key: 'unknown', op: 'exists' }, []],
  ])('%j', async (condition, names) => {
    const ids: Record<string, number> = {
      five: await reported({ amount: 5, wish: '周末上门看看' }),
      nine: await reported({ amount: 9, consent: false }),
      nothing: await reported({}),
    };
    expect(await found(condition)).toEqual(names.map(name => ids[name]));
  });

  test('a period moves with the calendar of the business time zone, and a day bounds instants', async () => {
    const now = Date.now();
    const localDay = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 10);
    const midnight = Date.parse(`${localDay(now)}T00:00:00+08:00`);
    const today = await reported({ visit_time: inZone(midnight + 60_000) });
    const tomorrow = await reported({ visit_time: inZone(midnight + DAY_MS + 60_000) });
    const before = await reported({ visit_time: inZone(midnight - 60_000) });
    expect(await found({ key: 'visit_time', op: 'within', value: 'today' })).toEqual([today]);
    expect(await found({ key: 'visit_time', op: 'within', value: 'tomorrow' })).toEqual([tomorrow]);
    expect(await found({ key: 'visit_time', op: 'within', value: 'past' })).toEqual([before]);
    expect(await found({ key: 'visit_time', op: 'at_least', value: localDay(now + DAY_MS) })).toEqual([tomorrow]);
    expect(await found({ key: 'visit_time', op: 'at_most', value: localDay(now) })).toEqual([before, today]);
    const weekday = (new Date(`${localDay(now)}T00:00:00Z`).getUTCDay() + 6) % 7;
    const nextMonday = midnight + (7 - weekday) * DAY_MS;
    const nextWeek = await reported({ visit_time: inZone(nextMonday) });
    await reported({ visit_time: inZone(nextMonday + 7 * DAY_MS) });
    expect(await found({ key: 'visit_time', op: 'within', value: 'next_week' })).toContain(nextWeek);
    expect(await found({ key: 'visit_time', op: 'within', value: 'next_week' }, { key: 'amount', op: 'exists' })).toEqual([]);
  });

  test('contacts need one call that fulfils every condition', async () => {
    const { id, contactId } = await newCall();
    await report(id, { amount: 5 });
    const other = await insertAttempt(db(), { campaignId, contactId, status: 'answered', hasResult: false });
    await db().run(sql`update attempt set script_id = ${script.id}, script_version = ${script.version} where id = ${other}`);
    await report(other, { wish: '上门' });
    const count = async (...resultField: object[]) => {
      const document = `query($id: ID!, $filter: ContactFilter) { contacts(campaignId: $id, first: 5, filter: $filter) { totalCount } }`;
      return (await askFor(server, admin, document, { id: String(campaignId), filter: { resultField } })).contacts.totalCount;
    };
    const [five, visit] = [
      { key: 'amount', op: 'EQUALS', value: 5 },
      { key: 'wish', op: 'CONTAINS', value: '上门' },
    ];
    expect([await count(five), await count(visit), await count(five, visit)]).toEqual([1, 1, 0]);
    const listed = async (value: number) => {
      const query = new URLSearchParams({ resultField: JSON.stringify([{ key: 'amount', op: 'equals', value }]) });
      return (await api('GET', `/api/campaigns/${campaignId}/contacts?${query.toString()}`)).data;
    };
    expect(await listed(5)).toMatchObject({ total: 1, rows: [{ id: contactId }] });
    expect(await listed(6)).toMatchObject({ total: 0, rows: [] });
  });

  test.each([
    [[{ key: 'a', op: 'within', value: 'someday' }]],
    [[{ key: 'a', op: 'equals' }]],
    [[{ key: 'a', op: 'exists', value: 1 }]],
    [[{ key: 'a', op: 'is', value: 1 }]],
    [Array.from({ length: 9 }, () => ({ key: 'a', op: 'exists' }))],
    ['a'],
  ])('%j is refused', async conditions => {
    const query = new URLSearchParams({ campaignId: String(campaignId), resultField: JSON.stringify(conditions) });
    const { status, msg } = await api('GET', `/api/call-attempts?${query.toString()}`);
    expect([status, msg]).toEqual([400, expect.stringContaining('resultField')]);
  });

  test('a filter of all calls alone is refused, as other conditions without an index are', async () => {
    const document = `query($filter: AttemptFilter) { attempts(first: 1, filter: $filter) { totalCount } }`;
    await expect(askFor(server, admin, document, { filter: { resultField: [{ key: 'a', op: 'EXISTS' }] } })).rejects.toThrow('resultField');
  });

  test('the fields of the scripts are offered, once each', async () => {
    await db().run(sql`update campaign set business_code = ${example.businessCode} where id = ${campaignId}`);
    const { data } = await api('GET', `/api/result-fields?campaignId=${campaignId}`);
    expect(data.rows.map(({ key }: { key: string }) => key)).toEqual(DECLARED.map(({ key }) => key).sort());
  });
});

describe('corrections [D7.17]', () => {
  test('count in lists, keep the report, and say who and why', async () => {
    const id = await reported({ amount: 5, wish: 'a' });
    const { status, data } = await api('PATCH', `/api/call-attempts/${id}/result`, {
      reason: '听录音更正',
      classification: 'B',
      fields: { amount: 7, wish: null },
    });
    expect([status, data.attempt.classification, data.attempt.resultFields]).toEqual([200, 'B', { amount: 7 }]);
    expect(data.attempt.reportedResult).toEqual({ classification: 'A', intent: null, fields: { amount: 5, wish: 'a' } });
    const { attempt } = await askFor(
      server,
      admin,
      `query($id: ID!) { attempt(id: $id) { resultFields { key value reported source user { username } } resultCorrections { reason changes { member before after } } } }`,
      { id: String(id) },
    );
    expect(attempt.resultFields.find(({ key }: { key: string }) => key === 'amount')).toEqual({
      key: 'amount',
      value: 7,
      reported: 5,
      source: 'CORRECTION',
      user: { username: 'admin' },
    });
    expect(attempt.resultCorrections).toEqual([
      {
        reason: '听录音更正',
        changes: [
          { member: 'classification', before: 'A', after: 'B' },
          { member: 'fields.amount', before: 5, after: 7 },
          { member: 'fields.wish', before: 'a', after: null },
        ],
      },
    ]);
    const audit = await db().first(
      sql<{ detail: object }>`select detail from audit_log where action = 'attempt.corrected' order by id desc limit 1`,
    );
    expect(audit?.detail).toMatchObject({ members: ['classification', 'fields.amount', 'fields.wish'], reason: '听录音更正' });
  });

  test('outlive a late report, which is kept beneath them', async () => {
    const id = await reported({ amount: 5 });
    await api('PATCH', `/api/call-attempts/${id}/result`, { reason: 'r', fields: { amount: 7 } });
    await report(id, { amount: 5, consent: true }, { intent: '晚到' });
    expect(await rowOf(id)).toMatchObject({
      intent: '晚到',
      resultFields: { amount: 7, consent: true },
      reportedResult: { fields: { amount: 5, consent: true } },
    });
  });

  test('are taken back by the reported value, and leave no row where nothing changes', async () => {
    const id = await reported({ amount: 5 });
    const correct = (fields: object) => api('PATCH', `/api/call-attempts/${id}/result`, { reason: 'r', fields });
    await correct({ amount: 7 });
    await correct({ amount: 5 });
    await correct({ amount: 5 });
    expect(await rowOf(id)).toMatchObject({ resultFields: { amount: 5 }, reportedResult: null });
    const { data } = await api('GET', `/api/call-attempts/${id}/result-corrections`);
    expect(data.rows).toHaveLength(2);
  });

  test.each([
    [{ amount: '7' }, 'fields.amount'],
    [{ nothing: 1 }, 'fields.nothing'],
  ])('of %j are refused, naming the field', async (fields, named) => {
    const { status, msg } = await api('PATCH', `/api/call-attempts/${await reported({})}/result`, { reason: 'r', fields });
    expect([status, msg]).toEqual([400, expect.stringContaining(named)]);
  });

  test('need a reason and a call that exists', async () => {
    const id = await reported({});
    expect((await api('PATCH', `/api/call-attempts/${id}/result`, { reason: ' ', classification: 'B' })).status).toBe(400);
    expect((await api('PATCH', `/api/call-attempts/999999999/result`, { reason: 'r', classification: 'B' })).status).toBe(404);
  });

  test('go with the call when its person is erased', async () => {
    const { id, contactId } = await newCall();
    await report(id, { amount: 5 });
    await api('PATCH', `/api/call-attempts/${id}/result`, { reason: 'r', fields: { amount: 7 } });
    const row = await db().first(sql<{ phoneNumber: string }>`select phone_number from contact where id = ${contactId}`);
    await db().run(
      sql`update attempt set phone_number = ${row?.phoneNumber}, dial_key = (select dial_key from contact where id = ${contactId}) where id = ${id}`,
    );
    expect((await api('DELETE', `/api/contacts/by-number/${row?.phoneNumber}`)).status).toBe(200);
    expect(await db().rows(sql`select 1 from result_correction where attempt_id = ${id}`)).toEqual([]);
  });
});

test('what an agent writes into a disposition counts, where it is of the type; emptied, the report counts again [D7.17, D12.9]', async () => {
  const { id } = await newCall();
  await report(id, { amount: 5 });
  const choice = { code: 'sold', label: '成交', category: 'sale', needsNote: 0, needsCallback: 0, isEnabled: 1 };
  await api('PUT', `/api/campaigns/${campaignId}/dispositions`, { dispositions: [choice], wrapUpSeconds: null, isRequired: null });
  const dispose = (fields: object) => api('PUT', `/api/calls/attempt:${id}/disposition`, { code: 'sold', fields });
  expect((await dispose({ amount: 8, visit_time: '下周三' })).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ resultFields: { amount: 8 }, reportedResult: { fields: { amount: 5 } } });
  expect((await dispose({ amount: null })).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ resultFields: { amount: 5 }, reportedResult: null });
});
