import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { dialMarks } from '#dialling/mark-statements.ts';
import { explaining } from '#test/support/explaining.ts';
import {
  addCampaign,
  addContacts,
  attemptRow,
  batchRow,
  claim,
  claimOne,
  contactRow,
  dial,
  type Dialling,
  grants,
  mark,
  type OneCall,
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

describe('markDialing [A6 step 5, D8.6]', () => {
  test('an unobstructed claim becomes dialing, once', async () => {
    const { requestId } = await claimOne(d);
    expect(await mark(d, [requestId])).toEqual([requestId]);
    const attempt = await attemptRow(d.db, requestId);
    expect(attempt.status).toBe('dialing');
    expect(attempt.dialingAt).not.toBeNull();
    expect(attempt.startedAt).toBe(attempt.dialingAt);
    expect(await mark(d, [requestId])).toEqual([]);
  });

  test('of two concurrent ones one marks', async () => {
    const { requestId } = await claimOne(d);
    const marked = await Promise.all([mark(d, [requestId]), mark(d, [requestId]), mark(d, [requestId])]);
    expect(marked.flat()).toEqual([requestId]);
  });

  const edits: [string, (claimed: OneCall) => Promise<unknown>][] = [
    [
      'a do-not-call entry of the number',
      ({ phoneNumber }) =>
        d.db.run(
          sql`insert into do_not_call (phone_number, dial_key, source) values (${phoneNumber}, ${dialKey(phoneNumber, 'CN')}, 'manual') on conflict do nothing`,
        ),
    ],
    [
      'a policy edit',
      () =>
        d.db.run(
          sql`insert into policy (name, scope, type, action, config) values ('p', 'global', 'phone_blacklist', 'block', '{"numbers":[]}')`,
        ),
    ],
    ['a pause', ({ campaign }) => d.db.run(sql`update campaign set status = 'paused' where id = ${campaign}`)],
    ['an archived campaign', ({ campaign }) => d.db.run(sql`update campaign set status = 'archived' where id = ${campaign}`)],
    [
      'the end of the permission',
      ({ requestId }) => d.db.run(sql`update attempt set valid_until = now() - interval '1 second' where request_id = ${requestId}::uuid`),
    ],
    ['a cancelled batch', ({ batchId }) => d.db.run(sql`update batch set status = 'cancelled' where id = ${batchId}`)],
    ['a deleted campaign', ({ campaign }) => d.db.run(sql`update campaign set deleted_at = now() where id = ${campaign}`)],
  ];

  test.each(edits)('%s between claim and mark refuses the mark', async (_name, edit) => {
    await d.db.run(sql`delete from do_not_call`);
    const claimed = await claimOne(d);
    await edit(claimed);
    expect(await mark(d, [claimed.requestId])).toEqual([]);
    expect((await attemptRow(d.db, claimed.requestId)).status).toBe('claimed');
    await d.db.run(sql`delete from do_not_call`);
  });

  const LINE_ID = 91;
  const lineEdits: [string, (campaign: number) => Promise<unknown>, boolean][] = [
    ['as it was', async () => undefined, true],
    ['disabled', () => d.db.run(sql`update line set is_enabled = false where id = ${LINE_ID}`), false],
    ['deleted', () => d.db.run(sql`update line set deleted_at = now() where id = ${LINE_ID}`), false],
    ['taken from the campaign', campaign => d.db.run(sql`delete from campaign_line where campaign_id = ${campaign}`), false],
  ];

  test.each(lineEdits)('the line is %s', async (_name, edit, isMarked) => {
    await d.db.run(sql`delete from campaign_line`);
    await d.db.run(sql`delete from line`);
    await d.db.run(sql`
      insert into line (id, name, code, dial_string_template, max_concurrency, allocation_mode) overriding system value
      values (${LINE_ID}, '线路', 'l', 'user/{{destinationNumber}}', 5, 'single_shared')`);
    const campaign = await addCampaign(d.db);
    await d.db.run(sql`insert into campaign_line (campaign_id, line_id, position) values (${campaign}, ${LINE_ID}, 1)`);
    await addContacts(d.db, campaign, phoneNumbers(1));
    const claimed = await claim(d, campaign, { grants: grants(1).map(grant => ({ ...grant, lineId: LINE_ID })) });
    await edit(campaign);
    expect(
      await mark(
        d,
        claimed.dials.map(({ requestId }) => requestId),
      ),
    ).toHaveLength(isMarked ? 1 : 0);
  });

  test('an expired do-not-call entry does not block [D8.7]', async () => {
    const { requestId, phoneNumber } = await claimOne(d);
    await d.db.run(sql`
      insert into do_not_call (phone_number, dial_key, source, expires_at) values (${phoneNumber}, ${dialKey(phoneNumber, 'CN')}, 'manual', now() - interval '1 second')`);
    expect(await mark(d, [requestId])).toEqual([requestId]);
    await d.db.run(sql`delete from do_not_call`);
  });

  test.each(['draft', 'paused'] as const)('a manual batch of a campaign that is %s may be dialled [D7.4]', async status => {
    const { requestId } = await claimOne(d, { status, source: 'manual' });
    expect(await mark(d, [requestId])).toEqual([requestId]);
  });
});

describe('revert', () => {
  test('a first claim returns to pending unchanged, without a used-up retry; the batch is cancelled', async () => {
    const { campaign, contact, batchId, requestId } = await claimOne(d);
    expect(await d.dials.revert([requestId], { alsoDialing: false, reason: '调度实例中断' })).toBe(1);
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'pending', attemptCount: 0, lastAttemptId: null, retryAt: null });
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'cancelled', replyText: '调度实例中断', dialingAt: null });
    expect(await batchRow(d.db, batchId)).toMatchObject({ status: 'cancelled', requested: 1, submitted: 0, failed: 0 });
    expect((await claim(d, campaign)).dials).toMatchObject([{ contactId: contact }]);
  });

  test('a claimed retry returns to failed with its time, its count and its last attempt', async () => {
    const campaign = await addCampaign(d.db, { maxRetries: 3, retryIntervalSeconds: 0 });
    const [contact = 0] = await addContacts(d.db, campaign, phoneNumbers(1));
    const first = await dial(d, campaign);
    await d.dials.settle([settled(first.dials[0]?.requestId ?? '')]);
    const before = await contactRow(d.db, contact);
    const second = await claim(d, campaign);
    expect(await contactRow(d.db, contact)).toMatchObject({
      status: 'submitted',
      attemptCount: 2,
      lastAttemptId: second.dials[0]?.attemptId,
    });
    await d.dials.revert([second.dials[0]?.requestId ?? ''], { alsoDialing: false, reason: '' });
    expect(await contactRow(d.db, contact)).toEqual(before);
    expect(before).toMatchObject({ status: 'failed', attemptCount: 1, lastAttemptId: first.dials[0]?.attemptId });
  });

  test('a claimed retry whose last call has reported its result meanwhile is not planned again [I6, D7.1]', async () => {
    const campaign = await addCampaign(d.db, { maxRetries: 3, retryIntervalSeconds: 0, retryUnknown: true });
    const [contact = 0] = await addContacts(d.db, campaign, phoneNumbers(1));
    const [first] = (await dial(d, campaign)).dials;
    await d.dials.settle([settled(first?.requestId ?? '', { status: 'outcome_unknown', callStatus: null })]);
    const [second] = (await claim(d, campaign)).dials;
    await d.dials.applyResult(report({ requestId: first?.requestId ?? '', callStatus: 'completed' }));
    await d.dials.revert([second?.requestId ?? ''], { alsoDialing: true, reason: '' });
    expect(await contactRow(d.db, contact)).toMatchObject({
      status: 'completed',
      retryAt: null,
      attemptCount: 1,
      lastAttemptId: first?.attemptId,
    });
  });

  test('a dialing attempt is reverted only when the caller is certain', async () => {
    const { contact, requestId } = await claimOne(d);
    await d.dials.markDialing([requestId]);
    expect(await d.dials.revert([requestId], { alsoDialing: false, reason: '' })).toBe(0);
    expect(await d.dials.revert([requestId], { alsoDialing: true, reason: '未发送' })).toBe(1);
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'pending', attemptCount: 0 });
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'cancelled', dialingAt: null, startedAt: null });
  });

  test("a small table is not scanned for the previous call: the contact's attempts are", async () => {
    await using stack = new AsyncDisposableStack();
    const young = stack.adopt(await openDialling(), each => each.close());
    await young.db.run(sql`vacuum analyze attempt`);
    const campaign = await addCampaign(young.db);
    await addContacts(young.db, campaign, phoneNumbers(300));
    const claimed = await claim(young, campaign, { grants: grants(300) });
    const requestIds = claimed.dials.map(({ requestId }) => requestId);
    const { db, planned } = explaining(young.db);
    expect(await dialMarks(db).revert(requestIds, { alsoDialing: false, reason: '' })).toBe(requestIds.length);
    const { indexes } = planned.find(({ statement }) => statement.includes('reverted')) ?? { indexes: [] };
    expect(indexes).toContain('attempt_contact');
    expect(indexes).not.toContain('attempt_listed');
  });

  test('an accepted call is never reverted', async () => {
    const { requestId } = await claimOne(d);
    await d.dials.markDialing([requestId]);
    await d.dials.recordProgress([{ requestId, replyText: '+OK' }]);
    expect(await d.dials.revert([requestId], { alsoDialing: true, reason: '' })).toBe(0);
  });

  test('mark against revert: exactly one wins', async () => {
    for (let times = 0; times < 20; times += 1) {
      const { requestId } = await claimOne(d);
      const [marked, reverted] = await Promise.all([mark(d, [requestId]), d.dials.revert([requestId], { alsoDialing: false, reason: '' })]);
      expect(marked.length + reverted).toBe(1);
    }
  });
});

describe('pausing and cancelling', () => {
  test('cancelClaims reverts claims and leaves dialled attempts [D5.2]', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(3));
    const claimed = await claim(d, campaign, { grants: grants(3) });
    const [dialled = '', ...rest] = claimed.dials.map(({ requestId }) => requestId);
    await d.dials.markDialing([dialled]);
    expect((await d.dials.cancelClaims(campaign, '活动已暂停')).toSorted()).toEqual(rest.toSorted());
    expect((await attemptRow(d.db, dialled)).status).toBe('dialing');
    expect(await batchRow(d.db, claimed.batchId)).toMatchObject({ status: 'running' });
    await d.dials.recordProgress([{ requestId: dialled, replyText: '+OK' }]);
    expect(await batchRow(d.db, claimed.batchId)).toMatchObject({ status: 'completed', requested: 3, submitted: 1, failed: 0 });
  });

  test('cancelBatch returns undialled contacts to pending, calls go on; again: not_running [D7.3]', async () => {
    const campaign = await addCampaign(d.db);
    const [, second = 0] = await addContacts(d.db, campaign, phoneNumbers(2));
    const claimed = await claim(d, campaign, { grants: grants(2) });
    const [dialled = '', left = ''] = claimed.dials.map(({ requestId }) => requestId);
    await d.dials.markDialing([dialled]);
    const outcome = await d.dials.cancelBatch(campaign, claimed.batchId);
    expect(outcome).toMatchObject({
      batch: { id: claimed.batchId, campaignId: campaign, status: 'cancelled', requested: 2 },
      cancelledRequestIds: [left],
    });
    expect(await contactRow(d.db, second)).toMatchObject({ status: 'pending', attemptCount: 0 });
    expect((await attemptRow(d.db, dialled)).status).toBe('dialing');
    expect(await d.dials.cancelBatch(campaign, claimed.batchId)).toBe('not_running');
    await d.dials.recordProgress([{ requestId: dialled, replyText: '+OK' }]);
    expect(await batchRow(d.db, claimed.batchId)).toMatchObject({ status: 'cancelled', submitted: 1 });
  });

  test('a batch of another campaign is not_found', async () => {
    const { batchId } = await claimOne(d);
    expect(await d.dials.cancelBatch(await addCampaign(d.db), batchId)).toBe('not_found');
  });
});
