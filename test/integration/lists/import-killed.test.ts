import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type ServeProcess, type ServeRig, startServeRig } from '#test/support/serve-process.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const ROWS = 48_000;
const TIMEOUT_MS = 240_000;

let rig: ServeRig;

beforeAll(async () => {
  rig = await startServeRig({ talkMs: { minMs: 100, maxMs: 200 } });
});
afterAll(() => rig?.close());

/** The first id comes again at the end, when another server reads. */
function file(): Blob {
  const lines = Array.from({ length: ROWS }, (_, index) => `139${String(index).padStart(8, '0')},客户${index},C-${index}`);
  return new Blob([`手机号,姓名,外部编号\n${lines.join('\n')}\n12,坏,C-X\n13700137000,后来,C-0\n`]);
}

async function upload(server: ServeProcess): Promise<string> {
  const form = new FormData();
  form.set('file', file(), 'list.csv');
  const answer = await fetch(`${server.url}/api/list-files`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.token}` },
    body: form,
  });
  return ((await answer.json()) as { data: { file: { id: string } } }).data.file.id;
}

interface Import {
  state: string;
  percent: number;
  counts: { totalRows: number; createdRows: number; failedRows: number; unchangedRows: number; leftOut: { repeated: number } };
}

const importAt = async (server: ServeProcess, id: number) => (await server.api('GET', `/api/imports/${id}`)).data['import'] as Import;

test(
  'an import goes on at another server when its own is killed: each row once, and none is left out [D6.9]',
  async () => {
    const first = await rig.serve();
    const [campaign] = await rig.rows(sql<{ id: number }>`
      insert into campaign (name, business_code, status, max_concurrency, max_retries, retry_interval_seconds, call_interval_ms)
      values ('大名单', 'demo', 'draft', 1, 0, 600, 200) returning id`);
    const { data } = await first.api('POST', '/api/imports', { fileId: await upload(first), campaignId: campaign?.id });
    const { id } = data['job'] as { id: number };
    await waitUntil('some rows to be written', async () => (await importAt(first, id)).counts.createdRows > 0);
    first.child.kill('SIGKILL');
    await first.exit;
    const [left] = await rig.rows(sql<{ state: string; total: number }>`
      select state, (cursor -> 'counts' ->> 'totalRows')::int as total from job where id = ${id}`);
    expect(left?.state).toBe('running');
    expect(left?.total).toBeLessThan(ROWS);
    const [written] = await rig.rows(
      sql<{ count: number }>`select count(*)::int as count from contact where campaign_id = ${campaign?.id}`,
    );
    expect(written?.count).toBe(left?.total);
    const second = await rig.serve();
    // A lease is 15 s; that it must be over is what `run-jobs.test.ts` checks.
    await rig.rows(sql`update job set lease_until = now() - interval '1 second' where id = ${id}`);
    const done = await waitUntil(
      'the import to be done',
      async () => {
        const now = await importAt(second, id);
        return now.state === 'done' ? now : null;
      },
      TIMEOUT_MS,
    );
    expect(done.counts).toMatchObject({
      totalRows: ROWS + 2,
      createdRows: ROWS,
      failedRows: 1,
      unchangedRows: 0,
      leftOut: { repeated: 1 },
    });
    const [rows] = await rig.rows(sql<{ count: number; ids: number; first: string }>`
      select count(*)::int as count, count(distinct external_id)::int as ids,
        max(customer_name) filter (where external_id = 'C-0') as first
      from contact where campaign_id = ${campaign?.id}`);
    expect(rows).toEqual({ count: ROWS, ids: ROWS, first: '客户0' });
  },
  TIMEOUT_MS,
);
