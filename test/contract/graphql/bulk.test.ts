import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { ask, askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object = {}): Promise<any> => askFor(api.server, api.admin, query, variables);
const OUTCOME =
  '{ databaseId code message node { __typename id ... on Campaign { status } ... on Policy { isEnabled } ... on DoNotCallEntry { phoneNumber } } }';

test('each of many campaigns changes; a refusal of one does not stop the others', async () => {
  const [full, empty] = [await api.campaign(), await api.campaign()];
  await api.contacts(full.id, '13900000001');
  const ids = [String(empty.id), `Campaign:${full.id}`, '999999'];
  const { startCampaigns } = await run(`mutation($ids: [ID!]!) { startCampaigns(ids: $ids) ${OUTCOME} }`, { ids });
  expect(startCampaigns).toEqual([
    {
      databaseId: String(empty.id),
      code: 'NOTHING_TO_CALL',
      message: expect.any(String),
      node: expect.objectContaining({ status: 'DRAFT' }),
    },
    {
      databaseId: String(full.id),
      code: null,
      message: null,
      node: { __typename: 'Campaign', id: `Campaign:${full.id}`, status: 'RUNNING' },
    },
    { databaseId: '999999', code: 'NOT_FOUND', message: '活动不存在', node: null },
  ]);
  expect(await api.audited('campaign', full.id)).toContain('campaign.started');
  const { pauseCampaigns } = await run(`mutation($ids: [ID!]!) { pauseCampaigns(ids: $ids) ${OUTCOME} }`, { ids: [full.id] });
  expect(pauseCampaigns[0].node.status).toBe('PAUSED');
  const { archiveCampaigns } = await run(`mutation($ids: [ID!]!) { archiveCampaigns(ids: $ids) ${OUTCOME} }`, { ids: [full.id, empty.id] });
  expect(archiveCampaigns.map(({ code }: { code: string }) => code)).toEqual([null, null]);
  const again = await run(`mutation($ids: [ID!]!) { startCampaigns(ids: $ids) ${OUTCOME} }`, { ids: [full.id] });
  expect(again.startCampaigns[0].code).toBe('CAMPAIGN_ARCHIVED');
});

test('so do policies and entries of the do-not-call list', async () => {
  const policy = { name: '上限', scope: 'GLOBAL', type: 'CONCURRENCY_LIMIT', action: 'LIMIT', config: { maxConcurrency: 3 } };
  const CREATE = 'mutation($input: CreatePolicyInput!) { createPolicy(input: $input) { ... on Policy { databaseId } } }';
  const ids = [];
  for (const name of ['一', '二']) ids.push((await run(CREATE, { input: { ...policy, name } })).createPolicy.databaseId);
  for (const [verb, isEnabled] of [
    ['disablePolicies', false],
    ['enablePolicies', true],
  ] as const) {
    const answer = await run(`mutation($ids: [ID!]!) { ${verb}(ids: $ids) ${OUTCOME} }`, { ids });
    expect(answer[verb].map(({ node }: { node: { isEnabled: boolean } }) => node.isEnabled)).toEqual([isEnabled, isEnabled]);
  }
  const { deletePolicies } = await run(`mutation($ids: [ID!]!) { deletePolicies(ids: $ids) ${OUTCOME} }`, { ids });
  expect(deletePolicies).toEqual(ids.map(databaseId => ({ databaseId, code: null, message: null, node: null })));

  const inputs = [{ phoneNumber: '13900000001' }, { phoneNumber: 'x' }, { phoneNumber: '13900000002', reason: '要求' }];
  const { addDoNotCallEntries: added } = await run(
    `mutation($inputs: [AddDoNotCallInput!]!) { addDoNotCallEntries(inputs: $inputs) ${OUTCOME} }`,
    { inputs },
  );
  expect(added.map(({ code, node }: { code: string; node: { phoneNumber: string } | null }) => [code, node?.phoneNumber])).toEqual([
    [null, '13900000001'],
    ['INVALID_ARGUMENT', undefined],
    [null, '13900000002'],
  ]);
  const entries = [added[0].databaseId, added[2].databaseId];
  const removed = await run(`mutation($ids: [ID!]!) { removeDoNotCallEntries(ids: $ids) ${OUTCOME} }`, { ids: entries });
  expect(removed.removeDoNotCallEntries.map(({ code }: { code: string }) => code)).toEqual([null, null]);
});

test("entries of an import have that source; the source of customers' own requests cannot be entered by hand", async () => {
  const add = (source: string) =>
    ask(
      api.server,
      api.admin,
      `mutation($source: DoNotCallSource!) { addDoNotCallEntries(source: $source, inputs: [{ phoneNumber: "13900000009" }]) {
         code node { ... on DoNotCallEntry { source } } } }`,
      { source },
    );
  expect((await add('IMPORT')).data.addDoNotCallEntries).toEqual([{ code: null, node: { source: 'IMPORT' } }]);
  expect((await add('MANUAL')).data.addDoNotCallEntries).toEqual([{ code: null, node: { source: 'MANUAL' } }]);
  expect((await add('CALLBACK')).errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'source' });
});

test.each([[[]], [Array.from({ length: 101 }, () => '1')], [['Line:1']]])('%j are not ids of campaigns to change', async ids => {
  const { errors } = await ask(api.server, api.admin, 'mutation($ids: [ID!]!) { pauseCampaigns(ids: $ids) { code } }', { ids });
  expect(errors[0]?.extensions.code).toBe('INVALID_ARGUMENT');
});
