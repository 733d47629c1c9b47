import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { consentAt } from '#consent/decisions/consent-at.ts';
import { appendConsents, endConsents, ledgerOf, releaseConsentHolds } from '#consent/consent-store.ts';
import type { ConsentKind } from '#consent/consent.ts';
import { admission, assessPlan } from '#dialling/decisions/assess.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import {
  addCampaign,
  addContacts,
  claim,
  claimRequest,
  contactRow,
  dial,
  type Dialling,
  grants,
  openDialling,
  phoneNumbers,
  report,
} from '#test/support/dialling.ts';

const MINUTE = 60_000;

let d: Dialling;
beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());
beforeEach(() => d.db.run(sql`delete from policy`));

/** Appends one entry for the number; `ago`: how long before now it was given or revoked, ms. */
async function enter(phoneNumber: string, kind: ConsentKind, { ago = 0, until = null as number | null, purpose = 'marketing' } = {}) {
  const entry = { phoneNumber, kind, purpose, source: '官网表单', wording: '', evidence: '', at: Date.now() - ago, until };
  await d.db.transaction(tx =>
    appendConsents(tx, [{ ...entry, dialKey: dialKey(phoneNumber, 'CN') }], { origin: 'console', createdBy: null }),
  );
}

async function requireConsent(campaignId: number | null = null, purpose = 'marketing') {
  await d.db.run(sql`
    insert into policy (name, scope, campaign_id, type, action, config)
    values ('须同意', ${campaignId === null ? 'global' : 'campaign'}, ${campaignId}::int, 'consent_required', 'block', jsonb_build_object('purpose', ${purpose}::text))`);
}

/** A claim by the rules as they stand, like that of a turn. */
async function claimByRules(campaignId: number, count = 10) {
  const plan = await d.dials.loadPlan(campaignId);
  if (!plan) throw new Error('no plan');
  const assessment = assessPlan(plan, { timeZone: 'Asia/Shanghai', region: 'CN' });
  const { frequencyDays, purposes, hasRest: readsAbandoned } = assessment.policies;
  const rules = { frequencyDays, purposes, readsAbandoned, admit: admission(assessment) };
  return d.dials.claim(await claimRequest(d.db, campaignId, { grants: grants(count), ...rules }));
}

async function campaignOf(count: number) {
  const numbers = phoneNumbers(count);
  const id = await addCampaign(d.db);
  return { id, numbers, contacts: await addContacts(d.db, id, numbers) };
}

describe('a policy that asks for consent [D8.10]', () => {
  test('lets those be claimed whose latest entry is a consent that has not ended', async () => {
    const { id, numbers, contacts } = await campaignOf(6);
    const [given = '', none = '', revoked = '', again = '', ended = '', other = ''] = numbers;
    await requireConsent(id);
    await enter(given, 'given', { ago: 9 * MINUTE });
    await enter(revoked, 'given', { ago: 9 * MINUTE });
    await enter(revoked, 'revoked', { ago: 5 * MINUTE, purpose: '' });
    await enter(again, 'revoked', { ago: 9 * MINUTE });
    await enter(again, 'given', { ago: 5 * MINUTE });
    await enter(ended, 'given', { ago: 9 * MINUTE, until: Date.now() - MINUTE });
    await enter(other, 'given', { purpose: 'survey' });
    const outcome = await claimByRules(id);
    expect(outcome).toMatchObject({ kind: 'claimed', held: 4 });
    expect(outcome.kind === 'claimed' && outcome.dials.map(({ phoneNumber }) => phoneNumber)).toEqual([given, again]);
    expect(await contactRow(d.db, contacts[numbers.indexOf(none)] ?? 0)).toMatchObject({ holdReason: 'consent_missing', holdUntil: null });
  });

  test('of a revocation that was imported with an earlier date, the later consent holds', async () => {
    const { id, numbers } = await campaignOf(1);
    await requireConsent();
    await enter(numbers[0] ?? '', 'given', { ago: 5 * MINUTE });
    await enter(numbers[0] ?? '', 'revoked', { ago: 9 * MINUTE, purpose: '' });
    expect(await claimByRules(id)).toMatchObject({ kind: 'claimed', held: 0 });
  });

  test('a consent that is revoked between claim and mark is not dialled', async () => {
    const { id, numbers } = await campaignOf(2);
    await requireConsent(id);
    for (const number of numbers) await enter(number, 'given', { ago: 9 * MINUTE });
    const outcome = await claimByRules(id);
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    await enter(numbers[0] ?? '', 'revoked', { purpose: '' });
    const [, kept] = outcome.dials;
    const marked = await d.dials.markDialing(outcome.dials.map(({ requestId }) => requestId));
    expect(marked.map(({ requestId }) => requestId)).toEqual([kept?.requestId]);
  });

  test('a policy of another campaign, and a disabled one, ask nobody', async () => {
    const { id } = await campaignOf(1);
    await requireConsent(await addCampaign(d.db));
    await requireConsent();
    await d.db.run(sql`update policy set is_enabled = false where campaign_id is null`);
    const { dials } = await claim(d, id);
    expect(await d.dials.markDialing(dials.map(({ requestId }) => requestId))).toHaveLength(1);
  });

  test('a consent returns the contacts that waited for it, and those of others not', async () => {
    const { id, numbers, contacts } = await campaignOf(2);
    await requireConsent(id);
    expect(await claimByRules(id)).toMatchObject({ kind: 'nothing', held: 2 });
    await enter(numbers[0] ?? '', 'given');
    expect(await d.db.transaction(tx => releaseConsentHolds(tx, [dialKey(numbers[0] ?? '', 'CN')]))).toEqual([id]);
    expect(await contactRow(d.db, contacts[0] ?? 0)).toMatchObject({ holdReason: null });
    expect(await contactRow(d.db, contacts[1] ?? 0)).toMatchObject({ holdReason: 'consent_missing' });
  });
});

describe('the ledger [D8.10]', () => {
  test('gets a revocation of everything with the opt-out of a call, in the same transaction', async () => {
    const { id, numbers } = await campaignOf(1);
    const [number = ''] = numbers;
    await enter(number, 'given', { ago: MINUTE });
    const [call] = (await dial(d, id)).dials;
    const requestId = call?.requestId ?? '';
    await d.dials.applyResult({ ...report({ requestId, callStatus: 'completed' }), optOut: true, optOutReason: '不要再打' });
    const ledger = await ledgerOf(d.db, dialKey(number, 'CN'));
    expect(ledger.map(({ kind, purpose, origin, evidence, wording }) => ({ kind, purpose, origin, evidence, wording }))).toEqual([
      { kind: 'given', purpose: 'marketing', origin: 'console', evidence: '', wording: '' },
      { kind: 'revoked', purpose: '', origin: 'call', evidence: requestId, wording: '不要再打' },
    ]);
    expect(consentAt(ledger, 'marketing', Date.now() + MINUTE)).toBe(false);
  });

  test('cannot be changed or shortened', async () => {
    await enter('13700000001', 'given');
    await expect(d.db.run(sql`update consent set until = now()`)).rejects.toThrow();
    await expect(d.db.run(sql`delete from consent`)).rejects.toThrow();
  });

  test('is ended by an erasure once, and only where a consent holds', async () => {
    const key = dialKey('13700000002', 'CN');
    await endConsents(d.db, key);
    expect(await ledgerOf(d.db, key)).toEqual([]);
    await enter('13700000002', 'given', { ago: MINUTE });
    await endConsents(d.db, key);
    await endConsents(d.db, key);
    expect((await ledgerOf(d.db, key)).map(({ kind, origin }) => `${kind} ${origin}`)).toEqual(['given console', 'revoked erasure']);
  });
});

describe('abandoned calls [D8.11]', () => {
  async function policyOf(campaignId: number, type: string, config: object) {
    await d.db.run(sql`
      insert into policy (name, scope, campaign_id, type, action, config)
      values (${type}, 'campaign', ${campaignId}::int, ${type}, 'limit', ${JSON.stringify(config)}::jsonb)`);
  }

  /** Ended attempts of a campaign with this outcome, the last of them this long ago. */
  async function ended(campaignId: number, outcome: string, count: number, ago: number, number = '13600000000') {
    const [contact = 0] = await addContacts(d.db, campaignId, phoneNumbers(1));
    await d.db.run(sql`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, outcome, instance_id, policy_version, claimed_at, dialing_at, answered_at, ended_at)
      select gen_random_uuid(), ${campaignId}, ${contact}, ${number}, ${dialKey(number, 'CN')}, 'completed', ${outcome}, 'test', 1, at, at, at, at
      from (select now() - (${ago}::float8 + n * 1000) * interval '1 millisecond' as at from generate_series(0, ${count - 1}::int) as n) as times`);
    await d.db.run(sql`update contact set status = 'completed' where id = ${contact}`);
  }

  const assess = async (campaignId: number) => {
    const plan = await d.dials.loadPlan(campaignId);
    if (!plan) throw new Error('no plan');
    return { plan, assessment: assessPlan(plan, { timeZone: 'Asia/Shanghai', region: 'CN' }) };
  };

  test('are counted against what people answered within the hours of the limit, mailboxes not', async () => {
    const id = await addCampaign(d.db);
    await policyOf(id, 'abandonment_limit', { hours: 24, maxPercent: 3 });
    await ended(id, 'completed', 130, 60 * MINUTE);
    await ended(id, 'voicemail', 500, 60 * MINUTE);
    await ended(id, 'abandoned', 4, 90 * MINUTE);
    await ended(id, 'abandoned', 9, 25 * 60 * MINUTE);
    const within = await assess(id);
    expect(within.plan.abandonment).toMatchObject([{ answered: 134 }]);
    expect(within.plan.abandonment?.[0]?.abandonedAt).toHaveLength(4);
    expect(within.assessment.verdict.allowed).toBe(true);
    await ended(id, 'abandoned', 1, 80 * MINUTE);
    const { assessment, plan } = await assess(id);
    expect(assessment).toMatchObject({ mayDial: false, verdict: { blockedBy: 'abandonment_limit' } });
    // The oldest of the five leaves first: then four of 130 are too few again.
    expect(assessment.opensAt).toBe((plan.abandonment?.[0]?.abandonedAt[0] ?? 0) + 24 * 60 * MINUTE);
  });

  test('of one campaign do not stop another, and nothing is counted without a limit', async () => {
    const [mine, other] = [await addCampaign(d.db), await addCampaign(d.db)];
    await policyOf(other, 'abandonment_limit', { hours: 24, maxPercent: 3 });
    await ended(mine, 'abandoned', 20, MINUTE);
    expect((await assess(mine)).plan.abandonment).toEqual([]);
    expect((await assess(other)).assessment.verdict.allowed).toBe(true);
  });

  test('hold their number, in all campaigns, until the rest is over', async () => {
    const { id, numbers, contacts } = await campaignOf(2);
    await policyOf(id, 'abandoned_rest', { hours: 72 });
    await ended(await addCampaign(d.db), 'abandoned', 1, 60 * MINUTE, numbers[0]);
    expect(await claimByRules(id)).toMatchObject({ kind: 'claimed', held: 1 });
    const held = await contactRow(d.db, contacts[0] ?? 0);
    expect(held).toMatchObject({ holdReason: 'abandoned_recently' });
    const left = Number(held?.holdUntil) - Date.now();
    expect(Math.abs(left - 71 * 60 * MINUTE)).toBeLessThan(MINUTE);
  });
});
