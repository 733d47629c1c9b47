import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { BUSINESS, DISABLED_BUSINESS, ManagementApi } from '#test/contract/campaigns/builders.ts';
import { ask, askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object = {}): Promise<any> => askFor(api.server, api.admin, query, variables);

const FAULTS = 'query($id: ID, $input: UpdateCampaignInput!) { campaignFaults(id: $id, input: $input) { field problem } }';
const faults = async (input: object, id?: number) => (await run(FAULTS, { id, input })).campaignFaults;

describe('faults of settings before they are sent', () => {
  test('a new campaign is validated as by its command, and nothing is created', async () => {
    const line = await api.line();
    const good = { name: '春季', businessCode: BUSINESS, lineIds: [line.id] };
    const before = (await run('{ campaigns(first: 1) { totalCount } }')).campaigns.totalCount;
    expect(await faults(good)).toEqual([]);
    expect(await faults({ ...good, workdayStart: '09:00' })).toEqual([{ field: 'workdayEnd', problem: '必须与 workdayStart 同时设置' }]);
    expect(await faults({ ...good, businessCode: DISABLED_BUSINESS })).toMatchObject([{ field: 'businessCode' }]);
    expect(await faults({ ...good, lineIds: [999_999] })).toMatchObject([{ field: 'lineIds[0]' }]);
    expect(await faults({ ...good, maxRetries: 21, maxConcurrency: 0 })).toMatchObject([
      { field: 'maxConcurrency' },
      { field: 'maxRetries' },
    ]);
    expect(await faults({})).toMatchObject([{ field: 'name' }, { field: 'businessCode' }, { field: 'lineIds' }]);
    expect((await run('{ campaigns(first: 1) { totalCount } }')).campaigns.totalCount).toBe(before);
  });

  test('each fault has the words of the client, without the name of its field', async () => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${api.admin}`, 'Accept-Language': 'en' };
    const inEnglish = async (input: object) => {
      const body = JSON.stringify({ query: FAULTS, variables: { input } });
      const answer = (await (await fetch(`${api.server.url}/graphql`, { method: 'POST', headers, body })).json()) as {
        data: { campaignFaults: unknown };
      };
      return answer.data.campaignFaults;
    };
    const line = await api.line();
    const good = { name: '春季', businessCode: BUSINESS, lineIds: [line.id] };
    expect(await inEnglish({ ...good, workdayStart: '09:00' })).toEqual([
      { field: 'workdayEnd', problem: 'must be set together with workdayStart' },
    ]);
    expect(await inEnglish({ ...good, maxRetries: 21, maxConcurrency: 0 })).toEqual([
      { field: 'maxConcurrency', problem: 'must be at least 1' },
      { field: 'maxRetries', problem: 'must be at most 20' },
    ]);
  });

  test('a change is validated with the unchanged settings, and a new name does not fail because of a disabled line', async () => {
    const line = await api.line();
    const { id } = await api.campaign({ lineIds: [line.id], workdayStart: '09:00', workdayEnd: '18:00' });
    await api.patch(`/api/lines/${line.id}`, { isEnabled: 0 });
    expect(await faults({ name: '新名' }, id)).toEqual([]);
    expect(await faults({ workdayEnd: '09:00' }, id)).toMatchObject([{ field: 'workdayEnd' }]);
    expect(await faults({ lineIds: [line.id] }, id)).toMatchObject([{ field: 'lineIds' }]);
  });

  test('a user who may not write campaigns is refused', async () => {
    const { errors } = await ask(api.server, await api.server.loginAs('agent'), FAULTS, { input: {} });
    expect(errors[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('two users who change one campaign', () => {
  const UPDATE = `mutation($id: ID!, $input: UpdateCampaignInput!, $madeFrom: String) { done: updateCampaign(id: $id, input: $input, madeFrom: $madeFrom) {
    __typename ... on Campaign { name settingsVersion } ... on Refusal { code reason } } }`;
  const version = async (id: number) =>
    (await run('query($id: ID!) { campaign(id: $id) { settingsVersion } }', { id })).campaign.settingsVersion;

  test('the second is refused with a conflict; without a version nothing is compared', async () => {
    const { id } = await api.campaign({ businessConfig: { variables: { b: '2', aa: '1' }, intentKeywords: ['投诉'] } });
    const madeFrom = await version(id);
    const first = (await run(UPDATE, { id, input: { maxRetries: 3 }, madeFrom })).done;
    expect(first).toMatchObject({ __typename: 'Campaign' });
    expect(first.settingsVersion).toBe(await version(id));
    const second = (await run(UPDATE, { id, input: { name: '另一个' }, madeFrom })).done;
    expect(second).toEqual({ __typename: 'CampaignChangedMeanwhile', code: 'CONFLICT', reason: 'CHANGED_MEANWHILE' });
    expect((await run(UPDATE, { id, input: { name: '另一个' }, madeFrom: first.settingsVersion })).done.name).toBe('另一个');
    expect((await run(UPDATE, { id, input: { name: '再一个' } })).done.name).toBe('再一个');
  });

  test('a start is not a change of settings', async () => {
    const { id } = await api.campaign();
    await api.contacts(id, '13900000001');
    const before = await version(id);
    await api.patch(`/api/campaigns/${id}`, { status: 'running' });
    expect(await version(id)).toBe(before);
    await api.patch(`/api/campaigns/${id}`, { status: 'paused' });
  });
});

test('a pause returns when it takes effect, one second later', async () => {
  const { id } = await api.campaign();
  await api.contacts(id, '13900000001');
  await api.patch(`/api/campaigns/${id}`, { status: 'running' });
  const { done } = await run('mutation($id: ID!) { done: pauseCampaign(id: $id) { ... on Campaign { updatedAt bindsAt } } }', { id });
  expect(Date.parse(done.bindsAt) - Date.parse(done.updatedAt)).toBe(1_000);
});

test('the exact reason why a campaign waits is data, wherever its phase is returned', async () => {
  const { id } = await api.campaign();
  await api.server.running.context.database.run(sql`
    update campaign set phase = 'WAITING_SLOT', phase_refusal = 'line_full', phase_cause = 'no_line', phase_since = '2026-11-01T00:00Z' where id = ${id}`);
  const { campaign, runtimeOverview } = await run(
    'query($id: ID!) { campaign(id: $id) { phaseCause progress { phaseCause } } runtimeOverview { campaigns { campaignId phaseCause phaseSince } } }',
    { id },
  );
  expect(campaign).toEqual({ phaseCause: 'NO_LINE', progress: { phaseCause: 'NO_LINE' } });
  expect(runtimeOverview.campaigns).toContainEqual({
    campaignId: String(id),
    phaseCause: 'NO_LINE',
    phaseSince: '2026-11-01T00:00:00.000Z',
  });
});

test('a campaign returns the actions of users and the ends of its runs, newest first', async () => {
  const { id } = await api.campaign();
  await api.contacts(id, '13900000001', '13900000002');
  await api.patch(`/api/campaigns/${id}`, { status: 'running' });
  await api.patch(`/api/campaigns/${id}`, { status: 'paused' });
  await api.server.running.context.database.run(sql`
    insert into runtime_event (level, type, title, campaign_id) values ('info', 'campaign.completed', '活动已呼完', ${id})`);
  const { history } = (
    await run('query($id: ID!) { campaign(id: $id) { history { kind by rows { totalRows createdRows failedRows } } } }', { id })
  ).campaign;
  expect(history.map(({ kind }: { kind: string }) => kind)).toEqual(['COMPLETED', 'PAUSED', 'STARTED', 'ADDED', 'CREATED']);
  expect(history[0].by).toBeNull();
  expect(history[3]).toMatchObject({ by: expect.any(String), rows: { totalRows: 2, createdRows: 2, failedRows: null } });
});

test('the history of a campaign has display names, the changes of edits, and lines that were disabled and enabled again', async () => {
  const line = await api.line({ name: '主线' });
  const other = await api.line({ name: '备线' });
  const { id } = await api.campaign({ lineIds: [line.id], maxConcurrency: 3 });
  await api.patch(`/api/campaigns/${id}`, {
    maxConcurrency: 7,
    lineIds: [line.id, other.id],
    businessConfig: { intentKeywords: ['投诉', '退订'] },
  });
  await api.patch(`/api/lines/${line.id}`, { isEnabled: 0 });
  await api.patch(`/api/lines/${line.id}`, { isEnabled: 1 });
  await api.patch(`/api/lines/${line.id}`, { description: '不影响活动' });
  const { campaign, me } = await run(
    'query($id: ID!) { me { user { displayName } } campaign(id: $id) { history { kind by line changes { field before after } } } }',
    { id },
  );
  const by = me.user.displayName;
  expect(campaign.history).toEqual([
    { kind: 'LINE_ENABLED', by, line: '主线', changes: [] },
    { kind: 'LINE_DISABLED', by, line: '主线', changes: [] },
    {
      kind: 'UPDATED',
      by,
      line: null,
      changes: expect.arrayContaining([
        { field: 'maxConcurrency', before: 3, after: 7 },
        { field: 'lineIds', before: ['主线'], after: ['主线', '备线'] },
        { field: 'intentKeywords', before: null, after: ['投诉', '退订'] },
      ]),
    },
    { kind: 'CREATED', by, line: null, changes: [] },
  ]);
});
