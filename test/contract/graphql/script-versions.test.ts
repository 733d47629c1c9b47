import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { BUSINESS, DISABLED_BUSINESS, ManagementApi } from '#test/contract/campaigns/builders.ts';
import { askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());
beforeEach(() => api.server.running.context.database.run(sql`update script set deleted_at = now() where deleted_at is null`));

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object = {}): Promise<any> => askFor(api.server, api.admin, query, variables);
const GRAPH = {
  entryNodeId: 'start',
  nodes: [
    { id: 'start', type: 'start', name: '开始', config: {}, next: 'bye' },
    { id: 'bye', type: 'end', name: '结束', config: {} },
  ],
};
const save = async (phrase: string, id?: string) => {
  const input = { ...(id ? { id } : {}), name: '回访', businessCode: BUSINESS, ...GRAPH, phrases: [{ key: 'hello', text: phrase }] };
  return (await run('mutation($input: SaveScriptInput!) { saveScript(input: $input) { ... on Script { databaseId version } } }', { input }))
    .saveScript;
};
const SCRIPT = `query($id: ID!) { script(id: $id) { version phrases isEnabled isTaken business { businessCode campaignCount }
  versions { version isCurrent phrases createdBy { username } } } }`;
const read = async (id: string) => (await run(SCRIPT, { id })).script;
const MOVED = '{ ... on Script { version isEnabled isTaken } ... on Refusal { code message } }';

test('an older version is put in force again, and the next save is numbered after the newest [D11]', async () => {
  const { databaseId: id } = await save('一');
  await save('二', id);
  expect((await read(id)).versions).toEqual([
    { version: 2, isCurrent: true, phrases: [{ key: 'hello', text: '二' }], createdBy: { username: 'admin' } },
    { version: 1, isCurrent: false, phrases: [{ key: 'hello', text: '一' }], createdBy: { username: 'admin' } },
  ]);
  const ACTIVATE = `mutation($id: ID!, $version: Int) { activateScript(id: $id, version: $version) ${MOVED} }`;
  expect((await run(ACTIVATE, { id, version: 1 })).activateScript).toEqual({ version: 1, isEnabled: true, isTaken: true });
  expect(await read(id)).toMatchObject({ version: 1, phrases: [{ text: '一' }] });
  const { data } = await api.server.internal('GET', `/api/v1/scripts/${id}/runtime`);
  expect(data.phrases.hello).toBe('一');
  expect(await save('三', id)).toMatchObject({ version: 3 });
  const SAVED =
    'query($id: ID!) { script(id: $id) { two: savedVersion(version: 2) { phrases } none: savedVersion(version: 9) { version } } }';
  expect((await run(SAVED, { id })).script).toEqual({ two: { phrases: [{ key: 'hello', text: '二' }] }, none: null });
  expect((await read(id)).versions.map(({ version, isCurrent }: Record<string, unknown>) => [version, isCurrent])).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ]);
  expect((await run(ACTIVATE, { id, version: 9 })).activateScript).toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('9'),
  });
  expect((await run(ACTIVATE, { id: '999999' })).activateScript).toMatchObject({ code: 'NOT_FOUND' });
});

test('campaigns use the newest enabled script of their business; disabling it activates the one before [D5.7]', async () => {
  const { databaseId: older } = await save('旧');
  const { databaseId: newer } = await save('新');
  const taken = async () => [(await read(older)).isTaken, (await read(newer)).isTaken];
  expect(await taken()).toEqual([false, true]);
  const DEACTIVATE = `mutation($id: ID!) { deactivateScript(id: $id) ${MOVED} }`;
  expect((await run(DEACTIVATE, { id: newer })).deactivateScript).toEqual({ version: 1, isEnabled: false, isTaken: false });
  expect(await taken()).toEqual([true, false]);
  expect((await run(DEACTIVATE, { id: '999999' })).deactivateScript).toMatchObject({ code: 'NOT_FOUND' });
});

test('a business returns its script and number of campaigns; disabled ones are listed on request', async () => {
  const { databaseId: id } = await save('一');
  const LIST = 'query($all: Boolean) { businesses(includeDisabled: $all) { businessCode isEnabled campaignCount script { databaseId } } }';
  const before = (await run(LIST)).businesses;
  await api.campaign();
  const { businesses } = await run(LIST);
  const of = (rows: { businessCode: string }[]) =>
    rows.find(({ businessCode }) => businessCode === BUSINESS) as never as Record<string, number>;
  expect(of(businesses)).toMatchObject({ isEnabled: true, script: { databaseId: id } });
  expect(Number(of(businesses)['campaignCount']) - Number(of(before)['campaignCount'])).toBe(1);
  const codes = (rows: { businessCode: string }[]) => rows.map(({ businessCode }) => businessCode);
  expect(codes(businesses)).not.toContain(DISABLED_BUSINESS);
  expect(codes((await run(LIST, { all: true })).businesses)).toContain(DISABLED_BUSINESS);
});
