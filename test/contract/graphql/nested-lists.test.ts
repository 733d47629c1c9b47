import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { insertAttempt, insertBatch, insertContact } from '#test/support/rows.ts';
import { askFor } from './graphql-client.ts';
import { statementsOf } from './statements.ts';

let api: ManagementApi;
/** Newest first, as lists return them. */
let campaignIds: string[];
beforeAll(async () => {
  api = await ManagementApi.start();
  campaignIds = [];
  for (const contacts of [5, 1, 3, 0]) campaignIds.unshift(String(await campaignWith(contacts)));
});
afterAll(() => api.server.close());

async function campaignWith(contacts: number): Promise<number> {
  const { database } = api.server.running.context;
  const { id: campaignId } = await api.campaign();
  for (let index = 0; index < contacts; index++) {
    const isEven = index % 2 === 0;
    const phoneNumber = `${isEven ? 139 : 137}0000000${index}`;
    const status = isEven ? 'failed' : 'pending';
    const contactId = await insertContact(database, { campaignId, phoneNumber, status, holdReason: index === 1 ? 'dnc' : null });
    await insertAttempt(database, { campaignId, contactId, status: 'completed', callStatus: isEven ? 'busy' : 'completed' });
    await insertBatch(database, { campaignId });
  }
  return campaignId;
}

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object = {}): Promise<any> => askFor(api.server, api.admin, query, variables);

const SLICE = 'totalCount pageInfo { hasNextPage hasPreviousPage endCursor } nodes { id: databaseId }';

/** Lists of each campaign, and the most statements for all of them together. */
const LISTS: readonly [string, number][] = [
  [`contacts(first: 2) { ${SLICE} }`, 2],
  [`contacts(first: 1, status: FAILED) { ${SLICE} }`, 2],
  [`contacts(first: 2, search: "139") { ${SLICE} }`, 3],
  [`contacts(first: 1, search: "139", status: FAILED) { ${SLICE} }`, 3],
  [`attempts(first: 2) { ${SLICE} }`, 2],
  [`attempts(first: 1, filter: { callStatus: BUSY, campaignId: "1" }) { ${SLICE} }`, 2],
  [`attempts(first: 2, filter: { resultMissing: false }) { ${SLICE} }`, 2],
  [`batches(first: 2) { ${SLICE} }`, 2],
  ['notDialedReasons { reason contacts }', 3],
  ['preflight { canStart pendingContacts lines { lineId active } skips { dnc invalid } checks { code level message } }', 5],
  [`open: attempts(first: 1) { nodes { id: databaseId contact { campaign { id: databaseId } } } } all: attempts(first: 5) { ${SLICE} }`, 5],
];

describe('lists below the rows of a list', () => {
  test.each(LISTS)('%s equal those of each campaign alone, and take one statement for all of them', async (list, atMost) => {
    const alone: unknown[] = [];
    for (const id of campaignIds)
      alone.push((await run(`query($id: ID!) { campaign(id: $id) { id: databaseId ${list} } }`, { id })).campaign);
    const { answer, statements } = await statementsOf(api.server, () =>
      run(`{ campaigns(first: 10) { nodes { id: databaseId ${list} } } }`),
    );
    expect(answer.campaigns.nodes).toEqual(alone);
    // One more for the campaigns themselves.
    expect(statements.length).toBeLessThanOrEqual(1 + atMost);
  });

  test('a cursor continues in each of them', async () => {
    const query = `query($after: String) { campaigns(first: 10) { nodes { id: databaseId contacts(first: 10) { nodes { id: databaseId } } rest: contacts(first: 10, after: $after) { ${SLICE} } } } }`;
    const before = await run(query, {});
    const ids = before.campaigns.nodes.flatMap(({ contacts }: { contacts: { nodes: { id: string }[] } }) =>
      contacts.nodes.map(({ id }) => Number(id)),
    );
    const middle = ids.toSorted((a: number, b: number) => a - b)[4];
    const { campaigns } = await run(query, { after: Buffer.from(`id:${middle}`).toString('base64url') });
    for (const { contacts, rest } of campaigns.nodes) {
      expect(rest.nodes).toEqual(contacts.nodes.filter(({ id }: { id: string }) => Number(id) < middle));
      expect(rest.pageInfo.hasPreviousPage).toBe(true);
      expect(rest.totalCount).toBe(contacts.nodes.length);
    }
  });
});
