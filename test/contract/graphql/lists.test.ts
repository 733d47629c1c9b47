import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { insertAttempt, insertBatch } from '#test/support/rows.ts';
import { ask, askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object): Promise<any> => askFor(api.server, api.admin, query, variables);

/** Ids of all rows of a connection, slice by slice. */
async function walk(query: string, path: string, variables: object): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null; ; ) {
    const data = await run(query, { ...variables, after });
    const { nodes, pageInfo } = data[path] ?? data.campaign[path];
    ids.push(...nodes.map(({ id }: { id: string }) => id));
    if (!pageInfo.hasNextPage) return ids;
    after = pageInfo.endCursor;
  }
}

const SLICE = 'nodes { id: databaseId } pageInfo { hasNextPage endCursor }';

describe('lists are read slice by slice, newest first', () => {
  test('campaigns, searched ones too', async () => {
    const made: string[] = [];
    for (const name of ['甲一', '甲二', '乙', '甲三']) made.push(String((await api.campaign({ name })).id));
    const query = `query($after: String, $search: String) { campaigns(first: 2, after: $after, search: $search) { ${SLICE} } }`;
    expect(await walk(query, 'campaigns', {})).toEqual(made.toReversed());
    expect(await walk(query, 'campaigns', { search: '甲' })).toEqual([made[3], made[1], made[0]]);
    const count = await run('query($search: String) { campaigns(first: 1, search: $search) { totalCount } }', { search: '甲' });
    expect(count.campaigns.totalCount).toBe(3);
  });

  test('a cursor with an id beyond the range of the column is a position like any other', async () => {
    const after = Buffer.from('id:999999999999999').toString('base64url');
    const slice = '(first: 1, after: $after) { nodes { id: databaseId } }';
    const fields = ['campaigns', 'scripts', 'users', 'auditLogs', 'doNotCallEntries', 'softphoneCalls', 'attempts'];
    const query = `query($after: String) { ${fields.map(field => `${field}${slice}`).join(' ')} }`;
    expect((await run(query, { after })).campaigns.nodes).toHaveLength(1);
  });

  test('contacts by status and text', async () => {
    const { id } = await api.campaign();
    const ids = (await api.contacts(id, '13900000001', '13900000002', '13900000003', '13800000004')).map(String);
    await api.post(`/api/campaigns/${id}/contacts/pause`, { contactIds: [Number(ids[1])] });
    const query = `query($id: ID!, $after: String, $status: ContactStatus, $search: String) {
      contacts(campaignId: $id, first: 1, after: $after, status: $status, search: $search) { ${SLICE} totalCount } }`;
    expect(await walk(query, 'contacts', { id })).toEqual(ids.toReversed());
    expect(await walk(query, 'contacts', { id, status: 'PAUSED' })).toEqual([ids[1]]);
    expect(await walk(query, 'contacts', { id, search: '139' })).toEqual([ids[2], ids[1], ids[0]]);
    expect((await run(query, { id, status: 'PENDING', search: '139' })).contacts.totalCount).toBe(2);
    const { errors } = await ask(api.server, api.admin, query, { id: 999_999 });
    expect(errors[0]).toMatchObject({ message: '活动不存在', extensions: { code: 'NOT_FOUND' } });
  });

  test('attempts by every filter, of all campaigns and of one', async () => {
    const { database } = api.server.running.context;
    const campaigns = [await api.campaign(), await api.campaign()];
    const rows: { id: string; campaignId: number; status: 'completed' | 'failed'; callStatus: 'busy' | 'completed'; isMissing: boolean }[] =
      [];
    for (let index = 0; index < 9; index++) {
      const campaignId = campaigns[index % 2].id;
      const [contactId = 0] = await api.contacts(campaignId, String(13_700_000_000 + index));
      const status = index % 3 === 0 ? 'failed' : 'completed';
      const callStatus = index % 3 === 0 ? 'busy' : 'completed';
      const isMissing = index % 3 === 1;
      rows.push({
        id: String(
          await insertAttempt(database, { campaignId, contactId, status, callStatus, hasResult: status === 'completed' && !isMissing }),
        ),
        campaignId,
        status,
        callStatus,
        isMissing,
      });
    }
    const query = `query($filter: AttemptFilter, $after: String) { attempts(first: 2, after: $after, filter: $filter) { ${SLICE} totalCount } }`;
    const idsOf = (fits: (row: (typeof rows)[number]) => boolean) =>
      rows
        .filter(fits)
        .map(({ id }) => id)
        .toReversed();
    expect(await walk(query, 'attempts', {})).toEqual(idsOf(() => true));
    expect(await walk(query, 'attempts', { filter: { campaignId: campaigns[0].id } })).toEqual(
      idsOf(row => row.campaignId === campaigns[0].id),
    );
    expect(await walk(query, 'attempts', { filter: { status: 'FAILED' } })).toEqual(idsOf(row => row.status === 'failed'));
    expect(await walk(query, 'attempts', { filter: { callStatus: 'COMPLETED', campaignId: campaigns[1].id } })).toEqual(
      idsOf(row => row.callStatus === 'completed' && row.campaignId === campaigns[1].id),
    );
    expect((await run(query, { filter: { callStatus: 'BUSY' } })).attempts.totalCount).toBe(3);
    for (const resultMissing of [true, false]) {
      const fits = idsOf(row => row.isMissing === resultMissing);
      expect(await walk(query, 'attempts', { filter: { resultMissing } })).toEqual(fits);
      expect((await run(query, { filter: { resultMissing } })).attempts.totalCount).toBe(fits.length);
      const mine = `query($id: ID!, $after: String) { campaign(id: $id) { attempts(first: 2, after: $after, filter: { resultMissing: ${resultMissing} }) { ${SLICE} totalCount } } }`;
      const own = idsOf(row => row.isMissing === resultMissing && row.campaignId === campaigns[0].id);
      expect(await walk(mine, 'attempts', { id: campaigns[0].id })).toEqual(own);
      expect((await run(mine, { id: campaigns[0].id })).campaign.attempts.totalCount).toBe(own.length);
    }
    for (const answered of [true, false]) {
      const fits = idsOf(row => (row.callStatus === 'completed') === answered);
      expect(await walk(query, 'attempts', { filter: { answered } })).toEqual(fits);
      expect((await run(query, { filter: { answered, open: false } })).attempts.totalCount).toBe(fits.length);
    }
    const ofCampaign = `query($id: ID!, $after: String) { campaign(id: $id) { attempts(first: 2, after: $after, filter: { status: FAILED, campaignId: "1" }) { ${SLICE} } } }`;
    expect(await walk(ofCampaign, 'attempts', { id: campaigns[0].id })).toEqual(
      idsOf(row => row.campaignId === campaigns[0].id && row.status === 'failed'),
    );
    const [withdrawn] = rows;
    await database.run(sql`update attempt set status = 'cancelled', call_status = null where id = ${withdrawn?.id}`);
    for (const isWithdrawn of [true, false]) {
      const fits = idsOf(row => (row === withdrawn) === isWithdrawn);
      expect(await walk(query, 'attempts', { filter: { withdrawn: isWithdrawn } })).toEqual(fits);
      expect((await run(query, { filter: { withdrawn: isWithdrawn } })).attempts.totalCount).toBe(fits.length);
    }
    await database.run(sql`update attempt set status = 'failed', call_status = 'busy' where id = ${withdrawn?.id}`);
    const { attempt } = await run(
      'query($id: ID!) { attempt(id: $id) { id: databaseId status callStatus campaignId resultMissing transcript { text } } }',
      {
        id: rows[0]?.id,
      },
    );
    expect(attempt).toEqual({
      id: rows[0]?.id,
      status: 'FAILED',
      callStatus: 'BUSY',
      campaignId: String(campaigns[0].id),
      resultMissing: false,
      transcript: [],
    });
    expect(await run('{ attempt(id: 999999) { id: databaseId } }', {})).toEqual({ attempt: null });
  });

  test('batches of a campaign', async () => {
    const { id } = await api.campaign();
    const made: string[] = [];
    for (let index = 0; index < 3; index++) made.push(String(await insertBatch(api.server.running.context.database, { campaignId: id })));
    const query = `query($id: ID!, $after: String) { campaign(id: $id) { batches(first: 2, after: $after) { ${SLICE} totalCount } } }`;
    expect(await walk(query, 'batches', { id })).toEqual(made.toReversed());
    expect((await run(query, { id })).campaign.batches.totalCount).toBe(3);
  });

  test.each([
    ['first: 0', '参数错误：first 不能小于 1'],
    ['first: 1, after: "?"', '参数错误：after 不是有效的游标'],
    [`first: 1, search: "${'x'.repeat(201)}"`, '参数错误：search 长度不能超过 200 个字符'],
  ])('%s is refused by name', async (args, message) => {
    expect((await ask(api.server, api.admin, `{ campaigns(${args}) { totalCount } }`)).errors[0]?.message).toBe(message);
  });
});
