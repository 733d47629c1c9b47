import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { insertCampaign } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { ask } from '../graphql/graphql-client.ts';

const TIMEOUT_MS = 60_000;

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('supervisor');
});
afterAll(() => server.close());

const api = (method: string, path: string, body?: unknown) => server.api(method, path, body, token);

async function newList(kind = 'contacts'): Promise<number> {
  return (await api('POST', '/api/lists', { name: `名单 ${kind}`, kind })).data.list.id;
}

async function upload(text: string, name = '名单.csv'): Promise<string> {
  const form = new FormData();
  form.set('file', new File([text], name));
  const answer = await api('POST', '/api/list-files', form);
  expect(answer).toMatchObject({ status: 200, data: { file: { fileName: name, size: Buffer.byteLength(text) } } });
  return answer.data.file.id;
}

async function untilDone(id: number) {
  return waitUntil('the import to be done', async () => {
    const { data } = await api('GET', `/api/imports/${id}`);
    return data.import.state === 'done' ? data.import : null;
  });
}

const FILE = '手机号,姓名,城市\n13800138000,张三,上海\n13800138001,李四,北京\n12,王五,广州\n';

describe('the library of lists [D6.9]', () => {
  test(
    'a file is uploaded, previewed, imported and seen, and its refused rows are a file',
    async () => {
      const listId = await newList();
      const fileId = await upload(FILE);
      const { preview } = (await api('GET', `/api/list-files/${fileId}/preview`)).data;
      expect(preview).toMatchObject({
        headerRow: 1,
        totalRows: 3,
        columns: [{ member: 'phone_number' }, { member: 'customer_name' }, { member: 'metadata' }],
      });
      const { job } = (await api('POST', '/api/imports', { fileId, listId })).data;
      const done = await untilDone(job.id);
      expect(done).toMatchObject({
        percent: 100,
        listId,
        campaignId: null,
        fileName: '名单.csv',
        counts: { createdRows: 2, failedRows: 1 },
      });
      expect((await api('GET', `/api/lists/${listId}`)).data).toMatchObject({
        list: { version: 1, rowCount: 2, importId: null },
        versions: [{ version: 1, fileName: '名单.csv', rows: 2, createdRows: 2, updatedRows: 0 }],
        campaigns: [],
      });
      const rows = (await api('GET', `/api/lists/${listId}/rows`)).data;
      expect(rows).toMatchObject({ total: 2, rows: [{ customerName: '李四', metadata: { 城市: '北京' } }, { customerName: '张三' }] });
      expect((await api('GET', `/api/lists/${listId}/rows?phoneNumber=%2B86%20138-0013-8001`)).data.total).toBe(1);
      const refused = await fetch(`${server.url}/api/imports/${job.id}/refusals`, { headers: { Authorization: `Bearer ${token}` } });
      expect(refused.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(await refused.text()).toContain('12,王五,广州');
      expect((await api('GET', `/api/imports?listId=${listId}`)).data.rows).toEqual([done]);
    },
    TIMEOUT_MS,
  );

  test('GraphQL does the same', async () => {
    const run = (query: string, variables: object) => ask(server, token, query, variables);
    const made = await run(
      'mutation($input: CreateContactListInput!) { createContactList(input: $input) { ... on ContactList { databaseId kind } } }',
      {
        input: { name: '经 GraphQL', kind: 'CONTACTS' },
      },
    );
    const { databaseId: listId } = made.data['createContactList'] as { databaseId: string };
    const fileId = await upload('甲,号码列\n张三,13800138000\n');
    const preview = await run('query($fileId: ID!) { listFilePreview(fileId: $fileId) { totalRows columns { key looksLikeNumbers } } }', {
      fileId,
    });
    expect(preview.data['listFilePreview']).toMatchObject({
      totalRows: 1,
      columns: [{ key: '甲' }, { key: '号码列', looksLikeNumbers: true }],
    });
    const input = {
      fileId,
      listId,
      options: { columns: { phoneNumber: '号码列', customerName: '甲', metadata: [] }, carriers: ['MOBILE'] },
    };
    const started = await run(
      'mutation($input: StartListImportInput!) { startListImport(input: $input) { __typename ... on Job { databaseId } ... on Refusal { message } } }',
      { input },
    );
    expect(started.data['startListImport']).toMatchObject({ __typename: 'Job' });
    await untilDone(Number((started.data['startListImport'] as { databaseId: string }).databaseId));
    const campaignId = await insertCampaign(server.running.context.database);
    const used = await run(
      'mutation($id: ID!, $campaignId: ID!) { useContactList(id: $id, campaignId: $campaignId) { ... on Job { databaseId } } }',
      {
        id: listId,
        campaignId: String(campaignId),
      },
    );
    await untilDone(Number((used.data['useContactList'] as { databaseId: string }).databaseId));
    const seen = await run(
      `query($id: ID!) { contactList(id: $id) { rowCount versions { rows } campaigns { campaignId version } rows(first: 5) { totalCount nodes { phoneNumber customerName } } }
        listImports(first: 5, campaignId: "${campaignId}") { nodes { state percent counts { createdRows leftOut { known } } refusalsUrl } } }`,
      { id: listId },
    );
    expect(seen.data).toEqual({
      contactList: {
        rowCount: 1,
        versions: [{ rows: 1 }],
        campaigns: [{ campaignId: String(campaignId), version: 1 }],
        rows: { totalCount: 1, nodes: [{ phoneNumber: '13800138000', customerName: '张三' }] },
      },
      listImports: { nodes: [{ state: 'DONE', percent: 100, counts: { createdRows: 1, leftOut: { known: 0 } }, refusalsUrl: null }] },
    });
  });

  test.each([
    ['neither a file nor an address', {}, 'fileId'],
    ['both', { fileId: '00000000-0000-4000-8000-000000000001', url: 'https://example.com/a.csv' }, 'fileId'],
    ['no target', { url: 'https://example.com/a.csv', listId: null }, 'listId'],
    ['a private address', { url: 'https://192.168.1.1/a.csv' }, 'url'],
    ['plain HTTP', { url: 'http://example.com/a.csv' }, 'url'],
    ['credentials in the address', { url: 'https://user:password@example.com/a.csv' }, 'url'],
    ['a bucket that nobody allowed', { url: 's3://bucket/a.csv' }, 'url'],
    ['an option of campaigns', { url: 'https://example.com/a.csv', options: { duplicates: 'business' } }, 'options.duplicates'],
  ])('refuses %s', async (_what, body, field) => {
    const answer = await api('POST', '/api/imports', { listId: await newList(), ...body });
    expect(answer).toMatchObject({ status: 400, msg: expect.stringContaining(field) });
  });

  test('only the user who uploaded a file can read it, and only one import can use it', async () => {
    const fileId = await upload(FILE);
    const other = await server.loginAs('admin');
    expect((await server.api('GET', `/api/list-files/${fileId}/preview`, undefined, other)).status).toBe(404);
    const listId = await newList();
    await untilDone((await api('POST', '/api/imports', { fileId, listId })).data.job.id);
    expect((await api('POST', '/api/imports', { fileId, listId })).status).toBe(404);
  });

  test('an upload that is no table, or none at all, is refused', async () => {
    const form = new FormData();
    form.set('file', new File([Buffer.from('d0cf11e0a1b11ae1', 'hex')], 'old.xls'));
    expect(await api('POST', '/api/list-files', form)).toMatchObject({ status: 400, msg: expect.stringContaining('file') });
    expect(await api('POST', '/api/list-files', new FormData())).toMatchObject({ status: 400 });
  });
});
