import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import {
  addCampaign,
  addContacts,
  attemptRow,
  claim,
  contactRow,
  type Dialling,
  dialOne,
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

test('the switch stamps by its last tick: no row ends, or is answered, before it starts [D7.9]', async () => {
  const campaign = await addCampaign(d.db, { maxRetries: 1, retryIntervalSeconds: 900 });
  const [contact = 0] = await addContacts(d.db, campaign, phoneNumbers(1));
  const requestId = (await claim(d, campaign)).dials[0]?.requestId ?? '';
  await d.dials.markDialing([requestId]);
  const startedAt = (await attemptRow(d.db, requestId)).startedAt ?? 0;
  await d.dials.recordProgress([{ requestId, answeredAt: startedAt - 20 }]);
  await d.dials.settle([settled(requestId, { endedAt: startedAt - 3, answeredAt: startedAt - 20 })]);
  expect(await attemptRow(d.db, requestId)).toMatchObject({ startedAt, answeredAt: startedAt, endedAt: startedAt, durationSeconds: 0 });
  expect((await contactRow(d.db, contact)).retryAt).toBe(startedAt + 900_000);
});

test('a clock two hours slow does not bring the retry any closer, and is reported [D5.5, D7.7]', async () => {
  const { contact, requestId } = await dialOne(d);
  const reportedAt = Date.now();
  const outcome = await d.dials.applyResult(report({ requestId, callStatus: 'no_answer', endedAt: reportedAt - 7_205_000 }));
  if (outcome.kind !== 'applied') throw new Error(outcome.kind);
  expect(outcome.clockSkewMs).toBeLessThan(-3_000);
  expect((await attemptRow(d.db, requestId)).endedAt).toBeGreaterThanOrEqual(reportedAt);
  expect((await contactRow(d.db, contact)).retryAt).toBeGreaterThanOrEqual(reportedAt + 300_000);
  const row = await d.db.first(sql`select reported_times as times from attempt where request_id = ${requestId}::uuid`);
  expect(row).toEqual({ times: { endedAt: reportedAt - 7_205_000 } });
});

test('the retry of a call that continues after its result is counted from its end, once [D5.5]', async () => {
  const { contact, requestId } = await dialOne(d);
  await d.dials.applyResult(report({ requestId, callStatus: 'voicemail' }));
  const [before, { retryAt }] = [await attemptRow(d.db, requestId), await contactRow(d.db, contact)];
  const endedAt = (before.endedAt ?? 0) + 42_000;
  for (const at of [endedAt, endedAt, endedAt - 1_000]) await d.dials.recordEnd(requestId, at);
  expect(await attemptRow(d.db, requestId)).toEqual({ ...before, endedAt });
  expect((await contactRow(d.db, contact)).retryAt).toBe((retryAt ?? 0) + 42_000);
});
