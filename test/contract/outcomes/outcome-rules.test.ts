import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { Outcome } from '#attempts/decisions/evidence.ts';
import type { OutcomeRules } from '#outcomes/decisions/outcome-rules.ts';
import { RULE_TEMPLATES } from '#outcomes/decisions/rule-templates.ts';
import { json } from '#platform/postgres/values.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const RULES: OutcomeRules = {
  maxAttempts: 3,
  rules: [
    { outcomes: ['busy'], from: 1, to: null, number: 'any', next: { kind: 'again', afterSeconds: 900, jitterSeconds: 0 } },
    { outcomes: ['no_answer'], from: 1, to: 1, number: 'any', next: { kind: 'again', afterSeconds: 3_600, jitterSeconds: 0 } },
  ],
  otherwise: { kind: 'not_reached' },
};
const OTHERS: OutcomeRules = { ...RULES, maxAttempts: 2 };
const PARTS: OutcomeRules = {
  ...RULES,
  rules: [
    {
      outcomes: ['busy'],
      from: 1,
      to: null,
      number: 'any',
      next: { kind: 'another_part_of_day', parts: ['morning', 'evening', 'weekend'] },
    },
  ],
};

let server: TestServer;
let token: string;
let campaignId: number;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('supervisor');
});
afterAll(() => server.close());

const db = () => server.running.context.database;
const path = (rest = '') => `/api/campaigns/${campaignId}/outcome-rules${rest}`;
const api = (method: string, to: string, body?: object) => server.api(method, to, body, token);
const stateAt = async (to: string) => (await api('GET', to)).data.outcomeRules;

beforeEach(async () => {
  await db().run(sql`delete from outcome_rules`);
  await db().run(sql`delete from policy`);
  campaignId = await insertCampaign(db());
});

describe('rules of a campaign and of all campaigns [D7.14]', () => {
  test('a campaign follows its own rules, else those of all, else none', async () => {
    expect(await stateAt(path())).toEqual({
      campaignId,
      origin: 'none',
      rules: null,
      version: null,
      createdBy: null,
      author: null,
      createdAt: null,
      ownVersion: 0,
      hasOwn: false,
    });
    expect((await api('PUT', '/api/outcome-rules', { rules: OTHERS })).data.outcomeRules).toMatchObject({
      campaignId: null,
      origin: 'for_all',
      version: 1,
    });
    expect(await stateAt(path())).toMatchObject({ origin: 'for_all', rules: OTHERS, version: 1, ownVersion: 0 });
    const own = (await api('PUT', path(), { rules: RULES })).data.outcomeRules;
    expect(own).toMatchObject({ campaignId, origin: 'own', rules: RULES, version: 1, ownVersion: 1 });
    expect(own.author).not.toBeNull();
    expect(Date.parse(own.createdAt)).toBeLessThanOrEqual(Date.now());
    expect((await api('DELETE', path())).data.outcomeRules).toMatchObject({ origin: 'for_all', rules: OTHERS, ownVersion: 2 });
    expect((await api('PUT', path(), { rules: null })).data.outcomeRules).toMatchObject({ origin: 'none', rules: null, version: 3 });
    expect((await api('DELETE', path())).data.outcomeRules).toMatchObject({ origin: 'for_all', ownVersion: 4, hasOwn: false });
    expect((await api('DELETE', '/api/outcome-rules')).data.outcomeRules).toMatchObject({ origin: 'none', rules: null, ownVersion: 2 });
  });

  test('every version stays, with its author, newest first', async () => {
    await api('PUT', path(), { rules: RULES });
    await api('PUT', path(), { rules: OTHERS });
    await api('DELETE', path());
    const { rows, total } = (await api('GET', path('/versions'))).data;
    expect(total).toBe(3);
    expect(rows).toMatchObject([
      { version: 3, rules: null, inherits: true, campaignId },
      { version: 2, rules: OTHERS, inherits: false },
      { version: 1, rules: RULES, inherits: false },
    ]);
    expect((await api('GET', '/api/outcome-rules/versions')).data).toMatchObject({ total: 0, rows: [] });
    expect((await api('GET', '/api/campaigns/999999/outcome-rules/versions')).status).toBe(404);
  });

  test('the second of two changes from the same version is refused, and nothing is written', async () => {
    expect((await api('PUT', path(), { rules: RULES, version: 0 })).status).toBe(200);
    const refused = await api('PUT', path(), { rules: OTHERS, version: 0 });
    expect(refused).toMatchObject({ status: 409 });
    expect(JSON.parse(refused.text).msgKey).toBe('CHANGED_MEANWHILE');
    expect((await api('DELETE', path('?version=0'))).status).toBe(409);
    expect(await stateAt(path())).toMatchObject({ rules: RULES, ownVersion: 1 });
    expect((await api('DELETE', path('?version=1'))).status).toBe(200);
  });

  test('of many changes at once exactly one is stored for each version', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => api('PUT', path(), { rules: RULES, version: 0 })));
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await stateAt(path())).toMatchObject({ ownVersion: 1 });
  });

  test('a missing, an archived campaign and rules that are not there are refused', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await api(method, '/api/campaigns/999999/outcome-rules', method === 'PUT' ? { rules: RULES } : undefined)).status).toBe(404);
    expect((await api('DELETE', path())).status).toBe(404);
    expect((await api('DELETE', '/api/outcome-rules')).status).toBe(404);
    campaignId = await insertCampaign(db(), { status: 'archived' });
    expect((await api('PUT', path(), { rules: RULES })).msg).toContain('归档');
    expect(await stateAt(path())).toMatchObject({ origin: 'none' });
  });

  test('contacts that waited under the old rules are decided anew', async () => {
    const contact = await insertContact(db(), { campaignId, holdReason: 'attempts_exhausted' });
    await api('PUT', path(), { rules: RULES });
    expect(await db().first(sql`select hold_reason from contact where id = ${contact}`)).toEqual({ holdReason: null });
  });
});

describe('rules are refused as a whole, naming row and reason [D7.14]', () => {
  const refusal = async (to: string, body: unknown) => {
    const answer = await server.api('PUT', to, body, token);
    return answer.status === 400 ? answer.msg : `${answer.status}`;
  };
  const row = (changes: object) => ({ ...RULES, rules: [{ ...RULES.rules[0], ...changes }] });

  test.each([
    ['no rules', {}, 'rules 不能为空'],
    ['an unknown member', { rules: { ...RULES, extra: 1 } }, 'rules'],
    [
      'an end that goes on',
      { rules: { ...RULES, otherwise: { kind: 'again', afterSeconds: 60, jitterSeconds: 0 } } },
      'rules.otherwise.kind',
    ],
    ['an unknown outcome', { rules: row({ outcomes: ['engaged'] }) }, 'rules.rules[0].outcomes[0]'],
    ['a dial at once', { rules: row({ next: { kind: 'again', afterSeconds: 1, jitterSeconds: 0 } }) }, 'rules.rules[0].next.afterSeconds'],
    ['a range that ends before it begins', { rules: row({ from: 3, to: 2 }) }, 'rules.rules[0].to'],
    ['a dial after a conversation', { rules: row({ outcomes: ['completed'] }) }, 'rules.rules[0].next.kind'],
    ['a hidden row', { rules: { ...RULES, rules: [RULES.rules[0], RULES.rules[0]] } }, 'rules.rules[1]'],
    ['a version that is none', { rules: RULES, version: -1 }, 'version'],
  ])('%s', async (_, body, field) => {
    expect(await refusal(path(), body)).toContain(field);
    expect(await refusal('/api/outcome-rules', body)).toContain(field);
    expect(await db().first(sql<{ count: number }>`select count(*) from outcome_rules`)).toEqual({ count: 0 });
  });

  test('a part of the day in which the campaign never dials, also by a policy', async () => {
    campaignId = await insertCampaign(db(), { workdayStart: '09:00', workdayEnd: '17:00' });
    expect(await refusal(path(), { rules: PARTS })).toContain('rules.rules[0].next.parts[1]');
    expect(await refusal('/api/outcome-rules', { rules: PARTS })).toBe('200');
    await db().run(sql`
      insert into policy (name, scope, type, action, config) values
        ('工作日', 'global', 'weekly_window', 'allow_window', '{"days":[1,2,3,4,5],"start":"08:00","end":"21:00"}')`);
    expect(await refusal('/api/outcome-rules', { rules: PARTS })).toContain('rules.rules[0].next.parts[2]');
    const previewed = await api('POST', path('/preview'), { rules: PARTS });
    expect(previewed).toMatchObject({ status: 400 });
  });

  test('who may not write policies changes nothing, but reads', async () => {
    const agent = await server.loginAs('agent');
    expect((await server.api('PUT', path(), { rules: RULES }, agent)).status).toBe(403);
    expect((await server.api('DELETE', path(), undefined, agent)).status).toBe(403);
    expect((await server.api('GET', path(), undefined, agent)).status).toBe(200);
  });
});

describe('templates [D7.14]', () => {
  test('there are four; for a campaign they have only the parts of the day in which it dials, so that they can be stored', async () => {
    const all = (await api('GET', '/api/outcome-rules/templates')).data.rows;
    expect(all.map(({ key }: { key: string }) => key)).toEqual(['sales', 'collections', 'survey', 'notice']);
    expect(all[0].rules).toEqual(RULE_TEMPLATES.sales);
    campaignId = await insertCampaign(db(), { workdayStart: '09:00', workdayEnd: '12:00' });
    for (const { rules } of (await api('GET', `/api/outcome-rules/templates?campaignId=${campaignId}`)).data.rows)
      expect((await api('PUT', path(), { rules })).status).toBe(200);
    expect((await api('GET', '/api/outcome-rules/templates?campaignId=999999')).status).toBe(404);
  });
});

describe('the preview on the past of a campaign [D7.14]', () => {
  const HOUR = 3_600_000;

  async function past(outcomes: readonly Outcome[], { hoursAgo = 40, isOurFault = false } = {}): Promise<void> {
    const contactId = await insertContact(db(), { campaignId, status: 'failed' });
    for (const [index, outcome] of outcomes.entries()) {
      const id = await insertAttempt(db(), {
        campaignId,
        contactId,
        status: 'failed',
        callStatus: 'busy',
        agoMs: (hoursAgo - index) * HOUR,
      });
      await db().run(sql`
        update attempt set outcome = ${outcome}, started_at = claimed_at, ended_at = claimed_at + interval '20 seconds',
          evidence = ${json({ basis: isOurFault ? 'own_failure' : 'hang_up' })} where id = ${id}`);
    }
  }

  test('agrees with a history counted by hand', async () => {
    await past(['no_answer', 'no_answer', 'completed']);
    await past(['busy']);
    await past(['busy']);
    await past(['rejected']);
    await past(['busy', 'completed']);
    await past(['busy'], { hoursAgo: 8 * 24 });
    await past(['local_failure', 'local_failure'], { isOurFault: true });
    const { preview } = (await api('POST', path('/preview'), { rules: RULES })).data;
    expect(preview).toMatchObject({
      contacts: 5,
      attempts: 8,
      // The third dial of the first contact, which reached the customer.
      dialsSaved: 1,
      reachedLost: 1,
      // The two that were busy once; of the two second dials one reached its customer.
      triedAgain: 2,
      reachedMore: 1,
      rows: [
        { row: 0, applied: 3 },
        { row: 1, applied: 1 },
        { row: null, applied: 3 },
      ],
    });
    expect(Date.parse(preview.to) - Date.parse(preview.from)).toBeCloseTo(40 * HOUR, -5);
    expect(await stateAt(path())).toMatchObject({ origin: 'none', ownVersion: 0 });
  });

  test('a policy bounds the attempts, and an unknown end is not dialled again', async () => {
    await past(['busy', 'busy']);
    await db().run(sql`
      insert into policy (name, scope, type, action, config) values ('次数', 'global', 'retry_rule', 'limit', '{"maxRetries":0}')`);
    expect((await api('POST', path('/preview'), { rules: RULES })).data.preview).toMatchObject({ dialsSaved: 1, triedAgain: 0 });
    await db().run(sql`delete from policy`);
    expect((await api('POST', path('/preview'), { rules: RULES })).data.preview).toMatchObject({ dialsSaved: 0, triedAgain: 1 });
    await db().run(sql`update attempt set outcome = 'busy', call_status = null where campaign_id = ${campaignId}`);
    expect((await api('POST', path('/preview'), { rules: RULES })).data.preview).toMatchObject({ dialsSaved: 1, triedAgain: 0 });
  });

  test('a campaign without calls has nothing to show', async () => {
    const { preview } = (await api('POST', path('/preview'), { rules: RULES })).data;
    expect(preview).toMatchObject({ from: null, contacts: 0, attempts: 0, dialsSaved: 0, reachedMore: 0 });
    expect((await api('POST', '/api/campaigns/999999/outcome-rules/preview', { rules: RULES })).status).toBe(404);
  });
});
