import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import {
  attemptRow,
  type CampaignOptions,
  contactRow,
  dial,
  type Dialling,
  dialOne,
  openDialling,
  report,
  settled,
} from '#test/support/dialling.ts';

let d: Dialling;

beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());

/** A call with an unknown outcome. */
async function unknownCall(options: CampaignOptions = {}) {
  const { campaign, contact, requestId } = await dialOne(d, { maxRetries: 3, retryIntervalSeconds: 0, ...options });
  await d.dials.settle([settled(requestId, { status: 'outcome_unknown', callStatus: null, hangupCause: null })]);
  return { campaign, contact, requestId };
}

const answered = (requestId: string) => {
  const endedAt = Date.now();
  const end = { hangupCause: 'NORMAL_CLEARING', hangupBy: 'customer', isResultMissing: true } as const;
  return settled(requestId, { ...end, status: 'completed', callStatus: 'completed', endedAt, answeredAt: endedAt - 3_000 });
};

describe('a call whose outcome is unknown [D7.8]', () => {
  test('is not dialled again by itself, but where the campaign allows it', async () => {
    const { contact } = await unknownCall();
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', retryAt: null, attemptCount: 1 });
    const again = await unknownCall({ retryUnknown: true });
    expect((await contactRow(d.db, again.contact)).retryAt).not.toBeNull();
  });

  test('was answered, according to the record: attempt and contact are completed, once', async () => {
    const { campaign, contact, requestId } = await unknownCall({ retryUnknown: true });
    expect(await d.dials.settleUnknown(answered(requestId))).toEqual({ campaignId: campaign });
    const row = { status: 'completed', callStatus: 'completed', hangupCause: 'NORMAL_CLEARING' };
    expect(await attemptRow(d.db, requestId)).toMatchObject(row);
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed', retryAt: null });
    expect(await d.dials.settleUnknown(settled(requestId))).toBeNull();
    expect(await attemptRow(d.db, requestId)).toMatchObject(row);
  });

  test('was busy, according to the record: the contact is due again as after any busy call', async () => {
    const { contact, requestId } = await unknownCall();
    expect(await d.dials.settleUnknown(settled(requestId))).not.toBeNull();
    expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'failed', callStatus: 'busy' });
    const { retryAt, ...row } = await contactRow(d.db, contact);
    expect(row).toMatchObject({ status: 'failed', attemptCount: 1 });
    expect(retryAt).not.toBeNull();
  });

  test('a contact that has been dialled again, or that a user has changed, stays as it is', async () => {
    const dialled = await unknownCall({ retryUnknown: true });
    await d.db.run(sql`update contact set retry_at = now() - interval '1 second' where id = ${dialled.contact}`);
    await dial(d, dialled.campaign);
    const moved = await unknownCall();
    await d.db.run(sql`update contact set status = 'paused' where id = ${moved.contact}`);
    for (const [{ contact, requestId }, status] of [
      [dialled, 'submitted'],
      [moved, 'paused'],
    ] as const) {
      await d.dials.settleUnknown(answered(requestId));
      expect(await attemptRow(d.db, requestId)).toMatchObject({ status: 'completed' });
      expect(await contactRow(d.db, contact)).toMatchObject({ status });
    }
  });

  test("concurrent records settle it once; one after the runtime's report changes nothing", async () => {
    const { requestId } = await unknownCall();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => d.dials.settleUnknown(answered(requestId))));
    expect(outcomes.filter(outcome => outcome !== null)).toHaveLength(1);
    const reported = await unknownCall();
    await d.dials.applyResult(report({ requestId: reported.requestId, callStatus: 'voicemail' }));
    expect(await d.dials.settleUnknown(answered(reported.requestId))).toBeNull();
  });
});
