import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { insertAttempt, insertContact } from '#test/support/rows.ts';
import { ask, askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object = {}): Promise<any> => askFor(api.server, api.admin, query, variables);
const database = () => api.server.running.context.database;

const WHY = 'query($id: ID!) { whyNotDialed(contactId: $id) { reason detail message since nextEligibleAt } }';
const why = async (contactId: number) => (await run(WHY, { id: String(contactId) })).whyNotDialed;

/** A campaign that is marked as running, but which the dispatcher does not process. */
async function runningCampaign(phase = 'DISPATCHING', refusal: string | null = null): Promise<number> {
  const { id } = await api.campaign();
  await database().run(
    sql`update campaign set status = 'running', phase = ${phase}, phase_reason = '等待', phase_refusal = ${refusal},
      next_wake_at = now() + interval '1 hour' where id = ${id}`,
  );
  return id;
}

describe('why a contact is not dialled [D7.10]', () => {
  test('no contact of a campaign that does not run is dialled', async () => {
    const { id } = await api.campaign();
    const contactId = await insertContact(database(), { campaignId: id });
    expect(await why(contactId)).toMatchObject({
      reason: 'PAUSED',
      detail: 'CAMPAIGN_DRAFT',
      message: '活动尚未启动',
      since: expect.any(String),
      nextEligibleAt: null,
    });
  });

  test('a number on the do-not-call list is the first reason, with the expiry of its entry', async () => {
    const { id } = await api.campaign();
    const contactId = await insertContact(database(), { campaignId: id, phoneNumber: '13655550001' });
    await api.post('/api/dnc', { phoneNumber: '13655550001', expiresAt: '2099-01-01T00:00:00Z' });
    expect(await why(contactId)).toMatchObject({ reason: 'DNC', message: '号码在勿扰名单中' });
  });

  test.each([
    ['completed', null],
    ['submitted', null],
    ['failed', 'ATTEMPTS_EXHAUSTED'],
  ] as const)('a contact that is %s: %s', async (status, reason) => {
    const campaignId = await runningCampaign('IDLE');
    const contactId = await insertContact(database(), { campaignId, status });
    expect((await why(contactId))?.reason ?? null).toBe(reason);
  });

  test('a number unknown to the network is distinguished from exhausted attempts, and can be retried [D7.1]', async () => {
    const campaignId = await runningCampaign('IDLE');
    const [unknown, tired] = [
      await insertContact(database(), { campaignId, status: 'failed', holdReason: 'invalid_number' }),
      await insertContact(database(), { campaignId, status: 'failed' }),
    ];
    expect(await why(unknown)).toMatchObject({ reason: 'INVALID_NUMBER', message: '号码无效', nextEligibleAt: null });
    expect((await why(tired)).reason).toBe('ATTEMPTS_EXHAUSTED');
    const { campaign } = await run('query($id: ID!) { campaign(id: $id) { notDialedReasons { reason contacts } } }', {
      id: String(campaignId),
    });
    expect(campaign.notDialedReasons).toEqual(
      expect.arrayContaining([
        { reason: 'ATTEMPTS_EXHAUSTED', contacts: 1 },
        { reason: 'INVALID_NUMBER', contacts: 1 },
      ]),
    );
    await api.post(`/api/campaigns/${campaignId}/retry`, { contactIds: [unknown] });
    const row = await database().first(sql`select status, hold_reason as "holdReason" from contact where id = ${unknown}`);
    expect(row).toEqual({ status: 'pending', holdReason: null });
  });

  test('a number in another call: the campaign or the agent of that call [D7.10]', async () => {
    const campaignId = await runningCampaign('IDLE');
    const contactId = await insertContact(database(), { campaignId, phoneNumber: '13655550031' });
    const { id: other, name } = await api.campaign();
    const rival = await insertContact(database(), { campaignId: other, phoneNumber: '13655550031' });
    const attemptId = await insertAttempt(database(), {
      campaignId: other,
      contactId: rival,
      phoneNumber: '13655550031',
      status: 'answered',
    });
    expect(await why(contactId)).toMatchObject({ reason: 'IN_CALL_ELSEWHERE', message: `该号码正在另一通电话中：活动「${name}」` });
    await database().run(sql`update attempt set status = 'completed' where id = ${attemptId}`);
    const agent = await database().first(sql<{ id: number }>`insert into agent (name) values ('小王') returning id`);
    const call = await database().first(sql<{ id: number }>`
      insert into softphone_call (request_id, direction, status, agent_id, attempt_id)
      values (gen_random_uuid(), 'conference', 'answered', ${agent?.id}, ${attemptId}) returning id`);
    expect(await why(contactId)).toMatchObject({ message: '该号码正在另一通电话中：坐席「小王」' });
    await database().run(sql`
      update softphone_call set attempt_id = null, direction = 'manual_call', dial_key = '+8613655550031' where id = ${call?.id}`);
    expect(await why(contactId)).toMatchObject({ message: '该号码正在另一通电话中：坐席「小王」' });
  });

  test('a contact whose last call has an unknown outcome is distinguished from exhausted attempts [D7.8]', async () => {
    const campaignId = await runningCampaign('IDLE');
    const contactId = await insertContact(database(), { campaignId, status: 'failed', attemptCount: 1 });
    await insertAttempt(database(), { campaignId, contactId, status: 'outcome_unknown' });
    const text = '上次呼叫结果未知，不会自动再次呼叫，可人工重呼';
    expect(await why(contactId)).toMatchObject({ reason: 'ATTEMPTS_EXHAUSTED', detail: 'UNKNOWN_OUTCOME', message: text });
    await database().run(sql`update campaign set retry_unknown = true where id = ${campaignId}`);
    expect(await why(contactId)).toMatchObject({ reason: 'ATTEMPTS_EXHAUSTED', detail: null });
  });

  test('the reason why the dispatcher waits is that of every contact that could be dialled, in its own words', async () => {
    const campaignId = await runningCampaign('WAITING_SLOT', 'cell_full');
    const contactId = await insertContact(database(), { campaignId });
    expect(await why(contactId)).toMatchObject({ reason: 'CELL_FULL', detail: null, message: '等待' });
  });

  test('where every caller number has made its dials, it shows when the first may dial again [D4.7]', async () => {
    const campaignId = await runningCampaign('WAITING_SLOT', 'number_cap');
    const contactId = await insertContact(database(), { campaignId });
    const { reason, nextEligibleAt } = await why(contactId);
    expect(reason).toBe('NUMBER_CAP');
    expect(Date.parse(nextEligibleAt)).toBeGreaterThan(Date.now() + 1_800_000);
  });

  test('a disabled line is distinguished from a full one, as data', async () => {
    const campaignId = await runningCampaign('WAITING_SLOT', 'line_full');
    const contactId = await insertContact(database(), { campaignId });
    expect((await why(contactId)).detail).toBeNull();
    await database().run(sql`update campaign set phase_cause = 'no_line' where id = ${campaignId}`);
    expect(await why(contactId)).toMatchObject({ reason: 'LINE_FULL', detail: 'NO_LINE' });
  });

  test('calls that fail are distinguished from a switch that is unreachable, as data', async () => {
    const campaignId = await runningCampaign('SWITCH_UNREACHABLE', 'switch_unreachable');
    const contactId = await insertContact(database(), { campaignId });
    const show = (cause: string) => database().run(sql`update campaign set phase_cause = ${cause} where id = ${campaignId}`);
    await show('switch_unreachable');
    expect(await why(contactId)).toMatchObject({ reason: 'SWITCH_UNREACHABLE', detail: null });
    await show('calls_fail');
    expect(await why(contactId)).toMatchObject({ reason: 'SWITCH_UNREACHABLE', detail: 'CALLS_FAIL', message: '等待' });
  });

  test('an unknown contact is not found', async () => {
    const { errors } = await ask(api.server, api.admin, WHY, { id: '999999999' });
    expect(errors[0]?.extensions.code).toBe('NOT_FOUND');
  });
});

describe('a campaign counts its contacts by reason [D7.10]', () => {
  test('the most frequent first, each contact once', async () => {
    const { id: campaignId } = await api.campaign();
    for (let i = 0; i < 3; i++) await insertContact(database(), { campaignId });
    for (let i = 0; i < 2; i++) await insertContact(database(), { campaignId, status: 'failed', attemptCount: 1 });
    await insertContact(database(), { campaignId, holdReason: 'dnc' });
    const { campaign } = await run('query($id: ID!) { campaign(id: $id) { notDialedReasons { reason detail message contacts } } }', {
      id: String(campaignId),
    });
    expect(campaign.notDialedReasons).toEqual([
      { reason: 'PAUSED', detail: 'CAMPAIGN_DRAFT', message: '活动尚未启动', contacts: 3 },
      { reason: 'ATTEMPTS_EXHAUSTED', detail: null, message: '呼叫次数已用完', contacts: 2 },
      { reason: 'DNC', detail: null, message: '号码在勿扰名单中', contacts: 1 },
    ]);
  });
});

describe('the timeline of a call', () => {
  test('contains everything that is stored, in order, from dispatch to result', async () => {
    const { id: campaignId } = await api.campaign();
    const contactId = await insertContact(database(), { campaignId });
    const attemptId = await insertAttempt(database(), { campaignId, contactId, status: 'completed' });
    const at = (second: number) => sql`'2027-01-01T00:00:00Z'::timestamptz + ${second} * interval '1 second'`;
    await database().run(sql`update attempt set claimed_at = ${at(0)}, dialing_at = ${at(1)}, accepted_at = ${at(2)}, reply_text = '+OK',
      answered_at = ${at(5)}, ended_at = ${at(20)}, hangup_cause = 'NORMAL_CLEARING', result_at = ${at(21)}, call_status = 'completed'
      where id = ${attemptId}`);
    await database().run(sql`insert into transcript_segment (attempt_id, segment_id, speaker, text, start_ms, end_ms, position)
      values (${attemptId}, 's1', 'bot', '您好', 1000, 2000, 0), (${attemptId}, 's2', 'customer', '你好', 3000, 4000, 1)`);
    await database().run(sql`insert into runtime_event (level, type, title, attempt_id, created_at)
      values ('warning', 'intent.alert', '意向提醒', ${attemptId}, ${at(9)})`);
    const { attempt } = await run('query($id: ID!) { attempt(id: $id) { timeline { at kind text detail } } }', { id: String(attemptId) });
    expect(attempt.timeline.map(({ kind, text }: { kind: string; text: string }) => [kind, text])).toEqual([
      ['CLAIMED', expect.any(String)],
      ['DIALING', expect.any(String)],
      ['ACCEPTED', '+OK'],
      ['ANSWERED', ''],
      ['SEGMENT', '您好'],
      ['SEGMENT', '你好'],
      ['EVENT', '意向提醒'],
      ['ENDED', 'NORMAL_CLEARING'],
      ['RESULT', 'completed'],
    ]);
    expect(attempt.timeline[4]).toMatchObject({ at: '2027-01-01T00:00:06.000Z', detail: { speaker: 'bot' } });
  });
});
