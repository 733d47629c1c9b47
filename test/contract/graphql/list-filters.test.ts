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
const run = (query: string, variables: object = {}): Promise<any> => askFor(api.server, api.admin, query, variables);

describe('an order', () => {
  test('by name, by last change or by time, in either direction, works in slices, from either end', async () => {
    const names = ['丙', 'a', 'c', 'b', 'a'];
    const made: { name: string; id: number }[] = [];
    for (const name of names) made.push({ name, id: (await api.campaign({ name })).id });
    await api.patch(`/api/campaigns/${made[1]?.id}`, { description: '改' });
    const read = `query($first: Int, $after: String, $last: Int, $before: String, $orderBy: ListOrder) {
      campaigns(first: $first, after: $after, last: $last, before: $before, orderBy: $orderBy) { nodes { name databaseId }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    const walk = async (orderBy: object, isBackward: boolean) => {
      const seen: number[] = [];
      for (let cursor: string | null = null, more = true; more; ) {
        const { campaigns } = await run(read, { orderBy, ...(isBackward ? { last: 2, before: cursor } : { first: 2, after: cursor }) });
        const ids = campaigns.nodes.map(({ databaseId }: { databaseId: string }) => Number(databaseId));
        if (isBackward) seen.unshift(...ids);
        else seen.push(...ids);
        const { hasNextPage, hasPreviousPage, startCursor, endCursor } = campaigns.pageInfo;
        [more, cursor] = isBackward ? [hasPreviousPage, startCursor] : [hasNextPage, endCursor];
      }
      return seen;
    };
    const { database } = api.server.running.context;
    for (const [field, column] of Object.entries({ NAME: 'name', UPDATED_AT: 'updated_at', CREATED_AT: 'id' })) {
      const rows = await database.rows(sql<{ id: number }>`select id from campaign order by ${sql.ref(column)}, id`);
      const upwards = rows.map(({ id }) => id);
      for (const isBackward of [false, true]) {
        expect([field, await walk({ field, direction: 'ASC' }, isBackward)]).toEqual([field, upwards]);
        expect([field, await walk({ field, direction: 'DESC' }, isBackward)]).toEqual([field, upwards.toReversed()]);
      }
    }
  });

  test('by time works in either direction for contacts, attempts and batches of many campaigns, each in one statement', async () => {
    const { id } = await api.campaign();
    const contacts = (await api.contacts(id, '13900000001', '13900000002', '13900000003')).map(String);
    const query = `query($id: ID!) { campaign(id: $id) { up: contacts(first: 2, orderBy: { direction: ASC }) { nodes { databaseId } }
      back: contacts(last: 2) { nodes { databaseId } pageInfo { hasPreviousPage hasNextPage } }
      found: contacts(last: 1, search: "139", status: PENDING) { nodes { databaseId } } } }`;
    const { up, back, found } = (await run(query, { id })).campaign;
    const idsOf = ({ nodes }: { nodes: { databaseId: string }[] }) => nodes.map(({ databaseId }) => databaseId);
    expect([idsOf(up), idsOf(back), idsOf(found)]).toEqual([contacts.slice(0, 2), contacts.slice(0, 2).toReversed(), contacts.slice(0, 1)]);
    expect(back.pageInfo).toEqual({ hasPreviousPage: true, hasNextPage: false });
    const { errors } = await ask(api.server, api.admin, '{ attempts(first: 1, orderBy: { field: NAME }) { totalCount } }');
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'orderBy.field' });
  });
});

test('of contacts by name or by last change works in either direction, searched or not, in slices', async () => {
  const { database } = api.server.running.context;
  const { id } = await api.campaign();
  const numbers = ['13511110001', '13511110002', '13511110003', '13511110004', '13600000005'];
  const made = await api.contacts(id, ...numbers);
  for (const [index, name] of ['丙', '甲', 'b', '甲', 'a'].entries())
    await database.run(sql`update contact set customer_name = ${name} where id = ${made[index]}`);
  const read = `query($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $search: String, $orderBy: ListOrder) {
    contacts(campaignId: $id, first: $first, after: $after, last: $last, before: $before, search: $search, orderBy: $orderBy) {
      nodes { databaseId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
  const walk = async (orderBy: object, isBackward: boolean, search = '') => {
    const seen: number[] = [];
    for (let cursor: string | null = null, more = true; more; ) {
      const place = isBackward ? { last: 2, before: cursor } : { first: 2, after: cursor };
      const { contacts } = await run(read, { id, orderBy, search, ...place });
      const ids = contacts.nodes.map(({ databaseId }: { databaseId: string }) => Number(databaseId));
      if (isBackward) seen.unshift(...ids);
      else seen.push(...ids);
      const { hasNextPage, hasPreviousPage, startCursor, endCursor } = contacts.pageInfo;
      [more, cursor] = isBackward ? [hasPreviousPage, startCursor] : [hasNextPage, endCursor];
    }
    return seen;
  };
  for (const [field, column] of Object.entries({ NAME: 'customer_name', UPDATED_AT: 'updated_at' })) {
    const rows = await database.rows(sql<{ id: number }>`
      select id from contact where campaign_id = ${id} order by ${sql.ref(column)}, id`);
    const upwards = rows.map(row => row.id);
    const found = upwards.filter(each => each !== made[4]);
    for (const isBackward of [false, true]) {
      expect([field, await walk({ field, direction: 'ASC' }, isBackward)]).toEqual([field, upwards]);
      expect([field, await walk({ field, direction: 'DESC' }, isBackward)]).toEqual([field, upwards.toReversed()]);
      expect([field, await walk({ field, direction: 'ASC' }, isBackward, '135')]).toEqual([field, found]);
    }
  }
  const own =
    'query($id: ID!) { campaign(id: $id) { contacts(first: 1, orderBy: { field: NAME, direction: ASC }) { nodes { customerName } } } }';
  expect((await run(own, { id })).campaign.contacts.nodes).toEqual([{ customerName: 'a' }]);
});

describe('a filter', () => {
  test('of campaigns: status, business, time', async () => {
    const { id } = await api.campaign({ name: 'filtered' });
    const count = async (filter: object) =>
      (await run('query($filter: CampaignFilter) { campaigns(first: 1, search: "filtered", filter: $filter) { totalCount } }', { filter }))
        .campaigns.totalCount;
    const { createdAt, businessCode } = (await run('query($id: ID!) { campaign(id: $id) { createdAt businessCode } }', { id })).campaign;
    expect(await count({ status: 'DRAFT', businessCode, from: createdAt })).toBe(1);
    for (const none of [{ status: 'RUNNING' }, { businessCode: 'none' }, { to: createdAt }]) expect(await count(none)).toBe(0);
  });

  test('of attempts: time, number, contact, line, agent, class, intent and text', async () => {
    const { database } = api.server.running.context;
    const { id: campaignId } = await api.campaign();
    const [contactId = 0, otherId = 0] = await api.contacts(campaignId, '13611110001', '13611110002');
    const attemptId = await insertAttempt(database, { campaignId, contactId, phoneNumber: '13611110001' });
    await insertAttempt(database, { campaignId, contactId: otherId, phoneNumber: '13611110002' });
    const { id: lineId } = await api.line();
    const { agent } = (await api.post('/api/agents', { name: '接听' })).data;
    await database.run(sql`update attempt set classification = 'A', intent = '感兴趣', recognized_text = '请再打 来', line_id = ${lineId},
      created_at = '2026-01-02T00:00:00Z', duration_seconds = 42 where id = ${attemptId}`);
    await database.run(sql`insert into softphone_call (request_id, direction, status, agent_id, attempt_id, phone_number, dial_key, note)
      values (gen_random_uuid(), 'conference', 'completed', ${agent.id}, ${attemptId}, '', '', '')`);
    const of = async (filter: object) =>
      (await run('query($filter: AttemptFilter) { attempts(first: 5, filter: $filter) { totalCount nodes { databaseId } } }', { filter }))
        .attempts;
    const mine = { totalCount: 1, nodes: [{ databaseId: String(attemptId) }] };
    for (const filter of [
      { to: '2026-01-03T00:00:00Z', from: '2026-01-01T00:00:00Z' },
      { phoneNumber: '+86 136-1111-0001' },
      { contactId },
      { lineId },
      { agentId: `Agent:${agent.id}` },
      { campaignId, classification: 'A' },
      { contactId, intent: '感兴趣' },
      { campaignId, text: '再打' },
      { contactId, minDurationSeconds: 42, maxDurationSeconds: 42 },
      { campaignId, minDurationSeconds: 0 },
    ])
      expect([filter, await of(filter)]).toEqual([filter, mine]);
    expect((await of({ campaignId, text: '不要' })).totalCount).toBe(0);
    expect((await of({ campaignId, minDurationSeconds: 43 })).totalCount).toBe(0);
    expect((await of({ campaignId, maxDurationSeconds: 41 })).totalCount).toBe(0);
    const own = 'query($id: ID!) { campaign(id: $id) { attempts(last: 5, filter: { text: "再打" }) { totalCount nodes { databaseId } } } }';
    expect((await run(own, { id: campaignId })).campaign.attempts).toEqual(mine);
    for (const [field, filter] of Object.entries({ text: { text: '再打' }, minDurationSeconds: { minDurationSeconds: 0 } })) {
      const { errors } = await ask(
        api.server,
        api.admin,
        'query($filter: AttemptFilter) { attempts(first: 1, filter: $filter) { totalCount } }',
        { filter },
      );
      expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: `filter.${field}` });
    }
    const calls = `query($phoneNumber: String, $to: DateTime) { softphoneCalls(first: 5, status: COMPLETED, agentId: "${agent.id}", phoneNumber: $phoneNumber,
      to: $to) { totalCount } }`;
    expect((await run(calls)).softphoneCalls.totalCount).toBe(1);
    expect((await run(calls, { phoneNumber: '13611110001' })).softphoneCalls.totalCount).toBe(0);
    expect((await run(calls, { to: '2026-01-01T00:00:00Z' })).softphoneCalls.totalCount).toBe(0);
  });
});

test('contacts are narrowed by time, number, attempts, holds, and by what became of an attempt', async () => {
  const { database } = api.server.running.context;
  const { id: campaignId } = await api.campaign();
  const [contactId = 0, otherId = 0] = await api.contacts(campaignId, '13611120001', '13611120002');
  const batchId = await insertBatch(database, { campaignId, status: 'running' });
  const attemptId = await insertAttempt(database, { campaignId, contactId, batchId, callStatus: 'busy' });
  await insertAttempt(database, { campaignId, contactId: otherId, callStatus: 'answered' });
  const { agent } = (await api.post('/api/agents', { name: '接听者' })).data;
  await database.run(sql`update attempt set classification = 'B', intent = '再联系' where id = ${attemptId}`);
  await database.run(sql`insert into softphone_call (request_id, direction, status, agent_id, attempt_id, phone_number, dial_key, note)
    values (gen_random_uuid(), 'conference', 'completed', ${agent.id}, ${attemptId}, '', '', '')`);
  await database.run(sql`update contact set created_at = '2026-01-02T00:00:00Z', attempt_count = 3, hold_reason = 'dnc', remark = '重点'
    where id = ${contactId}`);
  const read = `query($id: ID!, $filter: ContactFilter, $search: String, $orderBy: ListOrder) {
    contacts(campaignId: $id, first: 5, filter: $filter, search: $search, orderBy: $orderBy) { totalCount nodes { databaseId } }
    campaign(id: $id) { contacts(last: 5, filter: $filter, search: $search) { totalCount nodes { databaseId } } } }`;
  const of = async (filter: object, more: object = {}) => {
    const { contacts, campaign } = await run(read, { id: campaignId, filter, ...more });
    return [contacts, campaign.contacts];
  };
  const mine = { totalCount: 1, nodes: [{ databaseId: String(contactId) }] };
  for (const filter of [
    { to: '2026-01-03T00:00:00Z', from: '2026-01-01T00:00:00Z' },
    { phoneNumber: '+86 136-1112-0001' },
    { minAttempts: 2 },
    { isHeld: true },
    { callStatus: 'BUSY' },
    { classification: 'B' },
    { intent: '再联系', status: null },
    { batchId: `Batch:${batchId}` },
    { agentId: agent.id },
    { callStatus: 'BUSY', classification: 'B', batchId, status: 'PENDING' },
  ])
    expect([filter, ...(await of(filter))]).toEqual([filter, mine, mine]);
  expect((await of({ callStatus: 'ANSWERED', classification: 'B' })).map(({ totalCount }) => totalCount)).toEqual([0, 0]);
  expect(await of({ isHeld: true }, { search: '重点' })).toEqual([mine, mine]);
  expect(await of({ isHeld: false }, { search: '重点' })).toEqual([0, 0].map(totalCount => ({ totalCount, nodes: [] })));
  const [upwards] = await of({ maxAttempts: 9 }, { orderBy: { direction: 'ASC' } });
  expect(upwards.nodes.map(({ databaseId }: { databaseId: string }) => Number(databaseId))).toEqual([contactId, otherId]);
  const { errors } = await ask(api.server, api.admin, read, { id: campaignId, filter: { batchId: 'x' } });
  expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'filter.batchId' });
});

test('the response of a start has the phase of a running campaign, that of a pause IDLE', async () => {
  const { id } = await api.campaign();
  await api.contacts(id, '13900000009');
  const shown = '{ ... on Campaign { status phase nextWakeAt } }';
  const told = await run(`mutation($id: ID!) { a: startCampaign(id: $id) ${shown} b: pauseCampaign(id: $id) ${shown} }`, { id });
  expect(told).toEqual({
    a: { status: 'RUNNING', phase: 'DISPATCHING', nextWakeAt: expect.any(String) },
    b: { status: 'PAUSED', phase: 'IDLE', nextWakeAt: null },
  });
});

describe('a filter of managed objects', () => {
  test('of do-not-call entries: source, expiry, time and text', async () => {
    const { database } = api.server.running.context;
    await database.run(sql`
      insert into do_not_call (phone_number, dial_key, reason, source, expires_at, created_at) values
        ('13700000001', '13700000001', 'f 拒接', 'callback', null, '2026-01-02T00:00:00Z'),
        ('13700000002', '13700000002', 'f', 'import', '2026-02-01T00:00:00Z', now()),
        ('13700000003', '13700000003', 'f', 'manual', now() + interval '1 day', now())`);
    const of = async (filter: object, search = 'f') => {
      const query = `query($filter: DoNotCallFilter, $search: String) {
        doNotCallEntries(first: 5, search: $search, filter: $filter) { totalCount nodes { phoneNumber } } }`;
      const { doNotCallEntries } = await run(query, { filter, search });
      const found = doNotCallEntries.nodes.map(({ phoneNumber }: { phoneNumber: string }) => Number(phoneNumber.slice(-1)));
      expect(doNotCallEntries.totalCount).toBe(found.length);
      return found;
    };
    expect(await of({ source: null })).toEqual([3, 2, 1]);
    expect(await of({}, '拒接')).toEqual([1]);
    expect(await of({ source: 'IMPORT' })).toEqual([2]);
    expect(await of({ isPermanent: true })).toEqual([1]);
    expect(await of({ isPermanent: false, isExpired: false })).toEqual([3]);
    expect(await of({ isExpired: true })).toEqual([2]);
    expect(await of({ isExpired: false })).toEqual([3, 1]);
    expect(await of({ expiresFrom: '2026-02-01T00:00:00Z', expiresTo: '2026-02-02T00:00:00Z' })).toEqual([2]);
    expect(await of({ from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z' })).toEqual([1]);
  });

  test('of users: role, enabled and text', async () => {
    await api.post('/api/users', { username: 'f-one', password: 'a-long-password', role: 'supervisor' });
    await api.post('/api/users', { username: 'f-two', password: 'a-long-password', role: 'agent', isEnabled: 0 });
    const of = async (filter: object) => {
      const query = 'query($filter: UserFilter) { users(first: 5, search: "f-", filter: $filter) { totalCount nodes { username } } }';
      return (await run(query, { filter })).users.nodes.map(({ username }: { username: string }) => username);
    };
    expect(await of({ role: null })).toEqual(['f-two', 'f-one']);
    expect(await of({ role: 'SUPERVISOR' })).toEqual(['f-one']);
    expect(await of({ isEnabled: false })).toEqual(['f-two']);
    expect(await of({ isEnabled: false, role: 'SUPERVISOR' })).toEqual([]);
  });

  test('of policies: type, scope and enabled', async () => {
    const policy = {
      name: 'p',
      scope: 'global',
      action: 'limit',
      type: 'rate_limit',
      config: { callIntervalMs: 1 },
      priority: 1,
      isEnabled: 0,
    };
    await api.post('/api/policies', policy);
    await api.post('/api/policies', { ...policy, type: 'concurrency_limit', config: { maxConcurrency: 9 }, isEnabled: 1 });
    const of = async (filter: object) =>
      (await run('query($filter: PolicyFilter) { policies(filter: $filter) { type } }', { filter })).policies.map(
        ({ type }: { type: string }) => type,
      );
    expect(await of({ type: 'RATE_LIMIT' })).toEqual(['RATE_LIMIT']);
    expect(await of({ isEnabled: true, scope: 'GLOBAL' })).toEqual(['CONCURRENCY_LIMIT']);
    expect(await of({ scope: 'CAMPAIGN' })).toEqual([]);
  });

  test('of agents: group, enabled, status, phone and text', async () => {
    const { group } = (await api.post('/api/agent-groups', { name: '筛选组' })).data;
    await api.post('/api/agents', { name: '筛选甲', groupId: group.id, phoneExtension: '8001' });
    await api.post('/api/agents', { name: '筛选乙', isEnabled: 0 });
    const of = async (filter: object, search = '筛选') => {
      const query = 'query($filter: AgentFilter, $search: String) { agents(filter: $filter, search: $search) { name } }';
      return (await run(query, { filter, search })).agents.map(({ name }: { name: string }) => name);
    };
    expect(await of({ groupId: null })).toEqual(['筛选甲', '筛选乙']);
    expect(await of({ groupId: `AgentGroup:${group.id}` })).toEqual(['筛选甲']);
    expect(await of({ isEnabled: false })).toEqual(['筛选乙']);
    expect(await of({ status: 'IDLE' })).toEqual([]);
    expect(await of({ registrationStatus: 'UNCONFIGURED' })).toEqual(['筛选乙']);
    expect(await of({}, '8001')).toEqual(['筛选甲']);
    const rename =
      'mutation($id: ID!) { updateAgentGroup(id: $id, input: { name: "改名组" }) { ... on AgentGroup { name } ... on Refusal { field } } }';
    expect((await run(rename, { id: `AgentGroup:${group.id}` })).updateAgentGroup).toEqual({ name: '改名组' });
  });
});
