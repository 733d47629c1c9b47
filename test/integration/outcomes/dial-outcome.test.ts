import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { requireRow } from '#platform/postgres/listing.ts';
import { OUR_FAULT_PAUSE_MS } from '#outcomes/decisions/contact-outcome.ts';
import {
  addCampaign,
  addContacts,
  attemptRow,
  batchRow,
  claim,
  contactRow,
  dial,
  type Dialling,
  dialOne,
  grants,
  openDialling,
  phoneNumbers,
  report,
  settled,
} from '#test/support/dialling.ts';
import { ATTEMPT_TABLE } from '#attempts/attempt-store.ts';

/** After the start of every call here. */
const ANSWERED_AT = Date.now() + 60_000;
const HALF_AN_HOUR_AGO = Date.now() - 1_800_000;

let d: Dialling;

const beginEarlier = (requestId: string) =>
  d.db.run(sql`update attempt set started_at = now() - interval '2 hours' where request_id = ${requestId}::uuid`);

beforeAll(async () => {
  d = await openDialling();
});

afterAll(() => d.close());

describe('progress', () => {
  test('accepted with the reply; a batch without attempts before dialling is completed [D7.3]', async () => {
    const { contact, batchId, requestId } = await dialOne(d);
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'accepted', replyText: '+OK' });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'submitted' });
    const batch = await batchRow(d.db, batchId);
    expect(batch).toMatchObject({ status: 'completed', requested: 1, submitted: 1, failed: 0 });
    expect(batch?.finishedAt).not.toBeNull();
  });

  test('an answer that overtakes the reply keeps both', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(1));
    const claimed = await claim(d, campaign);
    const requestId = claimed.dials[0]?.requestId ?? '';
    await d.dials.markDialing([requestId]);
    await d.dials.recordProgress([{ requestId, answeredAt: ANSWERED_AT }]);
    await d.dials.recordProgress([{ requestId, replyText: '+OK late' }]);
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'answered', answeredAt: ANSWERED_AT, replyText: '+OK late' });
    expect(await batchRow(d.db, claimed.batchId)).toMatchObject({ status: 'completed', submitted: 1 });
  });

  test('an answer that comes with its reply is written with it, in one version of the row', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(1));
    const { dials, batchId } = await claim(d, campaign);
    const requestId = dials[0]?.requestId ?? '';
    await d.dials.markDialing([requestId]);
    await d.dials.recordProgress([{ requestId, replyText: '+OK', answeredAt: ANSWERED_AT }]);
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'answered', answeredAt: ANSWERED_AT, replyText: '+OK' });
    expect(await batchRow(d.db, batchId)).toMatchObject({ status: 'completed', submitted: 1 });
  });

  test('a reply to an undialled attempt changes nothing', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(1));
    const requestId = (await claim(d, campaign)).dials[0]?.requestId ?? '';
    await d.dials.recordProgress([{ requestId, replyText: '+OK' }]);
    await d.dials.recordProgress([{ requestId, answeredAt: 1 }]);
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'claimed', acceptedAt: null, answeredAt: null });
  });

  test('ringback is stored beside the call, its status only while the call is open [D7.6]', async () => {
    const { requestId } = await dialOne(d);
    const detection = { status: 'ringback', detectionSource: 'switch_event', elapsedMs: 900 } as const;
    await d.dials.recordRingback(requestId, detection, 'ringing');
    expect((await attemptRow(d.db, requestId)).callStatus).toBe('ringing');
    await d.dials.settle([settled(requestId)]);
    await d.dials.recordRingback(requestId, { ...detection, status: 'timeout' }, 'ringing');
    expect((await attemptRow(d.db, requestId)).callStatus).toBe('busy');
    const row = await d.db.first(sql`select ringback_detection as detection from attempt where request_id = ${requestId}::uuid`);
    expect(row).toEqual({ detection: { ...detection, status: 'timeout' } });
  });
});

describe('settle', () => {
  test('a refused dial fails attempt, contact and batch; the retry is due after the interval [D5.5, D7.1, D7.3]', async () => {
    const campaign = await addCampaign(d.db, { maxRetries: 1, retryIntervalSeconds: 900 });
    const [contact = 0] = await addContacts(d.db, campaign, phoneNumbers(1));
    const claimed = await claim(d, campaign);
    const requestId = claimed.dials[0]?.requestId ?? '';
    await d.dials.markDialing([requestId]);
    const endedAt = ((await attemptRow(d.db, requestId)).startedAt ?? 0) + 40;
    const outcome = settled(requestId, { callStatus: 'busy', hangupCause: 'USER_BUSY', replyText: '-ERR USER_BUSY', endedAt });
    expect(await d.dials.settle([outcome])).toEqual([{ requestId, settled: true }]);
    expect(await attemptRow(d.db, requestId)).toMatchObject({
      status: 'failed',
      callStatus: 'busy',
      hangupCause: 'USER_BUSY',
      replyText: '-ERR USER_BUSY',
      endedAt,
      durationSeconds: 0,
      acceptedAt: null,
    });
    expect(await contactRow(d.db, contact)).toMatchObject({
      status: 'failed',
      attemptCount: 1,
      retryAt: endedAt + 900_000,
      lastCallerNumber: '01012345678',
    });
    expect(await batchRow(d.db, claimed.batchId)).toMatchObject({ status: 'failed', submitted: 0, failed: 1 });
  });

  test('no retry is left after maxRetries + 1 attempts [D5.5]', async () => {
    const { campaign, contact, requestId } = await dialOne(d, { maxRetries: 1, retryIntervalSeconds: 0 });
    await d.dials.settle([settled(requestId)]);
    const second = await dial(d, campaign);
    await d.dials.settle([settled(second.dials[0]?.requestId ?? '')]);
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', attemptCount: 2, retryAt: null });
  });

  test('a stricter retry_rule policy decides [D8.3]', async () => {
    const { campaign, contact, requestId } = await dialOne(d, { maxRetries: 5, retryIntervalSeconds: 60 });
    await d.db.run(sql`
      insert into policy (name, scope, campaign_id, type, action, config)
      values ('慢', 'campaign', ${campaign}, 'retry_rule', 'limit', '{"maxRetries":1,"retryIntervalSeconds":7200}')`);
    const endedAt = HALF_AN_HOUR_AGO;
    await d.dials.settle([settled(requestId, { endedAt })]);
    expect((await contactRow(d.db, contact)).retryAt).toBe(endedAt + 7_200_000);
  });

  test('an answered call completes its contact, with its duration', async () => {
    const { contact, requestId } = await dialOne(d);
    const answeredAt = HALF_AN_HOUR_AGO;
    await d.dials.settle([settled(requestId, { status: 'completed', callStatus: 'completed', answeredAt, endedAt: answeredAt + 61_900 })]);
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'completed', durationSeconds: 61, answeredAt });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed', retryAt: null });
  });

  test('an unknown outcome ends now, and is retried where the campaign allows it [D7.8]', async () => {
    const { contact, requestId } = await dialOne(d, { retryUnknown: true });
    await d.dials.settle([settled(requestId, { status: 'outcome_unknown', callStatus: null, hangupCause: null })]);
    const attempt = await attemptRow(d.db, requestId);
    expect(attempt).toMatchObject({ status: 'outcome_unknown', callStatus: null });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', retryAt: (attempt.endedAt ?? 0) + 300_000 });
  });

  test('closed attempts and unknown ids stay unchanged', async () => {
    const { requestId } = await dialOne(d);
    await d.dials.settle([settled(requestId)]);
    const unknown = '0b7c6f1e-9a54-4a6e-8f00-6a1f0c9a3b10';
    const outcomes = await d.dials.settle([settled(requestId, { callStatus: 'no_answer' }), settled(unknown)]);
    expect(outcomes).toEqual([
      { requestId, settled: false },
      { requestId: unknown, settled: false },
    ]);
    expect((await attemptRow(d.db, requestId)).callStatus).toBe('busy');
  });

  test('of two outcomes of one call in one batch the first counts', async () => {
    const { requestId } = await dialOne(d);
    await d.dials.settle([settled(requestId, { callStatus: 'no_answer' }), settled(requestId, { callStatus: 'busy' })]);
    expect((await attemptRow(d.db, requestId)).callStatus).toBe('no_answer');
  });

  test('a contact that a user paused meanwhile stays paused', async () => {
    const { contact, requestId } = await dialOne(d);
    await d.db.run(sql`update contact set status = 'paused' where id = ${contact}`);
    await d.dials.settle([settled(requestId)]);
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'paused', retryAt: null });
  });

  test('two concurrent outcomes that end the last attempts of a batch always end the batch [D7.3]', async () => {
    for (let times = 0; times < 15; times += 1) {
      const campaign = await addCampaign(d.db);
      await addContacts(d.db, campaign, phoneNumbers(4));
      const claimed = await claim(d, campaign, { grants: grants(4) });
      const ids = claimed.dials.map(({ requestId }) => requestId);
      await d.dials.markDialing(ids);
      await Promise.all([
        ...ids.slice(0, 2).map(requestId => d.dials.settle([settled(requestId)])),
        ...ids.slice(2).map(requestId => d.dials.recordProgress([{ requestId, replyText: '+OK' }])),
      ]);
      expect(await batchRow(d.db, claimed.batchId)).toMatchObject({ status: 'completed', requested: 4, submitted: 2, failed: 2 });
    }
  });

  test('bulk settles in crossing order all succeed', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(60));
    const claimed = await dial(d, campaign, 60);
    const outcomes = claimed.dials.map(({ requestId }) => settled(requestId));
    const answers = await Promise.all([d.dials.settle(outcomes), d.dials.settle(outcomes.toReversed()), d.dials.settle(outcomes)]);
    expect(answers.flat().filter(answer => answer.settled)).toHaveLength(60);
  });
});

describe('settle after our own fault [D7.1]', () => {
  const endedAt = HALF_AN_HOUR_AGO;
  const refused = { callStatus: 'failed', hangupCause: 'GATEWAY_DOWN', replyText: '-ERR GATEWAY_DOWN', isOurFault: true, endedAt } as const;

  test.each([0, 3])('the attempt failed, the contact keeps all of its %i retries and is due soon', async maxRetries => {
    const campaign = await addCampaign(d.db, { maxRetries, retryIntervalSeconds: 3_600 });
    const [contact = 0] = await addContacts(d.db, campaign, phoneNumbers(1));
    for (let times = 0; times < maxRetries + 2; times += 1) {
      const claimed = await claim(d, campaign);
      const requestId = claimed.dials[0]?.requestId ?? '';
      await d.dials.markDialing([requestId]);
      await beginEarlier(requestId);
      expect(await contactRow(d.db, contact)).toMatchObject({ status: 'submitted', attemptCount: 1 });
      await d.dials.settle([settled(requestId, refused)]);
      expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'failed', callStatus: 'failed', acceptedAt: null });
      const due = { status: 'failed', attemptCount: 0, retryAt: endedAt + OUR_FAULT_PAUSE_MS };
      expect(await contactRow(d.db, contact)).toMatchObject(due);
      expect(await batchRow(d.db, claimed.batchId)).toMatchObject({ status: 'failed', failed: 1 });
    }
  });

  test('a contact that changed meanwhile stays unchanged', async () => {
    const { contact, requestId } = await dialOne(d);
    await d.db.run(sql`update contact set status = 'paused', attempt_count = 0 where id = ${contact}`);
    await d.dials.settle([settled(requestId, refused)]);
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'paused', attemptCount: 0, retryAt: null });
    const other = await dialOne(d);
    await d.db.run(sql`update contact set last_attempt_id = null where id = ${other.contact}`);
    await d.dials.settle([settled(other.requestId, refused)]);
    expect(await contactRow(d.db, other.contact)).toMatchObject({ status: 'submitted', attemptCount: 1, retryAt: null });
  });

  test('in a batch applies only to such attempts', async () => {
    const campaign = await addCampaign(d.db, { retryIntervalSeconds: 60 });
    const [ours = 0, theirs = 0] = await addContacts(d.db, campaign, phoneNumbers(2));
    const { dials } = await dial(d, campaign, 2);
    const requestOf = (contact: number) => dials.find(({ contactId }) => contactId === contact)?.requestId ?? '';
    await d.dials.settle([settled(requestOf(ours), refused), settled(requestOf(theirs), { endedAt })]);
    expect(await contactRow(d.db, ours)).toMatchObject({ attemptCount: 0, retryAt: endedAt + OUR_FAULT_PAUSE_MS });
    expect(await contactRow(d.db, theirs)).toMatchObject({ attemptCount: 1, retryAt: endedAt + 60_000 });
  });
});

describe('settle without a result [D7.8]', () => {
  const answeredAt = HALF_AN_HOUR_AGO;
  const over = {
    status: 'completed',
    callStatus: 'completed',
    hangupCause: 'NORMAL_CLEARING',
    answeredAt,
    endedAt: answeredAt + 9_000,
    isResultMissing: true,
  } as const;
  const resultMissing = async (requestId: string) => {
    const [open] = await d.dials.findAttempts([requestId]);
    return (await requireRow(d, ATTEMPT_TABLE, open?.id ?? 0, '通话')).resultMissing;
  };

  test('completes the contact; a late result fills unknown fields', async () => {
    const { contact, requestId } = await dialOne(d, { maxRetries: 3 });
    await d.dials.settle([settled(requestId, over)]);
    expect(await attemptRow(d.db, requestId)).toMatchObject({
      status: 'completed',
      callStatus: 'completed',
      answeredAt,
      durationSeconds: 9,
    });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed', attemptCount: 1, retryAt: null });
    expect(await resultMissing(requestId)).toBe(true);
    const late = await d.dials.applyResult(report({ requestId, callStatus: 'completed', intent: '有意向' }));
    expect(late).toMatchObject({ kind: 'applied', status: 'completed', duplicate: false, conflicts: [], outboxId: expect.any(Number) });
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'completed', intent: '有意向', answeredAt });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed', retryAt: null });
    expect(await resultMissing(requestId)).toBe(false);
  });

  test('is dialled again only where the campaign allows it, while attempts remain', async () => {
    const { campaign, contact, requestId } = await dialOne(d, {
      maxRetries: 1,
      retryIntervalSeconds: 60,
      retryAnsweredWithoutResult: true,
    });
    await d.dials.settle([settled(requestId, over)]);
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', attemptCount: 1, retryAt: over.endedAt + 60_000 });
    const second = (await dial(d, campaign)).dials[0]?.requestId ?? '';
    await d.dials.settle([settled(second, over)]);
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', attemptCount: 2, retryAt: null });
    expect([await resultMissing(requestId), await resultMissing(second)]).toEqual([true, true]);
  });

  test('a retry that is claimed and reverted stays planned, until the result comes', async () => {
    const options = { maxRetries: 3, retryIntervalSeconds: 0, retryAnsweredWithoutResult: true };
    const { campaign, contact, requestId } = await dialOne(d, options);
    await d.dials.settle([settled(requestId, over)]);
    const first = (await claim(d, campaign)).dials[0]?.requestId ?? '';
    await d.dials.revert([first], { alsoDialing: false, reason: '撤回' });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', attemptCount: 1, retryAt: over.endedAt });
    const again = (await claim(d, campaign)).dials[0]?.requestId ?? '';
    await d.dials.applyResult(report({ requestId, callStatus: 'completed' }));
    await d.dials.revert([again], { alsoDialing: false, reason: '撤回' });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed', retryAt: null });
  });

  test('a late result cancels a planned retry; a result without an answer makes the contact fail', async () => {
    const retried = await dialOne(d, { maxRetries: 3, retryAnsweredWithoutResult: true });
    await d.dials.settle([settled(retried.requestId, over)]);
    await d.dials.applyResult(report({ requestId: retried.requestId, callStatus: 'completed' }));
    expect(await contactRow(d.db, retried.contact)).toMatchObject({ status: 'completed', retryAt: null });
    const machine = await dialOne(d, { maxRetries: 3, retryIntervalSeconds: 60 });
    await d.dials.settle([settled(machine.requestId, over)]);
    await d.dials.applyResult(report({ requestId: machine.requestId, callStatus: 'voicemail', endedAt: over.endedAt }));
    expect(await attemptRow(d.db, machine.requestId)).toMatchObject({ status: 'failed', callStatus: 'voicemail' });
    expect(await contactRow(d.db, machine.contact)).toMatchObject({ status: 'failed', retryAt: over.endedAt + 60_000 });
    expect(await resultMissing(machine.requestId)).toBe(false);
  });

  test('a result that came first stands, and nothing is missing', async () => {
    const { contact, requestId } = await dialOne(d);
    await d.dials.applyResult(report({ requestId, callStatus: 'completed', intent: '无意向' }));
    expect(await d.dials.settle([settled(requestId, over)])).toEqual([{ requestId, settled: false }]);
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'completed', intent: '无意向' });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed' });
    expect(await resultMissing(requestId)).toBe(false);
  });
});

describe('reading attempts', () => {
  test('open attempts by id with their ages; closed ones only by their request id', async () => {
    const { campaign, contact, requestId } = await dialOne(d);
    const all = await d.dials.openAttempts(0, 1_000);
    const own = all.find(attempt => attempt.requestId === requestId);
    expect(own).toMatchObject({
      campaignId: campaign,
      contactId: contact,
      lineId: 1,
      callerNumber: '01012345678',
      cellId: 'cell-1',
      status: 'accepted',
    });
    expect(own?.claimedAgoMs).toBeGreaterThanOrEqual(own?.dialingAgoMs ?? Infinity);
    expect(await d.dials.openAttempts(own?.id ?? 0, 1_000)).toEqual(all.filter(attempt => attempt.id > (own?.id ?? 0)));
    await d.dials.settle([settled(requestId)]);
    expect((await d.dials.openAttempts(0, 1_000)).some(attempt => attempt.requestId === requestId)).toBe(false);
    expect(await d.dials.findAttempts([requestId])).toMatchObject([{ id: own?.id, status: 'failed' }]);
  });

  test('closed by a report: of one cell, within the given time, excluding those that ended without one', async () => {
    const [reported, settledOnly] = [await dialOne(d), await dialOne(d)];
    await d.dials.applyResult(report({ requestId: reported.requestId, callStatus: 'completed' }));
    await d.dials.settle([settled(settledOnly.requestId)]);
    const found = async (cellId: string, withinMs: number) =>
      (await d.dials.closedByReport(cellId, withinMs, 1_000)).map(attempt => attempt.requestId);
    const within = await found('cell-1', 3_600_000);
    expect(within).toContain(reported.requestId);
    expect(within).not.toContain(settledOnly.requestId);
    expect(await found('cell-2', 3_600_000)).not.toContain(reported.requestId);
    expect(await found('cell-1', -3_600_000)).toEqual([]);
    expect(await d.dials.closedByReport('cell-1', 3_600_000, 1)).toHaveLength(1);
  });

  test('details contain what a call actor needs', async () => {
    const { campaign, contact, phoneNumber, batchId, requestId } = await dialOne(d);
    const [details] = await d.dials.loadDetails([requestId]);
    expect(details).toEqual({
      requestId,
      attemptId: expect.any(Number),
      batchId,
      campaignId: campaign,
      campaignName: '回访',
      businessCode: expect.any(String),
      contactId: contact,
      phoneNumber,
      customerName: '李雷',
      cellId: 'cell-1',
      scriptId: null,
      scriptVersion: null,
      businessConfig: {},
      metadata: { city: '北京' },
      mailboxText: null,
      callback: null,
      isTest: false,
    });
  });
});
