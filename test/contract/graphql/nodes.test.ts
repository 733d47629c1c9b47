import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { insertAttempt, insertBatch } from '#test/support/rows.ts';
import { sql } from 'kysely';
import { watchedCalls } from '#test/support/watched-calls.ts';
import { ask, askFor } from './graphql-client.ts';
import { statementsOf } from './statements.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object = {}, token = api.admin): Promise<any> => askFor(api.server, token, query, variables);

describe('ids', () => {
  test('are globally unique, and resolve to their objects', async () => {
    const campaign = await api.campaign();
    const [contactId = 0] = await api.contacts(campaign.id, '13900000001');
    const told = await run(
      'query($id: ID!) { campaign(id: $id) { id databaseId lines { id } progress { id } contacts(first: 1) { nodes { id databaseId } } } }',
      {
        id: campaign.id,
      },
    );
    const { id, databaseId, lines, progress, contacts } = told.campaign;
    expect([databaseId, contacts.nodes[0].databaseId]).toEqual([String(campaign.id), String(contactId)]);
    const ids = [id, lines[0].id, progress.id, contacts.nodes[0].id, 'Campaign:999999'];
    const { nodes } = await run('query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids });
    expect(nodes).toEqual([
      { __typename: 'Campaign', id },
      { __typename: 'Line', id: lines[0].id },
      { __typename: 'CampaignProgress', id: progress.id },
      { __typename: 'Contact', id: contacts.nodes[0].id },
      null,
    ]);
    const { node } = await run('query($id: ID!) { node(id: $id) { ... on Contact { phoneNumber campaign { id } } } }', { id: ids[3] });
    expect(node).toEqual({ phoneNumber: '13900000001', campaign: { id } });
  });

  test('are accepted as arguments; the id of another type, or of nothing, is refused', async () => {
    const campaign = await api.campaign();
    const query = 'query($id: ID!) { campaign(id: $id) { databaseId } }';
    expect((await run(query, { id: `Campaign:${campaign.id}` })).campaign.databaseId).toBe(String(campaign.id));
    for (const [text, id] of [
      [query, `Line:${campaign.id}`],
      ['query($id: ID!) { node(id: $id) { id } }', 'LineNumber:1'],
      ['query($id: ID!) { node(id: $id) { id } }', String(campaign.id)],
    ] as const) {
      const { errors } = await ask(api.server, api.admin, text, { id });
      expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'id' });
    }
  });

  test('require the permission of their type', async () => {
    const token = await api.server.loginAs('agent');
    for (const id of ['AuditLog:1', 'Conference:1']) {
      const { errors } = await ask(api.server, token, 'query($id: ID!) { node(id: $id) { id } }', { id });
      expect(errors[0]?.extensions.code).toBe('FORBIDDEN');
    }
  });

  test('a live call resolves by its id, for users who may see it', async () => {
    const { redis, bus } = api.server.running.context;
    const requestId = randomUUID();
    await watchedCalls(redis, bus, 1).start(requestId);
    const query = 'query($id: ID!) { node(id: $id) { ... on LiveCall { id callKey } } }';
    const id = `LiveCall:${requestId}`;
    expect((await run(query, { id })).node).toEqual({ id, callKey: `request:${requestId}` });
    expect((await run(query, { id }, await api.server.loginAs('agent'))).node).toBeNull();
  });
});

describe('objects that a row refers to', () => {
  test('are nested: users by name also for those who may not list them, their accounts for administrators and themselves', async () => {
    const { id: campaignId } = await api.campaign();
    const [contactId = 0] = await api.contacts(campaignId, '13900000002');
    const token = await api.server.loginAs('agent');
    const people = await Promise.all([token, api.admin].map(each => run('{ me { user { databaseId } } }', {}, each)));
    const batches = people.map(({ me }) => Number(me.user.databaseId));
    const { database } = api.server.running.context;
    const batchIds: number[] = [];
    for (let count = 0; count < batches.length; count += 1) batchIds.push(await insertBatch(database, { campaignId }));
    for (const [index, createdBy] of batches.entries())
      await database.run(sql`update batch set created_by = ${createdBy} where id = ${batchIds[index]}`);
    await insertAttempt(database, { campaignId, contactId, batchId: batchIds[0] ?? null });
    const query = `query($id: ID!) { batch(id: $id) { createdById createdBy { displayName username isEnabled } campaign { name } } }`;
    const [mine, theirs] = await Promise.all(batchIds.map(id => ask(api.server, token, query, { id })));
    expect(mine?.data.batch.createdBy).toMatchObject({ username: expect.any(String), isEnabled: true });
    expect(theirs?.data.batch).toMatchObject({
      createdBy: { displayName: expect.any(String), username: null },
      campaign: { name: expect.any(String) },
    });
    expect(theirs?.errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    const many = `{ attempts(first: 50) { nodes { batch { createdBy { displayName } campaign { name } } script { name } } } }`;
    const { statements } = await statementsOf(api.server, () => run(many));
    expect(statements.length).toBeLessThanOrEqual(4);
  });

  test('so are agents of extensions and lines of a preflight', async () => {
    const { agent } = (await api.post('/api/agents', { name: '分机', phoneExtension: '6999' })).data;
    const { phoneStatuses, phoneExtensions } = await run('{ phoneStatuses { agent { name } } phoneExtensions { agentId agent { name } } }');
    expect(phoneStatuses).toContainEqual({ agent: { name: '分机' } });
    expect(phoneExtensions).toContainEqual({ agentId: String(agent.id), agent: { name: '分机' } });
    const { id } = await api.campaign();
    const { campaign } = await run('query($id: ID!) { campaign(id: $id) { lines { id } preflight { lines { line { id } } } } }', { id });
    expect(campaign.preflight.lines.map(({ line }: { line: object }) => line)).toEqual(campaign.lines);
  });

  test.each([
    ['contact', 'phoneNumber'],
    ['line', 'name'],
    ['agent', 'name'],
    ['user', 'username'],
    ['policy', 'name'],
    ['script', 'name'],
    ['batch', 'status'],
  ])('%s is one row; null when there is none', async (field, member) => {
    expect(await run(`{ ${field}(id: 99999) { ${member} } }`)).toEqual({ [field]: null });
  });
});
