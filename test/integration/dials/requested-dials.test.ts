import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { admission, assessPlan } from '#dialling/decisions/assess.ts';
import { explainContact } from '#dialling/explain.ts';
import { newDial } from '#dials/dial.ts';
import { expireOnce } from '#dials/expire-dials.ts';
import { findDial } from '#dials/find-dial.ts';
import { placeDials } from '#dials/place-dials.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import type { NewRuntimeEvent } from '#runtime-events/runtime-event-store.ts';
import { promiseCallback } from '#callbacks/callback-store.ts';
import {
  addCampaign,
  addContacts,
  claim,
  claimRequest,
  contactRow,
  dial,
  type Dialling,
  DUE,
  grants,
  mark,
  openDialling,
  phoneNumbers,
  settled,
} from '#test/support/dialling.ts';
import { systemCaller } from '#kernel/caller.ts';

const HOUR_MS = 3_600_000;
const PLACE = { timeZone: 'Asia/Shanghai', region: 'CN', allowedShortCodes: [] } as const;

let d: Dialling;
const recorded: NewRuntimeEvent[] = [];
beforeAll(async () => {
  d = await openDialling(16);
});
afterAll(() => d.close());

function app() {
  const events = { record: async (event: NewRuntimeEvent) => void recorded.push(event) } as never;
  const wake = { campaign: () => undefined } as never;
  const audit = { record: async () => undefined } as never;
  return { ...PLACE, db: d.db, dials: d.dials, clock: systemClock, log: silentLog, wake, audit, events };
}

type Given = { phoneNumber?: string } & Partial<Record<'externalId' | 'notBefore' | 'notAfter', string>> & { priority?: number };

const request = (campaignId: number, ...dials: Given[]) =>
  placeDials(
    app(),
    systemCaller('test'),
    campaignId,
    dials.map(given => newDial.parse({ phoneNumber: phoneNumbers(1)[0], ...given })),
  );

async function requestOne(campaignId: number, given: Given): Promise<number> {
  const { dials } = await request(campaignId, given);
  return dials[0]?.contactId ?? 0;
}

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** Claims as a running campaign does: under the rules, at the instant of the claim. */
async function claimByRules(campaignId: number, count = 10) {
  const plan = await d.dials.loadPlan(campaignId);
  if (plan === null) throw new Error('no such campaign');
  const admit = admission(assessPlan(plan, PLACE));
  return d.dials.claim(await claimRequest(d.db, campaignId, { grants: grants(count), admit }));
}

/** Moves the latest instant of a contact, as time would. */
const passes = (contactId: number) => d.db.run(sql`update contact set not_after = ${DUE} where id = ${contactId}`);

describe('the order of dials [D5.5, D7.15]', () => {
  test('is callbacks, urgent dials by priority and age, due retries, then other contacts', async () => {
    const id = await addCampaign(d.db, { maxRetries: 3, retryIntervalSeconds: 0 });
    const [retried = 0] = await addContacts(d.db, id, phoneNumbers(1));
    const { dials } = await dial(d, id);
    await d.dials.settle([settled(dials[0]?.requestId ?? '')]);
    const [fresh = 0, promised = 0] = await addContacts(d.db, id, phoneNumbers(2));
    const low = await requestOne(id, { priority: 1 });
    const high = await requestOne(id, { priority: 9 });
    const later = await requestOne(id, { priority: 9 });
    const plain = await requestOne(id, {});
    await d.db.run(sql`update contact set callback_at = ${DUE} where id = ${promised}`);
    const { dials: claimed } = await claim(d, id);
    expect(claimed.map(({ contactId }) => contactId)).toEqual([promised, high, later, low, retried, fresh, plain]);
    const plan = await d.dials.loadPlan(id);
    expect(plan?.counts).toMatchObject({ pending: 0, dueRetries: 0, active: 7 });
  });
});

describe('the retry of an urgent dial [D7.15]', () => {
  test('keeps its priority once it is due, and no earlier', async () => {
    const id = await addCampaign(d.db, { maxRetries: 3, retryIntervalSeconds: 900 });
    const dialInVain = async () => d.dials.settle((await dial(d, id)).dials.map(({ requestId }) => settled(requestId)));
    const [other = 0] = await addContacts(d.db, id, phoneNumbers(1));
    await dialInVain();
    const urgent = await requestOne(id, { priority: 5 });
    await dialInVain();
    const [low, high] = [await requestOne(id, { priority: 2 }), await requestOne(id, { priority: 9 })];
    const order = async () => (await d.dials.loadPlan(id))?.takers.map(({ contactId }) => contactId);
    expect(await order()).toEqual([high, low]);
    await d.db.run(sql`update contact set retry_at = ${DUE} where id in (${other}, ${urgent})`);
    expect(await order()).toEqual([high, urgent, low, other]);
    const { dials: claimed } = await claim(d, id);
    expect(claimed.map(({ contactId }) => contactId)).toEqual([high, urgent, low, other]);
  });
});

describe('bounds of a dial [D7.15]', () => {
  test('before `notBefore` it is on hold, and at its instant the campaign dials it', async () => {
    const id = await addCampaign(d.db);
    const contact = await requestOne(id, { notBefore: inHours(1) });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'pending', holdReason: 'not_before' });
    expect(await claimByRules(id)).toMatchObject({ kind: 'nothing', held: 0 });
    const dialled = await findDial(app(), id, { contactId: contact });
    expect(dialled).toMatchObject({ state: 'waiting', notDialed: { reason: 'not_before', nextEligibleAt: dialled.notBefore } });
    await d.db.run(sql`update contact set not_before = ${DUE}, hold_until = ${DUE} where id = ${contact}`);
    expect(await d.dials.endDueHolds(100)).toContain(id);
    expect(await claimByRules(id)).toMatchObject({ kind: 'claimed', dials: [{ contactId: contact }] });
  });

  test('a hold that ends early, as by an edit of the contact, does not make it early', async () => {
    const id = await addCampaign(d.db);
    const contact = await requestOne(id, { notBefore: inHours(1) });
    await d.db.run(sql`update contact set hold_reason = null, hold_until = null where id = ${contact}`);
    expect(await claimByRules(id)).toMatchObject({ kind: 'nothing', held: 1 });
    expect(await contactRow(d.db, contact)).toMatchObject({ holdReason: 'not_before' });
  });

  test('after `notAfter` no claim takes it', async () => {
    const id = await addCampaign(d.db);
    const contact = await requestOne(id, { notAfter: inHours(1) });
    await passes(contact);
    expect(await claimByRules(id)).toMatchObject({ kind: 'nothing', held: 1 });
    expect(await explainContact(app(), contact)).toMatchObject({ reason: 'not_after_passed', nextEligibleAt: null });
  });

  test('a claim whose `notAfter` passes before the mark is not marked, and its contact loses no attempt', async () => {
    const id = await addCampaign(d.db);
    const contact = await requestOne(id, { notAfter: inHours(1) });
    const claimed = await claimByRules(id);
    if (claimed.kind !== 'claimed') throw new Error('nothing was claimed');
    const [requestId = ''] = claimed.dials.map(each => each.requestId);
    await d.db.run(sql`update attempt set valid_until = ${DUE} where request_id = ${requestId}::uuid`);
    expect(await mark(d, [requestId])).toEqual([]);
    await d.dials.revert([requestId], { alsoDialing: false, reason: '未拨出' });
    await passes(contact);
    await expireOnce(app());
    expect(await findDial(app(), id, { contactId: contact })).toMatchObject({ state: 'expired', attempts: [{ status: 'cancelled' }] });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', retryAt: null, attemptCount: 0 });
  });

  test('a mark says how long the permission lasts', async () => {
    const id = await addCampaign(d.db);
    await requestOne(id, { notAfter: inHours(1) });
    const claimed = await claimByRules(id);
    if (claimed.kind !== 'claimed') throw new Error('nothing was claimed');
    const [marked] = await d.dials.markDialing(claimed.dials.map(({ requestId }) => requestId));
    expect(marked?.validForMs).toBeGreaterThan(HOUR_MS - 60_000);
    expect(marked?.validForMs).toBeLessThanOrEqual(HOUR_MS);
  });

  test.each(['running', 'paused', 'draft', 'completed'] as const)('is over in a campaign that is %s, with one event', async status => {
    const id = await addCampaign(d.db, { status });
    const late = await requestOne(id, { notAfter: inHours(1), notBefore: inHours(0.5) });
    const paused = await requestOne(id, { notAfter: inHours(1) });
    const inTime = await requestOne(id, { notAfter: inHours(1) });
    await d.db.run(sql`update contact set status = 'paused' where id = ${paused}`);
    await passes(late);
    await passes(paused);
    await expireOnce(app());
    await expireOnce(app());
    for (const contact of [late, paused]) {
      expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', retryAt: null, holdReason: 'not_after_passed' });
      expect(await explainContact(app(), contact)).toMatchObject({ reason: 'not_after_passed' });
    }
    expect(await contactRow(d.db, inTime)).toMatchObject({ status: 'pending' });
    expect(recorded.filter(({ campaignId }) => campaignId === id)).toMatchObject([
      { type: 'dial.expired', level: 'warning', detail: { contacts: 2, contactIds: [late, paused] } },
    ]);
  });

  test('ends a wait for a retry', async () => {
    const id = await addCampaign(d.db, { maxRetries: 3 });
    const contact = await requestOne(id, { notAfter: inHours(1) });
    const { dials } = await dial(d, id);
    await d.dials.settle([settled(dials[0]?.requestId ?? '')]);
    expect(await findDial(app(), id, { contactId: contact })).toMatchObject({ state: 'waiting', notDialed: { reason: 'retry_wait' } });
    await passes(contact);
    expect(await explainContact(app(), contact)).toMatchObject({ reason: 'not_after_passed', nextEligibleAt: null });
    await expireOnce(app());
    expect(await findDial(app(), id, { contactId: contact })).toMatchObject({ state: 'expired' });
  });

  test('waiting does not help a retry that would come too late', async () => {
    const id = await addCampaign(d.db, { maxRetries: 3, retryIntervalSeconds: 7_200 });
    const contact = await requestOne(id, { notAfter: inHours(1) });
    const { dials } = await dial(d, id);
    await d.dials.settle([settled(dials[0]?.requestId ?? '')]);
    expect(await explainContact(app(), contact)).toMatchObject({ reason: 'retry_wait', nextEligibleAt: null });
  });

  test('gives way to a promised callback, which has its own end', async () => {
    const id = await addCampaign(d.db);
    const contact = await requestOne(id, { notAfter: inHours(1) });
    const dueAt = Date.now() + 2 * HOUR_MS;
    await d.db.transaction(tx =>
      promiseCallback(tx, { campaignId: id, contactId: contact, dueAt, until: null, note: '', source: 'console', createdBy: null }),
    );
    await passes(contact);
    await expireOnce(app());
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'pending', holdReason: 'callback' });
    await d.db.run(sql`update contact set callback_at = ${DUE}, hold_reason = null, hold_until = null where id = ${contact}`);
    expect(await claimByRules(id)).toMatchObject({ kind: 'claimed', dials: [{ contactId: contact }] });
  });
});

describe('a request for dials [D7.15]', () => {
  test('accepts and refuses each dial by itself', async () => {
    const id = await addCampaign(d.db);
    const [waiting = ''] = phoneNumbers(1);
    const [contact = 0] = await addContacts(d.db, id, [waiting]);
    const { dials: first } = await request(id, { externalId: 'order-1' });
    const [twice = ''] = phoneNumbers(1);
    const { accepted, refused, dials } = await request(
      id,
      { phoneNumber: twice, externalId: 'order-2' },
      { phoneNumber: twice },
      { externalId: 'order-2' },
      { externalId: 'order-1' },
      { phoneNumber: waiting },
      { phoneNumber: '110' },
      { phoneNumber: '不是号码' },
      { notAfter: inHours(-1) },
    );
    expect({ accepted, refused }).toEqual({ accepted: 1, refused: 7 });
    expect(dials.map(({ status, field, reason, contactId }) => [status, field, reason, contactId])).toEqual([
      ['accepted', null, null, expect.any(Number)],
      ['refused', 'phoneNumber', 'repeats', null],
      ['refused', 'externalId', 'repeats', null],
      ['refused', 'externalId', 'knownExternalId', first[0]?.contactId],
      ['refused', 'phoneNumber', 'waitsAlready', contact],
      ['refused', 'phoneNumber', 'barredCode', null],
      ['refused', 'phoneNumber', 'undiallable', null],
      ['refused', 'notAfter', 'inThePast', null],
    ]);
    expect(dials[4]?.message).toBe('phoneNumber 已在该活动中等待呼叫或正在通话');
  });

  test('with bounds that leave no instant is refused as a whole, naming the dial, and nothing is written', async () => {
    const id = await addCampaign(d.db);
    await expect(request(id, {}, { notBefore: inHours(2), notAfter: inHours(1) })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'dials[1].notAfter',
    });
    expect(await d.db.first(sql`select 1 from contact where campaign_id = ${id}`)).toBeUndefined();
  });

  test('takes a number again whose contact is over, as a contact of its own', async () => {
    const id = await addCampaign(d.db, { maxRetries: 0 });
    const [phoneNumber = ''] = phoneNumbers(1);
    const first = await requestOne(id, { phoneNumber, externalId: 'a' });
    expect(await request(id, { phoneNumber, externalId: 'b' })).toMatchObject({ dials: [{ reason: 'waitsAlready', contactId: first }] });
    const { dials } = await dial(d, id);
    await d.dials.settle([settled(dials[0]?.requestId ?? '')]);
    const second = await requestOne(id, { phoneNumber, externalId: 'b' });
    expect(second).not.toBe(first);
    expect(await findDial(app(), id, { externalId: 'a' })).toMatchObject({
      contactId: first,
      state: 'failed',
      attempts: [{ status: 'failed' }],
    });
    expect(await findDial(app(), id, { externalId: 'b' })).toMatchObject({
      contactId: second,
      state: 'waiting',
      attempts: [],
      notDialed: null,
    });
    expect(await claimByRules(id)).toMatchObject({ kind: 'claimed', dials: [{ contactId: second }] });
  });

  test.each(['externalId', 'phoneNumber'] as const)('of many at once with one %s a single one is accepted', async member => {
    const id = await addCampaign(d.db);
    const [phoneNumber = ''] = phoneNumbers(1);
    const same = member === 'externalId' ? { externalId: 'same' } : { phoneNumber };
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(id, same)));
    expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1);
    const ids = answers.flatMap(({ dials }) => dials.map(({ contactId }) => contactId));
    expect(new Set(ids).size).toBe(1);
  });

  test('beside an import of the same number one of both adds it', async () => {
    const id = await addCampaign(d.db);
    const numbers = phoneNumbers(20);
    const [answer] = await Promise.all([
      request(id, ...numbers.map(phoneNumber => ({ phoneNumber }))),
      ...numbers.map(phoneNumber => addContacts(d.db, id, [phoneNumber])),
    ]);
    const rows = await d.db.rows(sql<{ count: number }>`select count(*) as count from contact where campaign_id = ${id} group by dial_key`);
    expect(rows).toEqual(numbers.map(() => ({ count: 1 })));
    expect(answer.accepted + answer.refused).toBe(numbers.length);
  });

  test('a campaign that is archived or missing refuses it', async () => {
    const id = await addCampaign(d.db, { status: 'archived' });
    await expect(request(id, {})).rejects.toMatchObject({ code: 'CAMPAIGN_ARCHIVED' });
    await expect(request(2_000_000_000, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
