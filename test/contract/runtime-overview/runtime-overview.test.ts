import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import { START_SUBJECTS } from '#protocol/subjects.ts';
import { holdPlace, poolMember, poolOf } from '#test/support/pool-members.ts';
import { insertAttempt, insertBatch, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let token: string;
let lineId: number;
let campaignId: number;
beforeAll(async () => {
  // Nothing listens there: the cell is configured, and down.
  server = await startTestServer({ config: { cells: [{ id: 'c1', host: '127.0.0.1', port: 1, password: 'x', maxConcurrency: 7 }] } });
  token = await server.loginAs('agent');
  const db = server.running.context.database;
  campaignId = await insertCampaign(db, { name: '进度', status: 'paused' });
  await insertCampaign(db, { status: 'archived' });
  for (const status of ['pending', 'completed', 'completed', 'paused'] as const) await insertContact(db, { campaignId, status });
  await insertContact(db, { campaignId, status: 'failed' });
  await insertContact(db, { campaignId, status: 'failed', isRetryDue: true });
  const dialled = async (fields: object) =>
    insertAttempt(db, { campaignId, contactId: await insertContact(db, { campaignId, status: 'submitted' }), cellId: 'c1', ...fields });
  await dialled({ status: 'answered', agoMs: 30 * MINUTE_MS });
  await dialled({ status: 'accepted' });
  await dialled({ status: 'accepted', agoMs: 30 * MINUTE_MS });
  await dialled({ status: 'completed' });
  await insertBatch(db, { campaignId, submitted: 5, failed: 1, finishedAgoMs: 1_000 });
  await insertBatch(db, { campaignId, submitted: 7, failed: 2, startedAgoMs: 5 * MINUTE_MS, finishedAgoMs: 2_000 });
  await insertBatch(db, { campaignId, submitted: 9, startedAgoMs: 5 * MINUTE_MS, finishedAgoMs: 4 * MINUTE_MS });
  await insertBatch(db, { campaignId, status: 'running', submitted: 2 });
  await insertBatch(db, { campaignId, status: 'running', startedAgoMs: 20 * MINUTE_MS });
  const line = await db.first(sql<{ id: number }>`
    insert into line (name, code, dial_string_template, max_concurrency, allocation_mode)
    values ('线路一', 'l1', 'sofia/gateway/g/{{destinationNumber}}', 12, 'single_shared') returning id`);
  lineId = line?.id ?? 0;
  await runtimeEventRepository(db, { publish: () => undefined }).record({ level: 'warning', type: 'call.stuck', title: '通话卡住' });
});
afterAll(() => server.close());

describe('GET /api/runtime/overview', () => {
  test('returns every field of OCS 2.12', async () => {
    const { status, data } = await server.api('GET', '/api/runtime/overview', undefined, token);
    expect(status).toBe(200);
    expect(data).toMatchObject({ activeContacts: 3, stuckContacts: 1, runningBatches: 2 });
    expect(data.scheduler).toEqual({ submittedLastMinute: 7, failedLastMinute: 1, completedBatchesLastMinute: 2 });
    expect(data.lineConcurrency).toEqual([{ lineId, name: '线路一', code: 'l1', isEnabled: 1, maxConcurrency: 12, active: 0 }]);
    expect(data.cellConcurrency).toMatchObject([{ cellId: 'c1', maxConcurrency: 7, active: 0, isEnabled: 1 }]);
    expect(data.stuckBatches).toMatchObject([{ campaignId, status: 'running' }]);
    expect(data.recentEvents.map(({ type }: { type: string }) => type)).toContain('call.stuck');
  });

  test('leaves no line out [OCS 2.12]', async () => {
    const db = server.running.context.database;
    await db.run(sql`
      insert into line (name, code, dial_string_template, max_concurrency, allocation_mode)
      select 'more', 'more-' || n, 'sofia/gateway/g/{{destinationNumber}}', 1, 'single_shared' from generate_series(1, 1200) n`);
    const { data } = await server.api('GET', '/api/runtime/overview', undefined, token);
    expect(data.lineConcurrency).toHaveLength(1_201);
    await db.run(sql`delete from line where name = 'more'`);
  });

  test('counts the contacts of all campaigns that are not archived [OCS 2.12]', async () => {
    const { data } = await server.api('GET', '/api/runtime/overview', undefined, token);
    expect(data.campaignProgress).toMatchObject([
      {
        campaignId,
        name: '进度',
        status: 'paused',
        total: 10,
        pending: 1,
        submitted: 4,
        completed: 2,
        failed: 2,
        paused: 1,
        awaitingRetry: 1,
        progress: 0.3,
      },
    ]);
  });

  test('lists the stuck call among its events, with its attempt [OCS 2.12, D14.3]', async () => {
    const told = await waitUntil('the stuck call to be told', async () => {
      const { data } = await server.api('GET', '/api/runtime/overview', undefined, token);
      const events = data.recentEvents as { type: string; attemptId: number | null }[];
      return events.find(({ type, attemptId }) => type === 'call.stuck' && attemptId !== null);
    });
    expect(told).toMatchObject({ level: 'warning', campaignId, cellId: 'c1', title: '通话卡住' });
  });

  test('lists the runtimes with load, version and age, and what else accepts calls [A5]', async () => {
    const pool = poolOf(server);
    await pool.beat(poolMember({ runtimeId: 'b', maxCalls: 30, active: 2, resumes: true, businessCodes: ['demo'] }));
    await pool.beat(poolMember({ runtimeId: 'a', isDraining: true }));
    await pool.beat(poolMember({ runtimeId: 'gone', name: '预备话术引擎' }));
    await holdPlace(server, 'gone');
    await pool.bye('gone');
    const ask = async () => (await server.api('GET', '/api/runtime/overview', undefined, token)).data;
    const data = await ask();
    expect([data.runtimeMode, data.hasUnregistered]).toEqual(['nats', false]);
    const row = { name: '话术引擎', version: '1.2.3', contract: 1, calls: 0, isGone: false, ageSeconds: expect.any(Number) };
    expect(data.runtimes).toEqual([
      {
        ...row,
        runtimeId: 'a',
        maxCalls: 10,
        active: 0,
        isDraining: true,
        resumes: false,
        businessCodes: null,
        lastSeenAt: expect.any(String),
      },
      {
        ...row,
        runtimeId: 'b',
        maxCalls: 30,
        active: 2,
        isDraining: false,
        resumes: true,
        businessCodes: ['demo'],
        lastSeenAt: expect.any(String),
      },
      expect.objectContaining({ runtimeId: 'gone', name: '预备话术引擎', calls: 1, isGone: true }),
    ]);
    expect(Math.abs(Date.parse(data.runtimes[0].lastSeenAt) - Date.now())).toBeLessThan(MINUTE_MS);
    const leave = server.running.context.bus.subscribe(START_SUBJECTS, {}, message =>
      message.respond?.({ ok: false, code: 'INVALID', msg: '' }),
    );
    await waitUntil('somebody who has not registered', async () => (await ask()).hasUnregistered);
    leave();
  });

  test('requires a session [OCS 4.1]', async () => {
    expect((await server.api('GET', '/api/runtime/overview')).status).toBe(401);
  });
});
