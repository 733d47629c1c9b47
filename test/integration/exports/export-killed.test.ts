import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type ServeProcess, type ServeRig, startServeRig } from '#test/support/serve-process.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const CALLS = 40_000;
/** Rows per statement: each keeps the counts of the lists. */
const CHUNK = 5_000;

let rig: ServeRig;

beforeAll(async () => {
  rig = await startServeRig({ talkMs: { minMs: 100, maxMs: 200 } });
});
afterAll(() => rig?.close());

async function insertCalls(): Promise<void> {
  await rig.rows(sql`
    insert into campaign (name, business_code, status, max_concurrency, max_retries, retry_interval_seconds, call_interval_ms)
    values ('历史', 'demo', 'archived', 1, 0, 600, 200)`);
  await rig.rows(sql`
    insert into contact (campaign_id, phone_number, dial_key, customer_name, metadata, status)
    select m.id, '1380013' || n, '+861380013' || n, '客户' || n, jsonb_build_object('city', '杭州', 'order', n), 'completed'
    from campaign m, generate_series(1, 3) as n where m.name = '历史'`);
  for (let made = 0; made < CALLS; made += CHUNK)
    await rig.rows(sql`
    insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, emotion_status, claimed_at, classification)
    select gen_random_uuid(), c.campaign_id, c.id, c.phone_number, c.dial_key, 'failed', 'none', now(), 'B'
    from (select * from contact order by id limit 1) c, generate_series(1, ${CHUNK}::int)`);
}

async function jobOf(server: ServeProcess, id: number): Promise<{ state: string; done: number; result: { rows: number } }> {
  const { data } = await server.api('GET', `/api/jobs/${id}`);
  return data['job'] as { state: string; done: number; result: { rows: number } };
}

test('an export goes on at another server when its own is killed, and has each row once [D2.11]', async () => {
  const first = await rig.serve();
  await insertCalls();
  const { data } = await first.api('POST', '/api/exports', { kind: 'attempts', format: 'csv' });
  const { id } = data['job'] as { id: number };
  await waitUntil('some parts to be kept', async () => (await jobOf(first, id)).done > 0);
  first.child.kill('SIGKILL');
  await first.exit;
  const [left] = await rig.rows(sql<{ state: string; done: number }>`select state, done from job where id = ${id}`);
  expect(left?.state).toBe('running');
  expect(left?.done).toBeLessThan(CALLS);
  const second = await rig.serve();
  // A lease is 15 s; that it must be over is what `run-jobs.test.ts` checks.
  await rig.rows(sql`update job set lease_until = now() - interval '1 second' where id = ${id}`);
  const job = await waitUntil('the export to be done', async () => {
    const now = await jobOf(second, id);
    return now.state === 'done' ? now : null;
  });
  expect(job.result.rows).toBe(CALLS);
  const { link } = (await second.api('POST', `/api/exports/${id}/link`)).data as { link: { url: string } };
  const text = await (await fetch(`${second.url}${link.url}`)).text();
  const ids = text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map(row => Number(row.slice(0, row.indexOf(','))));
  expect(ids).toHaveLength(CALLS);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
}, 180_000);
