import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BUSINESS, ManagementApi } from '#test/contract/campaigns/builders.ts';
import { insertAttempt, insertBatch } from '#test/support/rows.ts';
import { ask, askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const REFUSAL = '... on Refusal { code message field }';
const CREATE = `mutation($input: CreateCampaignInput!) { createCampaign(input: $input) { ... on Campaign { id: databaseId name status lines { id: databaseId } maxRetries retryIntervalSeconds retryAnsweredWithoutResult retryUnknown scheduledStartAt businessConfig { variables { name value } intentKeywords } } ${REFUSAL} } }`;
const UPDATE = `mutation($id: ID!, $input: UpdateCampaignInput!) {
  updateCampaign(id: $id, input: $input) { __typename ... on Campaign { name description workdayStart scheduledEndAt } ${REFUSAL} } }`;
const move = (verb: string) => `mutation($id: ID!) { ${verb}(id: $id) { __typename ... on Campaign { status phase } ${REFUSAL} } }`;

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object): Promise<any> => askFor(api.server, api.admin, query, variables);

describe('createCampaign', () => {
  test('creates a draft that REST shows, with its audit row [OCS 4.5, D3.7]', async () => {
    const line = await api.line();
    const { createCampaign } = await run(CREATE, {
      input: {
        name: '夏季',
        businessCode: BUSINESS,
        lineIds: [String(line.id)],
        scheduledStartAt: '2027-01-01T09:00:00+08:00',
        retryAnsweredWithoutResult: true,
        retryUnknown: true,
        businessConfig: { variables: [{ name: 'shop', value: '营业厅' }], intentKeywords: ['投诉', '投诉'] },
      },
    });
    expect(createCampaign).toEqual({
      id: expect.any(String),
      name: '夏季',
      status: 'DRAFT',
      lines: [{ id: String(line.id) }],
      maxRetries: 0,
      retryIntervalSeconds: 300,
      retryAnsweredWithoutResult: true,
      retryUnknown: true,
      scheduledStartAt: '2027-01-01T01:00:00.000Z',
      businessConfig: { variables: [{ name: 'shop', value: '营业厅' }], intentKeywords: ['投诉'] },
    });
    const rest = await api.get(`/api/campaigns/${createCampaign.id}`);
    expect(rest.data.campaign).toMatchObject({
      name: '夏季',
      retryAnsweredWithoutResult: true,
      retryUnknown: true,
      scheduledStartAt: '2027-01-01T01:00:00.000Z',
    });
    expect(await api.audited('campaign', Number(createCampaign.id))).toEqual(['campaign.created']);
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ maxConcurrency: 0 }, 'maxConcurrency'],
    [{ maxRetries: null }, 'maxRetries'],
    [{ retryAnsweredWithoutResult: null }, 'retryAnsweredWithoutResult'],
    [{ workdayStart: '25:00', workdayEnd: '18:00' }, 'workdayStart'],
    [{ businessCode: 'nobody' }, 'businessCode'],
    [{ cellId: 'cell-x' }, 'cellId'],
    [{ scheduledStartAt: '2027-01-02T00:00:00Z', scheduledEndAt: '2027-01-01T00:00:00Z' }, 'scheduledEndAt'],
    [{ businessConfig: { monitoringPriority: 101 } }, 'businessConfig.monitoringPriority'],
  ])('refuses %j as REST does, with the same message', async (wrong, field) => {
    const body = await api.campaignBody();
    const { createCampaign } = await run(CREATE, { input: { ...body, ...wrong } });
    const rest = await api.post('/api/campaigns', { ...body, ...wrong });
    expect(rest.status).toBe(400);
    expect(createCampaign).toEqual({ code: 'INVALID_ARGUMENT', message: rest.msg, field });
  });

  test.each([
    ['2027-01-01 09:00', 'input.scheduledStartAt'],
    ['2027-02-30T00:00:00Z', 'input.scheduledStartAt'],
  ])('an instant without a zone or off the calendar is refused: %s', async (scheduledStartAt, word) => {
    const { errors } = await ask(api.server, api.admin, CREATE, { input: { ...(await api.campaignBody()), scheduledStartAt } });
    expect(errors[0]).toMatchObject({ message: expect.stringContaining(word), extensions: { code: 'INVALID_ARGUMENT' } });
  });

  test('two variables of one name are refused, not merged', async () => {
    const variables = [
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
    ];
    const { createCampaign } = await run(CREATE, { input: { ...(await api.campaignBody()), businessConfig: { variables } } });
    expect(createCampaign.message).toBe('参数错误：businessConfig.variables[1].name 与前面的变量重名');
  });
});

describe('updateCampaign', () => {
  test('changes given members, clears null ones, keeps the rest', async () => {
    const campaign = await api.campaign({
      description: '旧',
      workdayStart: '09:00',
      workdayEnd: '18:00',
      scheduledEndAt: '2030-01-01T00:00:00Z',
    });
    const { updateCampaign } = await run(UPDATE, { id: campaign.id, input: { name: '新', scheduledEndAt: null } });
    expect(updateCampaign).toEqual({ __typename: 'Campaign', name: '新', description: '旧', workdayStart: '09:00', scheduledEndAt: null });
  });

  test('switches the retry of answered calls without a result on and off [D7.8]', async () => {
    const { id } = await api.campaign();
    const shown = async () => (await run('query($id: ID!) { campaign(id: $id) { retryAnsweredWithoutResult } }', { id })).campaign;
    for (const retryAnsweredWithoutResult of [true, false]) {
      await run(UPDATE, { id, input: { retryAnsweredWithoutResult } });
      expect(await shown()).toEqual({ retryAnsweredWithoutResult });
    }
  });
});

describe('starting, pausing, archiving [OCS §3, D5.2]', () => {
  test('each refusal that a client must handle is a member of the result type', async () => {
    const { id } = await api.campaign();
    const nothing = { __typename: 'NothingToCall', code: 'NOTHING_TO_CALL', field: null, message: '活动没有可呼叫的联系人，不能启动' };
    expect((await run(move('startCampaign'), { id })).startCampaign).toEqual(nothing);
    expect((await run(move('pauseCampaign'), { id })).pauseCampaign).toMatchObject({ __typename: 'MoveRefused', code: 'CONFLICT' });
    await api.contacts(id, '13900000001');
    expect((await run(move('startCampaign'), { id })).startCampaign).toMatchObject({ __typename: 'Campaign', status: 'RUNNING' });
    expect((await run(move('archiveCampaign'), { id })).archiveCampaign).toMatchObject({ __typename: 'MoveRefused' });
    expect((await run(move('pauseCampaign'), { id })).pauseCampaign).toMatchObject({ __typename: 'Campaign', status: 'PAUSED' });
    expect((await run(move('archiveCampaign'), { id })).archiveCampaign).toMatchObject({ __typename: 'Campaign', status: 'ARCHIVED' });
    const archived = { __typename: 'CampaignArchived', code: 'CAMPAIGN_ARCHIVED' };
    expect((await run(move('startCampaign'), { id })).startCampaign).toMatchObject(archived);
    expect((await run(UPDATE, { id, input: { name: '新' } })).updateCampaign).toMatchObject(archived);
    const add = 'mutation($id: ID!) { addContacts(campaignId: $id, contacts: [{ phoneNumber: "1" }]) { __typename } }';
    expect((await run(add, { id })).addContacts.__typename).toBe('CampaignArchived');
  });

  test('the same mutation twice in one document is two commands', async () => {
    const { id } = await api.campaign();
    await api.contacts(id, '13900000001');
    const both = `mutation($id: ID!) { a: startCampaign(id: $id) { ${REFUSAL} } b: pauseCampaign(id: $id) { ${REFUSAL} } c: startCampaign(id: $id) { ... on Campaign { status } } }`;
    expect((await run(both, { id })).c).toEqual({ status: 'RUNNING' });
  });

  test('each result in a document shows the campaign after its own command', async () => {
    const { id } = await api.campaign();
    await api.contacts(id, '13900000001');
    const shown = '{ ... on Campaign { status progress { status } } }';
    expect(await run(`mutation($id: ID!) { a: startCampaign(id: $id) ${shown} b: pauseCampaign(id: $id) ${shown} }`, { id })).toEqual({
      a: { status: 'RUNNING', progress: { status: 'RUNNING' } },
      b: { status: 'PAUSED', progress: { status: 'PAUSED' } },
    });
  });

  test('a failing command leaves the results of those before and after it', async () => {
    const { id } = await api.campaign();
    await api.contacts(id, '13900000001');
    const fails = 'fails: updateCampaign(id: $id, input: { description: "\\u0000" }) { __typename }';
    const document = `mutation($id: ID!) {
      start: startCampaign(id: $id) { ... on Campaign { status } } ${fails} pause: pauseCampaign(id: $id) { ... on Campaign { status } } }`;
    const { data, errors } = await ask(api.server, api.admin, document, { id });
    expect(data).toEqual({ start: { status: 'RUNNING' }, fails: null, pause: { status: 'PAUSED' } });
    expect(errors).toMatchObject([{ path: ['fails'], extensions: { code: 'INVALID_ARGUMENT' } }]);
  });

  test('a root field that the user may not read leaves the rest of the document', async () => {
    const agent = await api.server.loginAs('agent');
    const page = '{ me { authenticated } users(first: 1) { nodes { id } } businesses { __typename } }';
    const { data, errors } = await ask(api.server, agent, page);
    expect(data).toEqual({ me: { authenticated: true }, users: null, businesses: expect.any(Array) });
    expect(errors).toMatchObject([{ path: ['users'], extensions: { code: 'FORBIDDEN' } }]);
  });

  test('an unknown campaign is a refusal', async () => {
    const { startCampaign } = await run(move('startCampaign'), { id: 999_999 });
    expect(startCampaign).toMatchObject({ __typename: 'NotFound', message: '活动不存在', code: 'NOT_FOUND' });
  });
});

describe('contacts [OCS 4.6, D6]', () => {
  const ADD = `mutation($id: ID!, $contacts: [ContactInput!]!) {
    addContacts(campaignId: $id, contacts: $contacts) { ... on ContactImport { totalRows createdRows duplicateRows errors { rowNumber reason } } ${REFUSAL} } }`;

  test('are added with their variables, duplicates reported by row', async () => {
    const { id } = await api.campaign();
    const contacts = [{ phoneNumber: '139 0000 0001', customerName: '张三', metadata: { vip: true } }, { phoneNumber: '13900000001' }];
    expect((await run(ADD, { id, contacts })).addContacts).toEqual({
      totalRows: 2,
      createdRows: 1,
      duplicateRows: 1,
      errors: [{ rowNumber: 2, reason: '号码与第 1 行重复' }],
    });
    const { contacts: list } = await run(
      'query($id: ID!) { contacts(campaignId: $id, first: 5) { nodes { customerName metadata campaign { id: databaseId } } } }',
      { id },
    );
    expect(list.nodes).toEqual([{ customerName: '张三', metadata: { vip: true }, campaign: { id: String(id) } }]);
  });

  test('an invalid one is reported by its index', async () => {
    const { id } = await api.campaign();
    const { addContacts } = await run(ADD, { id, contacts: [{ phoneNumber: '1' }, { phoneNumber: ' ' }] });
    expect(addContacts.message).toBe('参数错误：contacts[1].phoneNumber 不能为空');
  });

  test('are paused, retried and deleted in bulk', async () => {
    const { id } = await api.campaign();
    const contactIds = await api.contacts(id, '13900000001', '13900000002', '13900000003');
    const counts = '... on BulkChange { requested affected skipped }';
    const ids = { id, ids: contactIds.slice(0, 2).map(String) };
    const bulk = (verb: string) => `mutation($id: ID!, $ids: [ID!]!) { ${verb}(campaignId: $id, contactIds: $ids) { ${counts} } }`;
    expect((await run(bulk('pauseContacts'), ids)).pauseContacts).toEqual({ requested: 2, affected: 2, skipped: 0 });
    const retry = `mutation($id: ID!, $selection: RetrySelection!) { retryContacts(campaignId: $id, selection: $selection) { ${counts} ${REFUSAL} } }`;
    expect((await run(retry, { id, selection: { status: 'PAUSED' } })).retryContacts).toEqual({ requested: 2, affected: 2, skipped: 0 });
    expect((await run(bulk('deleteContacts'), ids)).deleteContacts).toEqual({ requested: 2, affected: 2, skipped: 0 });
    expect((await run(retry, { id, selection: {} })).retryContacts.message).toBe('参数错误：status 与 contactIds 必须且只能给出一个');
    const left = await run('query($id: ID!) { contacts(campaignId: $id, first: 5) { totalCount nodes { id: databaseId } } }', { id });
    expect(left.contacts).toEqual({ totalCount: 1, nodes: [{ id: String(contactIds[2]) }] });
  });
});

describe('rows that a bulk command skips', () => {
  const LEFT = '... on BulkChange { affected skipped left { databaseId code reason message } }';

  test('have a cause, for contacts', async () => {
    const { id } = await api.campaign();
    const [paused, inCall, free] = await api.contacts(id, '13900000011', '13900000012', '13900000013');
    const db = api.server.running.context.database;
    await insertAttempt(db, { campaignId: id, contactId: inCall ?? 0, status: 'answered' });
    const bulk = `mutation($id: ID!, $ids: [ID!]!) { done: pauseContacts(campaignId: $id, contactIds: $ids) { ${LEFT} } }`;
    await run(bulk, { id, ids: [String(paused)] });
    const { done } = await run(bulk, { id, ids: [paused, inCall, free, 999_999].map(String) });
    expect(done).toEqual({
      affected: 1,
      skipped: 3,
      left: [
        { databaseId: String(paused), code: 'CONFLICT', reason: 'UNCHANGED', message: '联系人已是该状态' },
        { databaseId: String(inCall), code: 'CONFLICT', reason: 'PERSON_IN_CALL', message: '正在通话中' },
        { databaseId: '999999', code: 'NOT_FOUND', reason: 'NOT_FOUND', message: '联系人不存在' },
      ],
    });
    const retry = `mutation($id: ID!, $ids: [ID!]!) { done: retryContacts(campaignId: $id, selection: { contactIds: $ids }) { ${LEFT} } }`;
    const again = await run(retry, { id, ids: [paused, inCall].map(String) });
    expect(again.done).toMatchObject({ affected: 1, left: [{ databaseId: String(inCall), reason: 'PERSON_IN_CALL' }] });
  });

  test('have a cause, for calls', async () => {
    const { id } = await api.campaign();
    const [contactId = 0] = await api.contacts(id, '13900000021');
    const db = api.server.running.context.database;
    const over = await insertAttempt(db, { campaignId: id, contactId, status: 'failed' });
    const open = await insertAttempt(db, { campaignId: id, contactId, status: 'dialing' });
    const { done } = await run(`mutation($ids: [ID!]!) { done: deleteAttempts(attemptIds: $ids) { ${LEFT} } }`, {
      ids: [over, open, 999_999].map(String),
    });
    expect(done).toMatchObject({
      affected: 1,
      left: [
        { databaseId: String(open), reason: 'PERSON_IN_CALL' },
        { databaseId: '999999', reason: 'NOT_FOUND' },
      ],
    });
  });
});

describe('cancelBatch [OCS 4.8, D7.3]', () => {
  test('returns the batch, or that it has ended', async () => {
    const { id } = await api.campaign();
    const batchId = await insertBatch(api.server.running.context.database, { campaignId: id, status: 'running' });
    const cancel = `mutation($id: ID!, $batchId: ID!) { cancelBatch(campaignId: $id, batchId: $batchId) { __typename ... on Batch { id: databaseId status } ${REFUSAL} } }`;
    expect((await run(cancel, { id, batchId })).cancelBatch).toEqual({ __typename: 'Batch', id: String(batchId), status: 'CANCELLED' });
    expect((await run(cancel, { id, batchId })).cancelBatch).toMatchObject({ __typename: 'BatchNotRunning', code: 'CONFLICT' });
    expect((await run(cancel, { id, batchId: 999_999 })).cancelBatch).toMatchObject({ __typename: 'NotFound', code: 'NOT_FOUND' });
  });
});
