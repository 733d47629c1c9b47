import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type RawBuilder, sql } from 'kysely';
import { auditRepository } from '#audit/audit-store.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { getTrend, readCounts } from '#overview/counts.ts';
import { attemptList } from '#attempts/attempt-store.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { hasCampaignLimits, sliceRemover } from '#privacy/remove-slice.ts';
import { systemIds } from '#kernel/ids.ts';
import { type Log, silentLog } from '#kernel/log.ts';
import { applyRetention, type RetentionLimits, runRetention } from '#privacy/retention.ts';
import { type FreshDatabase, freshDatabase } from '#test/support/database.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { type AttemptRow, insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { simulatedLocks } from '#test/support/stores/simulated-locks.ts';
import { systemClock } from '#kernel/clock.ts';
import { noMetrics } from '#test/support/no-metrics.ts';

const FOR_EVER: RetentionLimits = { transcripts: 0, recordings: 0, attempts: 0, audit: 0, events: 0 };
const DAYS = 30;
const HOUR_MS = 3_600_000;

let fresh: FreshDatabase;
let db: Database;
let campaignId: number;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 4, statementTimeoutMs: 20_000 });
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});
beforeEach(async () => {
  await db.run(
    sql`truncate campaign, contact, contact_search, attempt, attempt_tally, attempt_day_tally, softphone_call, conference_session, audit_log,
    runtime_event, policy cascade`,
  );
  campaignId = await insertCampaign(db, { status: 'running' });
});

interface Told {
  lines: unknown[];
  files: unknown[];
  metrics: [string, number][];
}

function depsOf(limits: Partial<RetentionLimits>, told: Told = { lines: [], files: [], metrics: [] }) {
  const log: Log = { ...silentLog, info: (...line: unknown[]) => void told.lines.push(line[0]) };
  return {
    removeSlice: sliceRemover(db, { remove: files => Promise.resolve(void told.files.push(...files)) }),
    isLimitedByCampaigns: () => hasCampaignLimits(db),
    retentionLimits: { ...FOR_EVER, ...limits },
    audit: auditRepository(db),
    metrics: { ...noMetrics, retentionDeleted: (kind: string, count: number) => void told.metrics.push([kind, count]) },
    clock: systemClock,
    ids: systemIds,
    log,
  };
}

const apply = (limits: Partial<RetentionLimits>, told?: Told) => applyRetention(depsOf(limits, told), new AbortController().signal);

/** Written this long ago. The minutes allow for a slow machine between two statements. */
const ago = (days: number, minutes = 0) => sql`now() - ${days}::int * interval '24 hours' - ${minutes}::int * interval '1 minute'`;
const JUST_TOO_OLD = ago(DAYS, 1);
const JUST_YOUNG_ENOUGH = ago(DAYS, -1);

const age = (table: string, id: number, at: RawBuilder<unknown>) =>
  db.run(sql`update ${sql.table(table)} set created_at = ${at} where id = ${id}`);

async function attempt(
  at: RawBuilder<unknown>,
  row: Partial<AttemptRow> = {},
  contact: { isRetryDue?: boolean; status?: 'failed' | 'completed' | 'pending' } = {},
) {
  const contactId = row.contactId ?? (await insertContact(db, { campaignId, status: 'completed', ...contact }));
  const id = await insertAttempt(db, { campaignId, contactId, agoMs: DAYS * 24 * HOUR_MS * 2, ...row });
  await age('attempt', id, at);
  return { id, contactId };
}

const idsOf = async (table: string) =>
  (await db.rows(sql<{ id: number }>`select id from ${sql.table(table)} order by id`)).map(({ id }) => id);
const insertId = async (statement: RawBuilder<unknown>) => (await db.first(statement as RawBuilder<{ id: number }>))?.id ?? 0;

const say = (attemptId: number, at: RawBuilder<unknown>, segmentId = '0') =>
  insertId(sql`
    insert into transcript_segment (attempt_id, segment_id, position, speaker, text, created_at)
    values (${attemptId}, ${segmentId}, 0, 'customer', '我叫李雷', ${at}) returning id`);

describe('transcripts', () => {
  test('older than the limit are deleted together with the recognised text; the attempt stays', async () => {
    const old = await attempt(JUST_TOO_OLD);
    const young = await attempt(JUST_YOUNG_ENOUGH);
    await db.run(sql`update attempt set recognized_text = '我叫李雷'`);
    await say(old.id, JUST_TOO_OLD);
    const kept = await say(young.id, JUST_YOUNG_ENOUGH);
    expect(await apply({ transcripts: DAYS })).toEqual({ transcripts: 2 });
    expect(await idsOf('transcript_segment')).toEqual([kept]);
    const texts = await db.rows(sql<{ text: string | null }>`select recognized_text as text from attempt order by id`);
    expect(texts.map(({ text }) => text)).toEqual([null, '我叫李雷']);
  });

  test('more rows than one statement deletes are deleted in one run', async () => {
    const { id } = await attempt(JUST_TOO_OLD);
    await db.run(sql`
      insert into transcript_segment (attempt_id, segment_id, position, speaker, text, created_at)
      select ${id}, n::text, n, 'bot', '您好', ${JUST_TOO_OLD} from generate_series(1, 2500) as n`);
    const kept = await say(id, JUST_YOUNG_ENOUGH);
    expect(await apply({ transcripts: DAYS })).toEqual({ transcripts: 2_500 });
    expect(await idsOf('transcript_segment')).toEqual([kept]);
  });
});

test('journals of calls go with the transcripts, and with their attempts [D14.9]', async () => {
  const keep = async (attemptId: number, at: RawBuilder<unknown>) =>
    db.run(sql`insert into call_journal (attempt_id, actor, body, created_at) values (${attemptId}, 'call', '\\x00', ${at})`);
  const journals = async () =>
    (await db.rows(sql<{ id: number }>`select attempt_id as id from call_journal order by 1`)).map(({ id }) => id);
  const [old, young] = [await attempt(JUST_TOO_OLD), await attempt(JUST_YOUNG_ENOUGH)];
  await keep(old.id, JUST_TOO_OLD);
  await keep(young.id, JUST_YOUNG_ENOUGH);
  expect(await apply({ transcripts: DAYS })).toEqual({ transcripts: 1 });
  expect(await journals()).toEqual([young.id]);
  await keep(old.id, JUST_YOUNG_ENOUGH);
  expect(await apply({ attempts: DAYS })).toEqual({ attempts: 1 });
  expect(await journals()).toEqual([young.id]);
});

describe('names of recordings', () => {
  test('of ended calls, agents’ calls and conferences are cleared; of open ones they stay', async () => {
    const { contactId } = await attempt(JUST_TOO_OLD, { recordingUrl: 'old.wav' });
    await attempt(JUST_YOUNG_ENOUGH, { recordingUrl: 'young.wav' });
    await attempt(JUST_TOO_OLD, { recordingUrl: 'open.wav', status: 'answered', contactId });
    await db.run(sql`
      insert into softphone_call (request_id, direction, status, recording_url, created_at)
      select gen_random_uuid(), 'manual_call', status, status || '.wav', ${JUST_TOO_OLD} from unnest(array['completed', 'answered']) as status`);
    await db.run(sql`
      insert into conference_session (conference_name, kind, status, customer_state, recording_url, created_at)
      select status, 'transfer', status, 'inside', status || '.wav', ${JUST_TOO_OLD} from unnest(array['ended', 'live']) as status`);
    const told: Told = { lines: [], files: [], metrics: [] };
    expect(await apply({ recordings: DAYS }, told)).toEqual({ recordings: 3 });
    expect(told.files).toEqual(['old.wav', 'completed.wav', 'ended.wav'].map(name => expect.objectContaining({ name })));
    const names = await db.rows(sql<{ name: string }>`
      select recording_url as name from attempt where recording_url is not null union all
      select recording_url from softphone_call where recording_url is not null union all
      select recording_url from conference_session where recording_url is not null order by name`);
    expect(names.map(({ name }) => name)).toEqual(['answered.wav', 'live.wav', 'open.wav', 'young.wav']);
  });
});

describe('recordings of campaigns with days of their own [D7.21]', () => {
  test('go by these, whatever the configuration says; the call keeps a mark', async () => {
    const namesLeft = async () =>
      (await db.rows(sql<{ name: string }>`select recording_url as name from attempt where recording_url is not null order by id`)).map(
        ({ name }) => name,
      );
    const old = await attempt(JUST_TOO_OLD, { recordingUrl: 'default.wav' });
    for (const [name, days] of [
      ['short', 7],
      ['long', 3_650],
      ['for ever', 0],
    ] as const) {
      const campaign = await insertCampaign(db, { status: 'running' });
      await db.run(sql`update campaign set recording_days = ${days} where id = ${campaign}`);
      const contactId = await insertContact(db, { campaignId: campaign, status: 'completed' });
      await attempt(JUST_TOO_OLD, { recordingUrl: `${name}.wav`, campaignId: campaign, contactId });
    }
    await db.run(
      sql`insert into recording_check (attempt_id, state, due_at) select id, 'complete', now() from attempt where recording_url = 'short.wav'`,
    );
    expect(await apply({})).toEqual({ recordings: 1 });
    expect(await namesLeft()).toEqual(['default.wav', 'long.wav', 'for ever.wav']);
    const told: Told = { lines: [], files: [], metrics: [] };
    expect(await apply({ recordings: DAYS }, told)).toEqual({ recordings: 1 });
    expect([await namesLeft(), told.files]).toEqual([['long.wav', 'for ever.wav'], [expect.objectContaining({ name: 'default.wav' })]]);
    const marks = await db.rows(
      sql`select state, due_at is null as is_over from recording_check where attempt_id >= ${old.id} order by attempt_id`,
    );
    expect(marks).toEqual([
      { state: 'removed', isOver: true },
      { state: 'removed', isOver: true },
    ]);
  });
});

describe('attempts', () => {
  test('are deleted with the files of their recordings', async () => {
    const told: Told = { lines: [], files: [], metrics: [] };
    await attempt(JUST_TOO_OLD, { recordingUrl: 'old.wav', cellId: 'north' });
    await attempt(JUST_YOUNG_ENOUGH, { recordingUrl: 'young.wav' });
    expect(await apply({ attempts: DAYS }, told)).toEqual({ attempts: 1 });
    expect(told.files).toEqual([{ cellId: 'north', name: 'old.wav' }]);
  });

  test('are deleted with their transcripts, and no row refers to them any more', async () => {
    const old = await attempt(JUST_TOO_OLD);
    const young = await attempt(JUST_YOUNG_ENOUGH);
    await say(old.id, JUST_TOO_OLD);
    const sessionId = await insertId(sql`
      insert into conference_session (conference_name, kind, status, customer_state, attempt_id)
      values ('room', 'transfer', 'ended', 'gone', ${old.id}) returning id`);
    expect(await apply({ attempts: DAYS })).toEqual({ attempts: 1 });
    expect([await idsOf('attempt'), await idsOf('transcript_segment')]).toEqual([[young.id], []]);
    const contact = await db.first(sql<{ last: number | null }>`select last_attempt_id as last from contact where id = ${old.contactId}`);
    const session = await db.first(sql<{ id: number; attempt: number | null }>`select id, attempt_id as attempt from conference_session`);
    expect([contact, session]).toEqual([{ last: null }, { id: sessionId, attempt: null }]);
  });

  test.each(['claimed', 'dialing', 'accepted', 'answered'] as const)('one that is %s stays, whatever its age', async status => {
    const { id } = await attempt(ago(400), { status });
    expect([await apply({ attempts: DAYS }), await idsOf('attempt')]).toEqual([{}, [id]]);
  });

  test('the last one of a contact that is still to be called stays, its earlier ones are deleted', async () => {
    const earlier = await attempt(JUST_TOO_OLD, {}, { status: 'failed', isRetryDue: true });
    const last = await attempt(JUST_TOO_OLD, { contactId: earlier.contactId });
    expect(await apply({ attempts: DAYS })).toEqual({ attempts: 1 });
    expect(await idsOf('attempt')).toEqual([last.id]);
  });

  test('one that a frequency policy counts stays as long as it is counted [D8.4]', async () => {
    const dialledAgoMs = 40 * 24 * HOUR_MS;
    const { id } = await attempt(ago(40), { agoMs: dialledAgoMs });
    await db.run(sql`
      insert into policy (name, scope, type, action, config) values ('频次', 'global', 'contact_frequency_limit', 'limit', '{"days":41,"maxAttempts":1}')`);
    expect([await apply({ attempts: DAYS }), await idsOf('attempt')]).toEqual([{}, [id]]);
    await db.run(sql`update policy set config = '{"days":40,"maxAttempts":1}'`);
    expect([await apply({ attempts: DAYS }), await idsOf('attempt')]).toEqual([{ attempts: 1 }, []]);
  });

  test('one whose customer is in a running conference stays', async () => {
    const { id } = await attempt(JUST_TOO_OLD);
    await db.run(sql`
      insert into conference_session (conference_name, kind, status, customer_state, attempt_id) values ('room', 'transfer', 'live', 'inside', ${id})`);
    expect([await apply({ attempts: DAYS }), await idsOf('attempt')]).toEqual([{}, [id]]);
  });

  test('several batches are deleted in one run, skipping those that stay', async () => {
    const open = await attempt(ago(400), { status: 'answered' });
    const { contactId } = await attempt(JUST_TOO_OLD);
    await db.run(sql`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, created_at)
      select gen_random_uuid(), ${campaignId}, ${contactId}, '1', '1', 'failed', ${JUST_TOO_OLD} from generate_series(1, 450)`);
    const young = await attempt(JUST_YOUNG_ENOUGH);
    expect(await apply({ attempts: DAYS })).toEqual({ attempts: 451 });
    expect(await idsOf('attempt')).toEqual([open.id, young.id]);
  });

  test('overview and trend stay, the total of the list follows the rows [D14.2, D2.4]', async () => {
    await attempt(JUST_TOO_OLD);
    await attempt(JUST_YOUNG_ENOUGH);
    const seen = async () => {
      const { today } = await readCounts({ db });
      const page = await readPage({ db }, attemptList, { page: 1, pageSize: 10 });
      return { completed: today.completed, trend: await getTrend({ db }, 1), total: page.total, rows: page.rows.length };
    };
    const before = await seen();
    expect(before).toMatchObject({ completed: 2, total: 2, rows: 2 });
    await apply({ attempts: DAYS });
    expect(await seen()).toEqual({ ...before, total: 1, rows: 1 });
  });

  test('agents’ calls and conferences are deleted, running ones stay', async () => {
    const call = (status: string, at: RawBuilder<unknown>) =>
      insertId(
        sql`insert into softphone_call (request_id, direction, status, created_at) values (${randomUUID()}, 'conference', ${status}, ${at}) returning id`,
      );
    const room = (status: string) =>
      insertId(sql`
        insert into conference_session (conference_name, kind, status, customer_state, created_at)
        values (${status}, 'transfer', ${status}, 'gone', ${JUST_TOO_OLD}) returning id`);
    const leg = (callId: number, roomId: number) =>
      db.run(sql`
        insert into leg (softphone_call_id, conference_id, role, mode, leg_uuid, status)
        values (${callId}, ${roomId}, 'agent', 'transfer', ${randomUUID()}, 'ended')`);
    const [ended, live] = [await room('ended'), await room('live')];
    await leg(await call('completed', JUST_TOO_OLD), ended);
    const inLiveRoom = await call('completed', JUST_TOO_OLD);
    await leg(inLiveRoom, live);
    const [open, young] = [await call('answered', JUST_TOO_OLD), await call('completed', JUST_YOUNG_ENOUGH)];
    expect(await apply({ attempts: DAYS })).toEqual({ attempts: 2 });
    expect([await idsOf('softphone_call'), await idsOf('conference_session')]).toEqual([[inLiveRoom, open, young], [live]]);
  });
});

describe('audit rows and events', () => {
  const auditRow = (at: RawBuilder<unknown>) =>
    insertId(
      sql`insert into audit_log (actor_name, action, target_type, summary, created_at) values ('a', 'line.updated', 'line', 's', ${at}) returning id`,
    );
  const event = (at: RawBuilder<unknown>, type = 'call.stuck', cellId: string | null = null) =>
    insertId(
      sql`insert into runtime_event (level, type, title, cell_id, created_at) values ('info', ${type}, 't', ${cellId}, ${at}) returning id`,
    );

  test('audit rows are deleted by age, and the run leaves one row of its own [D3.7]', async () => {
    await auditRow(JUST_TOO_OLD);
    const young = await auditRow(JUST_YOUNG_ENOUGH);
    expect(await apply({ audit: DAYS })).toEqual({ audit: 1 });
    const rows = await db.rows(sql<{ id: number; action: string }>`select id, action from audit_log order by id`);
    expect(rows).toEqual([
      { id: young, action: 'line.updated' },
      { id: expect.any(Number), action: 'retention.applied' },
    ]);
  });

  test('events are deleted by age; that a cell is down stays until a newer event supersedes it [D14.3]', async () => {
    await event(JUST_TOO_OLD);
    await event(ago(40), 'cell.down', 'a');
    const down = await event(JUST_TOO_OLD, 'cell.down', 'a');
    const young = await event(JUST_YOUNG_ENOUGH);
    expect(await apply({ events: DAYS })).toEqual({ events: 2 });
    expect(await idsOf('runtime_event')).toEqual([down, young]);
  });
});

describe('a run', () => {
  test('without limits, or with nothing old, changes nothing and logs nothing', async () => {
    const told: Told = { lines: [], files: [], metrics: [] };
    await attempt(ago(4_000), { recordingUrl: 'a.wav' });
    expect(await apply({}, told)).toEqual({});
    expect(await apply({ audit: DAYS, transcripts: DAYS }, told)).toEqual({});
    expect([told, await idsOf('audit_log')]).toEqual([{ lines: [], files: [], metrics: [] }, []]);
  });

  test('reports its work once: a log line, a count per kind and an audit row', async () => {
    const told: Told = { lines: [], files: [], metrics: [] };
    await attempt(JUST_TOO_OLD, { recordingUrl: 'a.wav' });
    await apply({ recordings: DAYS, attempts: DAYS }, told);
    expect(told).toEqual({
      lines: [{ removed: { recordings: 1, attempts: 1 } }],
      files: [expect.objectContaining({ name: 'a.wav' })],
      metrics: [
        ['recordings', 1],
        ['attempts', 1],
      ],
    });
    const rows = await db.rows(sql`select actor_name as "actorName", action, target_type as "targetType", detail from audit_log`);
    expect(rows).toEqual([
      { actorName: 'system', action: 'retention.applied', targetType: 'retention', detail: { recordings: 1, attempts: 1 } },
    ]);
  });

  test('is done by one of several servers, and again an hour later', async () => {
    const clock: ManualClock = manualClock();
    const locks = simulatedLocks({ now: () => clock.now(), ids: systemIds });
    const runs: string[] = [];
    const server = (name: string) => ({
      ...depsOf({ audit: DAYS }),
      isLimitedByCampaigns: async () => false,
      clock,
      locks,
      removeSlice: async () => (runs.push(name), { removed: 0, next: null }),
    });
    const stop = new AbortController();
    const running = Promise.all([runRetention(server('a'), stop.signal), runRetention(server('b'), stop.signal)]);
    await clock.pass(HOUR_MS - 60_000);
    expect(runs).toHaveLength(1);
    await clock.pass(120_000);
    expect(runs).toHaveLength(2);
    stop.abort();
    await running;
  });

  test('that fails is retried by the next server', async () => {
    const clock = manualClock();
    const locks = simulatedLocks({ now: () => clock.now(), ids: systemIds });
    let runs = 0;
    const failing = {
      isLimitedByCampaigns: async () => false,
      removeSlice: () => {
        runs += 1;
        return Promise.reject(new Error('away'));
      },
    };
    const stop = new AbortController();
    const running = runRetention({ ...depsOf({ audit: DAYS }), clock, locks, ...failing }, stop.signal);
    await clock.pass(60_000);
    expect(runs).toBe(2);
    stop.abort();
    await running;
  });
});
