import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { json } from '#platform/postgres/values.ts';
import { getAgentStats } from '#call-stats/agent-stats.ts';
import { getAgentDay } from '#call-stats/read-agent-day.ts';
import { getCampaignFunnel } from '#call-stats/campaign-funnel.ts';
import { getNodeStats } from '#call-stats/node-stats.ts';
import { systemCaller } from '#kernel/caller.ts';
import { systemClock } from '#kernel/clock.ts';
import { primaryReader } from '#platform/postgres/report-reader.ts';
import { addCampaign, addContacts, type Dialling, openDialling, phoneNumbers } from '#test/support/dialling.ts';

let d: Dialling;
beforeAll(async () => {
  d = await openDialling();
});
afterAll(() => d.close());

const reading = () => ({ db: d.db, reports: primaryReader(d.db, systemClock) });
const at = (text: string) => Date.parse(text);
const DAY = { from: at('2026-11-02T00:00:00Z'), to: at('2026-11-03T00:00:00Z') };

interface Call {
  status?: string;
  outcome?: string | null;
  classification?: string | null;
  steps?: object[];
  hangupBy?: string;
  scriptId?: number;
}

async function call(
  contactId: number,
  { status = 'completed', outcome = null, classification = null, steps, hangupBy, scriptId }: Call,
): Promise<number> {
  const payload = steps === undefined ? null : JSON.stringify({ result: { steps } });
  const row = await d.db.first(sql<{ id: number }>`
    insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, outcome, classification, payload, hangup_by, script_id, script_version, result_at, created_at)
    select ${randomUUID()}, k.campaign_id, k.id, k.phone_number, k.dial_key, ${status}, ${outcome}, ${classification}, ${payload}::jsonb, ${hangupBy ?? null},
      ${scriptId ?? null}::int, 1, '2026-11-02T02:00:00Z', '2026-11-02T02:00:00Z' from contact k where k.id = ${contactId} returning id`);
  return row?.id ?? 0;
}

describe('the funnel of a campaign [D14.6]', () => {
  test('every contact is in one state, and every stage contains those behind it', async () => {
    const campaign = await addCampaign(d.db);
    const [never = 0, open = 0, unanswered = 0, answered = 0, classified = 0, withdrawn = 0, gone = 0] = await addContacts(
      d.db,
      campaign,
      phoneNumbers(7),
    );
    await call(open, { status: 'dialing' });
    await call(unanswered, { status: 'failed', outcome: 'busy' });
    await call(unanswered, { status: 'completed', outcome: 'voicemail' });
    await call(answered, { outcome: 'short' });
    await call(classified, { status: 'failed', outcome: 'no_answer' });
    await call(classified, {
      outcome: 'completed',
      classification: '有意向',
      steps: [
        { nodeId: 'start', branch: null },
        { nodeId: 'ask', branch: 'yes' },
      ],
    });
    await call(answered, { outcome: 'completed', steps: [{ nodeId: 'start', branch: null }] });
    await call(withdrawn, { status: 'cancelled' });
    await call(gone, { outcome: 'completed' });
    await d.db.run(sql`update contact set deleted_at = now() where id = ${gone}`);
    expect(never).toBeGreaterThan(0);
    expect(await getCampaignFunnel(reading(), campaign)).toEqual({
      campaignId: campaign,
      contacts: 6,
      states: { notDialled: 2, inProgress: 1, notAnswered: 1, answered: 1, classified: 1 },
      stages: { contacts: 6, dialled: 4, answered: 2, classified: 1 },
      nodes: [
        { nodeId: 'start', contacts: 2 },
        { nodeId: 'ask', contacts: 1 },
      ],
    });
  });

  test('an unknown campaign is not found', async () => {
    await expect(getCampaignFunnel(reading(), 999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the nodes of a script [D14.6]', () => {
  test('counts entries, branches and hang-ups, and means of seconds and confidence', async () => {
    const campaign = await addCampaign(d.db);
    const [contact = 0] = await addContacts(d.db, campaign, phoneNumbers(1));
    const script = await d.db.first(sql<{ id: number }>`insert into script (name, business_code) values ('话术', 'visit') returning id`);
    const scriptId = script?.id ?? 0;
    await d.db.run(sql`insert into script_version (script_id, version, hash, body, runtime) values (${scriptId}, 1, 'h',
      ${json({
        nodes: [
          { id: 'ask', name: '问续约' },
          { id: 'start', name: '' },
        ],
      })}, '{}')`);
    const first = await call(contact, {
      scriptId,
      outcome: 'completed',
      steps: [
        { nodeId: 'start', branch: null },
        { nodeId: 'ask', branch: 'yes', confidence: 0.8 },
      ],
    });
    await call(contact, {
      scriptId,
      outcome: 'short',
      hangupBy: 'customer',
      steps: [
        { nodeId: 'ask', branch: 'no', confidence: 0.4 },
        { nodeId: 'ask', branch: null },
      ],
    });
    await d.db.run(sql`
      insert into transcript_segment (attempt_id, segment_id, position, speaker, text, start_ms, end_ms, node_id)
      values (${first}, '1', 1, 'bot', '您好', 1000, 2500, 'ask'), (${first}, '2', 2, 'customer', '嗯', 3000, 5000, 'ask')`);
    const stats = await getNodeStats(reading(), { scriptId, ...DAY });
    expect(stats.calls).toBe(2);
    expect(stats.nodes[0]).toEqual({
      nodeId: 'ask',
      name: '问续约',
      entered: 3,
      left: [
        { branch: 'no', count: 1 },
        { branch: 'yes', count: 1 },
      ],
      hungUp: 1,
      averageSeconds: 4,
      averageConfidence: expect.closeTo(0.6, 9),
    });
    expect(stats.nodes[1]).toMatchObject({
      nodeId: 'start',
      name: null,
      entered: 1,
      left: [],
      hungUp: 0,
      averageSeconds: null,
      averageConfidence: null,
    });
    expect((await getNodeStats(reading(), { scriptId, version: 2, ...DAY })).calls).toBe(0);
    expect((await getNodeStats(reading(), { scriptId, from: DAY.to, to: DAY.to + 1 })).calls).toBe(0);
  });
});

describe('the work of agents [D14.6]', () => {
  const app = () => ({
    ...reading(),
    clock: systemClock,
    timeZone: 'Asia/Shanghai',
    agents: { find: async () => null, findByUser: async () => null },
  });
  const ask = (span = DAY) => getAgentStats(app(), systemCaller(randomUUID()), span);
  let agentId = 0;

  beforeAll(async () => {
    const made = await d.db.first(sql<{ id: number }>`insert into agent (name) values ('甲') returning id`);
    agentId = made?.id ?? 0;
    await d.db.run(sql`insert into agent (name) values ('没有上班')`);
    const state = (name: string, since: string, reason: string | null = null) =>
      d.db.run(
        sql`insert into agent_state (agent_id, effect_id, state, reason, created_at) values (${agentId}, ${randomUUID()}, ${name}, ${reason}, ${since}::timestamptz)`,
      );
    await state('idle', '2026-11-01T23:30:00Z');
    await state('ringing', '2026-11-02T00:40:00Z');
    await state('talking', '2026-11-02T00:40:10Z');
    await state('wrap_up', '2026-11-02T01:10:00Z');
    await state('busy', '2026-11-02T01:15:00Z', 'meal');
    await state('offline', '2026-11-02T02:00:00Z');
  });

  test('adds up states within the range, with occupancy by hour of the day', async () => {
    const { rows } = await ask();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      agentId,
      wrapUpSeconds: 300,
      onDutySeconds: 4_500,
      occupancy: 2_100 / 4_500,
      states: [
        { state: 'busy', reason: 'meal', seconds: 2_700 },
        { state: 'idle', reason: null, seconds: 2_400 },
        { state: 'ringing', reason: null, seconds: 10 },
        { state: 'talking', reason: null, seconds: 1_790 },
        { state: 'wrap_up', reason: null, seconds: 300 },
      ],
      hours: [
        { hour: 8, onDutySeconds: 3_600, occupancy: 1_200 / 3_600 },
        { hour: 9, onDutySeconds: 900, occupancy: 1 },
      ],
    });
  });

  test('calls are offered when they are answered or missed, and missed only while the customer stays', async () => {
    const ring = async (answered: boolean, cause: string | null) => {
      const session = await d.db.first(sql<{ id: number }>`
        insert into conference_session (conference_name, kind, status, customer_state) values (${randomUUID()}, 'transfer', 'ended', 'gone') returning id`);
      const own = await d.db.first(sql<{ id: number }>`
        insert into softphone_call (request_id, direction, status, agent_id, answered_at, ended_at, duration_seconds, created_at)
        values (${randomUUID()}, 'conference', 'completed', ${agentId}, ${answered ? sql`'2026-11-02T00:40:10Z'` : sql`null`}::timestamptz, '2026-11-02T01:10:00Z', ${answered ? 90 : null}::int,
          '2026-11-02T00:40:00Z') returning id`);
      await d.db.run(sql`
        insert into leg (softphone_call_id, conference_id, role, mode, agent_id, leg_uuid, status, end_cause)
        values (${own?.id}, ${session?.id}, 'agent', 'transfer', ${agentId}, ${randomUUID()}, 'ended', ${cause})`);
    };
    await ring(true, 'NORMAL_CLEARING');
    await ring(false, 'NO_ANSWER');
    await ring(false, 'CUSTOMER_GONE');
    expect((await ask()).rows[0]).toMatchObject({ offered: 2, answered: 1, missed: 1, talkSeconds: 90 });
    expect((await ask({ from: DAY.to, to: DAY.to + 3_600_000 })).rows).toEqual([]);
  });

  test('a day of an agent has its states, calls, wrap-ups and the same sums [D14.11]', async () => {
    const legs = await d.db.rows(sql<{ legUuid: string }>`
      select l.leg_uuid::text as leg_uuid from leg l join softphone_call s on s.id = l.softphone_call_id where s.agent_id = ${agentId} and s.answered_at is not null`);
    await d.db.run(
      sql`update agent_state set reservation = jsonb_build_object('fence', ${legs[0]?.legUuid ?? ''}::text) where agent_id = ${agentId} and state = 'wrap_up'`,
    );
    await d.db.run(sql`
      insert into call_disposition (request_id, softphone_call_id, agent_id, code, label, category)
      select s.request_id, s.id, s.agent_id, 'yes', '有意向', 'reached' from softphone_call s where s.agent_id = ${agentId} and s.answered_at is not null`);
    const find = async () => ({ id: agentId, name: '甲', groupId: null }) as never;
    const asked = { ...app(), agents: { find, findByUser: async () => null } };
    const day = await getAgentDay(asked, systemCaller(randomUUID()), { agentId, date: '2026-11-02' });
    expect([day.date, day.from, day.to]).toEqual(['2026-11-02', at('2026-11-01T16:00:00Z'), at('2026-11-02T16:00:00Z')]);
    expect(day.states.map(({ state, from, to }) => [state, from, to])).toEqual([
      ['idle', at('2026-11-01T23:30:00Z'), at('2026-11-02T00:40:00Z')],
      ['ringing', at('2026-11-02T00:40:00Z'), at('2026-11-02T00:40:10Z')],
      ['talking', at('2026-11-02T00:40:10Z'), at('2026-11-02T01:10:00Z')],
      ['wrap_up', at('2026-11-02T01:10:00Z'), at('2026-11-02T01:15:00Z')],
      ['busy', at('2026-11-02T01:15:00Z'), at('2026-11-02T02:00:00Z')],
      ['offline', at('2026-11-02T02:00:00Z'), at('2026-11-02T16:00:00Z')],
    ]);
    expect(
      day.calls.map(({ isAnswered, isMissed, talkSeconds, wrapUpSeconds, disposition }) => [
        isAnswered,
        isMissed,
        talkSeconds,
        wrapUpSeconds,
        disposition,
      ]),
    ).toEqual([
      [true, false, 90, 300, '有意向'],
      [false, true, 0, 0, null],
      [false, false, 0, 0, null],
    ]);
    const { rows } = await ask({ from: day.from, to: day.to });
    expect(day.sums).toEqual(rows[0]);
    const { sums } = day;
    expect([sums.answered, sums.missed, sums.talkSeconds]).toEqual([
      day.calls.filter(({ isAnswered }) => isAnswered).length,
      day.calls.filter(({ isMissed }) => isMissed).length,
      day.calls.reduce((sum, { talkSeconds }) => sum + talkSeconds, 0),
    ]);
    const before = await getAgentDay(asked, systemCaller(randomUUID()), { agentId, date: '2026-11-01' });
    expect([before.states, before.calls, before.sums.onDutySeconds]).toEqual([[], [], 0]);
    await expect(getAgentDay(asked, systemCaller(randomUUID()), { agentId, date: '2999-01-01' })).rejects.toMatchObject({ field: 'date' });
  });

  test('a range of more than 31 days is refused', async () => {
    await expect(ask({ from: DAY.from, to: DAY.from + 31 * 86_400_000 + 1 })).rejects.toMatchObject({ field: 'to' });
  });
});
