import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { connectClient, follow } from '../graphql/graphql-client.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let server: TestServer;
let supervisor: string;
let admin: string;
let ownerId: number;

beforeAll(async () => {
  server = await startTestServer();
  ownerId = await server.createUser({ username: 'owner', password: 'test-password', role: 'supervisor' });
  supervisor = (await server.api('POST', '/api/auth/login', { username: 'owner', password: 'test-password' })).data.token;
  admin = await server.loginAs('admin');
});
afterAll(() => server.close());

const db = () => server.running.context.database;

/** A job of a kind that no server runs, so that it stays as it is. */
async function insertJob(owner: number | null, name: string, over = sql`'queued'`): Promise<number> {
  const row = await db().first(sql<{ id: number }>`
    insert into job (kind, title, input, owner_id, owner_name, owner, state)
    values ('held', '保留的任务', '{}', ${owner}::int, ${name}, '{}', ${over}) returning id`);
  return row?.id ?? 0;
}

test('one sees one’s own jobs, an administrator everybody’s [D2.10]', async () => {
  const [mine, other] = [await insertJob(ownerId, 'owner'), await insertJob(null, 'somebody')];
  const idsOf = async (token: string) =>
    (await server.api('GET', '/api/jobs?kind=held&state=queued', undefined, token)).data.rows.map(({ id }: { id: number }) => id);
  expect(await idsOf(supervisor)).toEqual([mine]);
  expect(await idsOf(admin)).toEqual(expect.arrayContaining([mine, other]));
  const statusOf = async (id: number, token: string) => (await server.api('GET', `/api/jobs/${id}`, undefined, token)).status;
  expect([await statusOf(mine, supervisor), await statusOf(other, supervisor), await statusOf(other, admin)]).toEqual([200, 404, 200]);
});

test('a job is cancelled once, and what another user started is not there [D2.10]', async () => {
  const [mine, other] = [await insertJob(ownerId, 'owner'), await insertJob(null, 'somebody')];
  const cancel = (id: number) => server.api('DELETE', `/api/jobs/${id}`, undefined, supervisor);
  expect(await cancel(mine)).toMatchObject({ status: 200, data: { job: { state: 'cancelled', finishedAt: expect.any(String) } } });
  expect(await cancel(mine)).toMatchObject({ status: 410, msg: '任务已结束' });
  expect((await cancel(other)).status).toBe(404);
});

test('GraphQL shows the same jobs, and why one failed in the language of the client', async () => {
  const id = await insertJob(ownerId, 'owner');
  await db().run(sql`
    update job set state = 'failed', finished_at = now(), error = ${JSON.stringify({
      code: 'INVALID_ARGUMENT',
      reason: null,
      message: '参数错误：file 不能为空',
      faults: [{ field: 'file', problem: { code: 'empty', parameters: {} } }],
    })}::jsonb where id = ${id}`);
  const query = 'query($id: ID!) { job(id: $id) { databaseId state ownerName error { code message } } }';
  const jobIn = async (language: string) => {
    const answer = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${supervisor}`, 'Content-Type': 'application/json', 'Accept-Language': language },
      body: JSON.stringify({ query, variables: { id: String(id) } }),
    });
    return ((await answer.json()) as { data: unknown }).data;
  };
  expect(await jobIn('zh')).toEqual({
    job: {
      databaseId: String(id),
      state: 'FAILED',
      ownerName: 'owner',
      error: { code: 'INVALID_ARGUMENT', message: '参数错误：file 不能为空' },
    },
  });
  expect(await jobIn('en')).toMatchObject({ job: { error: { message: 'file must not be empty.' } } });
});

test('a subscription tells how far a job is, and ends with it', async () => {
  const id = await insertJob(ownerId, 'owner', sql`'running'`);
  const { client } = connectClient(server, supervisor);
  const document = `subscription { job(id: "${id}") { __typename ... on JobSnapshot { job { done } } ... on JobChanged { job { done state } } } }`;
  const watched = follow<{ __typename: string; job: { done: number; state?: string } }>(client, document, 'job');
  await waitUntil('the snapshot', () => watched.events.length > 0);
  await db().run(sql`update job set done = 7 where id = ${id}`);
  await waitUntil('the progress', () => watched.events.some(({ job }) => job.done === 7));
  await db().run(sql`update job set state = 'done', result = '{}', finished_at = now() where id = ${id}`);
  await waitUntil('the end', () => watched.isOver());
  expect(watched.events.at(-1)).toMatchObject({ __typename: 'JobChanged', job: { state: 'DONE' } });
  await client.dispose();
});
