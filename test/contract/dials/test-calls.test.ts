import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { recentDialsOf } from '#dialling/queue-conditions.ts';
import { extensionOf, registeredPhones } from '#test/support/agent-rig.ts';
import { type DispatchRig, everybody, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { ask } from '../graphql/graphql-client.ts';

const OWN_PHONE = '13611110000';

let rig: DispatchRig;
beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 400, maxMs: 600 } }), phones: registeredPhones() });
});
afterAll(() => rig.close());

let next = 13_622_220_000;
let campaignId = 0;
let contactId = 0;
let contactNumber = '';

/** A paused campaign with history: one contact was called, one waits. */
beforeEach(async () => {
  const called = String((next += 1));
  contactNumber = String((next += 1));
  ({ id: campaignId } = await rig.campaign({ contacts: [called, contactNumber], maxConcurrency: 1 }));
  await rig.ask('POST', `/api/campaigns/${campaignId}/dispatch`, { limit: 1 });
  await untilOver(1);
  // Ends of dials are noted in batches.
  await waitUntil(
    'the breaker has counted the call',
    async () => (await database().first(sql`select 1 from campaign where id = ${campaignId} and breaker is not null`)) !== undefined,
  );
  const { data } = await rig.ask('GET', `/api/campaigns/${campaignId}/contacts`);
  contactId = data.rows.find((row: { phoneNumber: string }) => row.phoneNumber === contactNumber).id;
});

const untilOver = (attempts: number) =>
  waitUntil('the calls are over', async () => {
    const rows = await rig.attempts(campaignId);
    return rows.length === attempts && rows.every(({ status }) => status === 'completed' || status === 'failed');
  });

const place = (phoneNumber = OWN_PHONE, contact = contactId) =>
  rig.server.api('POST', `/api/campaigns/${campaignId}/contacts/${contact}/test-call`, { phoneNumber }, rig.token);

async function testCalls() {
  const { data } = await rig.ask('GET', `/api/call-attempts?campaignId=${campaignId}&test=1`);
  return data;
}

async function untilTestOver() {
  await waitUntil('the test call is over', async () => {
    const { rows } = await testCalls();
    return (
      rows.length > 0 && rows.every(({ status }: { status: string }) => !['claimed', 'dialing', 'accepted', 'answered'].includes(status))
    );
  });
  await waitUntil('its slot is free', async () => (await rig.slotsInUse()) === 0);
}

const database = () => rig.server.running.context.database;

/** Every figure that counts attempts or contacts, by name. */
const FIGURES: Readonly<Record<string, () => Promise<unknown>>> = {
  'the contact': async () => (await rig.ask('GET', `/api/campaigns/${campaignId}/contacts`)).data,
  'why it is not dialled': () => asked('whyNotDialed(contactId: $contact) { reason message nextEligibleAt }'),
  'the list of calls': async () => (await rig.ask('GET', `/api/call-attempts?campaignId=${campaignId}`)).data,
  'the list of all calls': async () => (await rig.ask('GET', '/api/call-attempts')).data.total,
  'the calls of the number': () => asked(`attempts(first: 5, filter: { phoneNumber: "${OWN_PHONE}" }) { totalCount }`),
  batches: async () => (await rig.ask('GET', `/api/campaigns/${campaignId}/batches`)).data.total,
  'the progress of the campaign': () =>
    asked('campaign(id: $campaign) { progress { total pending submitted completed failed awaitingRetry held activeCalls } }'),
  'reasons of the campaign': () => asked('campaign(id: $campaign) { notDialedReasons { reason contacts } }'),
  'what a start would find': async () => {
    const { pendingContacts, retryableContacts, activeCalls } = (await rig.ask('GET', `/api/campaigns/${campaignId}/preflight`)).data;
    return { pendingContacts, retryableContacts, activeCalls };
  },
  'the overview': async () => {
    const { campaigns, contacts, attempts, ratios, activeCalls, recentAttempts } = (await rig.ask('GET', '/api/overview')).data;
    return { campaigns, contacts, attempts, ratios, activeCalls, recent: recentAttempts.map(({ id }: { id: number }) => id) };
  },
  'the trend': async () => (await rig.ask('GET', '/api/overview/trend?days=3')).data,
  'the trend of the campaign': () =>
    asked('trend(days: 3, campaignId: $campaign) { attempts answered completed failed averageDurationSeconds }'),
  'the hours of the campaign': () => asked('trendHours(hours: 3, campaignId: $campaign) { attempts answered completed failed }'),
  'the exported calls': () => exported(`/api/exports/calls?campaignId=${campaignId}`),
  'the exported contacts': () => exported(`/api/exports/contacts?campaignId=${campaignId}`),
  'what frequency limits count': () =>
    database().rows(sql`select campaign_id from ${recentDialsOf(sql`'+8613611110000'::text`, sql`now() - interval '1 day'`)} as dial`),
  'the breaker of the campaign': async () =>
    database().first(sql`select breaker, scriptless, status, phase from campaign where id = ${campaignId}`),
  'the do-not-call list': async () => (await rig.ask('GET', '/api/dnc')).data.total,
  'promised callbacks': async () => (await rig.ask('GET', '/api/callbacks')).data.total,
};

async function asked(field: string): Promise<unknown> {
  const variables = {
    ...(field.includes('$campaign') && { campaign: String(campaignId) }),
    ...(field.includes('$contact') && { contact: String(contactId) }),
  };
  const names = Object.keys(variables).map(name => `$${name}: ID!`);
  const { data, errors } = await ask(
    rig.server,
    rig.token,
    `query ${names.length > 0 ? `(${names.join(', ')})` : ''} { ${field} }`,
    variables,
  );
  expect(errors).toEqual([]);
  return data;
}

async function exported(path: string): Promise<string> {
  const answer = await fetch(`${rig.server.url}${path}`, { headers: { Authorization: `Bearer ${rig.token}` } });
  expect(answer.status).toBe(200);
  return answer.text();
}

const allFigures = async () =>
  Object.fromEntries(await Promise.all(Object.entries(FIGURES).map(async ([name, read]) => [name, await read()] as const)));

describe('a test call [D7.16]', () => {
  test('rings the own phone with the contact and leaves every figure as it was, during the call and after it', async () => {
    const before = await allFigures();
    const placed = await place();
    expect([placed.status, placed.msg]).toEqual([200, 'ok']);
    expect(placed.data.attempt).toMatchObject({ campaignId, contactId, phoneNumber: OWN_PHONE, isTest: true, batchId: null });
    expect(await allFigures()).toEqual(before);
    await untilTestOver();
    expect(await allFigures()).toEqual(before);
    const { rows, total } = await testCalls();
    expect(total).toBe(1);
    expect(rows[0]).toMatchObject({ contactId, phoneNumber: OWN_PHONE, isTest: true, status: 'completed' });
    expect(rig.taken).toContain(rows[0].requestId);
    const { data } = await rig.ask('GET', `/api/call-attempts/${rows[0].id}`);
    expect(data.attempt).toMatchObject({ isTest: true, answeredAt: expect.any(String) });
  });

  test('a wish for no calls and a promised callback, said in a test, are no customer’s', async () => {
    await place();
    const [call] = (await testCalls()).rows;
    const before = await Promise.all(['the do-not-call list', 'promised callbacks', 'the contact'].map(async name => FIGURES[name]?.()));
    const report = {
      requestId: call.requestId,
      callStatus: 'completed',
      optOut: true,
      callbackAt: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const reported = await rig.server.internal('POST', '/api/call-results', report, { 'X-Callout-Internal-Token': INTERNAL_TOKEN });
    expect(reported.status).toBe(200);
    await untilTestOver();
    expect(await Promise.all(['the do-not-call list', 'promised callbacks', 'the contact'].map(async name => FIGURES[name]?.()))).toEqual(
      before,
    );
  });

  test('of one user at a time', async () => {
    const answers = await Promise.all([place('13611110001'), place('13611110002'), place('13611110003')]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    await untilTestOver();
    expect((await place('13611110004')).status).toBe(200);
    await untilTestOver();
  });

  test('rings the softphone of the user’s agent, which needs one that is registered', async () => {
    const path = `/api/campaigns/${campaignId}/contacts/${contactId}/test-call`;
    const ring = (token: string) => rig.server.api('POST', path, { ownPhone: true }, token);
    const supervisor = await rig.server.loginAs('supervisor');
    expect(await ring(supervisor)).toMatchObject({ status: 409, msg: '您没有坐席，请填写号码' });
    const user = await database().first(sql<{ id: number }>`select id from app_user where role = 'supervisor' order by id desc limit 1`);
    const agent = (await rig.ask('POST', '/api/agents', { name: '王敏', phoneExtension: extensionOf(0, true), userId: user?.id })).data
      .agent;
    await waitUntil('the phone is registered', async () => {
      const { rows } = (await rig.ask('GET', '/api/agents/phone-statuses')).data;
      return rows.some(
        (row: { agentId: number; registrationStatus: string }) => row.agentId === agent.id && row.registrationStatus === 'registered',
      );
    });
    const placed = await ring(supervisor);
    expect([placed.status, placed.msg]).toEqual([200, 'ok']);
    expect(placed.data.attempt).toMatchObject({ phoneNumber: extensionOf(0, true), lineId: null, isTest: true, contactId });
    await waitUntil('the phone has answered', async () => (await testCalls()).rows[0].status === 'answered');
    await rig.ask('POST', `/api/live-calls/${encodeURIComponent(`request:${placed.data.attempt.requestId}`)}/hangup`, {});
    await untilTestOver();
    for (const body of [{}, { phoneNumber: OWN_PHONE, ownPhone: true }])
      expect(await rig.server.api('POST', path, body, supervisor)).toMatchObject({ status: 400 });
  });

  test('does not keep the contact from being dialled meanwhile', async () => {
    await place();
    await rig.ask('POST', `/api/campaigns/${campaignId}/dispatch`, { limit: 1 });
    await untilOver(2);
    expect((await rig.attempts(campaignId))[0]).toMatchObject({ contactId, status: 'completed' });
    await untilTestOver();
  });

  test.each([
    ['a number that cannot be dialled', '不是号码', 400, 'phoneNumber'],
    ['an emergency number', '110', 400, '应急号码'],
    ['a do-not-call number', '13611119999', 409, '勿扰名单'],
  ])('%s is refused', async (_name, phoneNumber, status, text) => {
    if (phoneNumber === '13611119999') await rig.ask('POST', '/api/dnc', { phoneNumber, reason: '不要' });
    const refused = await place(phoneNumber);
    expect(refused).toMatchObject({ status, msg: expect.stringContaining(text) });
    expect((await testCalls()).total).toBe(0);
    expect(await rig.slotsInUse()).toBe(0);
  });

  test('a contact of another campaign, a closed campaign and an agent are refused', async () => {
    expect((await place(OWN_PHONE, 2_000_000_000)).status).toBe(404);
    const agent = await rig.server.loginAs('agent');
    const path = `/api/campaigns/${campaignId}/contacts/${contactId}/test-call`;
    expect((await rig.server.api('POST', path, { phoneNumber: OWN_PHONE }, agent)).status).toBe(403);
    await rig.ask('PATCH', `/api/campaigns/${campaignId}`, { status: 'archived' });
    expect((await place()).status).toBe(409);
    expect(await rig.slotsInUse()).toBe(0);
  });

  test('is erased with the person whose data it had, and with its phone', async () => {
    await place();
    await untilTestOver();
    await rig.ask('DELETE', `/api/contacts/by-number/${contactNumber}`);
    expect((await testCalls()).total).toBe(0);
    const left = await database().rows(sql`select 1 from contact where phone_number = ${OWN_PHONE} and campaign_id = ${campaignId}`);
    expect(left).toEqual([]);
  });

  test('in GraphQL is the same, and says why not', async () => {
    const query = `mutation ($campaign: ID!, $contact: ID!, $number: String!) {
      placeTestCall(campaignId: $campaign, contactId: $contact, phoneNumber: $number) {
        ... on Attempt { isTest phoneNumber contact { phoneNumber } } ... on Refusal { code message } } }`;
    const variables = { campaign: String(campaignId), contact: String(contactId), number: OWN_PHONE };
    const placed = await ask(rig.server, rig.token, query, variables);
    expect(placed.data?.placeTestCall).toEqual({ isTest: true, phoneNumber: OWN_PHONE, contact: { phoneNumber: contactNumber } });
    const again = await ask(rig.server, rig.token, query, { ...variables, number: '13611110009' });
    expect(again.data?.placeTestCall).toEqual({ code: 'CONFLICT', message: '您的另一个测试呼叫还没有结束' });
    await untilTestOver();
  });
});
