import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { releaseHolds } from '#policies/holds.ts';
import {
  DUE,
  addCampaign,
  addContacts,
  claim,
  contactRow,
  dial,
  type Dialling,
  openDialling,
  phoneNumbers,
  report,
  settled,
} from '#test/support/dialling.ts';

let d: Dialling;

beforeAll(async () => {
  d = await openDialling();
});

afterAll(() => d.close());

describe('loadPlan', () => {
  test('campaign, lines in their order with numbers, applicable policies, script and rules version, at one instant', async () => {
    const campaign = await addCampaign(d.db);
    const other = await addCampaign(d.db);
    await d.db.run(
      sql`update campaign set business_config = '{"variables":{"a":"b"}}', scheduled_start_at = '2026-11-21T00:00:00.5Z' where id = ${campaign}`,
    );
    const lines = await d.db.rows(sql<{ id: number }>`
      insert into line (name, code, dial_string_template, max_concurrency, allocation_mode)
      select 'L' || n, 'plan-' || n, 'x', n, 'number_pool' from generate_series(1, 3) as n returning id`);
    const [one, two, gone] = lines.map(line => line.id);
    await d.db.run(sql`update line set deleted_at = now() where id = ${gone}`);
    await d.db.run(sql`insert into line_number (line_id, number, position) values (${two}, '020', 1), (${two}, '010', 0)`);
    await d.db.run(sql`
      insert into campaign_line (campaign_id, line_id, position) values (${campaign}, ${two}, 0), (${campaign}, ${one}, 1), (${campaign}, ${gone}, 2)`);
    await d.db.run(sql`
      insert into policy (name, scope, campaign_id, type, action, config, priority, is_enabled) values
      ('全局', 'global', null, 'daily_window', 'allow_window', '{"start":"09:00"}', 1, true), ('自己', 'campaign', ${campaign}, 'rate_limit', 'limit', '{}', 5, true),
      ('别人', 'campaign', ${other}, 'rate_limit', 'limit', '{}', 9, true), ('停用', 'global', null, 'rate_limit', 'limit', '{}', 9, false)`);
    await d.db.run(sql`
      insert into script (name, business_code, is_enabled, current_version, deleted_at) values
      ('旧', 'visit', true, 3, null), ('新', 'visit', true, 2, null), ('停用', 'visit', false, 9, null), ('删', 'visit', true, 9, now())`);
    const script = await d.db.first(sql<{ id: number }>`select id from script where name = '新'`);
    const before = await d.db.ping();
    const plan = await d.dials.loadPlan(campaign);
    expect(plan?.at).toBeGreaterThanOrEqual(before);
    expect(plan?.campaign).toMatchObject({
      id: campaign,
      name: '回访',
      businessCode: 'visit',
      lineIds: [two, one],
      status: 'running',
      phase: 'IDLE',
      businessConfig: { variables: { a: 'b' } },
      scheduledStartAt: Date.UTC(2026, 10, 21, 0, 0, 0, 500),
      scheduledEndAt: null,
      createdAt: expect.any(Number),
    });
    expect(plan?.lines.map(line => [line.id, line.maxConcurrency, line.isEnabled, line.numbers.map(({ number }) => number)])).toEqual([
      [two, 2, true, ['010', '020']],
      [one, 1, true, []],
    ]);
    expect(plan?.lines[0]?.createdAt).toBeGreaterThan(before - 60_000);
    expect(plan?.policies.map(({ name, config, isEnabled }) => [name, config, isEnabled])).toEqual([
      ['自己', {}, true],
      ['全局', { start: '09:00' }, true],
    ]);
    expect(plan?.script).toEqual({ scriptId: script?.id, version: 2 });
    expect({ version: plan?.policyVersion }).toEqual(await d.db.first(sql`select version from rules_version`));
    expect(await d.dials.loadPlan(1_000_000)).toBeNull();
  });

  test('counts what can be dialled, what waits and what runs', async () => {
    const campaign = await addCampaign(d.db, { retryIntervalSeconds: 3_600 });
    const [a, b, c, e, f, g] = await addContacts(d.db, campaign, phoneNumbers(10));
    await d.db.run(sql`update contact set hold_reason = 'dnc' where id = ${a}`);
    await d.db.run(sql`update contact set hold_reason = 'frequency_cap', hold_until = now() + interval '1 day' where id = ${b}`);
    await d.db.run(sql`update contact set status = 'failed', retry_at = now() - interval '1 second' where id = ${c}`);
    await d.db.run(sql`update contact set status = 'failed' where id = ${e}`);
    await d.db.run(sql`update contact set status = 'paused' where id = ${f}`);
    await d.db.run(
      sql`update contact set status = 'failed', retry_at = now(), hold_reason = 'x', hold_until = now() + interval '1 day' where id = ${g}`,
    );
    const dialled = await dial(d, campaign, 2);
    expect(dialled.dials.map(({ contactId }) => contactId)).toContain(c);
    const again = (await addContacts(d.db, campaign, phoneNumbers(1, 13_800_000_000)))[0] ?? 0;
    await d.db.run(sql`update contact set status = 'failed', retry_at = now() + interval '2 hours' where id = ${again}`);
    await d.dials.settle([settled(dialled.dials[0]?.requestId ?? '')]);
    const first = await contactRow(d.db, dialled.dials[0]?.contactId ?? 0);
    const plan = await d.dials.loadPlan(campaign);
    expect(plan?.counts).toEqual({ pending: 3, held: 2, retryable: 2, dueRetries: 0, active: 1, promised: 0 });
    expect(plan?.nextRetryAt).toBe(first.retryAt);
    await d.db.run(sql`update contact set retry_at = ${DUE} where id = ${again}`);
    expect((await d.dials.loadPlan(campaign))?.counts).toMatchObject({ retryable: 2, dueRetries: 1 });
    await d.db.run(sql`update contact set last_caller_number = '010' where id = ${again}`);
    // Then pending contacts, which a user may have set back after a dial.
    await d.db.run(sql`update contact set last_caller_number = '020' where id = ${e}`);
    await d.db.run(sql`update contact set status = 'pending', priority = 9 where id = ${e}`);
    const { takers = [] } = (await d.dials.loadPlan(campaign)) ?? {};
    expect(takers.map(({ lastCallerNumber }) => lastCallerNumber)).toEqual(['010', '020', null, null, null]);
  });
});

describe('phases', () => {
  test('dueCampaigns: running ones whose time has come or was never set, most overdue first; with `all` also waiting ones', async () => {
    await d.db.run(sql`update campaign set status = 'archived'`);
    const add = async (wakeIn: string | null, status: 'running' | 'paused' = 'running') => {
      const id = await addCampaign(d.db, { status });
      await d.db.run(sql`update campaign set next_wake_at = now() + ${wakeIn}::interval where id = ${id}`);
      return id;
    };
    const [late, later, future, unset] = [await add('-1 second'), await add('-1 minute'), await add('1 minute'), await add(null)];
    await add('-1 hour', 'paused');
    expect(await d.dials.dueCampaigns(10, { all: false })).toEqual([later, late, unset]);
    expect(await d.dials.dueCampaigns(1, { all: false })).toEqual([later]);
    expect(await d.dials.dueCampaigns(10, { all: true })).toEqual([later, late, future, unset]);
  });
});

describe('holds', () => {
  test('endDueHolds ends holds whose time has come and returns their campaigns', async () => {
    const [first, second] = [await addCampaign(d.db), await addCampaign(d.db)];
    const [due = 0, future, open] = await addContacts(d.db, first, phoneNumbers(3));
    const [other = 0] = await addContacts(d.db, second, phoneNumbers(1));
    await d.db.run(sql`update contact set hold_reason = 'outside_window', hold_until = ${DUE} where id in (${due}, ${other})`);
    await d.db.run(sql`update contact set hold_reason = 'outside_window', hold_until = now() + interval '1 hour' where id = ${future}`);
    await d.db.run(sql`update contact set hold_reason = 'dnc' where id = ${open}`);
    expect((await d.dials.endDueHolds(100)).toSorted((a, b) => a - b)).toEqual([first, second]);
    expect(await contactRow(d.db, due)).toMatchObject({ holdReason: null, holdUntil: null });
    expect((await contactRow(d.db, open ?? 0)).holdReason).toBe('dnc');
    expect(await d.dials.endDueHolds(100)).toEqual([]);
    const again = await claim(d, first);
    expect(again.dials.map(({ contactId }) => contactId)).toEqual([due]);
  });

  test('releaseHolds combines numbers, reasons and campaign', async () => {
    const [first, second] = [await addCampaign(d.db), await addCampaign(d.db)];
    const [a = 0, b = 0] = await addContacts(d.db, first, ['13811110001', '13811110002']);
    const [c = 0] = await addContacts(d.db, second, ['13811110001']);
    await d.db.run(sql`update contact set hold_reason = 'dnc' where id in (${a}, ${b}, ${c})`);
    expect(await releaseHolds(d.db, { dialKeys: ['+8613811110001'], reasons: ['blacklist'] })).toEqual([]);
    expect(await releaseHolds(d.db, { dialKeys: ['+8613811110001'], reasons: ['dnc'], campaignId: first })).toEqual([first]);
    expect((await contactRow(d.db, a)).holdReason).toBeNull();
    expect((await contactRow(d.db, c)).holdReason).toBe('dnc');
    expect(await releaseHolds(d.db, { reasons: ['dnc'] })).toEqual(expect.arrayContaining([first, second]));
    expect((await contactRow(d.db, b)).holdReason).toBeNull();
  });
});

describe('outbox [A6 row 9]', () => {
  test('a fresh row belongs to its writer; after its lease it is taken once, and gone when cleared', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(1));
    const requestId = (await dial(d, campaign)).dials[0]?.requestId ?? '';
    const outcome = await d.dials.applyResult(report({ requestId, callStatus: 'busy' }));
    const id = outcome.kind === 'applied' ? outcome.outboxId : null;
    expect(await d.dials.takeOutbox(10, 60_000)).toEqual([]);
    await d.db.run(sql`update outbox set due_at = ${DUE} where id = ${id}`);
    const taken = await Promise.all([d.dials.takeOutbox(10, 60_000), d.dials.takeOutbox(10, 60_000)]);
    expect(taken.flat()).toEqual([
      { id, kind: 'result_applied', key: requestId, payload: { attemptId: expect.any(Number), campaignId: campaign } },
    ]);
    await d.db.run(sql`update outbox set due_at = ${DUE} where id = ${id}`);
    await d.dials.clearOutbox([id ?? 0]);
    expect(await d.dials.takeOutbox(10, 60_000)).toEqual([]);
  });

  test('rows of other pumps are not taken', async () => {
    await d.db.run(sql`insert into outbox (kind, key, payload) values ('campaign_effect', '1|x', '{}')`);
    expect(await d.dials.takeOutbox(10, 1)).toEqual([]);
  });
});
