import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { ResultOutcome, ResultReport } from '#outcomes/outcome-store.ts';
import {
  addCampaign,
  addContacts,
  attemptRow,
  batchRow,
  claim,
  contactRow,
  type Dialling,
  dialOne,
  DUE,
  openDialling,
  phoneNumbers,
  report,
  settled,
} from '#test/support/dialling.ts';

const ANSWERED_AT = Date.now() - 1_800_000;

const SAID = { speaker: 'bot', text: '您好', startMs: null, endMs: null, nodeId: null } as const;

let d: Dialling;

beforeAll(async () => {
  d = await openDialling();
});

afterAll(() => d.close());

async function apply(changes: Partial<ResultReport>): Promise<Extract<ResultOutcome, { kind: 'applied' }>> {
  const outcome = await d.dials.applyResult(report(changes));
  if (outcome.kind === 'not_found') throw new Error('not found');
  return outcome;
}

const entryOf = (dialKey: string) =>
  d.db.first(sql`select phone_number as number, reason, source, expires_at as "expiresAt" from do_not_call where dial_key = ${dialKey}`);

describe('the first report [D7.7]', () => {
  test('completes attempt and contact, with every field, a transcript and its outbox row', async () => {
    const { campaign, contact, requestId, attemptId } = await dialOne(d);
    const outcome = await apply({
      requestId,
      callStatus: 'completed',
      answeredAt: ANSWERED_AT,
      endedAt: ANSWERED_AT + 90_500,
      hangupCause: 'NORMAL_CLEARING',
      hangupBy: 'customer',
      recordingUrl: '/var/rec/2026/a b.wav?sig=1',
      classification: 'A',
      intent: '有意向',
      recognizedText: '好的',
      transcript: [
        { speaker: 'bot', text: '您好', startMs: 0, endMs: 1_000, nodeId: 'start' },
        { speaker: 'customer', text: '好的', startMs: 1_200.4, endMs: null, nodeId: null },
      ],
      payload: { result: { recognizedText: '好的', nested: [1, null] } },
    });
    expect(outcome).toEqual({
      kind: 'applied',
      attemptId,
      requestId,
      campaignId: campaign,
      status: 'completed',
      duplicate: false,
      conflicts: [],
      outboxId: expect.any(Number),
    });
    expect(await attemptRow(d.db, requestId)).toMatchObject({
      status: 'completed',
      callStatus: 'completed',
      durationSeconds: 90,
      recordingUrl: 'a b.wav',
      classification: 'A',
      intent: '有意向',
      payload: { result: { recognizedText: '好的', nested: [1, null] } },
    });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed', retryAt: null, lastCallerNumber: '01012345678' });
    const segments = await d.db.rows(sql`
      select segment_id as id, position, speaker, text, start_ms as start, end_ms as end, node_id as node
      from transcript_segment where attempt_id = ${attemptId} order by position`);
    expect(segments).toEqual([
      { id: '0', position: 0, speaker: 'bot', text: '您好', start: 0, end: 1_000, node: 'start' },
      { id: '1', position: 1, speaker: 'customer', text: '好的', start: 1_200, end: null, node: null },
    ]);
    const outbox = await d.db.first(sql`select kind, key, payload from outbox where id = ${outcome.outboxId}`);
    expect(outbox).toEqual({ kind: 'result_applied', key: requestId, payload: { attemptId, campaignId: campaign } });
  });

  test('an unanswered call fails its contact, with duration 0 and a retry after the interval [D5.5, D7.1]', async () => {
    const { contact, requestId } = await dialOne(d);
    await d.dials.settle([settled(requestId, { endedAt: ANSWERED_AT })]);
    const outcome = await apply({ requestId, callStatus: 'no_answer', endedAt: ANSWERED_AT });
    expect(outcome.status).toBe('failed');
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'failed', durationSeconds: 0 });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', retryAt: ANSWERED_AT + 300_000 });
  });

  test('is found by attemptId when no requestId is given; unknown ids are not_found', async () => {
    const { attemptId, requestId } = await dialOne(d);
    expect(await apply({ attemptId, callStatus: 'busy' })).toMatchObject({ requestId, duplicate: false });
    expect(await d.dials.applyResult(report({ attemptId: 1_000_000_000 }))).toEqual({ kind: 'not_found' });
    expect(await d.dials.applyResult(report({ requestId: '0b7c6f1e-9a54-4a6e-8f00-6a1f0c9a3b10', attemptId }))).toEqual({
      kind: 'not_found',
    });
  });

  test('overrides a busy from the switch and an unknown outcome, whether or not it waits for a retry [A7, D7.8]', async () => {
    const endings = [
      { status: 'failed', callStatus: 'busy', retryUnknown: false, waits: true },
      { status: 'outcome_unknown', callStatus: null, retryUnknown: true, waits: true },
      { status: 'outcome_unknown', callStatus: null, retryUnknown: false, waits: false },
    ] as const;
    for (const { status, callStatus, retryUnknown, waits } of endings) {
      const { contact, requestId } = await dialOne(d, { retryUnknown });
      await d.dials.settle([settled(requestId, { status, callStatus })]);
      expect((await contactRow(d.db, contact)).retryAt).toEqual(waits ? expect.any(Number) : null);
      const outcome = await apply({ requestId, callStatus: 'completed', answeredAt: ANSWERED_AT, endedAt: ANSWERED_AT + 5_000 });
      expect(outcome).toMatchObject({ status: 'completed', conflicts: [], duplicate: false });
      expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'completed', callStatus: 'completed', durationSeconds: 5 });
      expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed', retryAt: null });
    }
  });

  test('a late one does not affect a contact that is being dialled again', async () => {
    const { campaign, contact, requestId } = await dialOne(d);
    await d.dials.settle([settled(requestId, { status: 'outcome_unknown', callStatus: null })]);
    await d.db.run(sql`update contact set retry_at = ${DUE} where id = ${contact}`);
    const second = await claim(d, campaign);
    await apply({ requestId, callStatus: 'completed', answeredAt: ANSWERED_AT });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'submitted', lastAttemptId: second.dials[0]?.attemptId });
  });

  test("without a status: completed when the call was answered, else the switch's outcome, else failed", async () => {
    const answered = await dialOne(d);
    await d.dials.recordProgress([{ requestId: answered.requestId, answeredAt: ANSWERED_AT }]);
    await apply({ requestId: answered.requestId, endedAt: ANSWERED_AT + 2_000 });
    expect(await attemptRow(d.db, answered.requestId)).toMatchObject({ callStatus: 'completed', durationSeconds: 2 });
    const told = await dialOne(d);
    await d.dials.settle([settled(told.requestId, { callStatus: 'power_off' })]);
    await apply({ requestId: told.requestId });
    expect(await attemptRow(d.db, told.requestId)).toMatchObject({ callStatus: 'power_off', status: 'failed' });
    const nothing = await dialOne(d);
    await apply({ requestId: nothing.requestId });
    expect(await attemptRow(d.db, nothing.requestId)).toMatchObject({ callStatus: 'failed', status: 'failed' });
  });

  test('of a call whose reply was lost counts as accepted and ends the batch', async () => {
    const campaign = await addCampaign(d.db);
    await addContacts(d.db, campaign, phoneNumbers(1));
    const claimed = await claim(d, campaign);
    const requestId = claimed.dials[0]?.requestId ?? '';
    await d.dials.markDialing([requestId]);
    await apply({ requestId, callStatus: 'completed', answeredAt: ANSWERED_AT });
    expect(await batchRow(d.db, claimed.batchId)).toMatchObject({ status: 'completed', submitted: 1, failed: 0 });
  });
});

describe('later reports [D7.7]', () => {
  const first = {
    callStatus: 'completed',
    answeredAt: ANSWERED_AT,
    endedAt: ANSWERED_AT + 1_000,
    payload: { a: 1, b: { c: 2, d: 3 } },
  } as const;

  test('the same report again is a duplicate in any order of members and by any identifier', async () => {
    const { requestId, attemptId } = await dialOne(d);
    await apply({ requestId, ...first });
    const again = await apply({ attemptId, ...first, payload: { b: { d: 3, c: 2 }, a: 1 } });
    expect(again).toMatchObject({ duplicate: true, conflicts: [], outboxId: null, status: 'completed' });
    expect(await d.db.first(sql`select count(*) as rows from outbox where key = ${requestId}`)).toEqual({ rows: 1 });
  });

  test('a different one fills empty fields and returns those it could not change', async () => {
    const { contact, requestId } = await dialOne(d);
    await apply({ requestId, ...first });
    const later = { requestId, callStatus: 'busy', classification: 'B', recordingUrl: 'C:\\rec\\x.wav', payload: { a: 2 } } as const;
    expect(await apply(later)).toMatchObject({
      duplicate: false,
      conflicts: ['callStatus', 'payload'],
      status: 'completed',
      outboxId: null,
    });
    expect(await attemptRow(d.db, requestId)).toMatchObject({
      status: 'completed',
      callStatus: 'completed',
      classification: 'B',
      recordingUrl: 'x.wav',
      payload: first.payload,
    });
    expect((await contactRow(d.db, contact)).status).toBe('completed');
    expect(await apply(later)).toMatchObject({ duplicate: true });
  });

  test('a later transcript is not merged into the first one', async () => {
    const { requestId, attemptId } = await dialOne(d);
    const segment = (text: string) => ({ speaker: 'bot', text, startMs: null, endMs: null, nodeId: null }) as const;
    await apply({ requestId, callStatus: 'completed', transcript: [segment('一')] });
    await apply({ requestId, callStatus: 'completed', transcript: [segment('二'), segment('三')] });
    expect(await d.db.rows(sql`select text from transcript_segment where attempt_id = ${attemptId}`)).toEqual([{ text: '一' }]);
  });

  test('captions stored for want of a transcript are replaced by a late one, and never stored after one', async () => {
    const { requestId, attemptId } = await dialOne(d);
    const caption = (segmentId: string, text: string, afterMs: number) =>
      ({ segmentId, speaker: 'customer', text, startMs: null, endMs: null, nodeId: null, at: ANSWERED_AT + afterMs }) as const;
    const said = () =>
      d.db.rows(sql`
        select segment_id as id, text, start_ms as start, source from transcript_segment where attempt_id = ${attemptId} order by position`);
    await d.dials.keepCaptions(requestId, [caption('0', '喂', 900)]);
    expect(await said()).toEqual([]);
    await d.db.run(sql`update attempt set status = 'answered', answered_at = to_timestamp(${ANSWERED_AT / 1_000}) where id = ${attemptId}`);
    await d.dials.keepCaptions(requestId, [caption('0', '喂', 900)]);
    await d.dials.keepCaptions(requestId, [caption('0', '喂？', 900), caption('b', '再见', 4_000)]);
    expect(await said()).toEqual([
      { id: '0', text: '喂？', start: 900, source: 'captions' },
      { id: 'b', text: '再见', start: 4_000, source: 'captions' },
    ]);
    await apply({ requestId, callStatus: 'completed' });
    expect(await said()).toHaveLength(2);
    await apply({ requestId, callStatus: 'completed', transcript: [SAID], intent: '有意向' });
    expect(await said()).toEqual([{ id: '0', text: '您好', start: null, source: 'result' }]);
    await d.dials.keepCaptions(requestId, [caption('b', '再见', 4_000)]);
    expect(await said()).toHaveLength(1);
  });

  test('of many concurrent reports of one call one is applied, the equal ones are duplicates [I6]', async () => {
    const { requestId } = await dialOne(d);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => apply({ requestId, ...first })));
    expect(outcomes.filter(outcome => !outcome.duplicate)).toHaveLength(1);
    expect(outcomes.filter(outcome => outcome.outboxId !== null)).toHaveLength(1);
  });

  test('result against settle: the result stands', async () => {
    for (let times = 0; times < 10; times += 1) {
      const { contact, requestId } = await dialOne(d);
      await Promise.all([apply({ requestId, ...first }), d.dials.settle([settled(requestId)])]);
      expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'completed', callStatus: 'completed' });
      expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed', retryAt: null });
    }
  });
});

describe('opt-out [D7.7]', () => {
  test('adds the number to the do-not-call list with the result', async () => {
    const { requestId } = await dialOne(d, { phoneNumber: '+86 139-0000-0001' });
    await apply({ requestId, callStatus: 'completed', optOut: true, optOutReason: '不要再打' });
    expect(await entryOf('+8613900000001')).toEqual({
      number: '+86 139-0000-0001',
      reason: '不要再打',
      source: 'callback',
      expiresAt: null,
    });
    expect(await d.db.first(sql`select opt_out as "optOut" from attempt where request_id = ${requestId}::uuid`)).toEqual({ optOut: true });
  });

  test('makes an entry that would expire permanent', async () => {
    const { requestId } = await dialOne(d, { phoneNumber: '13900000002' });
    await d.db.run(
      sql`insert into do_not_call (phone_number, dial_key, source, expires_at) values ('x', '+8613900000002', 'manual', now())`,
    );
    await apply({ requestId, callStatus: 'completed', optOut: true });
    expect(await entryOf('+8613900000002')).toMatchObject({ source: 'callback', expiresAt: null });
  });

  test('is not written when the result cannot be written', async () => {
    const { requestId } = await dialOne(d, { phoneNumber: '13900000003' });
    const broken = report({ requestId, optOut: true, transcript: [{ ...SAID, speaker: 'nobody' as never }] });
    await expect(d.dials.applyResult(broken)).rejects.toThrow();
    expect(await entryOf('+8613900000003')).toBeUndefined();
  });
});

describe('concurrent reports [A7]', () => {
  const together = (...reports: Partial<ResultReport>[]) =>
    Promise.allSettled(reports.map(changes => d.dials.applyResult(report(changes))));
  /** The first is written at once: reports that arrive meanwhile share the next transaction. */
  const shared = async (...reports: Partial<ResultReport>[]) => (await together({ attemptId: 1_000_000_000 }, ...reports)).slice(1);

  test('each has its own outcome, and its own outbox row', async () => {
    const calls = await Promise.all(['13900000011', '13900000012', '13900000013'].map(phoneNumber => dialOne(d, { phoneNumber })));
    const outcomes = await shared(
      ...calls.map(({ requestId }, index) => ({ requestId, callStatus: index === 1 ? ('busy' as const) : ('completed' as const) })),
    );
    expect(outcomes).toEqual(
      calls.map(({ attemptId }, index) => ({
        status: 'fulfilled',
        value: expect.objectContaining({ attemptId, status: index === 1 ? 'failed' : 'completed', outboxId: expect.any(Number) }),
      })),
    );
    const rows = await d.db.rows(
      sql<{ key: string }>`select key from outbox where key = any(${calls.map(({ requestId }) => requestId)}::text[])`,
    );
    expect(rows).toHaveLength(3);
  });

  test('one that cannot be written fails alone', async () => {
    const [first, second] = [await dialOne(d, { phoneNumber: '13900000014' }), await dialOne(d, { phoneNumber: '13900000015' })];
    const outcomes = await shared(
      { requestId: first.requestId, transcript: [{ ...SAID, speaker: 'nobody' as never }] },
      { requestId: second.requestId, callStatus: 'completed' },
      { requestId: '0b7c6f1e-9a54-4a6e-8f00-6a1f0c9a3b11' },
    );
    expect(outcomes).toMatchObject([
      { status: 'rejected' },
      { status: 'fulfilled', value: { attemptId: second.attemptId, status: 'completed' } },
      { status: 'fulfilled', value: { kind: 'not_found' } },
    ]);
    expect(await attemptRow(d.db, first.requestId)).toMatchObject({ status: 'accepted' });
  });

  test('two of one call are applied one after the other, by any identifier', async () => {
    const { requestId, attemptId } = await dialOne(d, { phoneNumber: '13900000016' });
    const outcomes = await shared(
      { requestId, callStatus: 'completed', intent: '有意向' },
      { requestId: null, attemptId, callStatus: 'completed', intent: '无意向' },
      { requestId, callStatus: 'completed', intent: '有意向' },
    );
    expect(outcomes).toMatchObject([
      { value: { duplicate: false, conflicts: [] } },
      { value: { duplicate: false, conflicts: ['intent'] } },
      { value: { duplicate: true } },
    ]);
  });

  test('two opt-outs of one number are one entry', async () => {
    const first = await dialOne(d, { phoneNumber: '13900000017' });
    // A person is in one call at a time, but a report may come after the call was given up.
    await d.dials.settle([settled(first.requestId, { status: 'outcome_unknown', callStatus: null })]);
    const second = await dialOne(d, { phoneNumber: '13900000017' });
    const outcomes = await shared(
      ...[first, second].map(({ requestId }) => ({ requestId, callStatus: 'completed' as const, optOut: true })),
    );
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
    expect(await entryOf('+8613900000017')).toMatchObject({ source: 'callback' });
  });
});
