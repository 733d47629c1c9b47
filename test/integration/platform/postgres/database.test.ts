import { NUMBER_RULE_DEFAULTS } from '#lines/decisions/number-rules.ts';
import { LineEntity } from '#lines/line-store.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityClass } from '@mikro-orm/core';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { isUniqueViolation } from '#platform/postgres/failures.ts';
import { ids, instant, json, texts, uuids } from '#platform/postgres/values.ts';
import { isCalloutError } from '#kernel/errors.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';

const POOL_SIZE = 4;
/** Longer than any stall of the machine; only one test wants a statement to exceed its timeout. */
const STATEMENT_TIMEOUT_MS = 60_000;
const SHORT_TIMEOUT_MS = 1_000;

let fresh: FreshDatabase;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
});

afterAll(async () => {
  await db.close();
  await fresh.drop();
});

const line = (code: string) => ({
  name: '主线路',
  code,
  dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
  callerIdNumber: null,
  callerIdName: null,
  maxConcurrency: 3,
  callerIdHeaderMode: 'caller_id_only' as const,
  numberFormat: 'national' as const,
  localPrefixes: '',
  numberRules: NUMBER_RULE_DEFAULTS,
  isEnabled: true,
  description: '',
  allocationMode: 'single_shared' as const,
});

describe('values', () => {
  test('bigint, numeric and count(*) are numbers, timestamptz is UTC ms', async () => {
    const row = await db.first(sql`
      select 9007199254740991::bigint as big, sum(x)::numeric as sum, count(*) as count, timestamptz '2026-11-21 12:30:00.123+08' as at,
        null::timestamptz as never from generate_series(1, 4) as x`);
    expect(row).toEqual({ big: 9_007_199_254_740_991, sum: 10, count: 4, at: Date.UTC(2026, 10, 21, 4, 30, 0, 123), never: null });
  });

  test('an instant is stored and returned as the same UTC ms', async () => {
    for (const at of [0, 1, 1_795_235_321_866, 253_402_300_799_999, null]) {
      expect(await db.first(sql`select ${instant(at)}::timestamptz(3) as at`)).toEqual({ at });
    }
  });

  test('a list is passed as one parameter', async () => {
    const uuid = '0b7c6f1e-9a54-4a6e-8f00-6a1f0c9a3b10';
    const row = await db.first(
      sql`select ${ids([3, 1])} as ids, ${texts(['a,b', '{"'])} as texts, ${uuids([uuid])} as uuids, ${ids([])} as none`,
    );
    expect(row).toEqual({ ids: ['3', '1'], texts: ['a,b', '{"'], uuids: [uuid], none: [] });
  });

  test('json drops what jsonb rejects and keeps the rest', async () => {
    const row = await db.first(sql<{ value: unknown }>`select ${json({ a: 'x\0y', b: ['\ud800', '😀'], 'c\0': '\\u0000' })} as value`);
    expect(row?.value).toEqual({ a: 'xy', b: ['\ufffd', '😀'], c: '\\u0000' });
  });
});

describe('entities', () => {
  test('every entity reads its table', async () => {
    const em = db.em;
    for (const entity of ENTITIES as readonly EntityClass<object>[]) await expect(em.find(entity, {}, { limit: 1 })).resolves.toEqual([]);
  });

  test('defaults and timestamps of the server are returned, an update changes updatedAt', async () => {
    const created = await db.transaction(async tx => {
      const row = tx.em.create(LineEntity, line('stamps'));
      await tx.em.flush();
      return row;
    });
    expect(created).toMatchObject({ isEnabled: true, callerIdHeaderMode: 'caller_id_only', updatedAt: created.createdAt });
    await db.run(sql`update line set name = '更早', updated_at = now() where id = ${created.id}`);
    const updated = await db.transaction(async tx => {
      const row = await tx.em.findOneOrFail(LineEntity, { id: created.id });
      row.name = '备用线路';
      await tx.em.flush();
      return row;
    });
    const stored = await db.first(sql`select name, updated_at as "updatedAt" from line where id = ${created.id}`);
    expect(stored).toEqual({ name: '备用线路', updatedAt: updated.updatedAt });
  });
});

describe('transactions', () => {
  test('a rejection rolls back raw statements and entities', async () => {
    const failure = new Error('no');
    const work = db.transaction(async tx => {
      tx.em.create(LineEntity, line('rolled-back'));
      await tx.em.flush();
      await tx.run(sql`insert into business (business_code, business_name) values ('rolled-back', '')`);
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    const row = await db.first(sql`
      select (select count(*) from line where code = 'rolled-back') + (select count(*) from business where business_code = 'rolled-back') as left`);
    expect(row).toEqual({ left: 0 });
  });

  test('a deadlock is retried and both transactions commit', async () => {
    await db.run(sql`insert into business (business_code, business_name) values ('deadlock-a', ''), ('deadlock-b', '')`);
    let runs = 0;
    let bothHold = () => {};
    const meeting = new Promise<void>(resolve => (bothHold = resolve));
    let holding = 0;
    const touch = (tx: { run: Database['run'] }, code: string) =>
      tx.run(sql`update business set remark = remark || 'x' where business_code = ${code}`);
    const crossing = (first: string, second: string) =>
      db.transaction(async tx => {
        runs += 1;
        await touch(tx, first);
        holding += 1;
        if (holding === 2) bothHold();
        await meeting;
        await touch(tx, second);
      });
    await Promise.all([crossing('deadlock-a', 'deadlock-b'), crossing('deadlock-b', 'deadlock-a')]);
    expect(runs).toBeGreaterThan(2);
    const rows = await db.rows(sql`select remark from business where business_code like 'deadlock-%'`);
    expect(rows).toEqual([{ remark: 'xx' }, { remark: 'xx' }]);
  });
});

describe('failures', () => {
  test('a unique violation is recognised by its index, raw and through the ORM', async () => {
    await db.run(
      sql`insert into line (name, code, dial_string_template, max_concurrency, allocation_mode) values ('a', 'twice', 'x', 1, 'single_shared')`,
    );
    const throughOrm = await db.transaction(async tx => void tx.em.create(LineEntity, line('twice'))).catch((error: unknown) => error);
    expect(isUniqueViolation(throughOrm, 'line_code')).toBe(true);
    expect(isUniqueViolation(throughOrm, 'contact_unique')).toBe(false);
    const raw = await db
      .run(
        sql`insert into line (name, code, dial_string_template, max_concurrency, allocation_mode) values ('a', 'twice', 'x', 1, 'single_shared')`,
      )
      .catch((error: unknown) => error);
    expect(isUniqueViolation(raw, 'line_code')).toBe(true);
  });

  test('a statement over its timeout is DATABASE_UNAVAILABLE', async () => {
    const hasty = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 2, statementTimeoutMs: SHORT_TIMEOUT_MS });
    const error = await hasty.run(sql`select pg_sleep(30)`).catch((thrown: unknown) => thrown);
    await hasty.close();
    expect(isCalloutError(error, 'DATABASE_UNAVAILABLE')).toBe(true);
  });

  test('connections that the server ends inside transactions are DATABASE_UNAVAILABLE and do not exhaust the pool', async () => {
    for (let times = 0; times < 2 * POOL_SIZE; times += 1) {
      const error = await db
        .transaction(async tx => {
          const own = await tx.first(sql<{ pid: number }>`select pg_backend_pid() as pid`);
          await db.run(sql`select pg_terminate_backend(${own?.pid ?? 0})`);
          await tx.run(sql`select 1`);
        })
        .catch((thrown: unknown) => thrown);
      expect(isCalloutError(error, 'DATABASE_UNAVAILABLE')).toBe(true);
    }
    await expect(db.ping()).resolves.toBeGreaterThan(0);
  });

  test('no server at the start is DATABASE_UNAVAILABLE', async () => {
    const url = new URL(fresh.url);
    url.port = '1';
    const error = await connectDatabase({ entities: ENTITIES, url: url.href, poolSize: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS }).catch(
      (thrown: unknown) => thrown,
    );
    expect(isCalloutError(error, 'DATABASE_UNAVAILABLE')).toBe(true);
  });

  test('an error in a statement is passed on unchanged', async () => {
    const error = await db.run(sql`select no_such_column from line`).catch((thrown: unknown) => thrown);
    expect(isCalloutError(error)).toBe(false);
  });
});
