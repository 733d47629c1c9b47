import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('agent');
});
afterAll(() => server.close());

const db = () => server.running.context.database;

async function minutes(count?: number): Promise<{ data: unknown; errors: { extensions: { code: string; field?: string } }[] }> {
  const query = 'query($minutes: Int) { recentMinutes(minutes: $minutes) { at dials answered } }';
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables: { minutes: count } }),
  });
  const { data, errors = [] } = (await answer.json()) as { data: { recentMinutes: unknown }; errors?: never[] };
  return { data: data?.recentMinutes, errors };
}

describe('recentMinutes', () => {
  test('is a row per minute, empty ones too, the current minute last', async () => {
    const { data } = await minutes();
    const rows = data as { at: string; dials: number }[];
    expect(rows).toHaveLength(15);
    expect(rows.every(({ dials }) => dials === 0)).toBe(true);
    const [first, last] = [rows[0], rows.at(-1)].map(row => new Date(row?.at ?? 0).getTime());
    expect((last ?? 0) - (first ?? 0)).toBe(14 * 60_000);
    expect(Math.abs(Date.now() - (last ?? 0))).toBeLessThan(2 * 60_000);
  });

  test('counts a dial in the minute in which it was made, with its answer; undialled and deleted attempts do not count', async () => {
    const campaignId = await insertCampaign(db(), { status: 'running' });
    // One instant for all rows, because the minute may end while they are written.
    const now = new Date();
    const before = (count: number) => sql`created_at = date_trunc('minute', ${now}::timestamptz) - make_interval(mins => ${count}::int)`;
    const dial = async (change: ReturnType<typeof sql>) => {
      const contactId = await insertContact(db(), { campaignId, status: 'submitted' });
      const id = await insertAttempt(db(), { campaignId, contactId, status: 'completed' });
      await db().run(sql`update attempt set started_at = created_at, ${change} where id = ${id}`);
    };
    await dial(sql`${before(2)}, answered_at = now()`);
    await dial(before(2));
    await dial(sql`${before(2)}, deleted_at = now()`);
    await dial(sql`${before(3)}, answered_at = now()`);
    await dial(before(40));
    const contactId = await insertContact(db(), { campaignId, status: 'submitted' });
    await insertAttempt(db(), { campaignId, contactId, status: 'claimed' });
    const rows = (await minutes(30)).data as { dials: number; answered: number }[];
    expect(rows).toHaveLength(30);
    // A minute may have passed since they were written.
    const counted = rows.filter(({ dials }) => dials > 0).map(({ dials, answered }) => [dials, answered]);
    expect(counted).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test.each([0, 61, -1])('%p minutes are refused by name', async count => {
    const { errors } = await minutes(count);
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'minutes' });
  });
});
