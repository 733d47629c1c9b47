import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { ManagementApi, required } from '../campaigns/builders.ts';

let api: ManagementApi;

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

interface Sent {
  key: string;
  token?: string;
  headers?: Record<string, string>;
}

async function post(path: string, body: unknown, { key, token = api.admin, headers = {} }: Sent) {
  const answer = await fetch(`${api.server.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'Idempotency-Key': key, ...headers },
    body: JSON.stringify(body),
  });
  // Tests read responses of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: answer.status, ...((await answer.json()) as { code: string; msg: string; data: any }) };
}

async function linesNamed(name: string): Promise<number> {
  const { rows } = required(await api.get('/api/lines'));
  return rows.filter((row: { name: string }) => row.name === name).length;
}

describe('Idempotency-Key on a POST [D2.8]', () => {
  test('the same request again changes nothing and gets the first response, with the key in quotes or not', async () => {
    const [key, body] = [randomUUID(), api.lineBody({ name: '只有一条' })];
    const first = await post('/api/lines', body, { key });
    expect(first.status).toBe(200);
    expect(await post('/api/lines', body, { key })).toEqual(first);
    expect(await post('/api/lines', body, { key: `"${key}"` })).toEqual(first);
    expect(await linesNamed('只有一条')).toBe(1);
  });

  test('a refusal is repeated too, even when the request would now succeed', async () => {
    const [key, body] = [randomUUID(), api.lineBody()];
    const { line } = required(await api.post('/api/lines', body));
    const first = await post('/api/lines', body, { key });
    expect(first).toMatchObject({ status: 409, msgKey: 'LINE_CODE_TAKEN', msg: `线路编码 ${line.code} 已存在` });
    required(await api.delete(`/api/lines/${line.id}`));
    expect(await post('/api/lines', body, { key })).toEqual(first);
    expect(await post('/api/lines', body, { key: randomUUID() })).toMatchObject({ status: 200 });
  });

  test('another body is 422 and is not executed', async () => {
    const key = randomUUID();
    expect(await post('/api/lines', api.lineBody(), { key })).toMatchObject({ status: 200 });
    const other = await post('/api/lines', api.lineBody({ name: '另一条' }), { key });
    expect(other).toMatchObject({ status: 422, code: '422', data: null });
    expect(await linesNamed('另一条')).toBe(0);
  });

  test('of many at once one is executed; the others get 409 or its response', async () => {
    const [key, body] = [randomUUID(), api.lineBody({ name: '同时' })];
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/api/lines', body, { key })));
    expect(new Set(answers.map(({ status }) => status)).difference(new Set([200, 409])).size).toBe(0);
    expect(new Set(answers.flatMap(({ status, data }) => (status === 200 ? [data.line.id] : []))).size).toBe(1);
    expect(await linesNamed('同时')).toBe(1);
  });

  test('a key belongs to one user and one path', async () => {
    const { id } = await api.campaign();
    const { id: otherId } = await api.campaign();
    const supervisor = await api.server.loginAs('supervisor');
    const [key, body] = [randomUUID(), { contacts: [{ phoneNumber: '13800000001' }] }];
    const added = [
      await post(`/api/campaigns/${id}/contacts`, body, { key }),
      await post(`/api/campaigns/${otherId}/contacts`, body, { key }),
      await post(`/api/campaigns/${id}/contacts`, body, { key, token: supervisor }),
    ];
    expect(added.map(({ status }) => status)).toEqual([200, 200, 200]);
    // The supervisor's request was executed: the number existed by then.
    expect(added[2]?.data).not.toEqual(added[0]?.data);
  });

  test('a request refused before it begins does not use up the key', async () => {
    const key = randomUUID();
    expect(await post('/api/lines', { name: '' }, { key })).toMatchObject({ status: 400 });
    expect(await post('/api/lines', api.lineBody(), { key })).toMatchObject({ status: 200 });
  });

  test.each(['', 'a b', '"', 'x'.repeat(256)])('%j is not a valid key: 400', async key => {
    expect(await post('/api/lines', api.lineBody(), { key })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('Idempotency-Key'),
    });
  });

  test('a login ignores the key: each opens its own session, and no token is stored', async () => {
    const key = randomUUID();
    const login = { username: 'admin', password: 'test-admin-password' };
    const tokens = [await post('/api/auth/login', login, { key }), await post('/api/auth/login', login, { key })];
    expect(new Set(tokens.map(({ data }) => data.token)).size).toBe(2);
  });

  test('the runtime may use it too', async () => {
    const key = randomUUID();
    const headers = { 'X-Callout-Internal-Token': INTERNAL_TOKEN };
    const report = { events: [{ requestId: randomUUID(), kind: 'started' }] };
    const first = await post('/api/call-progress', report, { key, headers });
    expect(first.status).toBe(200);
    expect(await post('/api/call-progress', report, { key, headers })).toEqual(first);
    expect(await post('/api/call-progress', { events: [...report.events, ...report.events] }, { key, headers })).toMatchObject({
      status: 422,
    });
  });
});
