import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { json } from '#platform/postgres/values.ts';
import type { OutcomeRules } from '#outcomes/decisions/outcome-rules.ts';
import {
  addCampaign,
  addContacts,
  attemptRow,
  claim,
  contactRow,
  type Dialling,
  openDialling,
  phoneNumbers,
  settled,
} from '#test/support/dialling.ts';

let d: Dialling;

beforeAll(async () => {
  d = await openDialling();
});

afterAll(() => d.close());

const RULES: OutcomeRules = {
  maxAttempts: 3,
  rules: [
    { outcomes: ['busy'], from: 1, to: 1, number: 'any', next: { kind: 'again', afterSeconds: 600, jitterSeconds: 0 } },
    { outcomes: ['busy'], from: 2, to: 2, number: 'any', next: { kind: 'block', days: 2 } },
    { outcomes: ['voicemail'], from: 1, to: 1, number: 'any', next: { kind: 'leave_message', afterSeconds: 600, text: '请回电 400' } },
    { outcomes: ['power_off'], from: 1, to: null, number: 'any', next: { kind: 'do_not_call' } },
  ],
  otherwise: { kind: 'not_reached' },
};

/** A campaign without retries of its own. */
async function ruledContact(rules: OutcomeRules | null): Promise<{ campaign: number; contact: number }> {
  const campaign = await addCampaign(d.db, { maxRetries: 0 });
  if (rules) await d.db.run(sql`insert into outcome_rules (campaign_id, version, rules) values (${campaign}, 1, ${json(rules)})`);
  const [contact = 0] = await addContacts(d.db, campaign, phoneNumbers(1));
  return { campaign, contact };
}

async function dialAndEnd(campaign: number, contact: number, end: Parameters<typeof settled>[1] = {}): Promise<string> {
  await d.db.run(sql`update contact set retry_at = now() - interval '1 second' where id = ${contact} and retry_at is not null`);
  const requestId = (await claim(d, campaign)).dials[0]?.requestId ?? '';
  await d.dials.markDialing([requestId]);
  await d.dials.settle([settled(requestId, end)]);
  return requestId;
}

const stored = (contact: number) =>
  d.db.first(sql<{ outcomeCounts: object; partsTried: number }>`select outcome_counts, parts_tried from contact where id = ${contact}`);

async function mailboxText(contact: number): Promise<string | null> {
  const row = await d.db.first(sql<{ mailboxText: string | null }>`select mailbox_text from contact where id = ${contact}`);
  return row?.mailboxText ?? null;
}

describe('outcomes and rules in the database [D7.13, D7.14]', () => {
  test('an attempt keeps its outcome and evidence, its contact the count', async () => {
    const { campaign, contact } = await ruledContact(null);
    const signals = { sipStatus: '486', q850: 17, progressAt: null, mediaAt: null };
    const requestId = await dialAndEnd(campaign, contact, { callStatus: 'busy', hangupCause: 'USER_BUSY', signals });
    expect(await attemptRow(d.db, requestId)).toMatchObject({
      outcome: 'busy',
      evidence: { basis: 'hang_up', cause: 'USER_BUSY', sipStatus: '486', q850: 17, rule: null },
    });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', retryAt: null });
    expect(await stored(contact)).toMatchObject({ outcomeCounts: { busy: 1 } });
  });

  test('rows decide in turn, and take the place of the retries of the campaign', async () => {
    const { campaign, contact } = await ruledContact(RULES);
    const first = await attemptRow(d.db, await dialAndEnd(campaign, contact, { callStatus: 'busy' }));
    expect(first.evidence?.rule).toMatchObject({ row: 0, isBudgetSpent: false });
    expect((await contactRow(d.db, contact))?.retryAt).toBe((first.endedAt ?? 0) + 600_000);
    const second = await attemptRow(d.db, await dialAndEnd(campaign, contact, { callStatus: 'busy' }));
    expect((await contactRow(d.db, contact))?.retryAt).toBe((second.endedAt ?? 0) + 2 * 86_400_000);
    const third = await attemptRow(d.db, await dialAndEnd(campaign, contact, { callStatus: 'busy' }));
    expect(third.evidence?.rule).toMatchObject({ row: null });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', retryAt: null, attemptCount: 3 });
  });

  test('a rule lists the number in the same transaction', async () => {
    const { campaign, contact } = await ruledContact(RULES);
    await dialAndEnd(campaign, contact, { callStatus: 'power_off' });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', retryAt: null });
    const listed = await d.db.first(
      sql`select 1 as found from do_not_call n join contact c on c.dial_key = n.dial_key where c.id = ${contact}`,
    );
    expect(listed).toEqual({ found: 1 });
  });

  test('the call after a mailbox carries the text to leave, until it has been counted', async () => {
    const { campaign, contact } = await ruledContact(RULES);
    await dialAndEnd(campaign, contact, { callStatus: 'voicemail' });
    await d.db.run(sql`update contact set retry_at = now() - interval '1 second' where id = ${contact}`);
    const [dial] = (await claim(d, campaign)).dials;
    expect(dial).toMatchObject({ contactId: contact, mailboxText: '请回电 400' });
    const requestId = dial?.requestId ?? '';
    expect(await d.dials.loadDetails([requestId])).toMatchObject([{ mailboxText: '请回电 400' }]);
    await d.dials.markDialing([requestId]);
    await d.dials.settle([settled(requestId, { callStatus: 'failed', isOurFault: true })]);
    expect(await mailboxText(contact)).toBe('请回电 400');
    await dialAndEnd(campaign, contact, { callStatus: 'voicemail' });
    expect(await mailboxText(contact)).toBeNull();
  });

  test('a result after the settlement is counted once', async () => {
    const { campaign, contact } = await ruledContact(RULES);
    const requestId = await dialAndEnd(campaign, contact, { callStatus: 'busy' });
    await d.dials.applyResult({ ...EMPTY_REPORT, requestId, callStatus: 'no_answer' });
    expect((await attemptRow(d.db, requestId)).outcome).toBe('no_answer');
    expect(await stored(contact)).toMatchObject({ outcomeCounts: { busy: 0, no_answer: 1 } });
  });
});

const EMPTY_REPORT = {
  attemptId: null,
  startedAt: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  hangupCause: null,
  hangupBy: null,
  recordingUrl: null,
  classification: null,
  intent: null,
  recognizedText: null,
  optOut: false,
  optOutReason: null,
  payload: null,
  transcript: [],
};
