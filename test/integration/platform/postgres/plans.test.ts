import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { countEach, countRows, readPage, readSlice, readSlices, requireRow, rowsById } from '#platform/postgres/listing.ts';
import { releaseHolds } from '#policies/holds.ts';
import { CONTACT_TABLE, contactRepository } from '#contacts/contact-store.ts';
import { systemCaller } from '#kernel/caller.ts';
import { systemClock } from '#kernel/clock.ts';
import { connectDatabase, type Database, type Sql } from '#platform/postgres/database.ts';
import { primaryReader } from '#platform/postgres/report-reader.ts';
import { ENTITIES } from '#app/connect.ts';
import { dialStore } from '#dialling/dial-statements.ts';
import { searchTranscripts } from '#attempts/search-transcripts.ts';
import { readTimelines, readTranscripts } from '#attempts/timelines.ts';
import { ATTEMPT_TABLE, attemptList, campaignAttempts } from '#attempts/attempt-store.ts';
import { campaignBatches } from '#attempts/batch-store.ts';
import { CAMPAIGN_TABLE, campaignList, listBatches } from '#campaigns/campaign-store.ts';
import { readProgress } from '#campaigns/progress.ts';
import { listContacts, sliceContacts } from '#contacts/list-contacts.ts';
import { personRows } from '#privacy/person-rows.ts';
import { sliceRemover } from '#privacy/remove-slice.ts';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { claimRequest, grants, report, settled } from '#test/support/dialling.ts';
import { explaining } from '#test/support/explaining.ts';
import { loadRows } from '#test/support/load-rows.ts';
import { LINE_TABLE } from '#lines/line-store.ts';
import type { ContactsPart } from '#contacts/contact.ts';
import type { Platform } from '#platform/platform.ts';

/**
 * Enough rows for the planner to choose as with millions: a scan of either table costs hundreds of times as much as an index.
 * A comparison with 1,000,000 contacts and attempts gave the same indexes.
 */
const CONTACTS = 200_000;
const ATTEMPTS = 100_000;
/** Tables that grow to millions of rows: no statement may scan them. */
const BIG_TABLES = ['contact', 'attempt', 'batch', 'do_not_call', 'transcript_segment'];
const LOAD_TIMEOUT_MS = 240_000;
/** Half of all contacts belong to this campaign; none of them awaits a retry. */
const CAMPAIGN = 1;
/** Has due retries. */
const RETRYING = 3;

let fresh: FreshDatabase;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = await connectDatabase({ entities: ENTITIES, url: fresh.url, poolSize: 4, statementTimeoutMs: LOAD_TIMEOUT_MS });
  await cutTranscripts(db);
  // Without triggers no search entries are made: contact-search.test.ts covers their plans.
  await loadRows(db, ['contact', 'attempt'], loadCampaigns);
  await db.run(sql`analyze`);
}, LOAD_TIMEOUT_MS);

afterAll(async () => {
  await db.close();
  await fresh.drop();
});

async function loadCampaigns(into: Sql): Promise<void> {
  await into.run(sql`insert into campaign (name, business_code, status) select 'c' || g, 'b', 'running' from generate_series(1, 10) as g`);
  await into.run(sql`
    insert into contact (campaign_id, phone_number, dial_key, priority, status, retry_at, hold_reason, hold_until)
    select case when g % 2 = 0 then ${CAMPAIGN} else 2 + g % 9 end, phone, phone, g % 3, status,
      case when status = 'failed' and g % 2 = 1 then now() + (g % 7200 - 3600) * interval '1 second' end,
      case when status = 'pending' and g % 4 = 0 then 'dnc' end, case when status = 'pending' and g % 8 = 0 then now() + (g % 600 - 300) * interval '1 second' end
    from generate_series(1, ${CONTACTS}::int) as g
    cross join lateral (select (13000000000 + g)::text as phone,
      (array['pending', 'completed', 'completed', 'failed', 'completed', 'failed', 'completed', 'pending', 'paused', 'completed'])[1 + (g / 2) % 10] as status) as row`);
  await into.run(sql`
    insert into batch (campaign_id, source, requested_limit, effective_limit, requested, status)
    select 1 + g % 10, 'auto', 20, 20, 20, 'completed' from generate_series(1, ${ATTEMPTS / 20}::int) as g`);
  await into.run(sql`
    insert into attempt (request_id, campaign_id, contact_id, batch_id, phone_number, dial_key, status, call_status, dialing_at, accepted_at)
    select gen_random_uuid(), campaign_id, id, 1 + id / 20, phone_number, dial_key,
      case when status = 'completed' then 'completed' else 'failed' end, 'busy', now() - (id % 500) * interval '1 hour', now()
    from contact where id < ${ATTEMPTS}`);
  await into.run(sql`
    insert into do_not_call (phone_number, dial_key, source)
    select phone, phone, 'import' from generate_series(1, 20000) as g cross join lateral (select (13000000000 + g * 7)::text as phone) as row`);
  await into.run(sql`
    insert into transcript_segment (attempt_id, segment_id, position, speaker, text)
    select id, '0', 0, 'bot', '您好' from attempt where id % 3 = 0`);
}

/** As after some months: partitions with rows, and those of the months ahead. */
async function cutTranscripts(into: Sql): Promise<void> {
  await into.run(sql`drop table transcript_segment_0`);
  for (const from of [0, 20_000, 40_000, 60_000, 80_000])
    await into.run(sql`select make_transcript_partition(${from}, ${from === 80_000 ? 100_001 : from + 20_000})`);
}

/** Every method of the dialler, then every list, as in production. */
async function runEverything(on: Database): Promise<void> {
  const dials = dialStore(on);
  await dials.dueCampaigns(100, { all: false });
  await dials.loadPlan(CAMPAIGN);
  await dials.claim(await claimRequest(on, RETRYING, { grants: grants(20), frequencyDays: 7 }));
  const outcome = await dials.claim(
    await claimRequest(on, CAMPAIGN, {
      grants: grants(30),
      admit: ({ contactId }) =>
        contactId % 5 === 0
          ? { kind: 'hold', reason: 'dnc', until: null }
          : contactId % 7 === 0
            ? { kind: 'fail', callStatus: 'invalid_number' }
            : { kind: 'admit' },
    }),
  );
  if (outcome.kind !== 'claimed') throw new Error('nothing was claimed');
  const requestIds = outcome.dials.map(({ requestId }) => requestId);
  const [first = '', second = '', third = '', ...rest] = requestIds;
  await dials.revert([first], { alsoDialing: true, reason: '' });
  await dials.markDialing([second, third]);
  await dials.recordProgress([{ requestId: second, replyText: '' }]);
  await dials.recordProgress([{ requestId: second, answeredAt: 1 }]);
  await dials.recordRingback(second, { status: 'none', detectionSource: 'switch_event', elapsedMs: 1 }, null);
  await dials.settle([settled(third)]);
  const segment = { speaker: 'bot', text: '一', startMs: 0, endMs: 1, nodeId: null } as const;
  await dials.applyResult(report({ requestId: second, callStatus: 'completed', optOut: true, transcript: [segment] }));
  await dials.applyResult(report({ requestId: second, callStatus: 'busy' }));
  await dials.openAttempts(0, 500);
  await dials.findAttempts(rest);
  await dials.loadDetails(rest);
  await dials.endDueHolds(500);
  await releaseHolds(on, { dialKeys: ['13000000007'], reasons: ['dnc'] });
  await dials.takeOutbox(100, 1_000);
  await dials.cancelBatch(CAMPAIGN, outcome.batchId);
  await dials.cancelClaims(CAMPAIGN, '活动已暂停');
  await dials.foldTallies();
  await runLists(on);
}

async function runLists(on: Database): Promise<void> {
  const page = { page: 1, pageSize: 50 };
  const deps = { db: on, contacts: contactRepository(on) };
  for (const filter of [
    {},
    { campaignId: CAMPAIGN },
    { status: 'failed' },
    { campaignId: CAMPAIGN, status: 'completed' },
    { callStatus: 'busy' },
    { campaignId: CAMPAIGN, status: 'completed', callStatus: 'busy' },
  ] as const) {
    await readPage(deps, attemptList, { ...page, ...filter });
  }
  await requireRow(deps, ATTEMPT_TABLE, 1, '通话');
  await readTranscripts(deps, [1]);
  await readTimelines(deps, [1, 60_000]);
  await searchWords(on);
  await listBatches(deps, CAMPAIGN, page);
  await listContacts(deps, CAMPAIGN, { ...page, q: '', status: null });
  await listContacts(deps, CAMPAIGN, { ...page, q: '', status: 'failed' });
  await deps.contacts.keysInBusiness(CAMPAIGN, ['13000000007']);
  await runSlices(deps);
}

/** Words that no call has: all calls of 92 days are read. */
function searchWords(on: Database) {
  const done = () => Promise.resolve();
  const accessAudit = { read: done, note: done, settle: done, watch: () => () => undefined };
  const app = { reports: primaryReader(on, systemClock), clock: systemClock, accessAudit };
  const from = Date.now() - 92 * 86_400_000;
  return searchTranscripts(app, systemCaller(randomUUID()), { text: '没有人说过', limit: 20, from });
}

/** Slices that begin in the middle, and rows by id. */
async function runSlices(deps: ContactsPart & Pick<Platform, 'db'>): Promise<void> {
  const slice = { limit: 50, before: CONTACTS / 2 };
  await readSlice(deps, campaignList, { ...slice, q: '' });
  const campaigns = Array.from({ length: 10 }, (_, index) => index + 1);
  for (const campaignIds of [[CAMPAIGN], campaigns]) {
    await sliceContacts(deps, campaignIds, { ...slice, q: '', status: null });
    await sliceContacts(deps, campaignIds, { ...slice, q: '', status: 'failed' });
    for (const by of ['name', 'updatedAt'] as const)
      await sliceContacts(deps, campaignIds, { ...slice, by, beyond: CONTACTS / 2, q: '', status: null });
    await readSlices(deps, campaignAttempts, campaignIds, slice);
    await readSlices(deps, campaignAttempts, campaignIds, { ...slice, callStatus: 'busy' });
    await readSlices(deps, campaignBatches, campaignIds, slice);
    await deps.contacts.count(campaignIds, { q: '', status: 'failed' });
    await countEach(deps, campaignAttempts, campaignIds, { callStatus: 'busy' });
    await countEach(deps, campaignBatches, campaignIds, {});
  }
  for (const filter of [{}, { campaignId: CAMPAIGN }, { status: 'failed' }, { campaignId: CAMPAIGN, callStatus: 'busy' }] as const) {
    await readSlice(deps, attemptList, { ...slice, ...filter });
    await countRows(deps, attemptList, filter);
  }
  const ids = Array.from({ length: 200 }, (_, index) => index + 1);
  await readTranscripts(deps, ids);
  for (const table of [CONTACT_TABLE, ATTEMPT_TABLE, CAMPAIGN_TABLE, LINE_TABLE]) await rowsById<unknown>(deps, table, ids);
  await readProgress(deps, [CAMPAIGN, RETRYING]);
}

test(
  'no statement of dialling or of a list scans a big table [A9]',
  async () => {
    const { db: watched, planned } = explaining(db);
    await runEverything(watched);
    expect(planned.length).toBeGreaterThan(40);
    const scans = planned.filter(({ scanned }) => scanned.some(table => BIG_TABLES.includes(table)));
    expect(scans).toEqual([]);
  },
  LOAD_TIMEOUT_MS,
);

test.each([
  ['name', 'contact_named'],
  ['updatedAt', 'contact_changed'],
] as const)('a slice of contacts by %s uses its index, wherever it begins', async (by, index) => {
  const { db: watched, planned } = explaining(db);
  const deps = { db: watched, contacts: contactRepository(watched) };
  for (const beyond of [null, CONTACTS / 2])
    for (const isAscending of [true, false])
      await sliceContacts(deps, [CAMPAIGN], { limit: 50, by, beyond, isAscending, q: '', status: null });
  expect(planned.map(({ indexes }) => indexes.filter(name => name !== 'contact_pkey'))).toEqual(planned.map(() => [index]));
  expect(planned).toHaveLength(4);
});

test('the claim reads the queue in its own indexes, without a sort [D5.5]', async () => {
  const { db: watched, planned } = explaining(db);
  for (const campaign of [CAMPAIGN, RETRYING])
    await dialStore(watched).claim(await claimRequest(watched, campaign, { grants: grants(20) }));
  const looks = planned.filter(({ statement }) => statement.includes('skip locked'));
  expect(looks.map(({ indexes }) => indexes.filter(index => /^contact_(?!number)/.test(index)))).toEqual([
    ['contact_callback', 'contact_urgent_due', 'contact_urgent', 'contact_due', 'contact_pending'],
    ['contact_callback', 'contact_urgent_due', 'contact_urgent', 'contact_due', 'contact_pending'],
  ]);
});

/** Fills the other tables with deletions, with as many rows each. */
async function loadRecords(into: Sql): Promise<void> {
  await into.run(sql`
    insert into softphone_call (request_id, direction, status, contact_id, phone_number, dial_key, attempt_id)
    select gen_random_uuid(), 'manual_call', 'completed', a.contact_id, a.phone_number, a.dial_key, case when a.id % 2 = 0 then a.id end from attempt a`);
  await into.run(sql`
    insert into conference_session (conference_name, kind, status, customer_state, attempt_id, customer_uuid)
    select 'room-' || id, 'transfer', 'ended', 'gone', id, request_id::text from attempt where id % 4 = 0`);
  await into.run(sql`
    insert into runtime_event (level, type, title, attempt_id) select 'info', 'call.stuck', 't', id from attempt`);
  await into.run(sql`
    insert into audit_log (actor_name, action, target_type, target_id, summary) select 'a', 'contact.updated', 'contact', contact_id::text, 's' from attempt`);
  await into.run(sql`update attempt set recording_url = 'a.wav', recognized_text = '您好' where id % 2 = 0`);
}

test(
  'neither deletion by age nor the erasure of a person scans a big table',
  async () => {
    await loadRows(db, RECORDS, loadRecords);
    await db.run(sql`analyze`);
    const { db: watched, planned } = explaining(db);
    const removeSlice = sliceRemover(watched, { remove: () => Promise.resolve() });
    for (const target of REMOVED_BY_AGE) await removeSlice(target, 1, 0);
    const persons = personRows(watched);
    const key = '13000000009';
    const keys = await persons.findKeys(key);
    const calls = await persons.findCalls(keys);
    expect(await persons.erase(keys, calls ?? { attempts: [], agentCalls: [] })).toMatchObject({ contacts: 1, attempts: 1, agentCalls: 1 });
    await persons.maskAuditRows(key, 0);
    const scans = planned.filter(({ scanned }) => scanned.some(table => [...BIG_TABLES, ...RECORDS].includes(table)));
    expect(scans).toEqual([]);
  },
  LOAD_TIMEOUT_MS,
);

const RECORDS = ['softphone_call', 'conference_session', 'runtime_event', 'audit_log'];
const REMOVED_BY_AGE = [
  'transcript_segment',
  'recognized_text',
  'attempt_recording',
  'agent_call_recording',
  'conference_recording',
  'agent_call',
  'conference',
  'attempt',
  'audit_row',
  'runtime_event',
] as const;

test('a plan with a scan is detected', async () => {
  const { db: watched, planned } = explaining(db);
  await watched.rows(sql`select count(*) from contact where remark = 'x'`);
  expect(planned).toMatchObject([{ scanned: ['contact'] }]);
});
