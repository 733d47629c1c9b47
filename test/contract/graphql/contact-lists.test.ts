import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { insertContact } from '#test/support/rows.ts';
import { ask, askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const database = () => api.server.running.context.database;
const LIST = `query($campaignId: ID, $first: Int!, $after: String, $search: String, $filter: ContactFilter, $orderBy: ListOrder) {
  contacts(campaignId: $campaignId, first: $first, after: $after, search: $search, filter: $filter, orderBy: $orderBy) {
    totalCount pageInfo { hasNextPage endCursor } nodes { id: databaseId campaignId } } }`;
// oxlint-disable-next-line typescript/no-explicit-any
const list = async (variables: object): Promise<any> => (await askFor(api.server, api.admin, LIST, { first: 50, ...variables })).contacts;
const idsOf = ({ nodes }: { nodes: { id: string }[] }) => nodes.map(({ id }) => Number(id));

describe('contacts of every campaign', () => {
  test('are one list, newest or oldest first, with cursors, search and filters combined', async () => {
    const campaigns = [await api.campaign(), await api.campaign()];
    const ids: number[] = [];
    for (const index of Array.from({ length: 6 }, (_, each) => each)) {
      const { id: campaignId } = campaigns[index % 2];
      ids.push(
        await insertContact(database(), { campaignId, phoneNumber: `1375550000${index}`, status: index < 2 ? 'failed' : 'pending' }),
      );
    }
    const newest = ids.toReversed();
    const all = await list({ search: '1375550' });
    expect([idsOf(all), all.totalCount]).toEqual([newest, 6]);
    const first = await list({ first: 4, search: '1375550' });
    expect([idsOf(first), first.pageInfo.hasNextPage]).toEqual([newest.slice(0, 4), true]);
    expect(idsOf(await list({ first: 4, search: '1375550', after: first.pageInfo.endCursor }))).toEqual(newest.slice(4));
    expect(idsOf(await list({ search: '1375550', orderBy: { direction: 'ASC' } }))).toEqual(ids);
    expect(idsOf(await list({ first: 2 }))).toEqual(newest.slice(0, 2));
    const failed = await list({ search: '1375550', filter: { status: 'FAILED' } });
    expect([idsOf(failed), failed.totalCount]).toEqual([newest.slice(4), 2]);
    const one = await list({ filter: { phoneNumber: '137 5550 0003' } });
    expect([idsOf(one), one.totalCount]).toEqual([[ids[3]], 1]);
    expect(new Set((await list({ search: '1375550' })).nodes.map(({ campaignId }: { campaignId: string }) => campaignId)).size).toBe(2);
  });

  test('have no reason, which belongs to one campaign', async () => {
    const { errors } = await ask(api.server, api.admin, LIST, { first: 1, filter: { notDialedReason: 'DNC' } });
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.notDialedReason' });
  });
});

describe('contacts that a reason keeps from being dialled [D7.10]', () => {
  const REASONS = 'query($id: ID!) { campaign(id: $id) { notDialedReasons { reason contacts } } }';

  /** A contact of each kind; the campaign is marked as running and waits for a slot. */
  async function waitingCampaign(): Promise<number> {
    const { id } = await api.campaign({ maxRetries: 3 });
    const add = (contact: object) => insertContact(database(), { campaignId: id, ...contact });
    const held = await add({});
    await add({});
    await add({ status: 'paused' });
    await add({ status: 'failed' });
    const [due, later] = [await add({ status: 'failed' }), await add({ status: 'failed' })];
    await database().run(sql`update contact set hold_reason = 'dnc' where id = ${held}`);
    await database().run(sql`update contact set retry_at = now() - interval '1 minute' where id = ${due}`);
    await database().run(sql`update contact set retry_at = now() + interval '1 hour' where id = ${later}`);
    // Keeps the dispatcher from the campaign for the duration of the test.
    await database().run(sql`
      update campaign set status = 'running', phase = 'WAITING_SLOT', phase_reason = '等待', phase_refusal = 'campaign_full', next_wake_at = now() + interval '1 hour' where id = ${id}`);
    return id;
  }

  test('the filter by a reason returns as many contacts as are counted for it', async () => {
    const id = await waitingCampaign();
    const { notDialedReasons } = (await askFor(api.server, api.admin, REASONS, { id })).campaign;
    const counted = Object.fromEntries(
      notDialedReasons.map(({ reason, contacts }: { reason: string; contacts: number }) => [reason, contacts]),
    );
    expect(counted).toEqual({ CAMPAIGN_FULL: 2, DNC: 1, PAUSED: 1, ATTEMPTS_EXHAUSTED: 1, RETRY_WAIT: 1 });
    for (const [reason, contacts] of Object.entries(counted)) {
      const { totalCount, nodes } = await list({ campaignId: id, filter: { notDialedReason: reason } });
      expect([reason, totalCount, nodes.length]).toEqual([reason, contacts, contacts]);
    }
    expect((await list({ campaignId: id, filter: { notDialedReason: 'BLACKLIST' } })).totalCount).toBe(0);
  });

  test('in a paused campaign every contact that could be dialled counts as paused', async () => {
    const id = await waitingCampaign();
    await database().run(sql`update campaign set status = 'paused', phase = 'IDLE' where id = ${id}`);
    expect((await list({ campaignId: id, filter: { notDialedReason: 'PAUSED' } })).totalCount).toBe(3);
  });
});
