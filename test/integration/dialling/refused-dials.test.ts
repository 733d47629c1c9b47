import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { addCampaign, addContacts, claim, claimRequest, type Dialling, openDialling, settled } from '#test/support/dialling.ts';
import type { DialCandidate } from '#dialling/dial-store.ts';

let d: Dialling;

beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());

describe('a dial without a channel', () => {
  test('a refused dial does not count; one that was answered, or rang while its reply was lost, does [D8.4, D7.1]', async () => {
    const campaign = await addCampaign(d.db, { maxRetries: 5 });
    const [contact = 0] = await addContacts(d.db, campaign, ['13844445555']);
    const seenAfter = async (changes: Parameters<typeof settled>[1], isAccepted = false) => {
      const [dial] = (await claim(d, campaign)).dials;
      const requestId = dial?.requestId ?? '';
      await d.dials.markDialing([requestId]);
      if (isAccepted) await d.dials.recordProgress([{ requestId, replyText: '+OK' }]);
      await d.dials.settle([settled(requestId, changes)]);
      await d.db.run(sql`update contact set status = 'pending', retry_at = null, hold_reason = null where id = ${contact}`);
      let seen: DialCandidate | undefined;
      const admit = (candidate: DialCandidate) => {
        seen = candidate;
        return { kind: 'hold', reason: 'frequency_cap', until: null } as const;
      };
      await d.dials.claim(await claimRequest(d.db, campaign, { frequencyDays: 1, admit }));
      await d.db.run(sql`update contact set hold_reason = null where id = ${contact}`);
      return [
        seen?.recentDials.length,
        seen?.recentDials.filter(({ campaignId }) => campaignId === campaign).length,
        seen?.lastEndedAt === null,
      ];
    };
    const refused = { callStatus: 'failed', hangupCause: 'GATEWAY_DOWN', replyText: '-ERR GATEWAY_DOWN', isOurFault: true } as const;
    expect(await seenAfter(refused)).toEqual([0, 0, true]);
    expect(await seenAfter({ ...refused, callStatus: 'invalid_number', isOurFault: false })).toEqual([0, 0, true]);
    // A line that dropped the call rang no phone; the wait after it applies nonetheless.
    expect(await seenAfter({ hangupCause: 'NO_ANSWER', isSilent: true }, true)).toEqual([0, 0, false]);
    expect(await seenAfter({ hangupCause: 'USER_BUSY' })).toEqual([1, 1, false]);
    expect(await seenAfter(refused)).toEqual([1, 1, false]);
    const unserved = { callStatus: 'failed', hangupCause: 'RUNTIME_UNAVAILABLE', isOurFault: true, answeredAt: Date.now() } as const;
    expect(await seenAfter(unserved, true)).toEqual([2, 2, false]);
  });

  test('the previous call is the last one that had, or may have had, a channel [I2]', async () => {
    const campaign = await addCampaign(d.db, { maxRetries: 20, retryIntervalSeconds: 0 });
    const [contact = 0] = await addContacts(d.db, campaign, ['13866667777']);
    const dialled = async (end: Parameters<typeof settled>[1], isAccepted = false) => {
      const [dial] = (await claim(d, campaign)).dials;
      const requestId = dial?.requestId ?? '';
      await d.dials.markDialing([requestId]);
      if (isAccepted) await d.dials.recordProgress([{ requestId, replyText: '+OK' }]);
      await d.dials.settle([settled(requestId, end)]);
      await d.db.run(sql`update contact set retry_at = now() where id = ${contact}`);
      return { requestId, previous: dial?.previousRequestId };
    };
    const refused = { hangupCause: 'GATEWAY_DOWN', replyText: '-ERR GATEWAY_DOWN', isOurFault: true } as const;
    expect((await dialled(refused)).previous).toBeNull();
    const first = await dialled({}, true);
    expect(first.previous).toBeNull();
    expect((await dialled(refused)).previous).toBe(first.requestId);
    const unknown = await dialled({ status: 'outcome_unknown', callStatus: null, hangupCause: null });
    expect(unknown.previous).toBe(first.requestId);
    expect((await dialled(refused)).previous).toBe(unknown.requestId);
    const reverted = (await claim(d, campaign)).dials[0];
    expect(reverted?.previousRequestId).toBe(unknown.requestId);
    await d.dials.revert([reverted?.requestId ?? ''], { alsoDialing: false, reason: 'test' });
    expect((await claim(d, campaign)).dials[0]?.previousRequestId).toBe(unknown.requestId);
  });
});
