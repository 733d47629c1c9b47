import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { insertAttempt, insertContact } from '#test/support/rows.ts';
import { ask, askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const REFUSAL = '... on Refusal { code reason message field }';

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object = {}): Promise<any> => askFor(api.server, api.admin, query, variables);

describe('lines [OCS 4.4]', () => {
  const CREATE = `mutation($input: CreateLineInput!) { createLine(input: $input) {
    __typename ... on Line { id: databaseId lineCode: code isEnabled allocationMode numbers { number weight isEnabled } } ${REFUSAL} } }`;
  const UPDATE = `mutation($id: ID!, $input: UpdateLineInput!) { updateLine(id: $id, input: $input) {
    __typename ... on Line { name isEnabled callerIdName } ${REFUSAL} } }`;
  const DELETE = `mutation($id: ID!) { deleteLine(id: $id) { __typename ... on Line { id: databaseId } ${REFUSAL} } }`;
  const input = (code: string) => ({
    name: '线路',
    code,
    dialStringTemplate: 'sofia/gateway/a/{{destinationNumber}}',
    maxConcurrency: 5,
    allocationMode: 'NUMBER_POOL',
    numbers: [{ number: '02100000001', weight: 3, isEnabled: false }],
    isEnabled: false,
  });

  test('are created, changed and deleted as in REST, with their audit rows', async () => {
    const { createLine } = await run(CREATE, { input: input('graph-1') });
    expect(createLine).toEqual({
      __typename: 'Line',
      id: expect.any(String),
      lineCode: 'graph-1',
      isEnabled: false,
      allocationMode: 'NUMBER_POOL',
      numbers: [{ number: '02100000001', weight: 3, isEnabled: false }],
    });
    const { updateLine } = await run(UPDATE, { id: createLine.id, input: { name: '新名', isEnabled: true, callerIdName: null } });
    expect(updateLine).toEqual({ __typename: 'Line', name: '新名', isEnabled: true, callerIdName: null });
    expect((await run('{ lines { id: databaseId name } }')).lines).toContainEqual({ id: createLine.id, name: '新名' });
    expect((await run(DELETE, { id: createLine.id })).deleteLine).toEqual({ __typename: 'Line', id: createLine.id });
    expect(await api.audited('line', Number(createLine.id))).toEqual(['line.created', 'line.updated', 'line.deleted']);
  });

  test('several faults of one input are returned as a list', async () => {
    const FAULTS = `mutation($input: CreateLineInput!) { createLine(input: $input) { ... on InputRefused { field faults { field problem } } } }`;
    const { field, faults } = (await run(FAULTS, { input: { ...input('graph-3'), name: '', maxConcurrency: 0 } })).createLine;
    expect([field, faults]).toEqual([
      'name',
      ['name', 'maxConcurrency'].map(member => ({ field: member, problem: expect.stringMatching(/\S/) })),
    ]);
  });

  test('a duplicate code and a line in use are typed refusals [D4.2]', async () => {
    await run(CREATE, { input: input('graph-2') });
    expect((await run(CREATE, { input: input('graph-2') })).createLine).toMatchObject({
      __typename: 'LineCodeTaken',
      code: 'CONFLICT',
      reason: 'LINE_CODE_TAKEN',
      field: 'code',
    });
    const campaign = await api.campaign();
    const [lineId] = campaign.lineIds ?? (await api.get(`/api/campaigns/${campaign.id}`)).data.campaign.lineIds;
    expect((await run(DELETE, { id: String(lineId) })).deleteLine).toMatchObject({
      __typename: 'LineInUse',
      message: expect.stringContaining(campaign.name),
    });
  });

  test('are refused with the messages of REST', async () => {
    const wrong = { ...input('graph-3'), dialStringTemplate: 'nowhere' };
    const refused = { __typename: 'InputRefused', code: 'INVALID_ARGUMENT', reason: 'INVALID_ARGUMENT', field: 'dialStringTemplate' };
    expect((await run(CREATE, { input: wrong })).createLine).toMatchObject(refused);
  });
});

describe('policies [OCS 4.9]', () => {
  const FIELDS = 'id: databaseId name scope type action priority config isEnabled campaign { id: databaseId } campaignId';

  test('are created, changed, explained and deleted', async () => {
    const campaign = await api.campaign();
    const { createPolicy } = await run(
      `mutation($input: CreatePolicyInput!) { createPolicy(input: $input) { ... on Policy { ${FIELDS} } } }`,
      {
        input: {
          name: '黑名单',
          scope: 'CAMPAIGN',
          campaignId: String(campaign.id),
          type: 'PHONE_BLACKLIST',
          action: 'BLOCK',
          config: { numbers: ['13900000001'] },
        },
      },
    );
    expect(createPolicy).toMatchObject({
      scope: 'CAMPAIGN',
      type: 'PHONE_BLACKLIST',
      action: 'BLOCK',
      priority: 0,
      isEnabled: true,
      campaign: { id: String(campaign.id) },
    });
    const EXPLAIN = `query($campaignId: ID!, $phoneNumber: String!, $at: DateTime) {
      explainPolicy(campaignId: $campaignId, phoneNumber: $phoneNumber, at: $at) {
        allowed reason matchedPolicies { id: databaseId } effectiveLimits { maxConcurrency maxRetries retryIntervalSeconds callIntervalMs } } }`;
    const asked = { campaignId: String(campaign.id), at: '2027-03-01T10:00:00+08:00' };
    const { explainPolicy } = await run(EXPLAIN, { ...asked, phoneNumber: '13900000001' });
    const rest = await api.post('/api/policies/evaluate', { campaignId: campaign.id, phoneNumber: '13900000001', at: asked.at });
    expect(explainPolicy).toEqual({
      allowed: false,
      reason: rest.data.reason,
      matchedPolicies: [{ id: createPolicy.id }],
      effectiveLimits: rest.data.effectiveLimits,
    });
    expect((await run(EXPLAIN, { ...asked, phoneNumber: '13900000002' })).explainPolicy).toMatchObject({ allowed: true, reason: null });
    const UPDATE = `mutation($id: ID!, $input: UpdatePolicyInput!) { updatePolicy(id: $id, input: $input) { ... on Policy { isEnabled name } } }`;
    expect((await run(UPDATE, { id: createPolicy.id, input: { isEnabled: false } })).updatePolicy).toEqual({
      isEnabled: false,
      name: '黑名单',
    });
    const LIST = 'query($campaignId: ID) { policies(campaignId: $campaignId) { id: databaseId } }';
    expect((await run(LIST, { campaignId: String(campaign.id) })).policies).toEqual([{ id: createPolicy.id }]);
    await run('mutation($id: ID!) { deletePolicy(id: $id) { ... on Policy { id: databaseId } } }', { id: createPolicy.id });
    expect((await run(LIST, { campaignId: String(campaign.id) })).policies).toEqual([]);
  });

  test('a config that does not fit its type is refused by name [D8.2]', async () => {
    const input = { name: 'a', scope: 'GLOBAL', type: 'DAILY_WINDOW', action: 'ALLOW_WINDOW', config: { start: '9' } };
    const { createPolicy } = await run(`mutation($input: CreatePolicyInput!) { createPolicy(input: $input) { ${REFUSAL} } }`, { input });
    expect(createPolicy).toMatchObject({ code: 'INVALID_ARGUMENT', field: expect.stringContaining('config') });
  });
});

describe('the do-not-call list [OCS 4.10]', () => {
  test('adds and removes a number, and is read in slices', async () => {
    const ADD = `mutation($input: AddDoNotCallInput!) { addDoNotCall(input: $input) {
      ... on DoNotCallEntry { id: databaseId phoneNumber reason source expiresAt } } }`;
    const added = [];
    for (const phoneNumber of ['13911110001', '13911110002', '13911110003']) {
      added.push((await run(ADD, { input: { phoneNumber, reason: '投诉客户', expiresAt: '2099-01-01T00:00:00Z' } })).addDoNotCall);
    }
    expect(added[0]).toMatchObject({ reason: '投诉客户', source: 'MANUAL', expiresAt: '2099-01-01T00:00:00.000Z' });
    const LIST = `query($after: String) { doNotCallEntries(first: 2, after: $after, search: "投诉") {
      nodes { phoneNumber } totalCount pageInfo { hasNextPage endCursor } } }`;
    const { doNotCallEntries: first } = await run(LIST);
    expect(first).toMatchObject({
      nodes: [{ phoneNumber: '13911110003' }, { phoneNumber: '13911110002' }],
      totalCount: 3,
      pageInfo: { hasNextPage: true },
    });
    const { doNotCallEntries: second } = await run(LIST, { after: first.pageInfo.endCursor });
    expect(second).toMatchObject({ nodes: [{ phoneNumber: '13911110001' }], pageInfo: { hasNextPage: false } });
    await run('mutation($id: ID!) { removeDoNotCall(id: $id) { ... on DoNotCallEntry { id: databaseId } } }', { id: added[0].id });
    expect((await run(LIST)).doNotCallEntries.totalCount).toBe(2);
  });
});

describe('scripts [OCS 4.3, D11]', () => {
  const SAVE = `mutation($input: SaveScriptInput!) { saveScript(input: $input) {
    ... on Script { id: databaseId version hash entryNodeId nodes isEnabled } ${REFUSAL} } }`;
  const input = {
    name: '图谱脚本',
    businessCode: 'demo',
    entryNodeId: 'start',
    nodes: [
      { id: 'start', type: 'start', name: '开始', config: {}, next: 'bye' },
      { id: 'bye', type: 'end', name: '结束', config: {} },
    ],
  };

  test('are saved as versions, listed with the newest, and hidden', async () => {
    const { saveScript } = await run(SAVE, { input });
    expect(saveScript).toMatchObject({ version: 1, entryNodeId: 'start', isEnabled: true });
    const { saveScript: next } = await run(SAVE, { input: { ...input, id: saveScript.id, isEnabled: false } });
    expect(next).toMatchObject({ id: saveScript.id, version: 2, isEnabled: false });
    const LIST = '{ scripts(first: 5, search: "图谱") { nodes { id: databaseId version nodes } totalCount } }';
    expect((await run(LIST)).scripts).toMatchObject({ nodes: [{ id: saveScript.id, version: 2 }], totalCount: 1 });
    const DELETE = `mutation($id: ID!) { deleteScript(id: $id) { ... on Script { id: databaseId version } ${REFUSAL} } }`;
    expect((await run(DELETE, { id: saveScript.id })).deleteScript).toEqual({ id: saveScript.id, version: 2 });
    expect((await run(DELETE, { id: saveScript.id })).deleteScript).toMatchObject({ code: 'NOT_FOUND' });
    expect((await run(LIST)).scripts.totalCount).toBe(0);
  });

  test('an invalid graph is refused with its node', async () => {
    const { saveScript } = await run(SAVE, { input: { ...input, nodes: [{ ...input.nodes[0], next: 'nowhere' }] } });
    expect(saveScript).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(`nodes[0].next 节点「${input.nodes[0]?.name}」`),
    });
  });
});

describe('the other functions of REST', () => {
  test('businesses are the enabled ones [OCS 4.3]', async () => {
    const rest = await api.get('/api/businesses');
    const { businesses } = await run('{ businesses { businessCode isEnabled } }');
    expect(businesses).toEqual(rest.data.rows.map(({ businessCode }: { businessCode: string }) => ({ businessCode, isEnabled: true })));
  });

  test('audit rows are read in slices, with the permission for it [OCS 4.1]', async () => {
    await api.line();
    const LIST = '{ auditLogs(first: 1, search: "line.created") { nodes { action actorName targetType createdAt } totalCount } }';
    const { auditLogs } = await run(LIST);
    expect(auditLogs).toMatchObject({ nodes: [{ action: 'line.created', actorName: 'admin', targetType: 'line' }] });
    const { errors } = await ask(api.server, await api.server.loginAs('agent'), LIST);
    expect(errors[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
  });

  test('a campaign returns what a start would run into [D5.6]', async () => {
    const campaign = await api.campaign();
    const rest = (await api.get(`/api/campaigns/${campaign.id}/preflight`)).data;
    const { campaign: told } = await run(
      `query($id: ID!) { campaign(id: $id) { preflight { canStart pendingContacts window { openNow } lines { id: lineId } skips { dnc invalid }
        cell { cellId reachable } monitoring { mode } policies { allowed } checks { code level message } } } }`,
      { id: String(campaign.id) },
    );
    expect(told.preflight).toMatchObject({
      canStart: rest.canStart,
      window: { openNow: rest.window.openNow },
      lines: rest.lines.map(({ id }: { id: number }) => ({ id: String(id) })),
      cell: { cellId: rest.cell.id },
      checks: rest.checks.map((check: { code: string; level: string }) => ({ ...check, level: check.level.toUpperCase() })),
    });
  });

  test('an empty campaign is deleted, another is not [OCS 4.5]', async () => {
    const DELETE = `mutation($id: ID!) { deleteCampaign(id: $id) { __typename ... on Campaign { id: databaseId } ${REFUSAL} } }`;
    const [empty, full] = [await api.campaign(), await api.campaign()];
    await insertContact(api.server.running.context.database, { campaignId: full.id });
    expect((await run(DELETE, { id: String(empty.id) })).deleteCampaign).toEqual({ __typename: 'Campaign', id: String(empty.id) });
    expect((await run(DELETE, { id: String(full.id) })).deleteCampaign).toMatchObject({ __typename: 'CampaignInUse', code: 'CONFLICT' });
  });

  test('a contact is edited; its number must stay unique [D6.2]', async () => {
    const campaign = await api.campaign();
    const contactId = await insertContact(api.server.running.context.database, { campaignId: campaign.id });
    await insertContact(api.server.running.context.database, { campaignId: campaign.id, phoneNumber: '13700000001' });
    const UPDATE = `mutation($campaignId: ID!, $id: ID!, $input: UpdateContactInput!) { updateContact(campaignId: $campaignId, id: $id, input: $input) {
      __typename ... on Contact { customerName priority status } ${REFUSAL} } }`;
    const target = { campaignId: String(campaign.id), id: String(contactId) };
    expect((await run(UPDATE, { ...target, input: { customerName: '王女士', priority: 3, status: 'PAUSED' } })).updateContact).toEqual({
      __typename: 'Contact',
      customerName: '王女士',
      priority: 3,
      status: 'PAUSED',
    });
    expect((await run(UPDATE, { ...target, input: { phoneNumber: '13700000001' } })).updateContact).toMatchObject({
      __typename: 'ContactChangeRefused',
      code: 'CONFLICT',
    });
  });

  test('call records are hidden, unknown ones skipped [OCS 4.8]', async () => {
    const campaign = await api.campaign();
    const contactId = await insertContact(api.server.running.context.database, { campaignId: campaign.id });
    const attemptId = await insertAttempt(api.server.running.context.database, { campaignId: campaign.id, contactId, status: 'completed' });
    const { deleteAttempts } = await run(
      'mutation($attemptIds: [ID!]!) { deleteAttempts(attemptIds: $attemptIds) { ... on BulkChange { requested affected skipped } } }',
      { attemptIds: [String(attemptId), '999999999'] },
    );
    expect(deleteAttempts).toEqual({ requested: 2, affected: 1, skipped: 1 });
    expect((await run('query($id: ID!) { attempt(id: $id) { id: databaseId } }', { id: String(attemptId) })).attempt).toBeNull();
  });
});

describe('agents', () => {
  test('a server without a key for passwords reports that, not that the agent is taken', async () => {
    const CREATE = `mutation($input: CreateAgentInput!) { createAgent(input: $input) { __typename ${REFUSAL} } }`;
    const { errors } = await ask(api.server, api.admin, CREATE, { input: { name: '无密钥', sipPassword: 'secret-1' } });
    expect(errors[0]).toMatchObject({ extensions: { code: 'CONFLICT', reason: 'SECRET_KEY_MISSING' } });
  });
});

describe('users [OCS 4.17]', () => {
  const CREATE = `mutation($input: CreateUserInput!) { createUser(input: $input) {
    __typename ... on User { id: databaseId username displayName role isEnabled } ${REFUSAL} } }`;
  const DELETE = `mutation($id: ID!) { deleteUser(id: $id) { __typename ... on User { id: databaseId } ${REFUSAL} } }`;
  const LIST = '{ users(first: 5, search: "graph-user") { nodes { id: databaseId username role isEnabled } totalCount } }';

  test('are created, disabled and deleted by administrators', async () => {
    const input = { username: 'graph-user', role: 'SUPERVISOR', password: 'long-enough-1' };
    const { createUser } = await run(CREATE, { input });
    expect(createUser).toMatchObject({ __typename: 'User', displayName: 'graph-user', role: 'SUPERVISOR', isEnabled: true });
    expect((await run(CREATE, { input })).createUser).toMatchObject({ __typename: 'UsernameTaken', code: 'CONFLICT' });
    const UPDATE = `mutation($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { ... on User { isEnabled } } }`;
    expect((await run(UPDATE, { id: createUser.id, input: { isEnabled: false } })).updateUser).toEqual({ isEnabled: false });
    for (const input of [{}, { isEnabled: false }]) await run(UPDATE, { id: createUser.id, input });
    expect((await api.audited('user', Number(createUser.id))).filter(action => action === 'user.updated')).toHaveLength(1);
    expect((await run(LIST)).users).toEqual({
      nodes: [{ id: createUser.id, username: 'graph-user', role: 'SUPERVISOR', isEnabled: false }],
      totalCount: 1,
    });
    expect((await run(DELETE, { id: createUser.id })).deleteUser).toEqual({ __typename: 'User', id: createUser.id });
    expect((await run(LIST)).users.totalCount).toBe(0);
  });

  test('nobody deletes themselves; only administrators see users', async () => {
    const { me } = await run('{ me { user { id: databaseId } } }');
    expect((await run(DELETE, { id: me.user.id })).deleteUser).toMatchObject({ __typename: 'UserMustStay', message: '不能删除自己' });
    const { errors } = await ask(api.server, await api.server.loginAs('supervisor'), LIST);
    expect(errors[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
  });

  test('the permission matrix equals that of REST [D3.1]', async () => {
    const rest = (await api.get('/api/roles/permissions')).data;
    const { rolePermissions } = await run('{ rolePermissions { permissions { key label description } roles { role label permissions } } }');
    expect(rolePermissions.permissions).toEqual(rest.permissions);
    expect(rolePermissions.roles).toEqual(rest.roles.map((row: { role: string }) => ({ ...row, role: row.role.toUpperCase() })));
  });
});
