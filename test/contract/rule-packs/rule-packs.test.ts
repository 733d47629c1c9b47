import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ask } from '../graphql/graphql-client.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let admin: string;
let supervisor: string;
beforeAll(async () => {
  server = await startTestServer();
  [admin, supervisor] = await Promise.all([server.loginAs('admin'), server.loginAs('supervisor')]);
});
afterAll(() => server.close());
beforeEach(() => database().run(sql`delete from policy`));

const database = () => server.running.context.database;
const turn = (packId: string, body: object, token = admin) => server.api('POST', `/api/rule-packs/${packId}/switch`, body, token);
const preview = (packId: string, body: object) => server.api('POST', `/api/rule-packs/${packId}/preview`, body, supervisor);
const policies = async () => (await server.api('GET', '/api/policies', undefined, supervisor)).data.rows;
const window = (start: string, end: string) =>
  server.api(
    'POST',
    '/api/policies',
    { name: '时段', scope: 'global', type: 'daily_window', action: 'allow_window', config: { start, end } },
    supervisor,
  );

describe('a pack that is switched on [D8.11]', () => {
  test('is policies that a supervisor sees, with their source, and can neither change nor delete', async () => {
    expect(await turn('us', { isOn: 1 })).toMatchObject({ status: 200, data: { conflicts: [] } });
    const rows = await policies();
    expect(rows.map(({ ruleId, type, scope }: Record<string, unknown>) => [ruleId, type, scope])).toEqual(
      expect.arrayContaining([
        ['us/calling-hours', 'daily_window', 'global'],
        ['us/abandonment', 'abandonment_limit', 'global'],
        ['us/consent', 'consent_required', 'global'],
      ]),
    );
    expect(rows).toHaveLength(3);
    const hours = rows.find(({ ruleId }: { ruleId: string }) => ruleId === 'us/calling-hours');
    expect(hours.name).toContain('16 CFR § 310.4(c)');
    const path = `/api/policies/${hours.id}`;
    const locked = { status: 409, msg: expect.stringContaining('规则包'), text: expect.stringContaining('POLICY_LOCKED') };
    expect(await server.api('PATCH', path, { config: { start: '00:00', end: '24:00' } }, supervisor)).toMatchObject(locked);
    expect(await server.api('PATCH', path, { isEnabled: 0 }, admin)).toMatchObject(locked);
    expect(await server.api('DELETE', path, undefined, supervisor)).toMatchObject(locked);
    expect(await policies()).toEqual(rows);
  });

  test('is switched by administrators alone, and off again leaves the policies of users', async () => {
    await window('09:00', '18:00');
    expect((await turn('cn', { isOn: 1 }, supervisor)).status).toBe(403);
    await turn('cn', { isOn: 1 });
    expect(await policies()).toHaveLength(3);
    const off = await turn('cn', { isOn: 0 });
    expect(off.data.pack.switches).toEqual([]);
    expect((await policies()).map(({ ruleId }: { ruleId: string | null }) => ruleId)).toEqual([null]);
  });

  test('binds one campaign where only that was chosen, in the way that was chosen, and on again takes another', async () => {
    const campaignId = await insertCampaign(database());
    const choose = (choiceId: string) => ({ isOn: 1, campaignId, choices: [{ ruleId: 'cn/calling-hours', choiceId }] });
    await turn('cn', choose('8-21'));
    const { data } = await turn('cn', choose('9-20'));
    expect(data.pack.switches).toMatchObject([{ campaignId, isCurrent: true }]);
    expect(data.pack.switches[0].choices).toContainEqual({ ruleId: 'cn/calling-hours', choiceId: '9-20' });
    const rows = await policies();
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual(
      expect.objectContaining({ ruleId: 'cn/calling-hours', campaignId, config: { start: '09:00', end: '20:00' } }),
    );
  });

  test('says that it has changed since', async () => {
    await turn('uk', { isOn: 1 });
    await database().run(sql`update policy set config = '{"hours": 48}' where rule_id = 'uk/rest-after-abandoned'`);
    const { data } = await server.api('GET', '/api/rule-packs', undefined, supervisor);
    expect(data.packs.find(({ id }: { id: string }) => id === 'uk').switches).toMatchObject([{ campaignId: null, isCurrent: false }]);
  });

  test('holds beside a wider window of a user, and names itself as the reason', async () => {
    await turn('cn', { isOn: 1, choices: [{ ruleId: 'cn/calling-hours', choiceId: '9-20' }] });
    await window('06:00', '23:00');
    const ask = async (at: string) =>
      (
        await server.api(
          'POST',
          '/api/policies/evaluate',
          { campaignId: await insertCampaign(database()), phoneNumber: '13800138000', at },
          supervisor,
        )
      ).data;
    expect(await ask('2026-11-23 21:00')).toMatchObject({ allowed: false, reason: expect.stringMatching(/中国.*外呼时段.*行业惯例/) });
    expect(await ask('2026-11-23 10:00')).toMatchObject({ allowed: true });
  });
});

test('the reason of a contact names rule and source, and the check before a start names the pack [D5.6, D7.10, D8.11]', async () => {
  const campaignId = await insertCampaign(database(), { status: 'running' });
  await database().run(sql`update campaign set next_wake_at = now() + interval '1 day' where id = ${campaignId}`);
  const contactId = await insertContact(database(), { campaignId, phoneNumber: '13800000201' });
  await turn('eu', { isOn: 1, campaignId });
  const query = 'query($id: ID!) { whyNotDialed(contactId: $id) { reason message nextEligibleAt } }';
  const { data } = await ask(server, supervisor, query, { id: String(contactId) });
  expect(data.whyNotDialed).toMatchObject({ reason: 'CONSENT_MISSING', nextEligibleAt: null });
  expect(data.whyNotDialed.message).toMatch(/欧盟.*2002\/58\/EC.*marketing/);
  const preflight = await server.api('GET', `/api/campaigns/${campaignId}/preflight`, undefined, supervisor);
  expect(preflight.data.checks).toContainEqual({ code: 'RULE_PACKS', level: 'ok', message: '适用规则包：欧盟（ePrivacy / GDPR） 1 条' });
});

describe('a pack beside the policies of users [D8.11]', () => {
  test('says which is stricter, in the answer of the preview and of the switch', async () => {
    const { data } = await window('09:00', '18:00');
    const stricter = { ruleId: 'cn/calling-hours', policyId: data.policy.id, winner: 'policy' };
    expect((await preview('cn', {})).data.preview.conflicts).toMatchObject([stricter]);
    expect((await turn('cn', { isOn: 1 })).data.conflicts).toMatchObject([
      { ...stricter, reason: { zh: expect.stringContaining('策略更严格') } },
    ]);
  });

  test('is refused where no hour would be left, naming the policy, and nothing is written', async () => {
    await window('21:00', '23:00');
    expect((await preview('cn', {})).data.preview.conflicts).toMatchObject([{ winner: 'nobody' }]);
    expect(await turn('cn', { isOn: 1 })).toMatchObject({ status: 400, msg: expect.stringContaining('与策略「时段」没有共同的可呼时段') });
    expect(await policies()).toHaveLength(1);
  });
});

test.each([
  ['an unknown pack', 'fr', { isOn: 1 }, 404, '规则包'],
  ['an unknown campaign', 'uk', { isOn: 1, campaignId: 999_999 }, 400, 'campaignId'],
  ['a rule of another pack', 'uk', { isOn: 1, choices: [{ ruleId: 'cn/consent', choiceId: 'off' }] }, 400, 'choices[0].ruleId'],
  ['an unknown choice', 'uk', { isOn: 1, choices: [{ ruleId: 'uk/consent', choiceId: 'maybe' }] }, 400, 'choices[0].choiceId'],
  ['a switch that is neither', 'uk', { isOn: 2 }, 400, 'isOn'],
])('refuses %s, naming it [D8.11]', async (_, packId, body, status, text) => {
  expect(await turn(packId, body)).toMatchObject({ status, msg: expect.stringContaining(text) });
  expect(await policies()).toEqual([]);
});

describe('the preview [D8.11]', () => {
  /** A dial of the campaign so many days ago at an hour of Shanghai. */
  async function dialled(campaignId: number, daysAgo: number, hour: number, phoneNumber: string) {
    const known = await database().first(
      sql<{ id: number }>`select id from contact where campaign_id = ${campaignId} and phone_number = ${phoneNumber}`,
    );
    const contactId = known?.id ?? (await insertContact(database(), { campaignId, phoneNumber, status: 'completed' }));
    const id = await insertAttempt(database(), { campaignId, contactId, phoneNumber, status: 'completed', callStatus: 'no_answer' });
    await database().run(sql`
      update attempt a set dialing_at = t.at, created_at = t.at, ended_at = t.at + interval '20 seconds', outcome = 'no_answer'
      from (select (date_trunc('day', now() at time zone 'Asia/Shanghai') - ${daysAgo}::int * interval '1 day' + ${hour}::int * interval '1 hour')
        at time zone 'Asia/Shanghai' as at) t
      where a.id = ${id}`);
  }

  test("counts by hand what it would have blocked of last week's calls, of the campaign alone and of all", async () => {
    const [one, other] = [await insertCampaign(database()), await insertCampaign(database())];
    // Too early, too late, and of five calls to one number within 24 hours the fourth and fifth.
    await dialled(one, 2, 7, '13800000101');
    await dialled(one, 2, 21, '13800000102');
    for (const hour of [9, 10, 11, 12, 13]) await dialled(one, 3, hour, '13800000103');
    await dialled(one, 4, 12, '13800000104');
    // Too early, but of the week before.
    await dialled(one, 9, 6, '13800000105');
    await dialled(other, 2, 6, '13800000106');
    const ofOne = (await preview('cn', { campaignId: one })).data.preview;
    expect(ofOne).toMatchObject({ attempts: 8, blocked: 4, isSampled: false });
    expect(ofOne.rules).toEqual([
      { ruleId: 'cn/calling-hours', blocked: 2 },
      { ruleId: 'cn/calls-per-day', blocked: 2 },
    ]);
    expect((await preview('cn', {})).data.preview).toMatchObject({ attempts: 9, blocked: 5 });
    expect(await policies()).toEqual([]);
  });
});
