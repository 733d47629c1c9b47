import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { retryContacts } from '#outcomes/retry-contacts.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import { systemCaller } from '#kernel/caller.ts';
import { contactRepository } from '#contacts/contact-store.ts';
import {
  addCampaign,
  addContacts,
  type CampaignOptions,
  claim,
  claimRequest,
  contactRow,
  dial,
  type Dialling,
  openDialling,
  phoneNumbers,
  report,
  settled,
} from '#test/support/dialling.ts';
import type { AdmitDial, ClaimRequest } from '#dialling/dial-store.ts';

let d: Dialling;

beforeAll(async () => {
  d = await openDialling(8);
});
afterAll(() => d.close());

/** Decides by two facts, as the rules do. */
const admit: AdmitDial = ({ isInCall, doNotCall }, at) => {
  if (doNotCall !== null) return { kind: 'hold', reason: 'dnc', until: null };
  return isInCall ? { kind: 'hold', reason: 'in_call_elsewhere', until: at + 60_000 } : { kind: 'admit' };
};

/** One person of a new campaign; `written`: the numbers between slashes. */
async function person(written: string, options: CampaignOptions = { maxRetries: 2, retryIntervalSeconds: 300 }) {
  const campaign = await addCampaign(d.db, options);
  const [contact = 0] = await addContacts(d.db, campaign, [written]);
  return { campaign, contact };
}

async function numbersTold(contact: number) {
  const [row] = await d.db.rows(sql<{ numbers: unknown }>`
    select (select jsonb_agg(jsonb_build_array(phone_number, verdict) order by position) from contact_number where contact_id = ${contact}) as numbers`);
  return row?.numbers;
}

async function dialOnce(campaign: number, callStatus: 'invalid_number' | 'busy' | 'no_answer') {
  const { dials } = await dial(d, campaign);
  const [first] = dials;
  await d.dials.settle([
    settled(first?.requestId ?? '', { callStatus, hangupCause: callStatus === 'busy' ? 'USER_BUSY' : 'UNALLOCATED_NUMBER' }),
  ]);
  return first;
}

async function claimIn(campaign: number, changes: Partial<ClaimRequest> = {}) {
  const outcome = await d.dials.claim(await claimRequest(d.db, campaign, { admit, ...changes }));
  return outcome.kind === 'claimed' ? outcome.dials.map(({ phoneNumber, extension }) => ({ phoneNumber, extension })) : [];
}

describe('a number that does not exist', () => {
  test('gives way to the next one at once and costs no attempt; the person ends with the last one [D6.7]', async () => {
    const [first = '', second = ''] = phoneNumbers(2);
    const { campaign, contact } = await person(`${first}/${second}`, { maxRetries: 0, retryIntervalSeconds: 300 });
    expect(await dialOnce(campaign, 'invalid_number')).toMatchObject({ phoneNumber: first });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', attemptCount: 0, phoneNumber: second, holdReason: null });
    expect(await numbersTold(contact)).toEqual([
      [first, 'invalid_number'],
      [second, null],
    ]);
    expect(await dialOnce(campaign, 'invalid_number')).toMatchObject({ phoneNumber: second });
    expect(await contactRow(d.db, contact)).toMatchObject({
      status: 'failed',
      attemptCount: 1,
      retryAt: null,
      holdReason: 'invalid_number',
    });
    expect(await claimIn(campaign)).toEqual([]);
  });

  test('is never dialled again: later retries begin with the first number that remains [D6.7]', async () => {
    const numbers = phoneNumbers(3);
    const { campaign, contact } = await person(numbers.join('/'));
    await dialOnce(campaign, 'invalid_number');
    expect(await dialOnce(campaign, 'busy')).toMatchObject({ phoneNumber: numbers[1] });
    expect(await contactRow(d.db, contact)).toMatchObject({ phoneNumber: numbers[1], attemptCount: 1 });
  });

  test('that cannot be dialled at all is ended by the claim [D4.5, D6.7]', async () => {
    const [good = ''] = phoneNumbers(1);
    const { campaign, contact } = await person(`x1/${good}`);
    const fails: AdmitDial = ({ phoneNumber }) =>
      phoneNumber === 'x1' ? { kind: 'fail', callStatus: 'invalid_number' } : { kind: 'admit' };
    expect(await claim(d, campaign, { admit: fails })).toMatchObject({ invalid: [{ phoneNumber: 'x1' }], dials: [] });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', phoneNumber: good, attemptCount: 0 });
    expect((await claim(d, campaign, { admit: fails })).dials).toMatchObject([{ phoneNumber: good }]);
  });

  test('is forgotten by a retry, which begins with the first number [D5.5, D6.7]', async () => {
    const [first = '', second = ''] = phoneNumbers(2);
    const { campaign, contact } = await person(`${first}/${second}`);
    await dialOnce(campaign, 'invalid_number');
    await dialOnce(campaign, 'invalid_number');
    const audit = { record: async () => undefined };
    await retryContacts({ db: d.db, audit, wake: { campaign: () => undefined } }, systemCaller('t'), campaign, { contactIds: [contact] });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'pending', phoneNumber: first, holdReason: null });
    expect(await numbersTold(contact)).toEqual([
      [first, null],
      [second, null],
    ]);
  });
});

test('a retry stays with the first number [D6.7]', async () => {
  const [first = '', second = ''] = phoneNumbers(2);
  const { campaign, contact } = await person(`${first}/${second}`);
  await dialOnce(campaign, 'busy');
  expect(await contactRow(d.db, contact)).toMatchObject({ phoneNumber: first, attemptCount: 1, status: 'failed' });
});

describe('outcome rules', () => {
  const rules = {
    maxAttempts: 4,
    rules: [
      { outcomes: ['busy'], from: 1, to: null, number: 'first', next: { kind: 'next_number', afterSeconds: 0 } },
      { outcomes: ['busy'], from: 1, to: null, number: 'other', next: { kind: 'again', afterSeconds: 60, jitterSeconds: 0 } },
    ],
    otherwise: { kind: 'not_reached' },
  };

  test('walk to the next number, tell the first from the others, and begin anew with the first [D6.7, D7.14]', async () => {
    const [first = '', second = ''] = phoneNumbers(2);
    const { campaign, contact } = await person(`${first}/${second}`);
    await d.db.run(sql`insert into outcome_rules (campaign_id, version, rules) values (${campaign}, 1, ${JSON.stringify(rules)}::jsonb)`);
    await dialOnce(campaign, 'busy');
    expect(await contactRow(d.db, contact)).toMatchObject({ phoneNumber: second, attemptCount: 1 });
    expect(await dialOnce(campaign, 'busy')).toMatchObject({ phoneNumber: second });
    expect(await contactRow(d.db, contact)).toMatchObject({ phoneNumber: first, attemptCount: 2, status: 'failed' });
  });
});

describe('a person who is in a call', () => {
  test('is not called at another number, by whichever campaign; the end of the call frees the contact [D6.7, D7.10]', async () => {
    const [first = '', second = ''] = phoneNumbers(2);
    const [one, other] = [await person(`${first}/${second}`), await person(second)];
    const [busy] = (await dial(d, one.campaign)).dials;
    expect(await claimIn(other.campaign)).toEqual([]);
    expect(await contactRow(d.db, other.contact)).toMatchObject({ holdReason: 'in_call_elsewhere' });
    await d.dials.settle([settled(busy?.requestId ?? '')]);
    expect(await contactRow(d.db, other.contact)).toMatchObject({ holdReason: null });
    expect(await claimIn(other.campaign)).toEqual([{ phoneNumber: second, extension: '' }]);
  });

  test('is claimed once by campaigns that claim at the same time [D6.7, D7.10]', async () => {
    for (let round = 0; round < 15; round += 1) {
      const [first = '', second = ''] = phoneNumbers(2);
      const [one, other] = [await person(`${first}/${second}`), await person(second)];
      const claimed = await Promise.all([one, other].map(({ campaign }) => claimIn(campaign)));
      expect(claimed.flat()).toHaveLength(1);
    }
  });

  test('is not dialled by a claim that was made for another number [D6.7, D8.6]', async () => {
    const [first = '', second = ''] = phoneNumbers(2);
    const [one, other] = [await person(`${first}/${second}`), await person(second)];
    const [earlier] = (await claim(d, one.campaign)).dials;
    // A server of an earlier version claims without the check.
    await d.db.run(sql`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, policy_version)
      select gen_random_uuid(), campaign_id, id, phone_number, dial_key, 'claimed', (select version from rules_version) from contact where id = ${other.contact}`);
    const [later] = await d.db.rows(sql<{ requestId: string }>`select request_id from attempt where contact_id = ${other.contact}`);
    expect(await d.dials.markDialing([later?.requestId ?? ''])).toEqual([]);
    expect(await d.dials.markDialing([earlier?.requestId ?? ''])).toMatchObject([{ requestId: earlier?.requestId }]);
  });
});

describe('the do-not-call list', () => {
  const list = (number: string, scope: 'number' | 'person') =>
    d.db.run(sql`
      insert into do_not_call (phone_number, dial_key, source, scope) values (${number}, ${dialKey(number, 'CN')}, 'manual', ${scope})`);

  test('skips a listed number, and the others remain [D6.7, D8.7]', async () => {
    const [first = '', second = ''] = phoneNumbers(2);
    const { campaign, contact } = await person(`${first}/${second}转801`);
    await list(first, 'number');
    expect(await claimIn(campaign)).toEqual([{ phoneNumber: `${second}转801`, extension: '801' }]);
    expect(await contactRow(d.db, contact)).toMatchObject({ phoneNumber: `${second}转801`, status: 'submitted' });
  });

  test('holds a contact all of whose numbers are listed [D8.7]', async () => {
    const [first = '', second = ''] = phoneNumbers(2);
    const { campaign, contact } = await person(`${first}/${second}`);
    await list(first, 'number');
    await list(second, 'number');
    expect(await claimIn(campaign)).toEqual([]);
    expect(await contactRow(d.db, contact)).toMatchObject({ holdReason: 'dnc', phoneNumber: first });
  });

  test('of a person forbids every number, in every campaign, up to the last instant [D8.6, D8.7]', async () => {
    const [first = '', second = ''] = phoneNumbers(2);
    const [one, other] = [await person(`${first}/${second}`), await person(second)];
    const [claimed] = (await claim(d, other.campaign)).dials;
    await list(first, 'person');
    expect(await claimIn(one.campaign)).toEqual([]);
    expect(await d.dials.markDialing([claimed?.requestId ?? ''])).toEqual([]);
  });

  test('gets the person when somebody with several numbers asks not to be called [D8.7]', async () => {
    const [first = '', second = '', third = ''] = phoneNumbers(3);
    const [several, single] = [await person(`${first}/${second}`), await person(third)];
    for (const { campaign } of [several, single]) {
      const [call] = (await dial(d, campaign)).dials;
      await d.dials.applyResult(report({ requestId: call?.requestId ?? '', callStatus: 'completed', optOut: true }));
    }
    const scopes = await d.db.rows(
      sql`select scope from do_not_call where dial_key in (${dialKey(first, 'CN')}, ${dialKey(third, 'CN')}) order by dial_key`,
    );
    expect(scopes).toEqual([{ scope: 'person' }, { scope: 'number' }]);
  });
});

test('frequency counts the dials to all numbers of the contact [D6.7, D8.4]', async () => {
  const [first = '', second = ''] = phoneNumbers(2);
  const [one, other] = [await person(`${first}/${second}`), await person(second)];
  const [call] = (await dial(d, other.campaign)).dials;
  await d.dials.settle([settled(call?.requestId ?? '', { callStatus: 'no_answer' })]);
  let seen = 0;
  const counting: AdmitDial = ({ recentDials }) => {
    seen = recentDials.length;
    return { kind: 'hold', reason: 'frequency_cap', until: null };
  };
  await claimIn(one.campaign, { admit: counting, frequencyDays: 1 });
  expect(seen).toBe(1);
});

test('a number that another contact of the campaign has is dialled all the same [D6.7]', async () => {
  const [first = '', shared = ''] = phoneNumbers(2);
  const campaign = await addCampaign(d.db, { maxRetries: 2 });
  const [several = 0] = await addContacts(d.db, campaign, [`${first}/${shared}`, shared]);
  await d.db.run(sql`update contact set status = 'paused' where campaign_id = ${campaign} and id <> ${several}`);
  await dialOnce(campaign, 'invalid_number');
  expect(await contactRow(d.db, several)).toMatchObject({ phoneNumber: shared, status: 'failed' });
  expect(await claimIn(campaign)).toEqual([{ phoneNumber: shared, extension: '' }]);
});

test('a contact with a single number has no row of numbers [D6.7]', async () => {
  const [number = ''] = phoneNumbers(1);
  const { campaign, contact } = await person(number);
  expect(await numbersTold(contact)).toBeNull();
  const [row] = await d.db.rows(sql<{ plain: boolean }>`select not has_numbers as plain from contact where id = ${contact}`);
  expect(row).toEqual({ plain: true });
  expect(await contactRepository(d.db).count([campaign], { q: '', status: null })).toEqual([1]);
});
