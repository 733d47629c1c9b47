import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { ask, askFor } from '../graphql/graphql-client.ts';

const SOUND = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251));

let folder: string;
let web: Server;
let server: TestServer;
let supervisor: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  await mkdir(join(folder, 'kept', 'inner'), { recursive: true });
  for (const name of ['kept/a.wav', 'kept/a.mp3', 'kept/a.html', 'kept/inner/deep.wav', 'outside.wav'])
    await writeFile(join(folder, name), SOUND);
  await writeFile(join(folder, 'kept/empty.wav'), '');
  await symlink(join(folder, 'outside.wav'), join(folder, 'kept/link.wav'));
  web = createServer(answerAsNginx);
  await new Promise<void>(resolve => void web.listen(0, '127.0.0.1', resolve));
  server = await startTestServer({
    config: { cells: [cell('here', { recordingFolder: join(folder, 'kept') }), cell('away', { recordingBaseUrl: addressOf(web) })] },
  });
  supervisor = await server.loginAs('supervisor');
});
afterAll(async () => {
  await server.close();
  web.closeAllConnections();
  await new Promise(resolve => void web.close(resolve));
  await rm(folder, { recursive: true });
});

const cell = (id: string, place: object) => ({ id, host: '127.0.0.1', port: 1, password: 'none', ...place });

function addressOf(listening: Server): string {
  const address = listening.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/rec` : '';
}

/** Responses of a cell's web server: ranges, 404, and a redirect that must not be followed. */
function answerAsNginx({ url, headers: { range } }: IncomingMessage, response: ServerResponse): void {
  if (url === '/rec/moved.wav') return void response.writeHead(302, { Location: '/rec/a.wav' }).end();
  if (url === '/rec/more.wav') return void response.writeHead(206, { 'Content-Range': 'bytes 0-9/1000' }).end(SOUND);
  if (url === '/rec/less.wav') return void response.writeHead(206, { 'Content-Range': 'bytes 0-99/1000' }).end(SOUND.subarray(0, 50));
  if (url === '/rec/turned.wav') return void response.writeHead(206, { 'Content-Range': 'bytes 9-3/1000' }).end();
  if (url === '/rec/beyond.wav') return void response.writeHead(206, { 'Content-Range': 'bytes 0-1000/1000' }).end();
  if (url !== '/rec/a.wav') return void response.writeHead(404).end();
  const [, first = '0', last = String(SOUND.length - 1)] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (range === undefined) return void response.writeHead(200, { 'Content-Length': SOUND.length }).end(SOUND);
  if (Number(first) >= SOUND.length) return void response.writeHead(416, { 'Content-Range': `bytes */${SOUND.length}` }).end();
  const part = SOUND.subarray(Number(first), Number(last) + 1);
  response.writeHead(206, { 'Content-Length': part.length, 'Content-Range': `bytes ${first}-${last}/${SOUND.length}` }).end(part);
}

const db = () => server.running.context.database;

async function call(cellId: string | null, recordingUrl: string | null): Promise<number> {
  const campaignId = await insertCampaign(db());
  return insertAttempt(db(), { campaignId, contactId: await insertContact(db(), { campaignId }), cellId, recordingUrl });
}

async function fetchSound(id: number, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await fetch(`${server.url}/api/recordings/${id}`, {
    method,
    headers: { Authorization: `Bearer ${supervisor}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

describe.each([
  ['a folder of this machine', 'here'],
  ['the web server of its cell', 'away'],
])('a recording stored by %s [OCS 4.16]', (_, cellId) => {
  test('is sent whole, with its type and length', async () => {
    const { status, headers, bytes } = await fetchSound(await call(cellId, 'a.wav'));
    expect([status, headers.get('content-type'), headers.get('accept-ranges'), headers.get('cache-control')]).toEqual([
      200,
      'audio/wav',
      'bytes',
      'no-store',
    ]);
    expect(bytes.equals(SOUND)).toBe(true);
  });

  test('is sent in ranges', async () => {
    const { status, headers, bytes } = await fetchSound(await call(cellId, 'a.wav'), { Range: 'bytes=100-199' });
    expect([status, headers.get('content-range'), headers.get('content-length')]).toEqual([206, 'bytes 100-199/1000', '100']);
    expect(bytes.equals(SOUND.subarray(100, 200))).toBe(true);
  });

  test('a range beyond its end is 416 with its length', async () => {
    const { status, headers, bytes } = await fetchSound(await call(cellId, 'a.wav'), { Range: 'bytes=1000-' });
    expect([status, headers.get('content-range'), bytes.length]).toEqual([416, 'bytes */1000', 0]);
  });

  test('a missing one is 404', async () => {
    expect((await fetchSound(await call(cellId, 'gone.wav'))).status).toBe(404);
  });

  test('has no body for a HEAD request', async () => {
    const { status, headers, bytes } = await fetchSound(await call(cellId, 'a.wav'), {}, 'HEAD');
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, '1000', 0]);
  });
});

describe('ranges of a file [RFC 9110 §14]', () => {
  test.each([
    ['bytes=-10', 206, 'bytes 990-999/1000'],
    ['bytes=-5000', 206, 'bytes 0-999/1000'],
    ['bytes=990-5000', 206, 'bytes 990-999/1000'],
    ['bytes=-0', 416, 'bytes */1000'],
    ['bytes=0-1,5-6', 200, null],
    ['bytes=9-3', 200, null],
    ['lines=1-2', 200, null],
  ])('%s', async (range, status, contentRange) => {
    const answer = await fetchSound(await call('here', 'a.wav'), { Range: range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
  });

  test('an If-Range of another version gets the whole file', async () => {
    expect((await fetchSound(await call('here', 'a.wav'), { Range: 'bytes=0-1', 'If-Range': '"x"' })).status).toBe(200);
  });
});

describe('only recordings can be read', () => {
  test.each([
    ['a link out of the folder', 'link.wav'],
    ['a folder', 'inner'],
    ['an empty file', 'empty.wav'],
  ])('%s is 404', async (_, name) => {
    expect((await fetchSound(await call('here', name))).status).toBe(404);
  });

  test.each(['../outside.wav', 'inner/deep.wav', '..'])('not by the name %s, however it got into the row', async name => {
    const id = await call('here', 'a.wav');
    await db().run(sql`alter table attempt drop constraint if exists attempt_recording_is_name`);
    await db().run(sql`update attempt set recording_url = ${name} where id = ${id}`);
    expect((await fetchSound(id)).status).toBe(404);
  });

  test('a file that is not audio is never rendered as a page', async () => {
    const { headers } = await fetchSound(await call('here', 'a.html'));
    expect([headers.get('content-type'), headers.get('content-disposition'), headers.get('x-content-type-options')]).toEqual([
      'application/octet-stream',
      expect.stringMatching(/^attachment; filename="call-\d+\.html"$/),
      'nosniff',
    ]);
  });

  test('a redirect of the web server is not followed', async () => {
    expect((await fetchSound(await call('away', 'moved.wav'))).status).toBe(502);
  });

  test.each([
    ['a cell that is no longer declared', 'gone', 'a.wav'],
    ['a call without a cell, where none is configured', null, 'a.wav'],
    ['a call that was not recorded', 'here', null],
  ])('%s: 404, and GraphQL has none', async (_, cellId, name) => {
    const id = await call(cellId, name);
    expect((await fetchSound(id)).status).toBe(404);
    expect(await askFor(server, supervisor, 'query ($id: ID!) { attempt(id: $id) { recording { url } } }', { id })).toEqual({
      attempt: { recording: null },
    });
  });
});

describe('access to recordings', () => {
  test('an agent has none; the audit log has one row for a listener', async () => {
    const id = await call('here', 'a.wav');
    const agent = await server.loginAs('agent');
    expect((await server.api('GET', `/api/recordings/${id}`, undefined, agent)).status).toBe(403);
    await fetchSound(id, { Range: 'bytes=0-9' });
    await fetchSound(id, { Range: 'bytes=10-19' });
    const { data } = await server.api('GET', `/api/audit-logs?action=recording.played&targetId=${id}`, undefined, supervisor);
    expect(data.rows).toEqual([expect.objectContaining({ targetType: 'attempt', summary: '收听通话录音' })]);
  });

  test('GraphQL returns the address to users who may listen, without an audit row', async () => {
    const id = await call('here', 'a.mp3');
    const recordingFor = (token: string) =>
      ask(server, token, 'query ($id: ID!) { attempt(id: $id) { recording { url durationSeconds } } }', { id });
    expect(await recordingFor(supervisor)).toMatchObject({
      data: { attempt: { recording: { url: `api/recordings/${id}`, durationSeconds: null } } },
    });
    expect(await recordingFor(await server.loginAs('agent'))).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    const { data } = await server.api('GET', `/api/audit-logs?targetType=attempt&targetId=${id}`, undefined, supervisor);
    expect(data.rows).toEqual([]);
  });
});

test.each(['turned.wav', 'beyond.wav'])('a range outside the file is not a valid response of a recording server: %s', async name => {
  const { status } = await fetchSound(await call('away', name), { Range: 'bytes=0-9' });
  expect(status).toBe(502);
});

test.each(['more.wav', 'less.wav'])('a range whose length differs from its header breaks the connection: %s', async name => {
  await expect(fetchSound(await call('away', name), { Range: 'bytes=0-9' })).rejects.toThrow(TypeError);
});

describe('a recording as a file [D7.21]', () => {
  test('is named by campaign, time and id, whole or in ranges, and audited as downloaded', async () => {
    const id = await call('here', 'a.wav');
    await db().run(sql`update attempt set started_at = '2026-11-29T06:30:05Z' where id = ${id}`);
    const path = `/api/recordings/${id}?download=1`;
    const answer = await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${supervisor}`, Range: 'bytes=0-9' } });
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      206,
      `attachment; filename="_-20261129-143005-${id}.wav"; filename*=UTF-8''${encodeURIComponent('测试活动')}-20261129-143005-${id}.wav`,
    ]);
    await answer.body?.cancel();
    const { data } = await server.api('GET', `/api/audit-logs?targetType=attempt&targetId=${id}`, undefined, supervisor);
    expect(data.rows).toEqual([expect.objectContaining({ action: 'recording.downloaded', summary: '下载通话录音' })]);
    const agent = await server.loginAs('agent');
    expect((await server.api('GET', path, undefined, agent)).status).toBe(403);
  });
});

describe('whether recordings are complete [D7.20]', () => {
  test('stands at the call, filters the list of a campaign, and is counted by cell', async () => {
    const [short, gone, none] = [await call('here', 'a.wav'), await call('away', 'b.wav'), await call('here', null)];
    await db().run(sql`
      insert into recording_check (attempt_id, cell_id, state, talk_seconds, recorded_seconds, quiet_share, checked_at)
      values (${short}, 'here', 'short', 60, 12.5, 0.25, now()), (${gone}, 'away', 'missing', 60, null, null, now())`);
    const stateOf = async (id: number) =>
      (await server.api('GET', `/api/call-attempts/${id}`, undefined, supervisor)).data.attempt.recordingState;
    expect([await stateOf(short), await stateOf(gone), await stateOf(none)]).toEqual(['short', 'missing', 'none']);
    const { campaignId } = (await server.api('GET', `/api/call-attempts/${short}`, undefined, supervisor)).data.attempt;
    const listed = (query: string) => server.api('GET', `/api/call-attempts?${query}`, undefined, supervisor);
    expect((await listed('recordingState=short')).status).toBe(400);
    expect((await listed(`campaignId=${campaignId}&recordingState=short`)).data).toMatchObject({ total: 1, rows: [{ id: short }] });
    expect((await listed(`campaignId=${campaignId}&recordingState=none`)).data).toMatchObject({ total: 0 });
    const { data } = await server.api('GET', '/api/recording-health', undefined, supervisor);
    expect(data.cells).toEqual([
      expect.objectContaining({ cellId: 'away', missing: 1, complete: 0 }),
      expect.objectContaining({ cellId: 'here', short: 1 }),
    ]);
    const query = `query ($id: ID!) { attempt(id: $id) { recordingState recordingCheck { state talkSeconds recordedSeconds quietShare checkedAt } }
      recordingHealth { cells { cellId short missing } } }`;
    expect(await askFor(server, supervisor, query, { id: short })).toEqual({
      attempt: {
        recordingState: 'SHORT',
        recordingCheck: { state: 'SHORT', talkSeconds: 60, recordedSeconds: 12.5, quietShare: 0.25, checkedAt: expect.any(String) },
      },
      recordingHealth: {
        cells: [
          { cellId: 'away', short: 0, missing: 1 },
          { cellId: 'here', short: 1, missing: 0 },
        ],
      },
    });
  });
});
