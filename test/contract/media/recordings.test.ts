import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const MEDIA = {
  baseUrl: 'https://media.example/files',
  switchRecordingBaseUrl: 'https://media.example/old',
  emotionAudioBaseUrl: 'https://media.example/emotion',
};
const cell = (id: string, recordingBaseUrl: string) => ({ id, host: '127.0.0.1', port: 1, password: 'none', recordingBaseUrl });

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer({
    config: {
      media: MEDIA,
      cells: [cell('north', 'https://north.example/rec'), cell('south', 'https://south.example/rec'), cell('mute', '')],
    },
  });
  token = await server.loginAs('agent');
});
afterAll(() => server.close());

const get = (path: string) => server.api('GET', path, undefined, token);
const db = () => server.running.context.database;

async function attempt(fields: object): Promise<{ id: number; requestId: string }> {
  const campaignId = await insertCampaign(db());
  const id = await insertAttempt(db(), { campaignId, contactId: await insertContact(db(), { campaignId }), ...fields });
  const row = await db().first(sql<{ requestId: string }>`select request_id as "requestId" from attempt where id = ${id}`);
  return { id, requestId: row?.requestId ?? '' };
}

/** Builds the address like a client, from two responses of the server and nothing else. */
async function addressOf(attemptId: number): Promise<string | null> {
  const { cellId, recordingUrl } = (await get(`/api/call-attempts/${attemptId}`)).data.attempt;
  const media = (await get('/api/media/config')).data;
  const prefix = cellId === null || cellId === '' ? media.switchRecordingBaseUrl : media.switchRecordingBaseUrlsByCell[cellId];
  return prefix === undefined || recordingUrl === null ? null : `${prefix}/${recordingUrl}`;
}

describe('GET /api/media/config', () => {
  test('returns every field; a cell without a prefix is not in the map [OCS 2.13]', async () => {
    const { status, data } = await get('/api/media/config');
    expect([status, data]).toEqual([
      200,
      { ...MEDIA, switchRecordingBaseUrlsByCell: { north: 'https://north.example/rec', south: 'https://south.example/rec' } },
    ]);
  });

  test('requires a session [OCS 4.1]', async () => {
    expect((await server.api('GET', '/api/media/config')).status).toBe(401);
  });
});

describe('the address of a recording, as a client builds it [OCS 4.16]', () => {
  test.each([
    ['of a declared cell', 'south', 'https://south.example/rec/a.wav'],
    ['of an empty historical cell', null, 'https://media.example/old/a.wav'],
    ['of a cell that is no longer declared', 'gone', null],
    ['of a cell that serves none', 'mute', null],
  ])('%s', async (_, cellId, address) => {
    const { id } = await attempt({ cellId, recordingUrl: 'a.wav' });
    expect(await addressOf(id)).toBe(address);
  });
});

describe('a recording is a short file name, in storage and in responses [OCS 4.16]', () => {
  test.each(['/var/rec/2026/x.wav', 'https://cell/rec/x.wav?sig=1', String.raw`C:\rec\x.wav`, 'x.wav'])(
    '%s is stored as x.wav',
    async path => {
      const { id, requestId } = await attempt({ cellId: 'north', status: 'answered' });
      expect((await server.internal('POST', '/api/call-results', { requestId, callStatus: 'completed', recordingUrl: path })).status).toBe(
        200,
      );
      expect(await db().first(sql`select recording_url as name from attempt where id = ${id}`)).toEqual({ name: 'x.wav' });
      expect((await get(`/api/call-attempts/${id}`)).data.attempt.recordingUrl).toBe('x.wav');
    },
  );

  test('the database refuses a path from any writer', async () => {
    const { id } = await attempt({});
    for (const path of ['/a.wav', String.raw`rec\a.wav`]) {
      await expect(db().run(sql`update attempt set recording_url = ${path} where id = ${id}`)).rejects.toThrow('attempt_recording_is_name');
    }
  });
});
