import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
let attemptId: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
  const db = server.running.context.database;
  const campaignId = await insertCampaign(db);
  attemptId = await insertAttempt(db, { campaignId, contactId: await insertContact(db, { campaignId }) });
  await db.run(sql`
    insert into transcript_segment (attempt_id, segment_id, position, speaker, text, start_ms, end_ms, node_id, source) values
      (${attemptId}, 's2', 2, 'customer', '好的', 3000, 4000, null, 'captions'), (${attemptId}, 's1', 1, 'bot', '您好', 0, 2000, 'welcome', 'result')`);
});
afterAll(() => server.close());

const segments = (id: number) => server.api('GET', `/api/call-attempts/${id}/transcript-segments`, undefined, token);

describe('GET /api/call-attempts/:id/transcript-segments', () => {
  test('returns the utterances of each speaker in order [OCS 4.8]', async () => {
    const { data } = await segments(attemptId);
    expect(data.rows).toMatchObject([
      { segmentId: 's1', attemptId, speaker: 'bot', text: '您好', startMs: 0, endMs: 2_000, nodeId: 'welcome', source: 'result' },
      { segmentId: 's2', attemptId, speaker: 'customer', text: '好的', startMs: 3_000, endMs: 4_000, nodeId: null, source: 'captions' },
    ]);
  });

  test('an attempt that does not exist or was deleted gives 404 [OCS 7]', async () => {
    expect((await segments(999_999)).status).toBe(404);
    await server.running.context.database.run(sql`update attempt set deleted_at = now() where id = ${attemptId}`);
    expect((await segments(attemptId)).status).toBe(404);
  });
});
