import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { INTERNAL_TOKEN } from '#test/support/server.ts';
import { connectLink, type NatsLink } from '#tools/runtime/nats-link.ts';
import { actorSubject } from '#protocol/subjects.ts';
import { silentLog } from '#kernel/log.ts';
import { systemIds } from '#kernel/ids.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ConferenceRig, type LiveCustomer, startConferenceRig } from '#test/support/conference-rig.ts';

let rig: ConferenceRig;
let link: NatsLink;
/** All transfer messages to runtimes. */
const told: { requestId: string; status: string; agentId: number | null }[] = [];

beforeAll(async () => {
  rig = await startConferenceRig({ conferences: { ringTimeoutSeconds: 2, maxAgentsAsked: 2, reconcileIntervalMs: 300 } });
  link = await connectLink({ url: rig.server.nats.url, name: 'test', internalToken: INTERNAL_TOKEN }, silentLog);
  link.subscribe('callout.v1.command.*.transfer', {}, message => {
    const { status, agentId } = Object(message.body) as { status: string; agentId: number | null };
    told.push({ requestId: message.subject.split('.')[3] ?? '', status, agentId });
    message.respond({ ok: true });
  });
  await link.flush();
}, 60_000);
afterEach(() => rig.sendAgentsHome(), 90_000);
afterAll(async () => {
  await link.close();
  await rig.close();
});

const toldOf = (customer: LiveCustomer) => told.filter(({ requestId }) => requestId === customer.requestId).map(({ status }) => status);
const hangUp = (customer: LiveCustomer) => link.request(actorSubject('call', customer.requestId, 'hangup'), {}, 5_000);
const untilFree = (agentId: number) => waitUntil('the agent to be free', async () => (await rig.stageOf(agentId)) === 'idle');
const untilClear = (what: string, uuids: readonly string[]) =>
  waitUntil(what, () => !rig.openChannels().some(uuid => uuids.includes(uuid)));

async function meeting(customer: LiveCustomer) {
  const { data } = await rig.route(customer);
  await waitUntil('both to be in', async () => (await rig.session(data.conferenceId)).session.memberCount === 2);
  return data;
}

describe('no participant is left behind [OCS 4.15, D12.7]', () => {
  test('an agent leg that times out: the runtime is notified, the next agent is called, the customer stays in place', async () => {
    const [silent, second, customer] = [await rig.agent({ manner: 'noAnswer' }), await rig.agent(), await rig.customer()];
    const { data } = await rig.route(customer);
    expect(data.agent.id).toBe(silent.id);
    await rig.untilLive(data.conferenceId);
    await waitUntil('the customer to be handed over', () => toldOf(customer).includes('joined'));
    expect(toldOf(customer)).toEqual(['unanswered', 'ringing', 'joined']);
    expect(await rig.stageOf(second.id)).toBe('talking');
    await untilFree(silent.id);
    await hangUp(customer);
    await rig.untilEnded(data.conferenceId);
  });

  test('no agent answers: the runtime is notified of the failure', async () => {
    const agents = [await rig.agent({ manner: 'noAnswer' }), await rig.agent({ manner: 'noAnswer' }), await rig.agent()];
    const customer = await rig.customer();
    const { data } = await rig.route(customer);
    await rig.untilEnded(data.conferenceId);
    // At most two agents are called.
    await waitUntil('the runtime to know', () => toldOf(customer).includes('failed'));
    expect(toldOf(customer)).toEqual(['unanswered', 'ringing', 'unanswered', 'failed']);
    for (const agent of agents) await untilFree(agent.id);
    await hangUp(customer);
  });

  test('the customer hangs up in the conference: every leg ends, every agent is free', async () => {
    const [agent, supervisor, customer] = [await rig.agent(), await rig.agent(), await rig.customer()];
    const { conferenceId, agentCallUuid } = await meeting(customer);
    const listener = await rig.server.api(
      'POST',
      `/api/conference-sessions/${conferenceId}/participants`,
      { mode: 'listen', agentId: supervisor.id },
      rig.token,
    );
    await hangUp(customer);
    await rig.untilEnded(conferenceId);
    await untilClear('the legs to be gone', [agentCallUuid, listener.data.leg.callUuid, customer.requestId]);
    await Promise.all([untilFree(agent.id), untilFree(supervisor.id)]);
    const { session, legs } = await rig.session(conferenceId);
    expect(session).toMatchObject({ endCause: 'CUSTOMER_GONE', memberCount: 0, recordingUrl: expect.stringMatching(/^callout-.*\.wav$/) });
    expect(legs.map((leg: { status: string }) => leg.status)).toEqual(['ended', 'ended']);
  });

  test('the agent hangs up: the runtime says goodbye to the customer, the agent is free', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    const { conferenceId, agentCallUuid } = await meeting(customer);
    rig.simulator.hangUp(agentCallUuid);
    await rig.untilEnded(conferenceId);
    await waitUntil('the runtime to know', () => toldOf(customer).includes('ended'));
    await untilFree(agent.id);
    expect((await rig.session(conferenceId)).session.endCause).toBe('AGENTS_GONE');
    await hangUp(customer);
    await untilClear('the customer to be gone', [customer.requestId]);
  });

  test('the agent’s phone is lost: the customer leaves the room and returns to the script, the agent is free [D12.7, I9]', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    const { conferenceId, agentCallUuid } = await meeting(customer);
    await rig.lose(agentCallUuid, 'MEDIA_TIMEOUT');
    await rig.untilEnded(conferenceId);
    await waitUntil('the runtime to have the customer', () => toldOf(customer).includes('failed'));
    expect(toldOf(customer)).not.toContain('ended');
    expect((await rig.session(conferenceId)).session).toMatchObject({ endCause: 'AGENT_LOST', memberCount: 0 });
    expect(rig.openChannels()).toContain(customer.requestId);
    await untilFree(agent.id);
    await hangUp(customer);
    await untilClear('the customer to be gone', [customer.requestId]);
  });

  test('an agent’s phone shows the caller of the transfer [D12.5]', async () => {
    const customer = await rig.customer();
    await rig.agent();
    const { agentCallUuid, conferenceId } = await meeting(customer);
    const { data } = await rig.server.api('GET', `/api/call-attempts?campaignId=${customer.campaignId}`, undefined, rig.token);
    const own = data.rows.find((row: { requestId: string }) => row.requestId === customer.requestId);
    expect(rig.callerOf(agentCallUuid)).toBe(own.phoneNumber);
    await hangUp(customer);
    await rig.untilEnded(conferenceId);
  });

  test('an event of a leg is lost: polling the switch ends the session', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    const { conferenceId, agentCallUuid } = await meeting(customer);
    rig.simulator.faults.loseEvents(8);
    await hangUp(customer);
    await rig.untilEnded(conferenceId);
    await untilClear('the agent leg to be gone', [agentCallUuid]);
    await untilFree(agent.id);
    rig.simulator.faults.loseEvents(0);
  });

  test('the reply to a blind transfer is lost: the transferring agent leaves, the other counts as connected', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    const { conferenceId } = await meeting(customer);
    const other = await rig.agent({ ringMs: 1_000 });
    const participants = `/api/conference-sessions/${conferenceId}/participants`;
    const { data } = await rig.server.api('POST', participants, { mode: 'blind', agentId: other.id }, agent.token);
    rig.simulator.faults.loseEvents(1_000);
    await waitUntil('the other to be found in the room', async () => {
      const { legs } = await rig.session(conferenceId);
      return legs.some(
        (leg: { softphoneCallId: number; status: string }) => leg.softphoneCallId === data.leg.softphoneCallId && leg.status === 'joined',
      );
    });
    rig.simulator.faults.loseEvents(0);
    await untilFree(agent.id);
    await waitUntil('the other to be held as talking', async () => (await rig.stageOf(other.id)) === 'talking');
    await hangUp(customer);
    await rig.untilEnded(conferenceId);
    await untilFree(other.id);
  });

  test('an instance dies between reservation and originate: the agent is freed, another is called', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    const { database } = rig.server.running.context;
    const fence = systemIds();
    // State left by such an instance: a session that looks for an agent, and a leg that was never dialled.
    const session = await database.first(sql<{ id: number }>`
      insert into conference_session (conference_name, kind, status, request_id, attempt_id, campaign_id, customer_uuid, customer_state, cell_id, created_at)
      values (${`callout-${systemIds()}`}, 'transfer', 'routing', ${customer.requestId}, ${customer.attemptId}, ${customer.campaignId},
        ${customer.requestId}, 'outside', 'cell-1', now() - interval '20 s') returning id`);
    const call = await database.first(sql<{ id: number }>`
      insert into softphone_call (request_id, direction, status, conference_id) values (${fence}, 'conference', 'created', ${String(session?.id)})
      returning id`);
    await database.run(sql`
      insert into leg (softphone_call_id, conference_id, role, mode, leg_uuid, status, created_at)
      values (${call?.id}, ${session?.id}, 'agent', 'transfer', ${fence}, 'reserved', now() - interval '20 s')`);
    await rig.untilLive(session?.id ?? 0);
    const { legs } = await rig.session(session?.id ?? 0);
    expect(
      legs.map((leg: { agentId: number | null; status: string; endCause: string | null }) => [leg.agentId, leg.status, leg.endCause]),
    ).toEqual([
      [agent.id, 'joined', null],
      [null, 'ended', 'LOST'],
    ]);
    await hangUp(customer);
    await rig.untilEnded(session?.id ?? 0);
  });

  test('the switch dies mid-conference: the session ends and the agent is free when it is back', async () => {
    const [agent, customer] = [await rig.agent(), await rig.customer()];
    const { conferenceId } = await meeting(customer);
    rig.simulator.faults.kill(500);
    await rig.untilEnded(conferenceId);
    await untilFree(agent.id);
    const { legs } = await rig.session(conferenceId);
    expect(legs).toMatchObject([{ status: 'ended' }]);
  });
});
