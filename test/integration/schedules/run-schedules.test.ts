import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { auditRepository } from '#audit/audit-store.ts';
import { callStatsPart } from '#call-stats/ask-call-stats.ts';
import { primaryReader } from '#platform/postgres/report-reader.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { instant } from '#platform/postgres/values.ts';
import { runtimeEventRepository } from '#runtime-events/runtime-event-store.ts';
import type { RunApp } from '#schedules/do-run.ts';
import { claimRun, takeDue } from '#schedules/run-store.ts';
import { doRun } from '#schedules/do-run.ts';
import { scheduleRound } from '#schedules/run-schedules.ts';
import type { Database } from '#platform/postgres/database.ts';
import { type Dialling, openDialling } from '#test/support/dialling.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { insertCampaign, insertContact } from '#test/support/rows.ts';

/** Eight in the morning in Shanghai, a Monday. */
const DUE = Date.parse('2026-11-30T00:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let d: Dialling;
let clock: ManualClock;
let app: RunApp;
let ownerId: number;
let channelId: number;
const never = new AbortController().signal;

beforeAll(async () => {
  d = await openDialling();
  const campaignId = await insertCampaign(d.db, { name: '早报的活动' });
  const contactId = await insertContact(d.db, { campaignId });
  await dial(campaignId, contactId, { completed: 3, busy: 1 });
});
afterAll(() => d.close());

beforeEach(async () => {
  await d.db.run(sql`delete from report_schedule`);
  for (const table of ['webhook_delivery', 'webhook_endpoint', 'job']) await d.db.run(sql`delete from ${sql.table(table)}`);
  await d.db.run(sql`delete from runtime_event`);
  clock = manualClock(DUE - 30 * MINUTE);
  app = appOf(d.db);
  ownerId = await idOf(sql`
    insert into app_user (username, display_name, password_hash, role, is_enabled) values (${randomUUID()}, '赵主管', 'x', 'supervisor', true) returning id`);
  channelId = await idOf(sql`
    insert into webhook_endpoint (name, kind, url, types, status) values ('日报群', 'feishu', 'https://hooks.invalid', '{webhook.test}', 'paused') returning id`);
});

function appOf(db: Database): RunApp {
  return {
    ...callStatsPart(0),
    db,
    reports: primaryReader(db, clock),
    clock,
    ids: systemIds,
    log: silentLog,
    audit: auditRepository(db),
    events: runtimeEventRepository(db, { publish: () => undefined }),
    agents: { find: async () => null, findByUser: async () => null },
    agentsSeeNumbers: true,
    authEnabled: true,
    region: 'CN',
    timeZone: 'Asia/Shanghai',
    publicUrl: 'https://callout.example.com',
    jobKeptDays: 7,
  };
}

async function idOf(statement: ReturnType<typeof sql<{ id: number }>>): Promise<number> {
  const row = await d.db.first(statement);
  if (row === undefined) throw new Error('no row was returned');
  return row.id;
}

/** Calls of the day before the run, in the morning. */
async function dial(campaignId: number, contactId: number, outcomes: Record<string, number>): Promise<void> {
  for (const [outcome, count] of Object.entries(outcomes)) {
    await d.db.run(sql`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, call_status, outcome, claimed_at, created_at, result_at)
      select gen_random_uuid(), ${campaignId}, ${contactId}, '13800138000', '+8613800138000', ${outcome === 'completed' ? 'completed' : 'failed'}, ${outcome},
        ${outcome}, at, at, at from generate_series(1, ${count}::int) g cross join lateral (select ${instant(DUE - 20 * 60 * MINUTE)} + g * interval '1 second' as at) made`);
  }
}

const savedReport = (question = 'm=dials,answer_rate&by=outcome&sort=-dials', isShared = false) =>
  idOf(
    sql`insert into saved_report (name, question, is_shared, created_by) values ('呼叫结果', ${question}, ${isShared}, ${ownerId}) returning id`,
  );

/** A schedule that is due at eight each day. */
async function schedule(fields: { reportId?: number; export?: object; cron?: string } = {}): Promise<number> {
  const reportId = fields.export === undefined ? (fields.reportId ?? (await savedReport())) : null;
  return idOf(sql`
    insert into report_schedule (name, report_id, export, cron, time_zone, span, language, channel_id, is_enabled, next_run_at, created_by)
    values ('早报', ${reportId}::int, ${fields.export === undefined ? null : JSON.stringify(fields.export)}::jsonb, ${fields.cron ?? '0 8 * * *'}, 'Asia/Shanghai',
      'yesterday', 'zh', ${channelId}, true, ${instant(DUE)}, ${ownerId}) returning id`);
}

interface RunRow {
  dueAt: number;
  state: string;
  failure: string | null;
  missed: number;
  rowCount: number | null;
}

const runs = () => d.db.rows(sql<RunRow>`select due_at, state, failure, missed, row_count from schedule_run order by id`);
const messages = () =>
  d.db.rows(sql<{ title: string; text: string; link: string }>`
    select subject ->> 'title' as title, subject ->> 'text' as text, subject ->> 'link' as link from webhook_delivery order by id`);
const events = () =>
  d.db.rows(sql<{ type: string; reason: string | null }>`select type, detail ->> 'reason' as reason from runtime_event order by id`);
const at = (time: number) => clock.pass(time - clock.now());

describe('a schedule [D14.8]', () => {
  test('sends its report when it is due, not before and not again', async () => {
    await schedule();
    await scheduleRound(app, never);
    expect(await runs()).toEqual([]);
    await at(DUE + 3_000);
    await scheduleRound(app, never);
    await scheduleRound(app, never);
    expect(await runs()).toEqual([{ dueAt: DUE, state: 'sent', failure: null, missed: 0, rowCount: 2 }]);
    expect(await messages()).toEqual([
      {
        title: '早报 · 2026-11-29',
        text: '2026-11-29 · Asia/Shanghai\n\n呼叫结果 | 外呼 | 接通率\n全部 | 4 | 75.0%\n已通话 | 3 | 100.0%\n用户忙 | 1 | 0.0%',
        link: 'https://callout.example.com/reports?m=dials%2Canswer_rate&by=outcome&sort=-dials&from=2026-11-29&to=2026-11-29',
      },
    ]);
    const [next] = await d.db.rows(sql<{ nextRunAt: number }>`select next_run_at from report_schedule`);
    expect(next?.nextRunAt).toBe(DUE + DAY);
    expect(await events()).toEqual([]);
  });

  test('is run by one of several servers', async () => {
    await schedule();
    await at(DUE);
    await Promise.all([1, 2, 3, 4].map(() => scheduleRound(appOf(d.db), never)));
    expect(await runs()).toHaveLength(1);
    expect(await messages()).toHaveLength(1);
  });

  test('is sent by another server when its own dies with the run in hand, and only once when that one was but slow', async () => {
    await schedule();
    await at(DUE);
    await takeDue(d.db, clock.now());
    const dying = await claimRun(d.db, randomUUID(), clock.now());
    await scheduleRound(app, never);
    expect(await messages()).toEqual([]);
    await clock.pass(61_000);
    await scheduleRound(app, never);
    expect(await messages()).toHaveLength(1);
    if (dying === null) throw new Error('the run was not claimed');
    await doRun(app, dying);
    expect(await messages()).toHaveLength(1);
    expect(await runs()).toMatchObject([{ state: 'sent' }]);
  });

  test('runs once for all times at which no server was there, and says how many', async () => {
    await schedule();
    await at(DUE + 3 * DAY + 3_000);
    await scheduleRound(app, never);
    await scheduleRound(app, never);
    expect(await runs()).toMatchObject([{ dueAt: DUE + 3 * DAY, state: 'sent', missed: 3 }]);
    expect((await messages())[0]?.text).toContain('此前错过 3 次');
    expect(await events()).toEqual([{ type: 'schedule.missed', reason: null }]);
  });

  test.each([
    ['owner_disabled', sql`update app_user set is_enabled = false`],
    ['owner_gone', sql`update app_user set deleted_at = now()`],
    ['owner_lacks_permission', sql`update app_user set role = 'agent'`],
    ['report_gone', sql`delete from saved_report`],
    ['channel_gone', sql`delete from webhook_endpoint`],
    ['channel_disabled', sql`update webhook_endpoint set status = 'disabled'`],
    ['refused', sql`update saved_report set question = 'report=nodes'`],
  ])('fails as %s by what holds at the run, and tells operators', async (reason, change) => {
    await schedule();
    await d.db.run(change);
    await at(DUE);
    await scheduleRound(app, never);
    expect(await runs()).toMatchObject([{ state: 'failed', failure: reason }]);
    expect(await messages()).toEqual([]);
    expect(await events()).toEqual([{ type: 'schedule.failed', reason }]);
  });

  test('waits for what passes, and gives up after some tries', async () => {
    await schedule();
    const busy: RunApp = { ...app, statsTurns: () => Promise.reject(new Error('a fault')) };
    await at(DUE);
    await scheduleRound(busy, never);
    expect(await runs()).toMatchObject([{ state: 'waiting' }]);
    await scheduleRound(app, never);
    expect(await runs()).toMatchObject([{ state: 'waiting' }]);
    await clock.pass(61_000);
    await scheduleRound(app, never);
    expect(await runs()).toMatchObject([{ state: 'sent' }]);
  });

  test('of an export sends the way to its file when the job is done', async () => {
    await schedule({ export: { kind: 'contacts', format: 'csv', language: 'zh', isMasked: false } });
    await at(DUE);
    await scheduleRound(app, never);
    expect(await runs()).toMatchObject([{ state: 'exporting' }]);
    const [job] =
      await d.db.rows(
        sql<{ ownerId: number; input: { filter: { filter: { from: number; to: number } } } }>`select owner_id, input from job`,
      );
    expect(job).toMatchObject({ ownerId, input: { filter: { filter: { from: DUE - 32 * 60 * MINUTE, to: DUE - 8 * 60 * MINUTE } } } });
    await scheduleRound(app, never);
    expect(await messages()).toEqual([]);
    const result = { file: 'exports/1.csv', fileName: '联系人.csv', mediaType: 'text/csv', bytes: 10, rows: 12 };
    await d.db.run(sql`update job set state = 'done', finished_at = now(), result = ${JSON.stringify(result)}::jsonb`);
    await scheduleRound(app, never);
    expect(await runs()).toMatchObject([{ state: 'sent', rowCount: 12 }]);
    expect(await messages()).toMatchObject([{ title: '早报', link: 'https://callout.example.com/exports' }]);
  });

  test('of an export that is cancelled fails', async () => {
    await schedule({ export: { kind: 'contacts', format: 'csv', language: 'zh', isMasked: false } });
    await at(DUE);
    await scheduleRound(app, never);
    await d.db.run(sql`update job set state = 'cancelled', finished_at = now()`);
    await scheduleRound(app, never);
    expect(await runs()).toMatchObject([{ state: 'failed', failure: 'export_failed' }]);
  });
});
