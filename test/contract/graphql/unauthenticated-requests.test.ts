import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery, stripIgnoredCharacters } from 'graphql';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { ask } from './graphql-client.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer({ config: { graphql: { anonymousRequestsPerMinute: 0 } } });
  token = await server.loginAs('admin');
});
afterAll(() => server.close());

const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ');

async function post(body: unknown, to = server) {
  const answer = await fetch(`${to.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  // Tests read responses of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: answer.status, headers: answer.headers, ...((await answer.json()) as any) };
}

describe('without a session', () => {
  test('me is answered, by POST and GET', async () => {
    expect(await post({ query: 'query Who { __typename me { authenticated user { id: databaseId } } }' })).toMatchObject({
      status: 200,
      data: { __typename: 'Query', me: { authenticated: false, user: null } },
    });
  });

  test.each(['{ campaigns(first: 1) { totalCount } }', 'mutation { pauseCampaign(id: 1) { __typename } }'])(
    '%s is refused by the guard',
    async query => {
      const { errors } = await post({ query });
      expect(errors[0].extensions.code).toBe('UNAUTHENTICATED');
    },
  );

  test.each([
    '{ ...F } fragment F on Query { me { authenticated } }',
    '{ __schema { types { name } } }',
    '{ me { authenticated } __schema { ... on __Schema { description } } }',
    '{ __type(name: "Line") { fields { name } } }',
  ])('%s is refused before validation', async query => {
    const { status, data, errors } = await post({ query });
    expect([status, data, errors[0].extensions.code]).toEqual([200, null, 'UNAUTHENTICATED']);
  });

  test('1 kB and 100 tokens at most', async () => {
    expect(await post({ query: `{ me { ${times(90, 'authenticated')} } }` })).toMatchObject({ status: 413 });
    const long = await post({ query: `{ me { ${times(120, '__typename').replaceAll('__typename', 'a')} } }` });
    expect([long.status, long.errors[0].message]).toEqual([400, expect.stringContaining('最多 100 个词')]);
    expect(await post({ query: '{ me { authenticated } }', variables: { much: 'x'.repeat(1_000) } })).toMatchObject({ status: 413 });
    const path = `/graphql?query=${encodeURIComponent(`{ me { ${times(200, 'authenticated')} } }`)}`;
    const got = await fetch(`${server.url}${path}`, { headers: { 'Apollo-Require-Preflight': '1' } });
    expect(got.status).toBe(413);
  });

  test('introspection is served from memory, by its text in any spacing or by its hash', async () => {
    const text = getIntrospectionQuery();
    const sha256Hash = createHash('sha256').update(text).digest('hex');
    const first = await post({ query: text });
    expect(first.data.__schema.queryType.name).toBe('Query');
    expect((await post({ query: text.replaceAll(/\s+/g, ' ') })).data).toEqual(first.data);
    expect((await post({ query: stripIgnoredCharacters(text) })).data).toEqual(first.data);
    expect((await post({ extensions: { persistedQuery: { version: 1, sha256Hash } } })).data).toEqual(first.data);
  });

  test('a document stored by its hash is not executed without a session', async () => {
    const query = `query Known { campaigns(first: 3) { nodes { ${times(200, 'id')} } } }`.replace(times(200, 'id'), 'id name status');
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    const known = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, extensions }),
    });
    expect(known.status).toBe(200);
    expect((await post({ extensions })).errors[0].message).toBe('PersistedQueryNotFound');
  });

  test('an address has a budget, refused with Retry-After; a session does not spend it', async () => {
    const strict = await startTestServer({ beside: server, config: { graphql: { anonymousRequestsPerMinute: 60 } } });
    try {
      const answers = [];
      for (let sent = 0; sent < 12; sent += 1) answers.push(await post({ query: '{ me { authenticated } }' }, strict));
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(20);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) });
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await ask(strict, token, '{ me { authenticated } }')).data).toEqual({ me: { authenticated: true } });
    } finally {
      await strict.close();
    }
  });
});

describe('with a session', () => {
  test('a document that takes long to validate is refused at once', async () => {
    const { status, errors } = await ask(server, token, `{ ${times(40, `me { user { ${times(20, 'id')} } }`)} }`);
    expect([status, errors[0]?.extensions.code, errors[0]?.message]).toEqual([400, 'INVALID_ARGUMENT', expect.stringContaining('过多')]);
  });
});
