import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connectDatabase } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { freshDatabase } from '#test/support/database.ts';
import { watchChanges } from './change-watch.ts';
import { fuzzAll } from './fuzz-all.ts';
import { faultOf } from './fuzz-server.ts';

const RUNS = 30;
const SEED = 20_261_122;
const TIMEOUT_MS = 300_000;

test(
  'every route returns 2xx or an enveloped 4xx in Chinese that changed nothing, whatever the request [D2.1, D2.2, OCS 7]',
  async () => {
    const { answers, findings } = await fuzzAll({ runs: RUNS, seed: SEED, only: null, rows: null, tell: () => undefined });
    expect(findings).toEqual([]);
    const statuses = Object.values(answers);
    expect(statuses.length).toBeGreaterThan(50);
    // Most routes accept some requests and refuse others: the requests are neither all invalid nor all valid.
    expect(statuses.filter(counts => counts[200] && Object.keys(counts).length > 1).length).toBeGreaterThan(statuses.length / 2);
  },
  TIMEOUT_MS,
);

describe('the judge of a response', () => {
  const refusal = { code: '400', data: null, msg: '参数错误' };
  const judged = (status: number, body: unknown, changes: string[] = []) =>
    faultOf(
      'GET /x',
      { method: 'GET', path: '/x', status, contentType: 'application/json', text: JSON.stringify(body) },
      { check: () => null, changes },
    );

  test('accepts a proper refusal, and a change with its audit row [D3.7]', () => {
    expect(judged(400, refusal)).toBeNull();
    expect(judged(200, refusal, ['INSERT audit_log {}', 'INSERT line {}'])).toBeNull();
  });

  test.each<[string, string | null]>([
    ['a 5xx', judged(500, refusal)],
    ['another code', judged(404, refusal)],
    ['data in a refusal', judged(400, { ...refusal, data: {} })],
    ['a text that is not Chinese', judged(400, { ...refusal, msg: 'bad' })],
    ['a refusal that changed something', judged(400, refusal, ['INSERT line {}'])],
    ['a change that nobody can trace', judged(200, refusal, ['INSERT line {}'])],
  ])('reports %s', (_, fault) => {
    expect(fault).toEqual(expect.any(String));
  });

  test('sees committed changes, not rolled-back or derived ones', async () => {
    const fresh = await freshDatabase();
    const db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 2, statementTimeoutMs: 10_000 });
    const watch = await watchChanges(db);
    const insert = sql`insert into business (business_code, business_name) values ('a', 'b')`;
    await expect(
      db.transaction(async tx => {
        await tx.run(insert);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await watch.changes()).toEqual([]);
    await db.run(insert);
    expect(await watch.changes()).toEqual([expect.stringMatching(/^INSERT business \{.*"business_code": "a"/)]);
    await db.run(sql`update business set updated_at = now()`);
    expect(await watch.changes()).toEqual([]);
    await db.run(sql`delete from business`);
    expect(await watch.changes()).toHaveLength(1);
    await db.close();
    await fresh.drop();
  });
});
