import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { startTestServer } from '#test/support/server.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const IMPORT = `mutation($id: ID!, $file: Upload!, $options: ImportOptions, $importId: ID) {
  importContacts(campaignId: $id, file: $file, options: $options, importId: $importId) { __typename
    ... on ContactImport { totalRows createdRows duplicateRows failedRows errors { rowNumber } } ... on Refusal { code reason field } } }`;
const FILE = 'phone,name\n13900000001,张三\n13900000002,李四\n1,王五\n';
const MAP = { 0: ['variables.file'] };

interface Form {
  variables?: object;
  map?: unknown;
  files?: readonly (string | Uint8Array<ArrayBuffer>)[];
  headers?: Record<string, string>;
  at?: string;
}

/** A multipart request as in the specification. */
async function send({ variables = {}, map = MAP, files = [FILE], headers, at = api.server.url }: Form) {
  const form = new FormData();
  form.append('operations', JSON.stringify({ query: IMPORT, variables: { file: null, ...variables } }));
  form.append('map', typeof map === 'string' ? map : JSON.stringify(map));
  for (const [index, file] of files.entries()) form.append(String(index), new Blob([file]), '名单.csv');
  const answer = await fetch(`${at}/graphql`, { method: 'POST', headers: headers ?? { Authorization: `Bearer ${api.admin}` }, body: form });
  const { data, errors } = (await answer.json()) as { data?: { importContacts: unknown }; errors?: { extensions: object }[] };
  return { status: answer.status, done: data?.importContacts, fault: errors?.[0]?.extensions };
}

describe('a file in a multipart request', () => {
  test('is imported as in REST, with progress under an id of its own', async () => {
    const { id } = await api.campaign();
    const importId = randomUUID();
    const { done } = await send({ variables: { id, importId } });
    expect(done).toEqual({
      __typename: 'ContactImport',
      totalRows: 3,
      createdRows: 2,
      duplicateRows: 0,
      failedRows: 1,
      errors: [{ rowNumber: 3 }],
    });
    expect((await api.get(`/api/campaigns/${id}/import-files/${importId}`)).data.import.stage).toBe('done');
    expect((await api.get(`/api/campaigns/${id}/contacts`)).data.total).toBe(2);
    expect((await send({ variables: { id, importId } })).done).toMatchObject({ __typename: 'ImportRefused', reason: 'IMPORT_ID_TAKEN' });
  });

  test('is read according to its options', async () => {
    const { id } = await api.campaign();
    const file = '号,谁\n13900000001,张三\n02100000001,座机\n';
    const columns = { phoneNumber: '号', customerName: '谁' };
    const options = { columns, landline: 'REJECT', carriers: ['MOBILE'], region: 'cn', dryRun: true };
    expect((await send({ variables: { id, options }, files: [file] })).done).toMatchObject({ createdRows: 1, failedRows: 1 });
    expect((await api.get(`/api/campaigns/${id}/contacts`)).data.total).toBe(0);
    expect((await send({ variables: { id, options: { region: 'C' } } })).done).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'region' });
    expect((await send({ variables: { id: 999_999 } })).done).toMatchObject({ __typename: 'NotFound' });
  });

  test('is refused for a running campaign', async () => {
    const { id } = await api.campaign();
    await api.contacts(id, '13900000001');
    await api.patch(`/api/campaigns/${id}`, { status: 'running' });
    expect((await send({ variables: { id } })).done).toMatchObject({ __typename: 'ImportRefused', code: 'CAMPAIGN_RUNNING' });
    await api.patch(`/api/campaigns/${id}`, { status: 'paused' });
  });

  test.each([
    ['two files', { files: [FILE, FILE], map: { 0: ['variables.file'], 1: ['variables.other'] } }, 400],
    ['no file', { files: [] }, 400],
    ['a map of another file', { map: { 1: ['variables.file'] } }, 400],
    ['two places', { map: { 0: ['variables.file', 'variables.id'] } }, 400],
    ['a place that is not null', { map: { 0: ['variables.id'] } }, 400],
    ['a place beside the variables', { map: { 0: ['query'] } }, 400],
    ['a place of everybody', { map: { 0: ['variables.__proto__.file'] } }, 400],
    ['no map', { map: '{' }, 400],
    ['more than 5 MiB', { files: [new Uint8Array(5 * 1024 * 1024 + 1)] }, 413],
  ])('%s is refused', async (_what, form: Form, status) => {
    const answer = await send({ variables: { id: 1 }, ...form });
    expect([answer.status, answer.fault]).toMatchObject([status, { code: status === 413 ? 'PAYLOAD_TOO_LARGE' : 'INVALID_ARGUMENT' }]);
  });

  test('the rest of a form that is far too large is read away, so that a browser which sends it to the end hears why', async () => {
    const before = '--x\r\nContent-Disposition: form-data; name="0"; filename="a.csv"\r\n\r\n';
    const length = 40 * 1024 * 1024;
    const sent = request(`${api.server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.admin}`, 'content-type': 'multipart/form-data; boundary=x', 'content-length': length },
    });
    const answered = once(sent, 'response');
    sent.write(before);
    sent.end(Buffer.alloc(length - before.length, '1'));
    // All of it has left this process.
    await Promise.all([answered, once(sent, 'finish')]);
    const [answer] = (await answered) as [IncomingMessage];
    expect(answer.statusCode).toBe(413);
    expect(await json(answer)).toMatchObject({ errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }] });
  });

  test('a form of another site cannot send one, even without authentication', async () => {
    expect((await send({ variables: { id: 1 }, headers: {} })).fault).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    const open = await startTestServer({ beside: api.server, config: { auth: { enabled: false } } });
    const { id } = await api.campaign();
    const bare = await send({ variables: { id }, headers: {}, at: open.url });
    expect([bare.status, bare.fault]).toMatchObject([400, { code: 'INVALID_ARGUMENT' }]);
    const asked = await send({ variables: { id }, headers: { 'Apollo-Require-Preflight': '1' }, at: open.url });
    expect(asked.done).toMatchObject({ createdRows: 2 });
    await open.close();
  });

  test('an upload without permission is refused before a byte of it is received, so it takes no place [D6.6]', async () => {
    const headers = {
      Authorization: `Bearer ${await api.server.loginAs('agent')}`,
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': '1000000',
    };
    const asking = request(`${api.server.url}/graphql`, { method: 'POST', headers: { ...headers, 'Apollo-Require-Preflight': '1' } });
    asking.on('error', () => undefined).flushHeaders();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    expect(await json(answer)).toMatchObject({ data: null, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    asking.destroy();
  });

  test('a text is not a file', async () => {
    const headers = { Authorization: `Bearer ${api.admin}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ query: IMPORT, variables: { id: 1, file: 'x' } });
    const answer = await fetch(`${api.server.url}/graphql`, { method: 'POST', headers, body });
    const { errors } = (await answer.json()) as { errors: { extensions: object }[] };
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'file' });
  });
});
