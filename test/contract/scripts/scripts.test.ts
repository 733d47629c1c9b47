import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const GRAPH = {
  entryNodeId: 'start',
  nodes: [
    { id: 'start', type: 'start', name: '开始', config: {}, next: 'ask' },
    { id: 'ask', type: 'router', name: '意向', config: { phrase: 'hello' }, next: { yes: 'human', default: 'bye' } },
    { id: 'human', type: 'transfer', name: '转人工', config: {} },
    { id: 'bye', type: 'end', name: '结束', config: {} },
  ],
  variables: [{ key: 'product', label: '产品', defaultValue: '贷款' }],
  phrases: [{ key: 'hello', text: '您好' }],
  nlu: { profile: 'local', branches: [{ key: 'yes', desc: '有意向' }], fields: [{ key: 'age', label: '年龄', type: 'number' }] },
  resultRules: [{ when: { node: 'human' }, classification: 'A', intent: 'interested' }],
};
const SCRIPT = { name: '回访', businessCode: 'demo', ...GRAPH };

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
});
afterAll(() => server.close());

const save = (body: object) => server.api('POST', '/api/v1/scripts', body, token);
const runtime = (id: number, headers: Record<string, string> = {}, query = '') =>
  server.internal('GET', `/api/v1/scripts/${id}/runtime${query}`, undefined, headers);

describe('POST /api/v1/scripts', () => {
  test('creates a script and returns it with its body [OCS 4.3, D11]', async () => {
    const answer = await save(SCRIPT);
    expect(answer.status).toBe(200);
    expect(answer.data.script).toMatchObject({
      id: expect.any(Number),
      name: '回访',
      businessCode: 'demo',
      description: '',
      isEnabled: 1,
      version: 1,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      entryNodeId: 'start',
      phrases: GRAPH.phrases,
    });
    expect(answer.data.script.nodes).toHaveLength(4);
  });

  test('saving with an id makes the next version and keeps the earlier one [D11]', async () => {
    const { id } = (await save(SCRIPT)).data.script;
    const second = (await save({ ...SCRIPT, id, name: '回访二', phrases: [{ key: 'hello', text: '早上好' }] })).data.script;
    expect(second).toMatchObject({ id, version: 2, name: '回访二' });
    const [v1, v2, current] = await Promise.all(
      ['?version=1', '?version=2', ''].map(async query => (await server.internal('GET', `/api/v1/scripts/${id}/runtime${query}`)).data),
    );
    expect([v1.phrases.hello, v2.phrases.hello]).toEqual(['您好', '早上好']);
    expect(current).toEqual(v2);
  });

  test('two saves at once make two versions [D11]', async () => {
    const { id } = (await save(SCRIPT)).data.script;
    const saved = await Promise.all(Array.from({ length: 5 }, () => save({ ...SCRIPT, id })));
    expect(saved.map(({ data }) => data.script.version).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6]);
  });

  test.each([
    ['an unknown type', { nodes: [...GRAPH.nodes.slice(0, 3), { id: 'bye', type: 'dance' }] }, '节点「bye」的类型 dance 未知'],
    ['no start', { nodes: GRAPH.nodes.slice(1) }, '缺少 start 节点'],
    ['several starts', { nodes: [...GRAPH.nodes, { id: 'again', type: 'start', next: 'bye' }] }, '节点「again」'],
    ['a dangling next', { nodes: [{ id: 'start', type: 'start', next: 'nowhere' }, ...GRAPH.nodes.slice(1)] }, '不存在的节点「nowhere」'],
    ['an unreachable node', { nodes: [...GRAPH.nodes, { id: 'island', type: 'end' }] }, '节点「island」不可到达'],
    [
      'a path without end',
      {
        nodes: [
          { id: 'start', type: 'start', next: 'loop' },
          { id: 'loop', type: 'send', next: 'loop' },
        ],
      },
      '永远不能到达',
    ],
    [
      'a branch map without default',
      { nodes: [GRAPH.nodes[0], { id: 'ask', type: 'router', next: { yes: 'bye' } }, GRAPH.nodes[3]] },
      '缺少 default 分支',
    ],
  ])('refuses %s, naming the node [D11]', async (_, change, text) => {
    const answer = await save({ ...SCRIPT, ...change });
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(text)]);
  });

  test.each([
    ['no name', { name: ' ' }, 'name 不能为空'],
    ['no nodes', { nodes: undefined }, 'nodes 不能为空'],
    [
      'a key twice',
      {
        phrases: [
          { key: 'a', text: '1' },
          { key: 'a', text: '2' },
        ],
      },
      'phrases[1].key 重复：a',
    ],
    ['a next of another kind', { nodes: [{ id: 'start', type: 'start', next: 5 }] }, 'nodes[0].next'],
  ])('refuses %s, naming the field [D2.1]', async (_, change, text) => {
    const answer = await save({ ...SCRIPT, ...change });
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(text)]);
  });

  test('an unknown id gives 404', async () => {
    expect((await save({ ...SCRIPT, id: 999_999 })).status).toBe(404);
  });

  test('writes audit rows [D3.7]', async () => {
    const { id } = (await save(SCRIPT)).data.script;
    await save({ ...SCRIPT, id });
    await server.api('DELETE', `/api/v1/scripts/${id}`, undefined, token);
    const rows = await server.running.context.database.rows(sql<{ action: string }>`
      select action from audit_log where target_type = 'script' and target_id = ${String(id)} order by id`);
    expect(rows.map(({ action }) => action)).toEqual(['script.created', 'script.updated', 'script.deleted']);
  });
});

describe('GET /api/v1/scripts', () => {
  test('lists newest first; q and businessCode filter it [OCS 4.3, D2.4]', async () => {
    const a = (await save({ ...SCRIPT, name: '独特甲', businessCode: 'code-a' })).data.script;
    const b = (await save({ ...SCRIPT, name: '独特乙', businessCode: 'code-b' })).data.script;
    const list = async (query: string) => (await server.api('GET', `/api/v1/scripts${query}`, undefined, token)).data;
    expect((await list(`?q=${encodeURIComponent('独特')}`)).rows).toEqual([b, a]);
    expect(await list('?businessCode=code-a')).toMatchObject({ rows: [{ id: a.id }], total: 1, page: 1, pageSize: 50 });
  });
});

describe('DELETE /api/v1/scripts/:id', () => {
  test('hides the script; pinned versions stay [OCS 4.3]', async () => {
    const { id } = (await save(SCRIPT)).data.script;
    expect((await server.api('DELETE', `/api/v1/scripts/${id}`, undefined, token)).data).toEqual({ id });
    expect((await server.api('DELETE', `/api/v1/scripts/${id}`, undefined, token)).status).toBe(404);
    expect((await save({ ...SCRIPT, id })).status).toBe(404);
    expect((await runtime(id)).status).toBe(404);
    expect((await runtime(id, {}, '?version=1')).status).toBe(200);
    const { data } = await server.api('GET', '/api/v1/scripts?pageSize=200', undefined, token);
    expect(data.rows.map((row: { id: number }) => row.id)).not.toContain(id);
  });
});

describe('GET /api/v1/scripts/:id/runtime', () => {
  test('returns the minimal JSON with its hash as ETag [OCS 4.3, D11]', async () => {
    const { id, hash } = (await save(SCRIPT)).data.script;
    const answer = await runtime(id);
    expect(answer.headers.get('etag')).toBe(`"${hash}"`);
    expect(answer.code).toBe('0000');
    expect(answer.data).toEqual({
      id,
      version: 1,
      hash,
      entryNodeId: 'start',
      nodes: {
        start: { id: 'start', type: 'start', name: '开始', config: {}, next: 'ask' },
        ask: { id: 'ask', type: 'router', name: '意向', config: { phrase: 'hello' }, next: { yes: 'human', default: 'bye' } },
        human: { id: 'human', type: 'transfer', name: '转人工', config: {}, next: null },
        bye: { id: 'bye', type: 'end', name: '结束', config: {}, next: null },
      },
      variables: { product: '贷款' },
      phrases: { hello: '您好' },
      nlu: GRAPH.nlu,
      resultRules: GRAPH.resultRules,
    });
  });

  test('passes the examples of a branch on, each once [D11, D13.9]', async () => {
    const taught = (examples: unknown) => ({ ...SCRIPT, nlu: { ...GRAPH.nlu, branches: [{ key: 'yes', desc: '同意', examples }] } });
    const { id } = (await save(taught(['得嘞', ' 妥妥的 ', '得嘞']))).data.script;
    expect((await runtime(id)).data.nlu.branches).toEqual([{ key: 'yes', desc: '同意', examples: ['得嘞', '妥妥的'] }]);
    for (const wrong of ['得嘞', [''], ['好'.repeat(201)], Array.from({ length: 201 }, (_, at) => `说法${at}`)]) {
      const { status, text } = await save(taught(wrong));
      expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('examples') });
    }
  });

  test('returns 304 without a body for a matching ETag [D11]', async () => {
    const { id, hash } = (await save(SCRIPT)).data.script;
    for (const tag of [`"${hash}"`, `W/"${hash}"`, `"other", "${hash}"`]) {
      const answer = await runtime(id, { 'If-None-Match': tag });
      expect([answer.status, answer.headers.get('etag'), answer.text]).toEqual([304, `"${hash}"`, '']);
    }
    expect((await runtime(id, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('requires the internal token; a session is no substitute [OCS 5 rule 4, D3.6]', async () => {
    const { id } = (await save(SCRIPT)).data.script;
    expect((await server.api('GET', `/api/v1/scripts/${id}/runtime`, undefined, token)).status).toBe(401);
    expect((await server.api('GET', `/api/v1/scripts/${id}/runtime`)).status).toBe(401);
    expect((await server.internal('GET', `/api/v1/scripts/${id}/runtime`)).status).toBe(200);
  });

  test('an unknown script or version gives 404, an invalid version 400', async () => {
    const { id } = (await save(SCRIPT)).data.script;
    expect((await runtime(999_999)).status).toBe(404);
    expect((await runtime(id, {}, '?version=7')).status).toBe(404);
    expect((await runtime(id, {}, '?version=0')).status).toBe(400);
  });
});
