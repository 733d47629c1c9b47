import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RawBuilder, sql } from 'kysely';
import { promiseCallback } from '#callbacks/callback-store.ts';
import { lookOnce } from '#callbacks/watch-callbacks.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import type { NewRuntimeEvent } from '#runtime-events/runtime-event-store.ts';
import {
  addCampaign,
  addContacts,
  claim,
  contactRow,
  dial,
  type Dialling,
  openDialling,
  phoneNumbers,
  report,
} from '#test/support/dialling.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let d: Dialling;
beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());

/** A contact that is called in an hour, by this agent. */
async function promised({ agentId = null, until = null }: { agentId?: number | null; until?: number | null } = {}) {
  const campaignId = await addCampaign(d.db);
  const [contactId = 0] = await addContacts(d.db, campaignId, phoneNumbers(1));
  const dueAt = Date.now() + HOUR_MS;
  const promise = { campaignId, contactId, dueAt, until, note: '', source: 'console', createdBy: null, agentId } as const;
  const { id } = await d.db.transaction(tx => promiseCallback(tx, promise));
  return { id, campaignId, contactId, dueAt };
}

async function addAgent(): Promise<number> {
  const row = await d.db.first(sql<{ id: number }>`insert into agent (name) values ('坐席') returning id`);
  return row?.id ?? 0;
}

/** One look of the watch; returns the runtime events about the campaign. */
async function look(campaignId: number): Promise<NewRuntimeEvent[]> {
  const recorded: NewRuntimeEvent[] = [];
  const events = { record: async (event: NewRuntimeEvent) => void recorded.push(event) };
  await lookOnce({ db: d.db, clock: systemClock, log: silentLog, wake: { campaign: () => undefined }, events: events as never });
  return recorded.filter(event => event.campaignId === campaignId);
}

async function callbackRow(id: number) {
  return d.db.first(sql<{ status: string; endReason: string | null; agentId: number | null }>`
    select status, end_reason, agent_id from callback where id = ${id}`);
}

const becomesDue = (id: number) => d.db.run(sql`update callback set due_at = now() - interval '1 minute' where id = ${id}`);
const listed = (expiresAt: RawBuilder<unknown>) => (contactId: number) =>
  sql`
  insert into do_not_call (phone_number, dial_key, reason, source, expires_at)
  select phone_number, dial_key, '', 'manual', ${expiresAt} from contact where id = ${contactId}`;
const ofCampaign = (change: RawBuilder<unknown>) => (contactId: number) =>
  sql`
  update campaign set ${change} where id = (select campaign_id from contact where id = ${contactId})`;

describe('a promise that cannot be kept ends at once, and says why [D7.12]', () => {
  test.each([
    ['whose number is listed for good', listed(sql`null`), 'do_not_call', '号码已列入勿扰名单'],
    ['of an archived campaign', ofCampaign(sql`status = 'archived'`), 'campaign_over', '活动已结束'],
    [
      'of a campaign whose end has passed',
      ofCampaign(sql`status = 'completed', scheduled_end_at = now() - interval '1 second'`),
      'campaign_over',
      '活动已结束',
    ],
  ])('%s', async (_what, change, endReason, message) => {
    const { id, campaignId, contactId } = await promised();
    await d.db.run(change(contactId));
    expect(await look(campaignId)).toMatchObject([{ type: 'callback.given_up', message }]);
    expect(await callbackRow(id)).toMatchObject({ status: 'given_up', endReason });
    expect(await contactRow(d.db, contactId)).toMatchObject({ status: 'pending', holdReason: null });
    expect(await look(campaignId)).toEqual([]);
  });

  test('is cancelled without an event when its contact is deleted', async () => {
    const { id, campaignId, contactId } = await promised();
    await d.db.run(sql`update contact set deleted_at = now() where id = ${contactId}`);
    expect(await look(campaignId)).toEqual([]);
    expect(await callbackRow(id)).toMatchObject({ status: 'cancelled', endReason: 'contact_deleted' });
  });

  test('of a contact that had been served, the contact is completed again', async () => {
    const campaignId = await addCampaign(d.db);
    const [contactId = 0] = await addContacts(d.db, campaignId, phoneNumbers(1));
    const [call] = (await dial(d, campaignId)).dials;
    const callback = { dueAt: Date.now() + HOUR_MS, until: Date.now() + 2 * HOUR_MS, note: '' };
    await d.dials.applyResult(report({ requestId: call?.requestId ?? '', callStatus: 'completed', callback }));
    await d.db.run(sql`update callback set until = now() - interval '1 second' where contact_id = ${contactId}`);
    expect(await look(campaignId)).toMatchObject([{ message: '约定的时间已过，没有呼出' }]);
    expect(await contactRow(d.db, contactId)).toMatchObject({ status: 'completed', holdReason: null });
  });
});

describe('a promise that can still be kept waits [D7.12]', () => {
  test.each([
    ['for a number that leaves the do-not-call list in time', listed(sql`now() + interval '3 hours'`)],
    ['with a paused contact', (contactId: number) => sql`update contact set status = 'paused' where id = ${contactId}`],
    ['with a paused campaign', ofCampaign(sql`status = 'paused'`)],
  ])('%s', async (_what, change) => {
    const { id, campaignId, contactId } = await promised();
    await becomesDue(id);
    await d.db.run(change(contactId));
    expect(await look(campaignId)).toEqual([]);
    expect(await callbackRow(id)).toMatchObject({ status: 'promised', endReason: null });
  });

  test('for a completed campaign to be started again, until it is due', async () => {
    const { id, campaignId } = await promised();
    await d.db.run(sql`update campaign set status = 'completed' where id = ${campaignId}`);
    await look(campaignId);
    expect(await callbackRow(id)).toMatchObject({ status: 'promised' });
    await becomesDue(id);
    expect(await look(campaignId)).toMatchObject([{ type: 'callback.given_up', message: '活动已结束' }]);
    expect(await callbackRow(id)).toMatchObject({ status: 'given_up', endReason: 'campaign_over' });
  });

  test('under another number of its contact', async () => {
    const { id, campaignId, contactId } = await promised();
    await d.db.run(sql`update contact set phone_number = '13977770000', dial_key = '+8613977770000' where id = ${contactId}`);
    await look(campaignId);
    expect(await callbackRow(id)).toMatchObject({ status: 'promised' });
  });
});

test('the plan counts the promises that the planned end of a campaign leaves [D5.2]', async () => {
  const { campaignId } = await promised();
  const left = async () => (await d.dials.loadPlan(campaignId))?.counts.promised;
  expect(await left()).toBe(0);
  await d.db.run(sql`update campaign set scheduled_end_at = now() - interval '1 second' where id = ${campaignId}`);
  expect(await left()).toBe(1);
});

describe('a personal callback [D7.12]', () => {
  test('is left to its agent for as long as the campaign says, and then dialled like any other', async () => {
    const { id, campaignId, contactId, dueAt } = await promised({ agentId: await addAgent() });
    expect(await contactRow(d.db, contactId)).toMatchObject({ holdReason: 'callback', holdUntil: dueAt + 10 * MINUTE_MS });
    await becomesDue(id);
    await d.db.run(sql`
      update contact set callback_at = now() - interval '1 second', hold_until = now() - interval '1 second' where id = ${contactId}`);
    await d.dials.endDueHolds(100);
    const { dials } = await claim(d, campaignId);
    expect(dials).toMatchObject([{ contactId, callback: { note: '', misses: 0 } }]);
  });

  test.each([
    ['disabled', sql`is_enabled = false`],
    ['deleted', sql`deleted_at = now()`],
  ])('is for anybody once its agent is %s', async (_what, change) => {
    const agentId = await addAgent();
    const { id, campaignId, contactId, dueAt } = await promised({ agentId });
    await d.db.run(sql`update agent set ${change} where id = ${agentId}`);
    await look(campaignId);
    expect(await callbackRow(id)).toMatchObject({ status: 'promised', agentId: null });
    expect(await contactRow(d.db, contactId)).toMatchObject({ holdReason: 'callback', holdUntil: dueAt });
  });
});
