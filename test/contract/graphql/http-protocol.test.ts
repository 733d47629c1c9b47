import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { ask, type GraphFault } from './graphql-client.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('admin');
});
afterAll(() => server.close());

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function send({ method = 'POST', path = '/graphql', headers = {}, body }: Sent) {
  const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, errors: (): GraphFault[] => JSON.parse(text).errors };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('GraphQL over HTTP', () => {
  test('answers POST, and GET with the header that browser forms cannot send', async () => {
    const query = '{ me { authenticated } }';
    expect((await ask(server, null, query)).data).toEqual({ me: { authenticated: false } });
    const got = await send({
      method: 'GET',
      path: `/graphql?query=${encodeURIComponent(query)}`,
      headers: { 'Apollo-Require-Preflight': '1' },
    });
    expect([got.status, got.text]).toEqual([200, '{"data":{"me":{"authenticated":false}},"extensions":{"cost":2}}']);
  });

  test('answers GET with Authorization alone, as urql sends it', async () => {
    const path = `/graphql?query=${encodeURIComponent('{ me { authenticated } }')}`;
    const got = await send({ method: 'GET', path, headers: { Authorization: `Bearer ${token}` } });
    expect([got.status, got.text]).toEqual([200, '{"data":{"me":{"authenticated":true}},"extensions":{"cost":2}}']);
  });

  test('a request that a page of another site could send is refused', async () => {
    const got = await send({ method: 'GET', path: `/graphql?query=${encodeURIComponent('{ me { authenticated } }')}` });
    expect([got.status, got.errors()[0]?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
    const posted = await send({ headers: { 'Content-Type': 'text/plain' }, body: '{"query":"{ me { authenticated } }"}' });
    expect([posted.status, posted.errors()[0]?.extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('a mutation by GET is refused', async () => {
    const query = encodeURIComponent('mutation { pauseCampaign(id: 1) { __typename } }');
    const headers = { 'Apollo-Require-Preflight': '1', Authorization: `Bearer ${token}` };
    const got = await send({ method: 'GET', path: `/graphql?query=${query}`, headers });
    expect([got.status, got.errors()[0]?.extensions.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  });

  test('a browser gets the GraphiQL page, unless introspection is disabled; a GET with a query gets no page', async () => {
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const page = await send({ method: 'GET', headers });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const asked = await send({ method: 'GET', path: '/graphql?query=%7Bme%7Bauthenticated%7D%7D', headers });
    expect([asked.status, asked.errors()[0]?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
    const silent = await startTestServer({ beside: server, config: { graphql: { introspection: false } } });
    const none = await fetch(`${silent.url}/graphql`, { headers });
    await silent.close();
    expect([none.status, none.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
  });

  test('a subscription is refused with the address that serves it', async () => {
    const { status, errors } = await ask(server, token, 'subscription { overview { __typename } }');
    expect([status, errors[0]?.extensions.code, errors[0]?.message]).toEqual([
      400,
      'INVALID_ARGUMENT',
      '订阅只能通过 WebSocket（graphql-transport-ws 协议）进行',
    ]);
  });

  test('invalid variables are a client fault, reported by name', async () => {
    const query = 'mutation($i: UpdateCampaignInput!) { updateCampaign(id: 1, input: $i) { __typename } }';
    const late = await ask(server, token, query, { i: { scheduledStartAt: '2026-02-30T00:00:00Z' } });
    expect([late.status, late.errors[0]?.extensions.field]).toEqual([400, 'i.scheduledStartAt']);
    expect(late.errors[0]?.message).toMatch(/^参数错误：i\.scheduledStartAt 应为带时区的/);
    const odd = await ask(server, token, query, { i: { nope: 1 } });
    expect([odd.status, odd.errors[0]?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(odd.errors[0]?.message).toContain('"$i"');
  });

  test.each([
    ['malformed JSON', '{', 400, 'INVALID_ARGUMENT'],
    ['no query', '{}', 400, 'INVALID_ARGUMENT'],
    ['a syntax error', '{"query":"{ me {"}', 400, 'INVALID_ARGUMENT'],
    ['an unknown field', '{"query":"{ nothing }"}', 400, 'INVALID_ARGUMENT'],
    [
      'a NUL in a variable',
      '{"query":"query($s: String) { campaigns(first: 1, search: $s) { totalCount } }","variables":{"s":"\\u0000"}}',
      400,
      'INVALID_ARGUMENT',
    ],
  ])('%s is a client fault, reported in Chinese with the trace id of the header', async (_what, body, status, code) => {
    const got = await send({ headers: { ...JSON_TYPE, Authorization: `Bearer ${token}` }, body });
    const [fault] = got.errors();
    expect([got.status, fault?.extensions.code]).toEqual([status, code]);
    expect(fault?.message).toMatch(/[一-龥]/);
    expect(fault?.extensions.traceId).toBe(got.headers.get('x-request-id'));
  });

  test('a NUL in the document itself is not a server fault', async () => {
    const { errors } = await ask(server, token, '{ campaigns(first: 1, search: "\\u0000") { totalCount } }');
    expect(errors[0]).toMatchObject({ message: '参数错误：search 含有不合法的字符', extensions: { code: 'INVALID_ARGUMENT' } });
  });

  test('an unauthenticated client may send only a little', async () => {
    const body = JSON.stringify({ query: '{ me { authenticated } }', variables: { much: 'x'.repeat(100_000) } });
    const refused = await send({ headers: JSON_TYPE, body });
    expect([refused.status, refused.errors()[0]?.extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await send({ headers: { ...JSON_TYPE, Authorization: `Bearer ${token}` }, body })).status).toBe(200);
  });

  test('documents beyond the limits are refused in Chinese', async () => {
    const nested = '{ campaigns(first: 200) { nodes { contacts(first: 200) { nodes { id: databaseId } } } } }';
    expect((await ask(server, token, nested)).errors[0]).toMatchObject({
      message: expect.stringMatching(/^查询过于复杂/),
      extensions: { code: 'COST_LIMIT', cost: 80_401, limit: 10_000, retryable: false },
    });
  });

  test.each([
    ['en-US,en;q=0.9', /^It is the user who asks\.$/],
    ['zh-CN,zh;q=0.9,en;q=0.8', /^不能删除自己$/],
    ['fr', /^不能删除自己$/],
  ])('a refusal is in the language that the client prefers (%s)', async (language, told) => {
    const { me } = (await ask(server, token, '{ me { user { id } } }')).data;
    const query = `mutation { deleteUser(id: "${me.user.id}") { ... on Refusal { reason message } } }`;
    const headers = { ...JSON_TYPE, Authorization: `Bearer ${token}`, 'Accept-Language': language };
    const { text } = await send({ headers, body: JSON.stringify({ query }) });
    expect(JSON.parse(text).data.deleteUser).toEqual({ reason: 'OWN_USER', message: expect.stringMatching(told) });
  });

  test('so is each of several faults of an input', async () => {
    const query =
      'mutation { createUser(input: { username: "", password: "short", role: AGENT }) { ... on InputRefused { message faults { field problem } } } }';
    const refused = async (language: string) => {
      const headers = { ...JSON_TYPE, Authorization: `Bearer ${token}`, 'Accept-Language': language };
      return JSON.parse((await send({ headers, body: JSON.stringify({ query }) })).text).data.createUser;
    };
    expect(await refused('en')).toEqual({
      message: 'username must not be empty; password must have at least 8 characters.',
      faults: [
        { field: 'username', problem: 'must not be empty' },
        { field: 'password', problem: 'must have at least 8 characters' },
      ],
    });
    expect((await refused('zh')).faults).toEqual([
      { field: 'username', problem: '不能为空' },
      { field: 'password', problem: '长度不能小于 8 个字符' },
    ]);
  });

  test.each([
    ['{ nothing }', 'Cannot query field "nothing" on type "Query".'],
    ['{ campaigns(first: 200) { nodes { contacts(first: 200) { nodes { id } } } } }', /^The operation is too dear: about 80401 of 10000\./],
    ['subscription { overview { __typename } }', 'Subscriptions are served over WebSocket alone (graphql-transport-ws).'],
    ['{ campaign(id: "x") { id } }', 'id must be a positive integer.'],
    ['{ contacts(campaignId: 999999, first: 1) { totalCount } }', 'It does not exist, or was deleted.'],
  ])('so is an error: %s', async (query, told) => {
    const headers = { ...JSON_TYPE, Authorization: `Bearer ${token}`, 'Accept-Language': 'en' };
    const { errors } = await send({ headers, body: JSON.stringify({ query }) });
    expect(errors()[0]?.message).toEqual(typeof told === 'string' ? told : expect.stringMatching(told));
  });

  test('and so is an invalid operation', async () => {
    const headers = { ...JSON_TYPE, 'Accept-Language': 'en' };
    const { errors } = await send({ headers, body: JSON.stringify({ query: '{ campaigns(first: 1) { totalCount } }' }) });
    expect(errors()[0]?.message).toBe('There is no valid session.');
  });

  test('a response contains its cost', async () => {
    const body = JSON.stringify({ query: '{ campaigns(first: 20) { nodes { name } } }' });
    const answer = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { ...JSON_TYPE, Authorization: `Bearer ${token}` },
      body,
    });
    expect(await answer.json()).toMatchObject({ data: { campaigns: {} }, extensions: { cost: 41 } });
  });

  test('introspection is allowed, and can be disabled', async () => {
    expect((await ask(server, null, getIntrospectionQuery())).data.__schema.queryType.name).toBe('Query');
    const closed = await startTestServer({ beside: server, config: { graphql: { introspection: false } } });
    const { status, errors } = await ask(closed, token, getIntrospectionQuery());
    expect([status, errors[0]?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
    expect((await ask(closed, null, getIntrospectionQuery())).errors[0]?.extensions.code).toBe('PAYLOAD_TOO_LARGE');
    await closed.close();
  });

  test('serves no page with third-party assets', async () => {
    const got = await send({ method: 'GET', headers: { Accept: 'text/html' } });
    expect(got.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(got.text).not.toMatch(/(src|href)="(https?:)?\/\/|<script>|apollo/i);
  });
});
