import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ENTITIES } from '#app/connect.ts';
import { silentLog } from '#kernel/log.ts';
import { MIGRATIONS } from '#migrations/list.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { sliceRemover } from '#privacy/remove-slice.ts';
import { tendTranscripts } from '#privacy/transcript-partitions.ts';
import { runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import { emptyDatabase, freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { insertCampaign, insertContact } from '#test/support/rows.ts';

let fresh: FreshDatabase;
let db: Database;

async function use(database: FreshDatabase): Promise<void> {
  fresh = database;
  db = await connect(3);
}
afterEach(async () => {
  await db.close();
  await fresh.drop();
});

const connect = (poolSize: number) => connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize, statementTimeoutMs: 60_000 });
const tend = () => {
  const events = runtimeEventRepository(db, { publish: () => undefined });
  return tendTranscripts({ db, log: silentLog, events, connectUpkeep: () => connect(2) }, new AbortController().signal);
};
const told = () => db.rows(sql`select type, detail from runtime_event order by id`);

interface Partition {
  name: string;
  fromId: number;
  toId: number | null;
}
const partitions = () => db.rows(sql<Partition>`select * from transcript_partitions()`);
const rangesOf = async () => (await partitions()).map(({ fromId, toId }) => [fromId, toId]);

/** A call with this id and one segment, both written so many days ago. */
async function call(id: number, daysAgo = 0): Promise<void> {
  const campaignId = await insertCampaign(db, { status: 'running' });
  const contactId = await insertContact(db, { campaignId });
  const at = sql`now() - ${daysAgo}::int * interval '24 hours'`;
  await db.run(sql`
    insert into attempt (id, request_id, campaign_id, contact_id, phone_number, dial_key, status, created_at) overriding system value
    values (${id}, gen_random_uuid(), ${campaignId}, ${contactId}, '13800000000', '13800000000', 'completed', ${at})`);
  await say(id, daysAgo);
}

async function say(attemptId: number, daysAgo = 0, segmentId = '0'): Promise<void> {
  await db.run(sql`
    insert into transcript_segment (attempt_id, segment_id, position, speaker, text, created_at)
    values (${attemptId}, ${segmentId}, 0, 'customer', '您好', now() - ${daysAgo}::int * interval '24 hours')`);
}

const spoken = async () =>
  (
    await db.rows(sql<{ attemptId: number; place: string }>`
    select attempt_id, tableoid::regclass::text as place from transcript_segment order by attempt_id, id`)
  ).map(({ attemptId, place }) => [attemptId, place]);

describe('a database of before', () => {
  const BEFORE = MIGRATIONS.filter(({ name }) => name < '20261130001210');

  beforeEach(async () => {
    await use(await emptyDatabase());
    await migrate(fresh.url, undefined, BEFORE);
    for (const id of [1, 2, 3]) await call(id);
  });

  const fileOf = async (table: string) =>
    (await db.first(sql<{ file: string }>`select pg_relation_filenode(${table}::regclass) as file`))?.file;

  test('keeps its transcripts as they lie: the table becomes the first partition [D14.10]', async () => {
    const rows = () => db.rows(sql`select * from transcript_segment order by id`);
    const [before, file] = [await rows(), await fileOf('transcript_segment')];
    await migrate(fresh.url);
    expect([await rows(), await fileOf('transcript_segment_0')]).toEqual([before, file]);
    expect(await rangesOf()).toEqual([[0, null]]);
    await say(3, 0, '1');
    const ids = (await db.rows(sql<{ id: number }>`select id from transcript_segment order by id`)).map(({ id }) => id);
    expect(ids).toEqual([1, 2, 3, 4]);
    await expect(say(3, 0, '1')).rejects.toMatchObject({ code: '23505' });
    await expect(say(99)).rejects.toMatchObject({ code: '23503' });
    await expect(db.run(sql`delete from attempt where id = 3`)).rejects.toMatchObject({ code: '23503' });
  });

  /** Columns, constraints and triggers of a table. */
  const shape = (table: string) =>
    db.first(sql`
      select (select jsonb_agg(jsonb_build_array(attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(d.adbin, d.adrelid)) order by attname)
          from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where attrelid = ${table}::regclass and attnum > 0) as columns,
        (select jsonb_agg(pg_get_constraintdef(oid) order by pg_get_constraintdef(oid)) from pg_constraint where conrelid = ${table}::regclass) as constraints,
        (select jsonb_agg(tgname order by tgname) from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal) as triggers`);

  test('is cut by the first look: the bound is a month ahead, nothing is moved, and nobody is told', async () => {
    await migrate(fresh.url);
    const file = await fileOf('transcript_segment_0');
    await tend();
    expect(await rangesOf()).toEqual([
      [0, 100_004],
      [100_004, 200_004],
      [200_004, 300_004],
      [300_004, null],
    ]);
    expect([await fileOf('transcript_segment_0'), await told()]).toEqual([file, []]);
    expect(await shape('transcript_segment_0')).toEqual(await shape('transcript_segment_100004'));
    await call(100_004);
    expect(await spoken()).toEqual([
      [1, 'transcript_segment_0'],
      [2, 'transcript_segment_0'],
      [3, 'transcript_segment_0'],
      [100_004, 'transcript_segment_100004'],
    ]);
  });
});

describe('partitions of transcripts', () => {
  beforeEach(async () => use(await freshDatabase()));

  test('are ready for three months from the first start on, and a look leaves them [D14.10]', async () => {
    const before = await rangesOf();
    expect(before).toEqual([
      [0, 100_001],
      [100_001, 200_001],
      [200_001, 300_001],
      [300_001, null],
    ]);
    await tend();
    expect(await rangesOf()).toEqual(before);
  });

  test('are made ahead of the calls', async () => {
    await call(150_000);
    await tend();
    expect((await rangesOf()).slice(3)).toEqual([
      [300_001, 400_001],
      [400_001, 500_001],
      [500_001, null],
    ]);
  });

  test('that were not made in time lose nothing: the open one takes what comes, is closed, and it is told', async () => {
    await call(700_000);
    await tend();
    expect(await told()).toEqual([{ type: 'storage.partition_late', detail: { fromId: 300_001 } }]);
    expect(await spoken()).toEqual([[700_000, 'transcript_segment_300001']]);
    expect((await rangesOf()).slice(3)).toEqual([
      [300_001, 800_001],
      [800_001, 900_001],
      [900_001, 1_000_001],
      [1_000_001, null],
    ]);
    await tend();
    expect(await told()).toHaveLength(1);
  });

  test('that were being closed when a server was killed are closed by the next look', async () => {
    await call(700_000);
    await db.run(sql`select bound_open_transcripts(700001, 100000)`);
    await tend();
    expect((await rangesOf())[3]).toEqual([300_001, 800_001]);
    expect(await db.rows(sql`select conname from pg_constraint where conname = 'transcript_bound'`)).toEqual([]);
  });

  test('take a bound back that calls have come near to', async () => {
    await db.run(sql`select bound_open_transcripts(300004, 10)`);
    await db.run(sql`select bound_open_transcripts(300013, 100000)`);
    await call(400_000);
    expect(await db.first(sql`select bound from bound_of_open_transcripts()`)).toEqual({ bound: 400_013 });
  });

  test('a transcript is read from its own partition alone', async () => {
    for (const id of [1, 150_000, 250_000]) await call(id);
    const plan = (
      await db.rows(sql<{ 'QUERY PLAN': string }>`
      explain (analyze, costs off, timing off) select t.* from attempt a cross join lateral (
        select * from transcript_segment where attempt_id = a.id order by position, id limit 10) t where a.id = 150000`)
    ).map(row => row['QUERY PLAN']);
    const executed = plan
      .filter(line => !line.includes('never executed'))
      .flatMap(line => / on (transcript_segment_\d+) /.exec(line)?.[1] ?? []);
    expect(executed).toEqual(['transcript_segment_100001']);
  });

  const retain = async (days: number) => {
    const removeSlice = sliceRemover(db, { remove: () => Promise.resolve() });
    let removed = 0;
    for (let next: number | null = 0; next !== null; ) {
      const slice = await removeSlice('transcript_segment', days, next);
      removed += slice.removed;
      next = slice.next;
    }
    return removed;
  };

  test('go at once when all their transcripts have expired, and row by row until then', async () => {
    await call(1, 60);
    await call(2, 60);
    await call(100_001, 40);
    await call(200_001, 40);
    await call(200_002, 5);
    const attempts = () => db.rows(sql<{ id: number }>`select id from attempt order by id`);
    expect(await retain(30)).toBe(4);
    expect(await spoken()).toEqual([[200_002, 'transcript_segment_200001']]);
    expect(await rangesOf()).toEqual([
      [0, 200_001],
      [200_001, 300_001],
      [300_001, null],
    ]);
    expect(await attempts()).toHaveLength(5);
    expect(await retain(30)).toBe(0);
    // A result that comes after all that time still has its place.
    await say(2);
    expect((await spoken())[0]).toEqual([2, 'transcript_segment_0']);
  });

  test('stay while one transcript is young', async () => {
    await call(1, 60);
    await call(2, 5);
    expect(await retain(30)).toBe(1);
    expect((await rangesOf())[0]).toEqual([0, 100_001]);
  });

  test('are not waited for by calls: a drop that cannot have its lock is left for the next run', async () => {
    await call(1, 60);
    await db.transaction(async tx => {
      await tx.rows(sql`select * from transcript_segment where attempt_id = 1`);
      await db.run(sql`select drop_transcripts(now() - interval '30 days')`);
    });
    expect(await spoken()).toHaveLength(1);
    expect(await retain(30)).toBe(1);
  }, 30_000);
});
