import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type RawBuilder, sql } from 'kysely';
import { AGENT_CALL_SPACE, captionKeys } from '#platform/redis/keys.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { watchedCalls } from '#test/support/watched-calls.ts';
import { ask, askFor } from '../graphql/graphql-client.ts';

let server: TestServer;
let admin: string;
let campaignId: number;
let number: string;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.loginAs('admin');
  campaignId = await insertCampaign(database());
});
afterAll(() => server.close());
let next = 13_700_001_000;
beforeEach(() => {
  number = String(next++);
  key = `***${number.slice(-4)}`;
});

const database = () => server.running.context.database;
const erase = (spelled = number, token = admin) =>
  server.api('DELETE', `/api/contacts/by-number/${encodeURIComponent(spelled)}`, undefined, token);
const NOTHING = { contacts: 0, attempts: 0, transcripts: 0, recordings: 0, agentCalls: 0, conferences: 0, events: 0, auditRows: 0 };
const insertId = async (statement: RawBuilder<unknown>) => (await database().first(statement as RawBuilder<{ id: number }>))?.id ?? 0;

/** A contact that was called and has talked. */
async function talked(fields: { campaignId?: number; phoneNumber?: string; recordingUrl?: string | null } = {}) {
  const phoneNumber = fields.phoneNumber ?? number;
  const contactId = await insertContact(database(), { campaignId: fields.campaignId ?? campaignId, phoneNumber, status: 'completed' });
  const attemptId = await insertAttempt(database(), {
    campaignId: fields.campaignId ?? campaignId,
    contactId,
    phoneNumber,
    recordingUrl: fields.recordingUrl === undefined ? 'call.wav' : fields.recordingUrl,
  });
  await database().run(sql`
    insert into transcript_segment (attempt_id, segment_id, position, speaker, text) values (${attemptId}, '0', 0, 'customer', '我叫李雷')`);
  const row = await database().first(sql<{ requestId: string }>`select request_id as "requestId" from attempt where id = ${attemptId}`);
  return { contactId, attemptId, requestId: row?.requestId ?? '' };
}

const agentCall = (
  fields: { status?: string; contactId?: number; phoneNumber?: string; dialKey?: string; conferenceId?: number; direction?: string } = {},
) =>
  insertId(sql`
    insert into softphone_call (request_id, direction, status, contact_id, phone_number, dial_key, conference_id, note, recording_url)
    values (${randomUUID()}, ${fields.direction ?? 'manual_call'}, ${fields.status ?? 'completed'}, ${fields.contactId ?? null},
      ${fields.phoneNumber ?? number}, ${fields.dialKey ?? `+86${number}`}, ${fields.conferenceId === undefined ? null : String(fields.conferenceId)},
      '李雷要求周五回电', 'agent.wav') returning id`);

/** Every row of every table that contains a text of the person, by table. */
async function whereIs(...needles: string[]): Promise<string[]> {
  const tables = await database().rows(
    sql<{ name: string }>`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    for (const needle of needles) {
      const row = await database().first(sql`select 1 from ${sql.table(name)} t where strpos(t::text, ${needle}) > 0 limit 1`);
      if (row) found.push(name);
    }
  }
  return [...new Set(found)].toSorted();
}

describe('DELETE /api/contacts/by-number/:number', () => {
  test('leaves the number only on the do-not-call list, and returns what was deleted [D3.7]', async () => {
    const other = await insertCampaign(database());
    const { contactId, attemptId } = await talked();
    const deleted = await insertContact(database(), { campaignId: other, phoneNumber: `+86 ${number}`, status: 'completed' });
    await database().run(
      sql`update contact set deleted_at = now(), customer_name = '李雷雷', metadata = '{"idCard":"110101"}' where id = ${deleted}`,
    );
    await talked({ campaignId: other, recordingUrl: null });
    await agentCall({ contactId });
    await database().run(sql`
      insert into runtime_event (level, type, title, attempt_id) values ('info', 'intent.alert', '客户提到', ${attemptId}), ('info', 'call.stuck', '别人', null)`);
    await server.api('POST', '/api/dnc', { phoneNumber: number, reason: '客户要求' }, admin);
    await server.api(
      'PATCH',
      `/api/campaigns/${campaignId}/contacts/${contactId}`,
      { customerName: '李雷雷', remark: '住在西湖边' },
      admin,
    );

    const answer = await erase();
    expect([answer.status, answer.data.remaining]).toEqual([200, false]);
    expect(answer.data.erased).toEqual({
      contacts: 3,
      attempts: 2,
      transcripts: 2,
      recordings: 2,
      agentCalls: 1,
      conferences: 0,
      events: 1,
      auditRows: 2,
    });
    expect(await whereIs(number, '李雷雷', '西湖')).toEqual(['do_not_call']);
  });

  test('takes every number of the person, and leaves one that another contact has beside others [D8.7]', async () => {
    const [second, shared, colleague] = [String(next++), String(next++), String(next++)];
    const add = (phoneNumber: string, ...others: string[]) =>
      server.api(
        'POST',
        `/api/campaigns/${campaignId}/contacts`,
        { contacts: [{ phoneNumber, numbers: [phoneNumber, ...others].map(each => ({ phoneNumber: each })) }] },
        admin,
      );
    await add(number, second, shared);
    await add(colleague, shared);
    const other = await insertCampaign(database());
    await talked({ campaignId: other, phoneNumber: second });
    await talked({ campaignId: other, phoneNumber: shared });
    const answer = await erase();
    expect(answer.data.erased).toMatchObject({ contacts: 2, attempts: 1 });
    expect(await whereIs(number, second)).toEqual([]);
    expect(await whereIs(colleague)).toEqual(expect.arrayContaining(['contact', 'contact_number']));
    expect(await whereIs(shared)).toEqual(expect.arrayContaining(['attempt', 'contact', 'contact_number']));
  });

  test('a second time deletes nothing, and no row says otherwise', async () => {
    await talked();
    await erase();
    const again = await erase();
    expect([again.status, again.data]).toEqual([200, { erased: NOTHING, remaining: false }]);
    const rows = await database().rows(
      sql`select actor_name as name, target_type as type, detail from audit_log where action = 'person.erased' and target_id = ${key}`,
    );
    expect(rows).toEqual([
      { name: 'admin', type: 'person', detail: { ...NOTHING, contacts: 1, attempts: 1, transcripts: 1, recordings: 1, remaining: false } },
    ]);
  });

  test.each([
    ['+86', '+86'],
    ['0086', '0086-'],
    ['none', ''],
  ])('ignores separators and +86/0086 in the number: prefix %s [D8.7]', async (_name, prefix) => {
    await insertContact(database(), { campaignId, phoneNumber: number });
    const spelled = `${prefix}${number.slice(0, 3)} ${number.slice(3, 7)}-${number.slice(7)}`;
    expect((await erase(spelled)).data.erased.contacts).toBe(1);
  });

  test('86 without a plus is the prefix of a mobile number, as everywhere [D8.7]', async () => {
    await insertContact(database(), { campaignId, phoneNumber: number });
    expect((await erase(`86${number}`)).data.erased).toEqual({ ...NOTHING, contacts: 1 });
    expect(await database().rows(sql`select 1 from contact where phone_number like ${`%${number}`}`)).toEqual([]);
  });

  test('a number as short as an id is masked only where a row concerns its contact', async () => {
    const contactId = await insertContact(database(), { campaignId, phoneNumber: '4242' });
    await server.api('PATCH', `/api/campaigns/${campaignId}/contacts/${contactId}`, { remark: '住在西湖边' }, admin);
    await database().run(sql`
      insert into audit_log (actor_name, action, target_type, target_id, summary, detail) values ('a', 'line.updated', 'line', '4242', '4242', '{"port":4242}')`);
    expect((await erase('4242')).data.erased).toEqual({ ...NOTHING, contacts: 1, auditRows: 1 });
    const rows = await database().rows(
      sql`select target_id as "targetId", detail from audit_log where target_id in ('4242', ${String(contactId)}) order by id`,
    );
    expect(rows).toEqual([
      { targetId: String(contactId), detail: { campaignId, before: { remark: '***' }, after: { remark: '***' } } },
      { targetId: '4242', detail: { port: 4242 } },
    ]);
  });

  test('actions and words of others stay', async () => {
    const stranger = await talked({ phoneNumber: `${number}9` });
    await talked();
    await erase();
    const left = await database().rows(sql<{ id: number }>`select id from attempt where id = ${stranger.attemptId}`);
    expect(left).toHaveLength(1);
  });

  test('more calls than one slice holds are deleted in one request', async () => {
    const { contactId } = await talked();
    await database().run(sql`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status)
      select gen_random_uuid(), ${campaignId}, ${contactId}, ${number}, ${`+86${number}`}, 'failed' from generate_series(1, 450)`);
    expect((await erase()).data).toMatchObject({ erased: { contacts: 1, attempts: 451 }, remaining: false });
  });

  test('attempts to the number are deleted when the contact now has another number', async () => {
    const { contactId } = await talked();
    await server.api('PATCH', `/api/campaigns/${campaignId}/contacts/${contactId}`, { phoneNumber: `${number}7` }, admin);
    expect((await erase()).data.erased).toMatchObject({ contacts: 0, attempts: 1, auditRows: 1 });
    const contact = await database().first(
      sql`select phone_number as "phoneNumber", last_attempt_id as last from contact where id = ${contactId}`,
    );
    expect(contact).toEqual({ phoneNumber: `${number}7`, last: null });
  });

  test("the customer's conference is deleted with all its legs; from another customer's conference only the leg", async () => {
    const room = (fields: { attemptId?: number } = {}) =>
      insertId(sql`
        insert into conference_session (conference_name, kind, status, customer_state, attempt_id, recording_url)
        values (${randomUUID()}, 'transfer', 'ended', 'gone', ${fields.attemptId ?? null}, 'room.wav') returning id`);
    const leg = async (conferenceId: number, fields: Parameters<typeof agentCall>[0]) => {
      const id = await agentCall({ ...fields, conferenceId, direction: 'conference' });
      await database().run(sql`
        insert into leg (softphone_call_id, conference_id, role, mode, target_number, leg_uuid, status)
        values (${id}, ${conferenceId}, 'external', 'blind', ${fields?.phoneNumber ?? ''}, ${randomUUID()}, 'ended')`);
      return id;
    };
    const { attemptId } = await talked({ recordingUrl: null });
    await leg(await room({ attemptId }), { phoneNumber: '8001', dialKey: '' });
    const others = await room();
    const agents = await leg(others, { phoneNumber: '8002', dialKey: '' });
    await leg(others, { phoneNumber: `+86${number}` });
    expect((await erase()).data.erased).toMatchObject({ attempts: 1, agentCalls: 2, conferences: 1, recordings: 3 });
    const left = await database().rows(sql<{ id: number }>`select softphone_call_id as id from leg where conference_id = ${others}`);
    expect(left.map(({ id }) => id)).toEqual([agents]);
  });

  test('overview keeps the placed calls, the list the remaining rows [D14.2, D2.4]', async () => {
    await talked();
    const counts = async () => {
      const { data: overview } = await server.api('GET', '/api/overview', undefined, admin);
      const { data: list } = await server.api('GET', `/api/call-attempts?campaignId=${campaignId}`, undefined, admin);
      return { attempts: overview.attempts, total: list.total };
    };
    const before = await counts();
    await erase();
    expect(await counts()).toEqual({ attempts: before.attempts, total: before.total - 1 });
  });

  test.each(['supervisor', 'agent'] as const)('is forbidden for a %s [D3.1]', async role => {
    const contactId = await insertContact(database(), { campaignId, phoneNumber: number });
    expect((await erase(number, await server.loginAs(role))).status).toBe(403);
    expect(await database().rows(sql`select 1 from contact where id = ${contactId}`)).toHaveLength(1);
  });
});

describe('a call to the number', () => {
  const IN_CALL = '该号码正在通话中或即将拨出，请在通话结束后再清除';

  test.each(['claimed', 'dialing', 'accepted', 'answered'] as const)('that is %s refuses it, and nothing is deleted', async status => {
    const { contactId } = await talked();
    await insertAttempt(database(), { campaignId, contactId, phoneNumber: number, status });
    const answer = await erase();
    expect([answer.status, answer.msg]).toEqual([409, IN_CALL]);
    expect(await database().rows(sql`select 1 from attempt where contact_id = ${contactId}`)).toHaveLength(2);
  });

  test('by an agent refuses it too, and its state stays in Redis', async () => {
    const id = await agentCall({ status: 'answered' });
    const call = await database().first(sql<{ requestId: string }>`select request_id as "requestId" from softphone_call where id = ${id}`);
    const { actor } = AGENT_CALL_SPACE.keysOf(call?.requestId ?? '');
    const { redis } = server.running.context;
    await redis.run(client => client.hset(actor, 'version', '1'));
    for (const spelled of [number, `0${number}`, `+86(0)${number}`, `17951 ${number}`, `0086-${number}`])
      expect((await erase(spelled)).status).toBe(409);
    expect(await redis.run(client => client.exists(actor))).toBe(1);
    await database().run(sql`update softphone_call set status = 'completed' where id = ${id}`);
    expect((await erase()).status).toBe(200);
    expect(await redis.run(client => client.exists(actor))).toBe(0);
  });

  const inCache = () => watchedCalls(server.running.context.redis, server.running.context.bus, campaignId);
  const keysOf = (requestId: string) => Object.values(captionKeys(requestId));
  const keptOf = (requestId: string) => server.running.context.redis.run(client => client.exists(...keysOf(requestId)));

  test('whose result has come while its channel still exists refuses it', async () => {
    const { requestId } = await talked();
    const calls = inCache();
    await calls.start(requestId);
    await calls.send(requestId, { type: 'channelAnswered', at: 1 });
    await calls.send(requestId, { type: 'resultReported' });
    for (const spelled of [number, `0${number}`, `+86(0)${number}`, `17951 ${number}`, `0086-${number}`])
      expect((await erase(spelled)).status).toBe(409);
  });

  test('that has ended leaves nothing in Redis: neither the call nor its captions', async () => {
    const { requestId } = await talked();
    const calls = inCache();
    await calls.start(requestId);
    await calls.send(requestId, { type: 'channelAnswered', at: 1 });
    await calls.say(requestId, 's1', '我叫李雷');
    await calls.send(requestId, { type: 'resultReported' });
    await calls.send(requestId, {
      type: 'channelHungUp',
      at: 2,
      cause: 'NORMAL_CLEARING',
      callStatus: 'completed',
      by: null,
      answeredAt: 1,
    });
    expect(await keptOf(requestId)).toBe(3);
    expect((await erase()).status).toBe(200);
    expect(await keptOf(requestId)).toBe(0);
  });
});

describe('eraseContact', () => {
  const MUTATION = `mutation ($number: String!) {
    eraseContact(number: $number) {
      __typename ... on ErasedPerson { remaining erased { contacts attempts transcripts } } ... on Refusal { code message } } }`;

  test('does the same, and returns a live call', async () => {
    const { contactId } = await talked();
    const open = await insertAttempt(database(), { campaignId, contactId, phoneNumber: number, status: 'answered' });
    expect((await askFor(server, admin, MUTATION, { number })).eraseContact).toMatchObject({
      __typename: 'PersonInCall',
      code: 'CONFLICT',
    });
    await database().run(sql`update attempt set status = 'completed' where id = ${open}`);
    expect((await askFor(server, admin, MUTATION, { number })).eraseContact).toEqual({
      __typename: 'ErasedPerson',
      remaining: false,
      erased: { contacts: 1, attempts: 2, transcripts: 1 },
    });
  });

  test('requires an administrator [D3.1]', async () => {
    const { errors } = await ask(server, await server.loginAs('supervisor'), MUTATION, { number });
    expect(errors[0]?.extensions.code).toBe('FORBIDDEN');
  });
});
