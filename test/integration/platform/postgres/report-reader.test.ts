import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ENTITIES } from '#app/connect.ts';
import { askCallStats, callStatsPart } from '#call-stats/ask-call-stats.ts';
import { systemCaller } from '#kernel/caller.ts';
import { systemClock } from '#kernel/clock.ts';
import { notFound } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { type ReplicaFault, ReplicaReader } from '#platform/postgres/report-reader.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { startReplica } from '#test/support/replica.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const MAX_LAG_MS = 250;
/** Longer than a look at the replica holds, and than one with a fault is left alone, ms. */
const LATER_MS = 11_000;

let services: [PrivateService, PrivateService];
let primary: Database;
let superuser: Database;
let clock: ManualClock;
let reader: ReplicaReader;
let told: (ReplicaFault | null)[];

const open = (service: PrivateService, isReplica: boolean) =>
  connectDatabase({ entities: ENTITIES, url: service.url, poolSize: 3, statementTimeoutMs: 20_000, isReplica });

beforeAll(async () => {
  const first = await startPrivateService('postgres');
  await migrate(first.url);
  services = [first, await startReplica(first)];
  primary = await open(first, false);
  superuser = await open(services[1], true);
}, 120_000);

afterAll(async () => {
  await superuser.close();
  await primary.close();
  await services[1].stop();
  await services[0].stop();
});

beforeEach(() => {
  told = [];
  clock = manualClock();
  reader = new ReplicaReader({
    primary,
    connect: () => open(services[1], true),
    maxLagMs: MAX_LAG_MS,
    clock,
    log: silentLog,
    changed: fault => void told.push(fault),
  });
});
afterEach(() => reader.close());

const isReplica = async (notBefore?: number) =>
  (await reader.read(db => db.first(sql<{ is: boolean }>`select pg_is_in_recovery() as is`), notBefore)).value?.is;

/** Whether the replica is read at the next look. */
async function isReplicaLater(): Promise<boolean | undefined> {
  await clock.pass(LATER_MS);
  return isReplica();
}

const write = () => primary.run(sql`insert into business (business_code, business_name) values (${randomUUID()}, 'b')`);
const untilReplicated = async () => {
  const at = await primary.first(sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`);
  await waitUntil('the replica has the log', async () => {
    const row = await superuser.first(sql<{ has: boolean }>`select pg_last_wal_replay_lsn() >= ${at?.lsn}::pg_lsn as has`);
    return row?.has === true;
  });
};

test('reports are read from the replica, as of a moment ago; one that has the whole log is as of now [D14.10]', async () => {
  await write();
  await untilReplicated();
  const { value, asOf } = await reader.read(db =>
    db.first(sql<{ is: boolean; now: number }>`select pg_is_in_recovery() as is, now() as now`),
  );
  expect(value?.is).toBe(true);
  expect(Math.abs((value?.now ?? 0) - asOf)).toBeLessThan(60_000);
  expect(told).toEqual([]);
});

test('figures are the same from both', async () => {
  const campaignId = await insertCampaign(primary, {});
  await insertAttempt(primary, { campaignId, contactId: await insertContact(primary, { campaignId }), status: 'completed' });
  await untilReplicated();
  await clock.pass(LATER_MS);
  const app = {
    ...callStatsPart(0),
    db: primary,
    reports: reader,
    clock: systemClock,
    timeZone: 'Asia/Shanghai',
    agents: { findByUser: () => Promise.resolve(null) },
    agentsSeeNumbers: true,
  };
  const now = Date.now();
  const question = { from: now - 86_400_000, to: now + 60_000, filter: { campaignIds: [campaignId] }, groupBy: [], groupFields: [] };
  const { total } = await askCallStats(app, systemCaller(randomUUID()), { ...question, measures: ['dials', 'cost'], limit: 10 });
  expect(total).toEqual([1, 0]);
});

test('a replica that is behind is told once, and left alone until it has caught up', async () => {
  expect(await isReplica()).toBe(true);
  await superuser.run(sql`select pg_wal_replay_pause()`);
  await write();
  await waitUntil('the primary answers', async () => (await isReplicaLater()) === false);
  expect(await isReplicaLater()).toBe(false);
  expect(told).toEqual(['behind']);
  await superuser.run(sql`select pg_wal_replay_resume()`);
  await untilReplicated();
  expect(await isReplica()).toBe(false);
  expect(await isReplicaLater()).toBe(true);
  expect(told).toEqual(['behind', null]);
});

test('whoever needs later rows than the replica has reads the primary', async () => {
  const { asOf } = await reader.read(() => Promise.resolve());
  expect([await isReplica(asOf), await isReplica(asOf + 1)]).toEqual([true, false]);
  expect(told).toEqual([]);
});

test('what a caller did wrong is told at once; a statement that the replica fails is answered by the primary', async () => {
  let runs = 0;
  const refused = reader.read(() => {
    runs += 1;
    return Promise.reject(notFound('活动'));
  });
  await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect([runs, told]).toEqual([1, []]);
  await write();
  const rows = await reader.read(db =>
    db.rows(sql`insert into business (business_code, business_name) values (${randomUUID()}, 'b') returning 1 as one`),
  );
  expect([rows.value, told]).toEqual([[{ one: 1 }], ['unreachable']]);
});

test('a replica that is gone is replaced by the primary, and read again when it is back', async () => {
  expect(await isReplica()).toBe(true);
  await services[1].kill();
  expect(await isReplica()).toBe(false);
  expect(await isReplicaLater()).toBe(false);
  expect(told).toEqual(['unreachable']);
  await services[1].restart();
  await waitUntil('the replica answers', async () => (await isReplicaLater()) === true);
  expect(told).toEqual(['unreachable', null]);
}, 60_000);

test('a database of its own is no replica', async () => {
  const other = new ReplicaReader({
    primary,
    connect: () => open(services[0], false),
    maxLagMs: MAX_LAG_MS,
    clock,
    log: silentLog,
    changed: fault => void told.push(fault),
  });
  const { value } = await other.read(db => Promise.resolve(db === primary));
  expect([value, told]).toEqual([true, ['no_replica']]);
  await other.close();
});
