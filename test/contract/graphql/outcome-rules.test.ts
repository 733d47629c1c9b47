import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { json } from '#platform/postgres/values.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { ask, askFor } from './graphql-client.ts';

let server: TestServer;
let token: string;
let campaignId: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('supervisor');
});
afterAll(() => server.close());

const db = () => server.running.context.database;

beforeEach(async () => {
  await db().run(sql`delete from outcome_rules`);
  campaignId = await insertCampaign(db(), { workdayStart: '09:00', workdayEnd: '17:00' });
});

const AGAIN = { kind: 'AGAIN', afterSeconds: 900, jitterSeconds: 0 };
const rules = (next: object = AGAIN) => ({
  maxAttempts: 3,
  rules: [{ outcomes: ['BUSY'], from: 1, next }],
  otherwise: { kind: 'NOT_REACHED' },
});

const STATE = `origin version ownVersion author hasOwn rules { maxAttempts rules { outcomes from to number next { kind afterSeconds parts text } } otherwise { kind } }`;
const REFUSED = `... on Refusal { code reason message field } ... on InputRefused { faults { field problem } }`;
const SET = `mutation($campaignId: ID, $input: SetOutcomeRulesInput!) { done: setOutcomeRules(campaignId: $campaignId, input: $input) {
  __typename ... on OutcomeRuleState { ${STATE} } ${REFUSED} } }`;
const REMOVE = `mutation($campaignId: ID, $version: Int) { done: removeOutcomeRules(campaignId: $campaignId, version: $version) {
  __typename ... on OutcomeRuleState { ${STATE} } ${REFUSED} } }`;
const READ = `query($campaignId: ID) { outcomeRules(campaignId: $campaignId) { ${STATE} }
  outcomeRuleVersions(campaignId: $campaignId, first: 5) { totalCount nodes { databaseId version inherits author rules { maxAttempts } } } }`;

const run = (query: string, variables: object = {}) => askFor(server, token, query, variables);

describe('outcome rules in GraphQL [D7.14]', () => {
  test('are set, read and removed as over REST, with the members of the kind of each step', async () => {
    const set = (
      await run(SET, { campaignId, input: { rules: rules({ kind: 'LEAVE_MESSAGE', afterSeconds: 3_600, text: '请回电' }), version: 0 } })
    ).done;
    expect(set).toMatchObject({ __typename: 'OutcomeRuleState', origin: 'OWN', version: 1, hasOwn: true });
    expect(set.rules.rules).toEqual([
      {
        outcomes: ['BUSY'],
        from: 1,
        to: null,
        number: 'ANY',
        next: { kind: 'LEAVE_MESSAGE', afterSeconds: 3_600, parts: null, text: '请回电' },
      },
    ]);
    await run(SET, { input: { rules: rules() } });
    const read = await run(READ, { campaignId });
    expect(read.outcomeRuleVersions).toMatchObject({ totalCount: 1, nodes: [{ version: 1, inherits: false, rules: { maxAttempts: 3 } }] });
    expect((await run(REMOVE, { campaignId, version: 1 })).done).toMatchObject({ origin: 'FOR_ALL', ownVersion: 2 });
    expect((await run(REMOVE, {})).done).toMatchObject({ origin: 'NONE', ownVersion: 2 });
  });

  test('every refusal is a type of its own', async () => {
    await run(SET, { campaignId, input: { rules: rules(), version: 0 } });
    expect((await run(SET, { campaignId, input: { rules: rules(), version: 0 } })).done).toMatchObject({
      __typename: 'RulesChangedMeanwhile',
      reason: 'CHANGED_MEANWHILE',
    });
    expect((await run(REMOVE, { campaignId, version: 7 })).done.__typename).toBe('RulesChangedMeanwhile');
    expect((await run(SET, { campaignId: 999_999, input: { rules: rules() } })).done.__typename).toBe('NotFound');
    expect((await run(REMOVE, {})).done.__typename).toBe('NotFound');
    expect((await run(SET, { campaignId, input: {} })).done).toMatchObject({ __typename: 'InputRefused', field: 'rules' });
    expect((await run(SET, { campaignId, input: { rules: rules({ ...AGAIN, text: 'x' }) } })).done).toMatchObject({
      field: 'rules.rules[0].next',
    });
    await db().run(sql`update campaign set status = 'archived' where id = ${campaignId}`);
    expect((await run(SET, { campaignId, input: { rules: rules() } })).done.__typename).toBe('CampaignArchived');
    const agent = await server.loginAs('agent');
    expect((await ask(server, agent, SET, { campaignId, input: { rules: rules() } })).errors[0]?.extensions.code).toBe('FORBIDDEN');
  });

  test('a part of the day in which the campaign never dials is named in English, too', async () => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'Accept-Language': 'en' };
    const input = { rules: rules({ kind: 'ANOTHER_PART_OF_DAY', parts: ['MORNING', 'EVENING'] }) };
    const body = JSON.stringify({ query: SET, variables: { campaignId, input } });
    const answer = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({
      data: {
        done: {
          field: 'rules.rules[0].next.parts[1]',
          message: expect.stringMatching(/^rules\.rules\[0\]\.next\.parts\[1\] [\x20-\x7E]+$/),
        },
      },
    });
  });

  test('templates fit the campaign, and the preview refuses and counts like REST', async () => {
    const { outcomeRuleTemplates: templates } = await run(
      'query($campaignId: ID) { outcomeRuleTemplates(campaignId: $campaignId) { key rules { rules { next { kind parts } } } } }',
      { campaignId },
    );
    expect(templates.map(({ key }: { key: string }) => key)).toEqual(['SALES', 'COLLECTIONS', 'SURVEY', 'NOTICE']);
    expect(JSON.stringify(templates)).not.toContain('EVENING');
    const PREVIEW =
      'query($campaignId: ID!, $rules: OutcomeRulesInput!) { preview: previewOutcomeRules(campaignId: $campaignId, rules: $rules) { attempts dialsSaved rows { row applied } } }';
    expect((await run(PREVIEW, { campaignId, rules: rules() })).preview).toEqual({
      attempts: 0,
      dialsSaved: 0,
      rows: [
        { row: 0, applied: 0 },
        { row: null, applied: 0 },
      ],
    });
    const { errors } = await ask(server, token, PREVIEW, { campaignId, rules: rules({ ...AGAIN, afterSeconds: 1 }) });
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'rules.rules[0].next.afterSeconds' });
  });

  test('why a contact waits names the rule by row, version and author, and the next instant', async () => {
    const set = (await run(SET, { campaignId, input: { rules: rules() } })).done;
    const { outcomeRuleVersions } = await run(READ, { campaignId });
    const rulesId = Number(outcomeRuleVersions.nodes[0].databaseId);
    const contactId = await insertContact(db(), { campaignId, status: 'failed', attemptCount: 1 });
    const attemptId = await insertAttempt(db(), { campaignId, contactId, status: 'failed', callStatus: 'busy' });
    const evidence = { basis: 'hang_up', rule: { rulesId, row: 0, isBudgetSpent: false } };
    await db().run(sql`update attempt set ended_at = now(), outcome = 'busy', evidence = ${json(evidence)} where id = ${attemptId}`);
    await db().run(sql`update contact set retry_at = now() + interval '15 minutes' where id = ${contactId}`);
    // The contact that waits keeps the campaign from completing.
    await db().run(sql`
      update campaign set status = 'running', workday_start = null, workday_end = null, next_wake_at = now() + interval '1 day'
      where id = ${campaignId}`);
    const WHY =
      'query($contactId: ID!) { whyNotDialed(contactId: $contactId) { reason message nextEligibleAt rule { row version author isBudgetSpent } } }';
    const why = (await run(WHY, { contactId })).whyNotDialed;
    expect(why).toMatchObject({ reason: 'RETRY_WAIT', rule: { row: 0, version: 1, author: set.author, isBudgetSpent: false } });
    expect(why.message).toContain('结果规则第 1 版第 1 行');
    expect(Date.parse(why.nextEligibleAt) - Date.now()).toBeGreaterThan(800_000);
    const spent = { basis: 'hang_up', rule: { rulesId, row: null, isBudgetSpent: true } };
    await db().run(sql`update attempt set evidence = ${json(spent)} where id = ${attemptId}`);
    await db().run(sql`update contact set retry_at = null where id = ${contactId}`);
    expect((await run(WHY, { contactId })).whyNotDialed).toMatchObject({
      reason: 'ATTEMPTS_EXHAUSTED',
      nextEligibleAt: null,
      rule: { row: null, isBudgetSpent: true },
    });
  });
});
