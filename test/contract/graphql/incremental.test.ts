import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { ask, askFor, connectClient, follow } from './graphql-client.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const IN_PARTS = 'multipart/mixed; deferSpec=20220824, application/json';
const DEFERRED = `query($id: ID!) { campaign(id: $id) { name ... on Campaign @defer(label: "slow") { preflight { checks { code } } } } }`;
const STREAMED = 'query($id: ID!) { contacts(campaignId: $id, first: 5) { nodes @stream(initialCount: 1) { phoneNumber } } }';

/** Content type of a response, and the JSON of its parts. */
async function parts(query: string, variables: object, accept: string) {
  const answer = await fetch(`${api.server.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: accept, Authorization: `Bearer ${api.admin}` },
    body: JSON.stringify({ query, variables }),
  });
  const text = await answer.text();
  const bodies = [...text.matchAll(/^\{.*\}$/gm)].map(([body]) => JSON.parse(body) as Record<string, unknown>);
  return { type: answer.headers.get('content-type') ?? '', bodies };
}

describe('@defer and @stream', () => {
  test('come in parts to a client that accepts parts, with the cost of the operation', async () => {
    const { id } = await api.campaign({ name: '分段' });
    const { type, bodies } = await parts(DEFERRED, { id }, IN_PARTS);
    expect(type).toContain('multipart/mixed');
    expect(bodies[0]).toMatchObject({ data: { campaign: { name: '分段' } }, hasNext: true, extensions: { cost: expect.any(Number) } });
    expect(bodies[0]?.['data']).toEqual({ campaign: { name: '分段' } });
    const incremental = [{ path: ['campaign'], label: 'slow', data: { preflight: { checks: expect.any(Array) } } }];
    expect(bodies[1]).toMatchObject({ incremental });
    expect(bodies.at(-1)).toMatchObject({ hasNext: false });
  });

  test('rows of a list come one after the other', async () => {
    const { id } = await api.campaign();
    await api.contacts(id, '13900000001', '13900000002', '13900000003');
    const { bodies } = await parts(STREAMED, { id }, IN_PARTS);
    expect(bodies[0]?.['data']).toEqual({ contacts: { nodes: [{ phoneNumber: '13900000003' }] } });
    const rows = bodies
      .slice(1)
      .flatMap(body => (body['incremental'] as { items: unknown[] }[] | undefined)?.flatMap(({ items }) => items) ?? []);
    expect(rows).toEqual([{ phoneNumber: '13900000002' }, { phoneNumber: '13900000001' }]);
  });

  test.each([
    ['-1', {}],
    ['null', {}],
    ['$count', { count: -1 }],
    ['$count', { count: null }],
  ])('an invalid number of initial rows is a client fault: %s %j', async (count, variables) => {
    const { id } = await api.campaign();
    const query = `query($id: ID!, $count: Int) { contacts(campaignId: $id, first: 5) { nodes @stream(initialCount: ${count}) { id } } campaign(id: $id) { contacts(first: $count) @include(if: false) { __typename } } }`;
    const { bodies } = await parts(query, { id, ...variables }, IN_PARTS);
    expect(bodies[0]).toMatchObject({ errors: [{ extensions: { code: 'INVALID_ARGUMENT' } }] });
  });

  test('other clients get a whole response, over HTTP and over a socket', async () => {
    const { id } = await api.campaign({ name: '整体' });
    const whole = { campaign: { name: '整体', preflight: { checks: expect.any(Array) } } };
    expect(await askFor(api.server, api.admin, DEFERRED, { id })).toEqual(whole);
    const { client } = connectClient(api.server, api.admin);
    const watched = follow(client, DEFERRED, 'campaign', { id });
    expect(await waitUntil('the answer', () => watched.events[0])).toEqual(whole.campaign);
    await client.dispose();
  });

  test('a failure in a later part is reported like any other', async () => {
    const { id } = await api.campaign();
    const late = 'query($id: ID!) { campaign(id: $id) { name ... @defer { contacts(first: 1, after: "x") { totalCount } } } }';
    const { bodies } = await parts(late, { id }, IN_PARTS);
    const [part] = (bodies[1]?.['incremental'] ?? []) as { errors: unknown[] }[];
    expect(part?.errors).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT', field: 'after', traceId: expect.any(String) } }]);
  });

  test('are for queries only, twenty at most', async () => {
    const mutation = 'mutation { leaveMonitoring { ... @defer { __typename } } }';
    expect((await ask(api.server, api.admin, mutation)).errors[0]?.message).toBe('@defer 与 @stream 只能用于查询');
    const many = `{ me { ${'... @defer { authenticated } '.repeat(21)} } }`;
    expect((await ask(api.server, api.admin, many)).errors[0]?.message).toMatch(/过多：21 个，最多 20 个/);
  });
});
