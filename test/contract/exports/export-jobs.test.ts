import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import { sql } from 'kysely';
import { readWorkbook } from '#platform/files/read-workbook.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { askFor } from '../graphql/graphql-client.ts';
import example from '../../../examples/spring-visit.script.json' with { type: 'json' };

let server: TestServer;
let supervisor: string;
let campaignId: number;
let contactId: number;
let attemptId: number;

beforeAll(async () => {
  server = await startTestServer({
    config: { agents: { seeNumbers: false }, businesses: [{ businessCode: 'demo', businessName: '演示', runtimeBringsFlow: true }] },
  });
  supervisor = await server.loginAs('supervisor');
  campaignId = await insertCampaign(db(), { name: '春季/回访' });
  contactId = await insertContact(db(), { campaignId, phoneNumber: '13800138001' });
  attemptId = await insertAttempt(db(), {
    campaignId,
    contactId,
    phoneNumber: '13800138001',
    status: 'completed',
    callStatus: 'completed',
  });
  await db().run(sql`
    update contact set customer_name = '=王敏', metadata = '{"city":"杭州","level":3,"=x":"-1"}', external_id = 'A-1' where id = ${contactId}`);
  await db().run(sql`
    update attempt set phone_number = '13800138001', classification = 'A', intent = '有意向', result_at = now(), duration_seconds = 12,
      hangup_by = 'customer',
      result_fields = '{"visit":"2026-12-01T01:00:00.000Z","amount":5,"agreed":true,"phone":"13900139000"}' where id = ${attemptId}`);
  const fields = [
    { key: 'visit', label: '预约时间', type: 'datetime' },
    { key: 'amount', label: '金额', type: 'number' },
    { key: 'agreed', label: '同意', type: 'boolean' },
    { key: 'phone', label: '备用电话', type: 'phone' },
  ];
  const body = { ...example, businessCode: 'demo', nlu: { ...example.nlu, fields } };
  const { script } = (await post('/api/v1/scripts', body)).data;
  await db().run(sql`update attempt set script_id = ${script.id}, script_version = ${script.version} where id = ${attemptId}`);
  await db().run(sql`
    insert into transcript_segment (attempt_id, segment_id, position, speaker, text, start_ms, end_ms) values
      (${attemptId}, 's1', 0, 'bot', '您好', 0, 900), (${attemptId}, 's2', 1, 'customer', '你好', 900, 1500)`);
});
afterAll(() => server.close());

const db = () => server.running.context.database;
const post = (path: string, body: unknown, token = supervisor) => server.api('POST', path, body, token);

/** Starts an export and waits for its end. */
async function exported(body: object, token = supervisor) {
  const { status, data, msg } = await post('/api/exports', body, token);
  if (status !== 200) throw new Error(msg);
  return waitUntil('the export to end', async () => {
    const { job } = (await server.api('GET', `/api/jobs/${data.job.id}`, undefined, token)).data;
    if (job.state === 'failed') throw new Error(JSON.stringify(job.error));
    return job.state === 'done' && job;
  });
}

async function download(jobId: number, token = supervisor) {
  const { data } = await post(`/api/exports/${jobId}/link`, {}, token);
  const answer = await fetch(`${server.url}${data.link.url}`);
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

async function fileOf(body: object, token = supervisor): Promise<Buffer> {
  return (await download((await exported(body, token)).id, token)).bytes;
}

const rowsOf = (csv: Buffer) => {
  const [header = '', ...rows] = csv.toString().replace('\ufeff', '').trimEnd().split('\r\n');
  return { header: header.split(','), rows };
};

describe('an export is a job [D2.11]', () => {
  test('its file is named by what it has and when, and fetched without a session for ten minutes', async () => {
    const job = await exported({ kind: 'attempts', calls: { campaignId } });
    expect(job).toMatchObject({
      kind: 'export',
      title: '导出通话（CSV）',
      done: 1,
      total: 1,
      result: { rows: 1, mediaType: 'text/csv; charset=utf-8' },
    });
    expect(job.result.fileName).toMatch(/^通话-春季 回访-\d{8}-\d{4}\.csv$/);
    const { answer, bytes } = await download(job.id);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      String(bytes.length),
    ]);
    expect(answer.headers.get('content-disposition')).toContain(`filename*=UTF-8''${encodeURIComponent(job.result.fileName)}`);
    expect(job.result.bytes).toBe(bytes.length);
  });

  test('an address is refused when it was changed, and gone when its time is over', async () => {
    const job = await exported({ kind: 'attempts', calls: { campaignId } });
    const { data } = await post(`/api/exports/${job.id}/link`, {});
    const url: string = data.link.url;
    expect((await fetch(`${server.url}${url.slice(0, -2)}AA`)).status).toBe(404);
    const [payload = '', signature = ''] = url.slice('/api/export-files/'.length).split('.');
    const claim = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const longer = Buffer.from(JSON.stringify({ ...claim, until: claim.until + 60_000 })).toString('base64url');
    expect((await fetch(`${server.url}/api/export-files/${longer}.${signature}`)).status).toBe(404);
    expect(Date.parse(data.link.expiresAt) - Date.now()).toBeLessThanOrEqual(10 * 60_000);
  });

  test('who started, linked and fetched it is in the audit log', async () => {
    const job = await exported({ kind: 'attempts', columns: ['id', 'phoneNumber'], calls: { campaignId, classification: 'A' } });
    await download(job.id);
    const rows = await db().rows(sql<{ action: string; actorName: string; detail: unknown }>`
      select action, actor_name, detail from audit_log where target_type = 'job' and target_id = ${String(job.id)} order by id`);
    expect(rows.map(({ action }) => action)).toEqual(['export.started', 'export.linked', 'export.downloaded']);
    expect(new Set(rows.map(({ actorName }) => actorName)).size).toBe(1);
    expect(rows[0]?.detail).toEqual({
      kind: 'attempts',
      format: 'csv',
      language: 'zh',
      columns: ['id', 'phoneNumber'],
      filter: { campaignId, classification: 'A' },
      isMasked: false,
    });
  });

  test('only the user who started an export, and administrators, may link its file', async () => {
    const job = await exported({ kind: 'attempts', calls: { campaignId } });
    const other = await server.createUser({ username: 'other', password: 'test-password', role: 'supervisor' });
    expect(other).toBeGreaterThan(0);
    const { token } = (await server.api('POST', '/api/auth/login', { username: 'other', password: 'test-password' })).data;
    expect((await post(`/api/exports/${job.id}/link`, {}, token)).status).toBe(404);
    expect((await post(`/api/exports/${job.id}/link`, {}, await server.loginAs('admin'))).status).toBe(200);
  });

  test('a job that is no export, or not done, has no file', async () => {
    const insert = async (kind: string) =>
      (
        await db().first(sql<{ id: number }>`
        insert into job (kind, title, input, owner_name, owner) values (${kind}, '任务', '{"kind":"none"}', 'admin', '{}') returning id`)
      )?.id ?? 0;
    const admin = await server.loginAs('admin');
    expect((await post(`/api/exports/${await insert('held')}/link`, {}, admin)).status).toBe(404);
    const { data } = await post('/api/exports', { kind: 'attempts', calls: { campaignId } }, admin);
    await server.api('DELETE', `/api/jobs/${data.job.id}`, undefined, admin);
    expect((await post(`/api/exports/${data.job.id}/link`, {}, admin)).status).toBe(409);
  });
});

describe('the rows of each kind', () => {
  test('calls have a column for each variable and result field, and labels for people', async () => {
    const { header, rows } = rowsOf(await fileOf({ kind: 'attempts', calls: { campaignId } }));
    expect(header).toEqual(expect.arrayContaining(['编号', '活动', '号码', '分类', '变量：city', '变量：level', '变量：=x']));
    expect(rows).toHaveLength(1);
    const cell = (title: string) => rows[0]?.split(',')[header.indexOf(title)];
    expect([cell('号码'), cell('姓名'), cell('结果'), cell('挂断方'), cell('变量：city'), cell('变量：level')]).toEqual([
      '13800138001',
      "'=王敏",
      '已完成',
      '客户',
      '杭州',
      '3',
    ]);
  });

  test('a result field is a column by the label that its script gives it, of calls and of contacts', async () => {
    const columns = ['result.visit', 'result.amount', 'result.agreed', 'result.phone', 'result.nobody'];
    const calls = rowsOf(await fileOf({ kind: 'results', columns, isMasked: 1, calls: { campaignId } }));
    expect(calls.header).toEqual(['结果：预约时间', '结果：金额', '结果：同意', '结果：备用电话', '结果：nobody']);
    expect(calls.rows).toEqual(['2026-12-01 09:00:00,5,是,***9000,']);
    const usual = rowsOf(await fileOf({ kind: 'contacts', contacts: { campaignId } }));
    expect(usual.header).toEqual(expect.arrayContaining(['结果：预约时间', '结果：金额']));
    const [line = '{}'] = (await fileOf({ kind: 'contacts', format: 'ndjson', columns: columns.slice(0, 3), contacts: { campaignId } }))
      .toString()
      .split('\n');
    expect(JSON.parse(line)).toEqual({ 'result.visit': '2026-12-01T01:00:00.000Z', 'result.amount': 5, 'result.agreed': true });
    const narrow = { campaignId, resultField: [{ key: 'amount', op: 'at_least', value: 6 }] };
    expect(rowsOf(await fileOf({ kind: 'attempts', columns: ['id'], calls: narrow })).rows).toEqual([]);
  });

  test('columns are chosen, in their order, and a field that nothing has yet is a column all the same', async () => {
    const columns = ['classification', 'intent', 'id'];
    const { header, rows } = rowsOf(await fileOf({ kind: 'results', columns, language: 'en', calls: { campaignId } }));
    expect(header).toEqual(['Class', 'Intent', 'Id']);
    expect(rows).toEqual([`A,有意向,${attemptId}`]);
  });

  test('transcripts have a row for each segment', async () => {
    const columns = ['attemptId', 'position', 'speaker', 'text', 'startMs'];
    const lines = (await fileOf({ kind: 'transcripts', format: 'ndjson', columns, calls: { campaignId } }))
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines.map(line => JSON.parse(line) as unknown)).toEqual([
      { attemptId, position: 0, speaker: 'bot', text: '您好', startMs: 0 },
      { attemptId, position: 1, speaker: 'customer', text: '你好', startMs: 900 },
    ]);
  });

  test('a call is a vCon, one by itself or one a line', async () => {
    const { data } = await server.api('GET', `/api/call-attempts/${attemptId}/vcon`, undefined, supervisor);
    expect(data.vcon).toMatchObject({
      vcon: '0.0.2',
      parties: [{ tel: '+8613800138001', name: '=王敏', role: 'customer' }, { role: 'bot' }],
      dialog: [
        { type: 'text', parties: 1, body: '您好' },
        { type: 'text', parties: 0, body: '你好' },
      ],
      analysis: [{ type: 'summary', vendor: 'Callout', dialog: [0, 1] }],
    });
    const lines = (await fileOf({ kind: 'vcons', format: 'ndjson', calls: { campaignId } })).toString().trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line) as unknown)).toEqual([data.vcon]);
    const query = 'query($id: ID!) { attempt(id: $id) { vcon } }';
    expect((await askFor(server, supervisor, query, { id: String(attemptId) })).attempt.vcon).toEqual(data.vcon);
    const masked = await fileOf({ kind: 'vcons', format: 'ndjson', isMasked: 1, calls: { campaignId } });
    expect(JSON.parse(masked.toString())).toMatchObject({ parties: [{ tel: '***8001' }, { role: 'bot' }] });
    expect(masked.toString()).not.toContain('13900139000');
  });

  test('a number among the results is masked in what the runtime reported, too [D3.11]', async () => {
    const payload = { result: { fields: { phone: '13900139000', amount: 5 }, variables: { phone: '13900139000' } } };
    await db().run(sql`update attempt set payload = ${JSON.stringify(payload)}::jsonb where id = ${attemptId}`);
    const request = { kind: 'results', format: 'ndjson', columns: ['payload'], calls: { campaignId } };
    const payloadOf = async (more: object) => JSON.parse((await fileOf({ ...request, ...more })).toString()).payload.result;
    expect(await payloadOf({})).toEqual(payload.result);
    expect(await payloadOf({ isMasked: 1 })).toEqual({ fields: { phone: '***9000', amount: 5 }, variables: { phone: '***9000' } });
  });

  test('the do-not-call list and the audit log are exported with the permission for them', async () => {
    await db().run(sql`insert into do_not_call (phone_number, dial_key, source, reason) values ('95533', '95533', 'manual', '投诉')`);
    const list = rowsOf(await fileOf({ kind: 'do_not_call', columns: ['phoneNumber', 'reason'], doNotCall: { q: '投诉' } }));
    expect(list.rows).toEqual(['95533,投诉']);
    const audited = rowsOf(await fileOf({ kind: 'audit_log', columns: ['action', 'targetType'], auditLogs: { action: 'export.started' } }));
    expect(audited.rows[0]).toBe('export.started,job');
    const agent = await server.loginAs('agent');
    for (const kind of ['attempts', 'contacts', 'results', 'transcripts', 'do_not_call', 'audit_log'])
      expect((await post('/api/exports', { kind }, agent)).status).toBe(403);
  });

  test('programs read the same rows from Parquet and Excel', async () => {
    const columns = ['id', 'phoneNumber', 'callStatus', 'durationSeconds', 'variable.city', 'variable.level'];
    const bytes = await fileOf({ kind: 'attempts', format: 'parquet', columns, calls: { campaignId } });
    const file = new Uint8Array(bytes).buffer;
    expect(await parquetReadObjects({ file, compressors: { ZSTD: input => zstdDecompressSync(input) } })).toEqual([
      {
        id: BigInt(attemptId),
        phoneNumber: '13800138001',
        callStatus: 'completed',
        durationSeconds: 12n,
        'variable.city': '杭州',
        'variable.level': '3',
      },
    ]);
    const workbook = await readWorkbook(await fileOf({ kind: 'attempts', format: 'xlsx', columns, calls: { campaignId } }), {
      sheet: null,
      includesHidden: true,
    });
    expect(workbook.rows[1]).toEqual([String(attemptId), '13800138001', '已完成', '12', '杭州', '3']);
  });

  test('an import reads exported contacts back as they were [D6.4]', async () => {
    const csv = await fileOf({ kind: 'contacts', contacts: { campaignId } });
    const other = await insertCampaign(db());
    const form = new FormData();
    form.set('file', new File([new Uint8Array(csv)], '联系人.csv'));
    const answer = await server.api('POST', `/api/campaigns/${other}/import-files`, form, supervisor);
    expect(answer).toMatchObject({ status: 200, data: { createdRows: 1, failedRows: 0 } });
    const read = (id: number) =>
      db().first(sql`select phone_number, customer_name, remark, external_id, metadata from contact where campaign_id = ${id}`);
    expect(await read(other)).toEqual(await read(campaignId));
  });
});

describe('what is asked for wrongly is refused', () => {
  test.each([
    ['a column that is none', { kind: 'attempts', columns: ['phone'] }, 'columns[0]'],
    ['a variable of rows that have none', { kind: 'audit_log', columns: ['variable.city'] }, 'columns[0]'],
    ['the filter of another kind', { kind: 'contacts', calls: { campaignId: 1 } }, 'calls'],
    ['a member that no filter has', { kind: 'attempts', calls: { campaign: 1 } }, 'calls'],
    ['a filter that would scan every call', { kind: 'attempts', calls: { classification: 'A' } }, 'classification'],
    ['a vCon as a table', { kind: 'vcons', format: 'csv' }, 'format'],
    ['a format that is none', { kind: 'attempts', format: 'pdf' }, 'format'],
  ])('%s', async (_name, body, field) => {
    expect(await post('/api/exports', body)).toMatchObject({ status: 400, msg: expect.stringContaining(field) });
  });

  test('a campaign that is gone', async () => {
    expect((await post('/api/exports', { kind: 'attempts', calls: { campaignId: 999_999 } })).status).toBe(404);
  });
});

describe('phone numbers [D3.11]', () => {
  test('are masked when asked for', async () => {
    const columns = ['phoneNumber', 'otherNumbers'];
    const { rows } = rowsOf(await fileOf({ kind: 'contacts', columns, isMasked: 1, contacts: { campaignId } }));
    expect(rows).toEqual(['***8001,']);
  });
});

describe('over GraphQL', () => {
  test('an export is started by the filters of the lists, and its file linked', async () => {
    const start = `mutation($input: StartExportInput!) { startExport(input: $input) { __typename ... on Job { databaseId kind } ... on InputRefused { field } } }`;
    const variables = {
      input: {
        kind: 'ATTEMPTS',
        format: 'NDJSON',
        columns: ['id'],
        calls: { campaignId: String(campaignId), answered: true, from: '2026-01-01T00:00:00Z' },
      },
    };
    const { startExport } = await askFor(server, supervisor, start, variables);
    expect(startExport).toMatchObject({ __typename: 'Job', kind: 'export' });
    const link = `mutation($id: ID!) { linkExport(id: $id) { __typename ... on ExportLink { url jobId } } }`;
    const linked = await waitUntil('the file', async () => {
      const answer = await askFor(server, supervisor, link, { id: startExport.databaseId });
      return answer.linkExport.__typename === 'ExportLink' && answer.linkExport;
    });
    expect((await (await fetch(`${server.url}${linked.url}`)).text()).trim()).toBe(JSON.stringify({ id: attemptId }));
    const refused = await askFor(server, supervisor, start, { input: { kind: 'CONTACTS', columns: ['nobody'] } });
    expect(refused.startExport).toEqual({ __typename: 'InputRefused', field: 'columns[0]' });
  });

  test('the columns of a kind are offered, with the variables of the campaign', async () => {
    const query = 'query($id: ID) { exportColumns(kind: CONTACTS, campaignId: $id) { key title type isDefault } }';
    const { exportColumns } = await askFor(server, supervisor, query, { id: String(campaignId) });
    expect(exportColumns).toEqual(
      expect.arrayContaining([
        { key: 'phoneNumber', title: '号码', type: 'TEXT', isDefault: true },
        { key: 'variable.city', title: '变量：city', type: 'TEXT', isDefault: true },
      ]),
    );
  });
});

describe('an export of figures [D2.11, D14.6]', () => {
  const stats = () => {
    const to = new Date(Date.now() + 60_000).toISOString();
    return {
      from: new Date(Date.now() - 86_400_000).toISOString(),
      to,
      groupBy: ['campaign', 'outcome'],
      measures: ['dials', 'answer_rate'],
    };
  };

  test('has names and rounded figures for people, values beside their names for programs', async () => {
    const csv = rowsOf(await fileOf({ kind: 'stats', language: 'en', stats: stats() }));
    expect(csv.header).toEqual(['Campaign', 'Outcome', 'Dials', 'Answer rate']);
    expect(csv.rows).toEqual([expect.stringMatching(/^春季\/回访,.*,1,/)]);
    const lines = (await fileOf({ kind: 'stats', format: 'ndjson', stats: stats() })).toString().trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line))).toEqual([
      expect.objectContaining({ campaign: String(campaignId), campaign_name: '春季/回访', outcome: expect.any(String), dials: 1 }),
    ]);
    const job = await exported({ kind: 'stats', format: 'xlsx', stats: stats() });
    expect(job.result).toMatchObject({ rows: 1, fileName: expect.stringMatching(/^通话统计-\d{8}-\d{4}\.xlsx$/) });
  });

  test.each([
    [{}, 'stats'],
    [{ stats: { measures: [] } }, 'measures'],
    [{ calls: {} }, 'calls'],
    [{ columns: ['id'] }, 'columns'],
  ])('%j is refused by its field', async (changes, field) => {
    const given = 'stats' in changes ? { ...stats(), ...changes.stats } : field === 'stats' ? undefined : stats();
    const { status, msg } = await post('/api/exports', { kind: 'stats', ...changes, stats: given });
    expect([status, msg]).toEqual([400, expect.stringContaining(field)]);
  });

  test('is refused where its range cannot be, and for who may not export', async () => {
    expect((await post('/api/exports', { kind: 'stats', stats: { ...stats(), to: '2020-01-01T00:00:00Z' } })).status).toBe(400);
    expect((await post('/api/exports', { kind: 'stats', stats: stats() }, await server.loginAs('agent'))).status).toBe(403);
  });

  test('is asked for in GraphQL with ids as texts', async () => {
    const { job } = await askFor(
      server,
      supervisor,
      `mutation($input: StartExportInput!) { job: startExport(input: $input) { ... on Job { databaseId state } ... on InputRefused { message } } }`,
      {
        input: {
          kind: 'STATS',
          stats: {
            ...stats(),
            filter: { campaignIds: [String(campaignId)] },
            groupBy: ['DAY'],
            measures: ['DIALS'],
            orderBy: { measure: 'DIALS', direction: 'DESC' },
          },
        },
      },
    );
    expect(job).toMatchObject({ databaseId: expect.any(String) });
  });
});
