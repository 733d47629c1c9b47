import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { ask, askFor } from '../graphql/graphql-client.ts';

let server: TestServer;
let admin: string;
let supervisor: string;
let agent: string;
beforeAll(async () => {
  server = await startTestServer();
  [admin, supervisor, agent] = [await server.loginAs('admin'), await server.loginAs('supervisor'), await server.loginAs('agent')];
});
afterAll(() => server.close());

const PATH = '/api/reports/saved';
const QUESTION = 'span=yesterday&m=dials,answer_rate&by=hour_of_day';
const api = (method: string, path: string, body?: unknown, token = supervisor) => server.api(method, path, body, token);
const save = async (name: string, isShared: 0 | 1, token = supervisor) =>
  (await api('POST', PATH, { name, question: QUESTION, isShared }, token)).data.report;
const seenBy = async (token: string): Promise<number[]> =>
  (await api('GET', PATH, undefined, token)).data.rows.map(({ id }: { id: number }) => id);

describe('a saved report [D14.7]', () => {
  test('keeps its question, and is everybody’s only when it is shared', async () => {
    const own = await save('自己的', 0, agent);
    const shared = await save('共享的', 1);
    expect(shared).toMatchObject({ name: '共享的', question: QUESTION, isShared: 1 });
    expect(await seenBy(agent)).toEqual(expect.arrayContaining([own.id, shared.id]));
    expect(await seenBy(supervisor)).not.toContain(own.id);
  });

  test('is changed and deleted by its owner, a shared one by administrators, too', async () => {
    const own = await save('自己的', 0, agent);
    const shared = await save('共享的', 1);
    const status = async (method: string, id: number, token: string) =>
      (await api(method, `${PATH}/${id}`, method === 'PATCH' ? { name: '改名' } : undefined, token)).status;
    expect([await status('PATCH', own.id, supervisor), await status('DELETE', own.id, admin)]).toEqual([404, 404]);
    expect([await status('PATCH', shared.id, agent), await status('DELETE', shared.id, agent)]).toEqual([403, 403]);
    expect([await status('PATCH', own.id, agent), await status('PATCH', shared.id, admin)]).toEqual([200, 200]);
    expect([await status('DELETE', own.id, agent), await status('DELETE', shared.id, admin)]).toEqual([200, 200]);
    expect(await seenBy(agent)).not.toContain(own.id);
  });

  test('can be shared only with the permission campaign:dispatch, when it is created and when it is changed', async () => {
    expect((await api('POST', PATH, { name: 'x', question: QUESTION, isShared: 1 }, agent)).status).toBe(403);
    const own = await save('自己的', 0, agent);
    expect((await api('PATCH', `${PATH}/${own.id}`, { isShared: 1 }, agent)).status).toBe(403);
  });

  test.each([
    [{ name: '', question: QUESTION }, 'name'],
    [{ name: 'x', question: '' }, 'question'],
    [{ name: 'x', question: 'm'.repeat(4_001) }, 'question'],
    [{ name: 'x'.repeat(65), question: QUESTION }, 'name'],
  ])('names what is wrong with %j', async (body, field) => {
    const { status, msg } = await api('POST', PATH, body);
    expect([status, msg]).toEqual([400, expect.stringContaining(field)]);
  });

  test('is the same in GraphQL, which tells who may change it', async () => {
    const { made } = await askFor(
      server,
      supervisor,
      `mutation($input: CreateSavedReportInput!) { made: createSavedReport(input: $input) {
         ... on SavedReport { databaseId name isShared mayChange createdBy { username } } } }`,
      { input: { name: '每天', question: QUESTION, isShared: true } },
    );
    expect(made).toMatchObject({ name: '每天', isShared: true, mayChange: true });
    const { data } = await ask(server, agent, '{ savedReports { databaseId mayChange } }');
    expect(data).toEqual({ savedReports: expect.arrayContaining([{ databaseId: made.databaseId, mayChange: false }]) });
    const change = `mutation($id: ID!) { made: updateSavedReport(id: $id, input: { question: "m=dials" }) { ... on SavedReport { question } } }`;
    expect(await askFor(server, supervisor, change, { id: made.databaseId })).toEqual({ made: { question: 'm=dials' } });
    await askFor(server, supervisor, 'mutation($id: ID!) { deleteSavedReport(id: $id) { __typename } }', { id: made.databaseId });
    expect(await seenBy(supervisor)).not.toContain(Number(made.databaseId));
  });
});
