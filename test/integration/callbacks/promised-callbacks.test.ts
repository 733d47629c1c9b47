import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { cancelCallback, promiseCallback } from '#callbacks/callback-store.ts';
import { lookOnce } from '#callbacks/watch-callbacks.ts';
import { systemClock } from '#kernel/clock.ts';
import type { NewRuntimeEvent } from '#runtime-events/runtime-event-store.ts';
import {
  addCampaign,
  addContacts,
  claim,
  contactRow,
  dial,
  type Dialling,
  grants,
  openDialling,
  phoneNumbers,
  report,
  settled,
} from '#test/support/dialling.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let d: Dialling;
beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());

/** A campaign with these many contacts. */
async function campaignWith(count: number, maxRetries = 0) {
  const id = await addCampaign(d.db, { maxRetries });
  return { id, contacts: await addContacts(d.db, id, phoneNumbers(count)) };
}

const promise = (campaignId: number, contactId: number, dueAt: number, until: number | null = null) =>
  d.db.transaction(tx =>
    promiseCallback(tx, { campaignId, contactId, dueAt, until, note: '下午再打', source: 'console', createdBy: null }),
  );

async function callbackOf(contactId: number) {
  const row = await d.db.first(sql<{
    status: string;
    misses: number;
    dueAt: number;
    attemptId: number | null;
    endedAttemptId: number | null;
  }>`
    select status, misses, due_at, attempt_id, ended_attempt_id from callback where contact_id = ${contactId} order by id desc limit 1`);
  return row ?? null;
}

/** Makes the promise due, as time would. */
async function becomesDue(contactId: number) {
  await d.db.run(sql`update callback set due_at = now() - interval '1 second' where contact_id = ${contactId} and status = 'promised'`);
  await d.db.run(sql`
    update contact set callback_at = now() - interval '1 second', hold_until = now() - interval '1 second' where id = ${contactId}`);
  await d.dials.endDueHolds(100);
}

describe('a promised callback [D7.12]', () => {
  test('waits for its time and is then claimed before older contacts, with no attempt left', async () => {
    const { id, contacts } = await campaignWith(3);
    const last = contacts[2] ?? 0;
    await promise(id, last, Date.now() + HOUR_MS);
    expect(await contactRow(d.db, last)).toMatchObject({ status: 'pending', holdReason: 'callback' });
    await d.db.run(sql`update contact set attempt_count = 5 where id = ${last}`);
    await becomesDue(last);
    const { dials } = await claim(d, id, { grants: grants(2) });
    expect(dials.map(({ contactId }) => contactId)).toEqual([last, contacts[0]]);
  });

  test('is kept by a person who answers', async () => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    await promise(id, contact, Date.now() + HOUR_MS);
    await becomesDue(contact);
    const [call] = (await dial(d, id)).dials;
    await d.dials.applyResult(report({ requestId: call?.requestId ?? '', callStatus: 'completed' }));
    expect(await callbackOf(contact)).toMatchObject({ status: 'kept', endedAttemptId: call?.attemptId });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed', holdReason: null });
  });

  test('is dialled three times when nobody answers, then given up with one runtime event', async () => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    await promise(id, contact, Date.now() + HOUR_MS);
    for (const misses of [1, 2, 3]) {
      await becomesDue(contact);
      const [call] = (await dial(d, id)).dials;
      await d.dials.settle([settled(call?.requestId ?? '')]);
      expect(await callbackOf(contact)).toMatchObject({ misses, status: misses === 3 ? 'given_up' : 'promised' });
    }
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'failed', holdReason: null });
    const recorded: NewRuntimeEvent[] = [];
    const events = { record: async (event: NewRuntimeEvent) => void recorded.push(event) } as never;
    const app = {
      db: d.db,
      clock: systemClock,
      log: { warn: () => undefined } as never,
      wake: { campaign: () => undefined } as never,
      events,
    };
    await lookOnce(app);
    await lookOnce(app);
    expect(recorded.filter(({ campaignId }) => campaignId === id)).toMatchObject([{ type: 'callback.given_up', level: 'warning' }]);
  });

  test('that is missed is due again a quarter of an hour after the call', async () => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    await promise(id, contact, Date.now() + HOUR_MS);
    await becomesDue(contact);
    const [call] = (await dial(d, id)).dials;
    const endedAt = Date.now();
    await d.dials.settle([{ ...settled(call?.requestId ?? ''), endedAt }]);
    expect(await callbackOf(contact)).toMatchObject({ status: 'promised', dueAt: endedAt + 15 * MINUTE_MS });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'pending', holdReason: 'callback' });
  });

  test('a failure of ours counts as no call', async () => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    await promise(id, contact, Date.now() + HOUR_MS);
    await becomesDue(contact);
    const [call] = (await dial(d, id)).dials;
    await d.dials.settle([{ ...settled(call?.requestId ?? ''), isOurFault: true }]);
    expect(await callbackOf(contact)).toMatchObject({ status: 'promised', misses: 0 });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'pending', holdReason: 'callback' });
  });

  test('comes from a result: the contact is called again although the call completed', async () => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    const [call] = (await dial(d, id)).dials;
    const dueAt = Date.now() + 2 * HOUR_MS;
    await d.dials.applyResult(
      report({ requestId: call?.requestId ?? '', callStatus: 'completed', callback: { dueAt, until: null, note: '两点再打' } }),
    );
    expect(await callbackOf(contact)).toMatchObject({ status: 'promised', dueAt, attemptId: call?.attemptId });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'pending', holdReason: 'callback' });
  });

  test.each([
    ['whose time has passed', { callback: { dueAt: Date.now() - HOUR_MS, until: null, note: '' } }, ['callbackAt']],
    ['of somebody who asks not to be called', { callback: { dueAt: Date.now() + HOUR_MS, until: null, note: '' }, optOut: true }, []],
  ])('%s is not taken from a result', async (_what, members, conflicts) => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    const [call] = (await dial(d, id)).dials;
    const outcome = await d.dials.applyResult(report({ requestId: call?.requestId ?? '', callStatus: 'completed', ...members }));
    expect(outcome).toMatchObject({ kind: 'applied', conflicts });
    expect(await callbackOf(contact)).toBeNull();
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed' });
  });

  test('made during a call outlives that call', async () => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    const [call] = (await dial(d, id)).dials;
    const dueAt = Date.now() + HOUR_MS;
    await promise(id, contact, dueAt);
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'submitted', holdReason: null });
    await d.dials.settle([settled(call?.requestId ?? '')]);
    expect(await callbackOf(contact)).toMatchObject({ status: 'promised', dueAt, misses: 0 });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'pending', holdReason: 'callback' });
  });

  test('a second promise replaces the first', async () => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    const [first, second] = [await promise(id, contact, Date.now() + HOUR_MS), await promise(id, contact, Date.now() + 2 * HOUR_MS)];
    expect(second.id).toBe(first.id);
    const rows = await d.db.rows(sql`select id from callback where contact_id = ${contact}`);
    expect(rows).toHaveLength(1);
  });

  test('cancelled, the contact is again what its last call made of it', async () => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    const [call] = (await dial(d, id)).dials;
    const callback = { dueAt: Date.now() + HOUR_MS, until: null, note: '' };
    await d.dials.applyResult(report({ requestId: call?.requestId ?? '', callStatus: 'completed', callback }));
    const known = await d.db.first(sql<{ id: number }>`select id from callback where contact_id = ${contact}`);
    await d.db.transaction(tx => cancelCallback(tx, known?.id ?? 0));
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'completed', holdReason: null });
    expect(await callbackOf(contact)).toMatchObject({ status: 'cancelled' });
  });

  test('whose time is over is given up without a call', async () => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    await promise(id, contact, Date.now() + HOUR_MS, Date.now() + 2 * HOUR_MS);
    await d.db.run(
      sql`update callback set due_at = now() - interval '2 hours', until = now() - interval '1 hour' where contact_id = ${contact}`,
    );
    const events = { record: async () => undefined } as never;
    await lookOnce({
      db: d.db,
      clock: systemClock,
      log: { warn: () => undefined } as never,
      wake: { campaign: () => undefined },
      events,
    });
    expect(await callbackOf(contact)).toMatchObject({ status: 'given_up', misses: 0 });
    expect(await contactRow(d.db, contact)).toMatchObject({ status: 'pending', holdReason: null });
  });

  test.each([
    ['a number that cannot be dialled', sql`status = 'failed', hold_reason = 'invalid_number', hold_until = null`, 'given_up'],
    ['a deleted contact', sql`deleted_at = now()`, 'cancelled'],
  ])('that is due for %s ends', async (_what, change, status) => {
    const {
      id,
      contacts: [contact = 0],
    } = await campaignWith(1);
    await promise(id, contact, Date.now() + HOUR_MS);
    await becomesDue(contact);
    await d.db.run(sql`update contact set ${change} where id = ${contact}`);
    const events = { record: async () => undefined } as never;
    const wake = { campaign: () => undefined };
    await lookOnce({ db: d.db, clock: systemClock, log: { warn: () => undefined } as never, wake, events });
    expect(await callbackOf(contact)).toMatchObject({ status, misses: 0 });
  });
});
