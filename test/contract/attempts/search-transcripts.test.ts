import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { askFor } from '#test/contract/graphql/graphql-client.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
let campaignId: number;
let others: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
  const { database } = server.running.context;
  campaignId = await insertCampaign(database, { status: 'paused' });
  others = await insertCampaign(database, { status: 'paused' });
});
afterAll(() => server.close());

/** An answered call with these lines, a second apart. */
async function call(campaign: number, ...lines: string[]): Promise<number> {
  const { database } = server.running.context;
  const contactId = await insertContact(database, { campaignId: campaign });
  const id = await insertAttempt(database, { campaignId: campaign, contactId, status: 'completed' });
  await database.run(sql`update attempt set answered_at = now(), recognized_text = ${lines.join('')} where id = ${id}`);
  await database.run(sql`
    insert into transcript_segment (attempt_id, segment_id, position, speaker, text, start_ms)
    select ${id}, 's' || place, place, 'customer', line, place * 1000 from unnest(${lines}::text[]) with ordinality as given (line, place)`);
  return id;
}

interface Found {
  rows: { attemptId: number; count: number; lines: { segmentId: string; text: string; startMs: number }[] }[];
  next: number | null;
}

async function search(query: Record<string, string | number>): Promise<Found> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return (await server.api('GET', `/api/transcripts?${text.toString()}`, undefined, token)).data;
}

describe('GET /api/transcripts [D7.19]', () => {
  test('finds two Chinese characters within a line, with the line and its second', async () => {
    const id = await call(campaignId, '您好', '我要投诉你们', '再见');
    await call(others, '我也要投诉');
    const { rows, next } = await search({ q: '投诉', campaignId });
    expect(next).toBeNull();
    expect(rows).toMatchObject([{ attemptId: id, count: 1, lines: [{ segmentId: 's2', text: '我要投诉你们', startMs: 2_000 }] }]);
  });

  test('finds words whatever their case, takes % and _ as they are, and names five lines of a call at most', async () => {
    const id = await call(campaignId, ...Array.from({ length: 7 }, (_, index) => `Refund ${index}`));
    expect(await search({ q: 'refund', campaignId })).toMatchObject({ rows: [{ attemptId: id, count: 7 }] });
    expect((await search({ q: 'refund', campaignId })).rows[0]?.lines).toHaveLength(5);
    expect((await search({ q: 'ref_nd', campaignId })).rows).toEqual([]);
  });

  test('goes on before the last call, newest first', async () => {
    const ids = [await call(campaignId, '地址一'), await call(campaignId, '地址二'), await call(campaignId, '地址三')];
    const first = await search({ q: '地址', campaignId, limit: 2 });
    expect(first.rows.map(({ attemptId }) => attemptId)).toEqual([ids[2], ids[1]]);
    const rest = await search({ q: '地址', campaignId, limit: 2, before: first.next ?? 0 });
    expect(rest).toMatchObject({ rows: [{ attemptId: ids[0] }], next: null });
  });

  test('searches every campaign within 92 days, and refuses longer ranges and none', async () => {
    const id = await call(others, '包裹在路上');
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
    expect((await search({ q: '包裹', from: day(91) })).rows.map(({ attemptId }) => attemptId)).toEqual([id]);
    expect((await search({ q: '包裹', from: day(91), to: day(1) })).rows).toEqual([]);
    const refused = (query: string) => server.api('GET', `/api/transcripts?q=${encodeURIComponent('包裹')}${query}`, undefined, token);
    expect((await refused('')).status).toBe(400);
    expect((await refused(`&from=${day(93)}`)).status).toBe(400);
  });

  test('audits each call that it tells of', async () => {
    const id = await call(campaignId, '只说一次的话');
    await search({ q: '只说一次', campaignId });
    const rows = await server.running.context.database.rows(
      sql`select count(*)::int as count from audit_log where action = 'transcript.read' and target_id = ${String(id)}`,
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});

test('GraphQL answers the same with the call, and lists the attempts of a contact', async () => {
  const id = await call(campaignId, '请明天再打');
  const { transcriptHits } = await askFor(
    server,
    token,
    `query ($campaignId: ID!) {
      transcriptHits(text: "明天", campaignId: $campaignId) {
        next
        rows { count attempt { databaseId contact { attempts(first: 5) { totalCount nodes { databaseId } } } } lines { segmentId } }
      }
    }`,
    { campaignId },
  );
  const mine = { totalCount: 1, nodes: [{ databaseId: String(id) }] };
  expect(transcriptHits).toEqual({
    next: null,
    rows: [{ count: 1, attempt: { databaseId: String(id), contact: { attempts: mine } }, lines: [{ segmentId: 's1' }] }],
  });
});
