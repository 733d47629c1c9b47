import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { listPolicies, updatePolicy } from '#policies/policy-store.ts';
import { systemCaller } from '#kernel/caller.ts';
import { admission, assessPlan } from '#dialling/decisions/assess.ts';
import { campaignActorStore } from '#campaigns/campaign-actor-store.ts';
import { editCampaign } from '#test/support/campaign-host.ts';
import { claimRequest, contactRow, type Dialling, dialOne, openDialling, settled } from '#test/support/dialling.ts';

const ZONE = 'Asia/Shanghai';

let d: Dialling;
beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());

/** A contact whose busy attempt ended a minute ago and whose retry is due. */
async function dueRetry(): Promise<{ campaignId: number; contactId: number; endedAt: number }> {
  const { campaign: campaignId, contact: contactId, requestId } = await dialOne(d, { maxRetries: 3, retryIntervalSeconds: 30 });
  const endedAt = Date.now() - 60_000;
  await d.dials.settle([settled(requestId, { status: 'failed', callStatus: 'busy', endedAt })]);
  return { campaignId, contactId, endedAt };
}

async function tightenRetryRule(campaignId: number, retryIntervalSeconds: number): Promise<void> {
  await d.db.run(sql`
    insert into policy (name, scope, campaign_id, type, action, priority, config, is_enabled)
    values ('重试', 'campaign', ${campaignId}, 'retry_rule', 'limit', 1, ${JSON.stringify({ retryIntervalSeconds })}::jsonb, true)`);
}

async function claimUnderRules(campaignId: number) {
  const plan = await d.dials.loadPlan(campaignId);
  if (!plan) throw new Error('no plan');
  return d.dials.claim(await claimRequest(d.db, campaignId, { admit: admission(assessPlan(plan, { timeZone: ZONE, region: 'CN' })) }));
}

test('a due retry is dialled', async () => {
  const { campaignId } = await dueRetry();
  expect(await claimUnderRules(campaignId)).toMatchObject({ kind: 'claimed', dials: [expect.anything()] });
});

test('a retry interval tightened after the last attempt applies: the contact waits from the end of that attempt [D8.3, D8.6]', async () => {
  const { campaignId, contactId, endedAt } = await dueRetry();
  await tightenRetryRule(campaignId, 600);
  expect(await claimUnderRules(campaignId)).toMatchObject({ kind: 'nothing' });
  expect(await contactRow(d.db, contactId)).toMatchObject({ holdReason: 'retry_wait', holdUntil: endedAt + 600_000 });
});

test('a relaxed rule ends the wait at once [D8.6]', async () => {
  const { campaignId, contactId } = await dueRetry();
  await tightenRetryRule(campaignId, 600);
  await claimUnderRules(campaignId);
  const [rule] = await listPolicies(d, campaignId);
  const deps = { db: d.db, audit: { record: async () => undefined }, wake: { campaign: () => undefined }, region: 'CN' } as const;
  await updatePolicy(deps, systemCaller('test'), rule?.id ?? 0, { config: { retryIntervalSeconds: 10 } });
  expect(await contactRow(d.db, contactId)).toMatchObject({ holdReason: null });
  expect(await claimUnderRules(campaignId)).toMatchObject({ kind: 'claimed', dials: [expect.anything()] });
});

test('so does an edit of the campaign itself', async () => {
  const { campaignId, contactId } = await dueRetry();
  await tightenRetryRule(campaignId, 600);
  await claimUnderRules(campaignId);
  await editCampaign(campaignActorStore(d.db), campaignId, { maxRetries: 5 });
  expect(await contactRow(d.db, contactId)).toMatchObject({ holdReason: null });
});

test('a claim that was withdrawn does not count as the last attempt [A6 step 3]', async () => {
  const { campaignId } = await dueRetry();
  const first = await claimUnderRules(campaignId);
  const requestId = first.kind === 'claimed' ? (first.dials[0]?.requestId ?? '') : '';
  await d.dials.revert([requestId], { alsoDialing: false, reason: '未拨出' });
  expect(await claimUnderRules(campaignId)).toMatchObject({ kind: 'claimed', dials: [expect.anything()] });
});
