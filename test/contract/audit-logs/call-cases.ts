import type { AuditedAction } from '#audit/audit.ts';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import type { TestAgent } from '#test/support/agent-rig.ts';
import type { ConferenceRig, LiveCustomer } from '#test/support/conference-rig.ts';
import { numbers } from '#test/support/dispatch-rig.ts';
import { startPoolRuntime } from '#test/support/pool-runtime.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type AccessAction, administrator, type AuditCase, type AuditCases, type BusAction, type FurtherCase } from './audit-case.ts';

type CallAction = Exclude<
  Extract<AuditedAction, `${'call' | 'intervention' | 'transfer' | 'conference' | 'softphone_session'}.${string}`>,
  BusAction | AccessAction
>;

let nextNumber = 13_400_000_000;
const freshNumber = () => String((nextNumber += 1_000));

const as = (rig: ConferenceRig, agent: TestAgent) => (method: string, path: string, body?: unknown) =>
  rig.server.api(method, path, body, agent.token);

/** Creates a call that the agent monitors. */
async function monitored(rig: ConferenceRig): Promise<{ agent: TestAgent; requestId: string }> {
  const agent = await rig.agent();
  const businessConfig = { monitoringMode: 'elastic' };
  const { id } = await rig.campaign({ businessCode: MONITORED_BUSINESS, businessConfig, contacts: numbers(1, Number(freshNumber())) });
  await rig.start(id);
  const call = await waitUntil('the agent to be given the call', async () => {
    await as(rig, agent)('POST', '/api/live-monitor/heartbeat', { campaignId: id, tabId: 'tab-1' });
    const { data } = await as(rig, agent)('GET', `/api/live-calls?campaignId=${id}`);
    return (data.calls as { requestId: string; status: string }[]).find(({ status }) => status === 'live');
  });
  return { agent, requestId: call.requestId };
}

/** Creates a conference of a customer and an agent. */
async function meeting(rig: ConferenceRig): Promise<{ conferenceId: number }> {
  await rig.agent();
  const { data } = await rig.route(await rig.customer());
  await waitUntil('both to be in', async () => (await rig.session(data.conferenceId)).session.memberCount === 2);
  return { conferenceId: Number(data.conferenceId) };
}

async function listenIn(rig: ConferenceRig): Promise<{ conferenceId: number; softphoneCallId: number; answer: Answer }> {
  const { conferenceId } = await meeting(rig);
  const supervisor = await rig.agent();
  const path = `/api/conference-sessions/${conferenceId}/participants`;
  const answer = await administrator(rig).ask('POST', path, { mode: 'listen', agentId: supervisor.id });
  return { conferenceId, softphoneCallId: Number(answer.data?.leg.softphoneCallId), answer };
}

type Answer = Awaited<ReturnType<ConferenceRig['server']['api']>>;

/** Opens a session of a browser phone; `talking`: with a customer on the line. */
async function session(rig: ConferenceRig, state: 'open' | 'talking') {
  const agent = await rig.agent();
  const ask = as(rig, agent);
  const { id: campaignId } = await rig.campaign();
  const answer = await ask('POST', '/api/softphone-sessions', state === 'open' ? {} : { phoneNumber: freshNumber(), campaignId });
  const { softphoneCallId, sessionId, sipExtraHeaders } = answer.data;
  if (state === 'talking') {
    await rig.dialIn(agent, sipExtraHeaders['X-Callout-Conference']);
    // The report that the room has two members and the reports that both have joined come in any order.
    await waitUntil('both to be in', async () => {
      const { call } = (await ask('GET', `/api/softphone-calls/${softphoneCallId}`)).data;
      if (call.conferenceId === null) return false;
      const room = await rig.session(Number(call.conferenceId));
      return room.session.memberCount === 2 && room.legs.filter((leg: { status: string }) => leg.status === 'joined').length === 2;
    });
  }
  const path = `/api/softphone-sessions/${sessionId}`;
  return { answer, ask, path, userId: agent.userId, targetType: 'softphone_call', targetId: Number(softphoneCallId) };
}

/** Tells the bot of a call something; its runtime takes the command. */
async function guided(rig: ConferenceRig, command: 'hint' | 'say'): Promise<AuditCase> {
  const runtime = await startPoolRuntime(rig, { runtimeId: `guided-${command}`, commands: [command] });
  const { requestId } = await rig.customer();
  const answer = await administrator(rig).ask('POST', `/api/live-calls/request:${requestId}/${command}`, { text: '先说优惠' });
  await runtime.close();
  return { answer, targetType: 'call', targetId: requestId };
}

/** A supervisor's phone listens to a call that only the bot has. */
async function heard(rig: ConferenceRig, mode: 'listen' | 'barge'): Promise<AuditCase> {
  const supervisor = await rig.agent({ role: 'supervisor' });
  const { requestId } = await rig.customer();
  const answer = await as(rig, supervisor)('POST', `/api/live-calls/request:${requestId}/listen`, { mode });
  return { answer, userId: supervisor.userId, targetType: 'call', targetId: requestId };
}

async function placed(rig: ConferenceRig, how: 'manual-calls' | 'callbacks' | 'transfers'): Promise<AuditCase> {
  const agent = await rig.agent();
  const { id: campaignId } = await rig.campaign();
  const answer = await as(rig, agent)('POST', `/api/agents/${agent.id}/${how}`, { phoneNumber: freshNumber(), campaignId });
  return { answer, userId: agent.userId, targetType: 'softphone_call', targetId: answer.data?.softphoneCallId };
}

async function controlled(rig: ConferenceRig, command: (rig: ConferenceRig) => Promise<object>) {
  const { ask, path, ...seen } = await session(rig, 'talking');
  const answer = await ask('POST', `${path}/controls`, await command(rig));
  await ask('POST', `${path}/end`);
  return { ...seen, answer };
}

/** An agent in the wrap-up of a call that the customer has left. */
async function wrappingUp(rig: ConferenceRig): Promise<{ agent: TestAgent; customer: LiveCustomer }> {
  const agent = await rig.agent();
  const customer = await rig.customer();
  const sold = { code: 'sold', label: '成交', category: 'sale', needsNote: 0, needsCallback: 0, isEnabled: 1 };
  const settings = { dispositions: [sold], wrapUpSeconds: 600, isRequired: 0 };
  await administrator(rig).ask('PUT', `/api/campaigns/${customer.campaignId}/dispositions`, settings);
  // Agents of other cases may be free too.
  const { data } = await rig.route(customer, { agentId: agent.id });
  await rig.untilLive(Number(data.conferenceId));
  await rig.lose(customer.requestId, 'NORMAL_CLEARING');
  await waitUntil('the agent to wrap up', async () => (await rig.stageOf(agent.id)) === 'wrapUp');
  return { agent, customer };
}

async function wrapUpStep(rig: ConferenceRig, step: 'extend' | 'end'): Promise<AuditCase> {
  const { agent } = await wrappingUp(rig);
  const answer = await as(rig, agent)('POST', `/api/agents/${agent.id}/wrap-up`, { step });
  if (step === 'extend') await as(rig, agent)('POST', `/api/agents/${agent.id}/wrap-up`, { step: 'end' });
  return { answer, userId: agent.userId, targetType: 'agent', targetId: agent.id };
}

/** Actions of users on live calls. */
export const CALL_CASES: AuditCases<
  CallAction | 'agent.message_sent' | 'agent.status_changed' | 'agent.wrap_up_extended' | 'agent.wrap_up_ended' | 'agent.call_placed'
> = {
  'agent.status_changed': async rig => {
    const { id } = await rig.agent();
    const answer = await administrator(rig).ask('PATCH', `/api/agents/${id}/status`, { status: 'offline' });
    return { answer, targetType: 'agent', targetId: id };
  },
  'agent.message_sent': async rig => {
    const { id } = await rig.agent();
    const answer = await administrator(rig).ask('POST', `/api/agents/${id}/message`, { text: '请先接回访' });
    return { answer, targetType: 'agent', targetId: id };
  },
  'agent.wrap_up_extended': rig => wrapUpStep(rig, 'extend'),
  'agent.wrap_up_ended': rig => wrapUpStep(rig, 'end'),
  'agent.call_placed': rig => placed(rig, 'manual-calls'),
  'call.disposed': async rig => {
    const { agent, customer } = await wrappingUp(rig);
    const answer = await as(rig, agent)('PUT', `/api/calls/request:${customer.requestId}/disposition`, { code: 'sold' });
    return { answer, userId: agent.userId, targetType: 'call', targetId: customer.requestId };
  },
  'call.hung_up': async rig => {
    const { requestId } = await rig.customer();
    const answer = await administrator(rig).ask('POST', `/api/live-calls/request:${requestId}/hangup`);
    return { answer, targetType: 'call', targetId: requestId };
  },
  'call.hinted': rig => guided(rig, 'hint'),
  'call.text_spoken': rig => guided(rig, 'say'),
  'call.handed_back': async rig => {
    const runtime = await startPoolRuntime(rig, { runtimeId: 'given-back', commands: ['hand_back'] });
    await rig.agent();
    const customer = await rig.customer();
    const { data } = await rig.route(customer);
    await waitUntil('both to be in', async () => (await rig.session(data.conferenceId)).session.memberCount === 2);
    const answer = await administrator(rig).ask('POST', `/api/live-calls/request:${customer.requestId}/hand-back`, { text: '周三上门' });
    await runtime.close();
    return { answer, targetType: 'call', targetId: customer.requestId };
  },
  'call.listened': rig => heard(rig, 'listen'),
  'call.barged': rig => heard(rig, 'barge'),
  'call.controlled': async rig => {
    await rig.agent();
    const customer = await rig.customer();
    const { data } = await rig.route(customer);
    await waitUntil('both to be in', async () => (await rig.session(data.conferenceId)).session.memberCount === 2);
    const answer = await administrator(rig).ask('POST', `/api/live-calls/request:${customer.requestId}/control`, { action: 'hold' });
    return { answer, targetType: 'call', targetId: customer.requestId };
  },
  'call.released': async rig => {
    const { agent, requestId } = await monitored(rig);
    const answer = await as(rig, agent)('POST', `/api/live-calls/request:${requestId}/release`);
    await as(rig, agent)('DELETE', '/api/live-monitor/presence');
    return { answer, userId: agent.userId, targetType: 'call', targetId: requestId };
  },
  'transfer.routed': async rig => {
    await rig.agent();
    const answer = await rig.route(await rig.customer());
    return { answer, userId: null, targetType: 'conference', targetId: answer.data?.conferenceId };
  },
  'transfer.ended': async rig => {
    await rig.agent();
    const customer = await rig.customer();
    const { data } = await rig.route(customer);
    const ending = { customerUuid: customer.requestId, conferenceId: data.conferenceId };
    const answer = await rig.server.internal('POST', '/api/transfers/end', ending);
    return { answer, userId: null, targetType: 'conference', targetId: data.conferenceId };
  },
  'intervention.claimed': async rig => {
    const { requestId } = await rig.customer();
    const answer = await administrator(rig).ask('POST', `/api/live-calls/request:${requestId}/intervene`);
    return { answer, targetType: 'call', targetId: requestId };
  },
  'intervention.cancelled': async rig => {
    const { requestId } = await rig.customer();
    await administrator(rig).prepare('POST', `/api/live-calls/request:${requestId}/intervene`);
    const answer = await administrator(rig).ask('POST', `/api/live-calls/request:${requestId}/intervention/cancel`);
    return { answer, targetType: 'call', targetId: requestId };
  },
  'conference.participant_added': async rig => {
    const { answer, conferenceId } = await listenIn(rig);
    return { answer, targetType: 'conference', targetId: conferenceId };
  },
  'conference.participant_removed': async rig => {
    const { conferenceId, softphoneCallId } = await listenIn(rig);
    const answer = await administrator(rig).ask('DELETE', `/api/conference-sessions/${conferenceId}/participants/${softphoneCallId}`);
    return { answer, targetType: 'conference', targetId: conferenceId };
  },
  'softphone_session.created': async rig => {
    const { ask, path, ...seen } = await session(rig, 'open');
    await ask('POST', `${path}/end`);
    return seen;
  },
  'softphone_session.noted': async rig => {
    const { ask, path, ...seen } = await session(rig, 'open');
    const answer = await ask('POST', `${path}/notes`, { note: '改天再打' });
    await ask('POST', `${path}/end`);
    return { ...seen, answer };
  },
  'softphone_session.text_spoken': async rig => {
    const { ask, path, ...seen } = await session(rig, 'talking');
    const answer = await ask('POST', `${path}/messages`, { text: '请稍等' });
    await ask('POST', `${path}/end`);
    return { ...seen, answer };
  },
  'softphone_session.held': rig => controlled(rig, async () => ({ type: 'hold' })),
  'softphone_session.resumed': rig => controlled(rig, async () => ({ type: 'resume' })),
  'softphone_session.digits_sent': rig => controlled(rig, async () => ({ type: 'dtmf', digits: '1' })),
  'softphone_session.transferred': rig => controlled(rig, async () => ({ type: 'transfer', targetNumber: (await rig.agent()).extension })),
  'softphone_session.ended': async rig => {
    const { ask, path, ...seen } = await session(rig, 'open');
    return { ...seen, answer: await ask('POST', `${path}/end`) };
  },
};

export const FURTHER_CALL_CASES: readonly FurtherCase[] = [
  {
    name: 'do_not_call.added, of the number of an own call,',
    action: 'do_not_call.added',
    async ask(rig) {
      const { agent, customer } = await wrappingUp(rig);
      const answer = await as(rig, agent)('POST', `/api/calls/request:${customer.requestId}/do-not-call`, { reason: '客户要求' });
      return { answer, userId: agent.userId, targetType: 'do_not_call', targetId: answer.data.entry.id };
    },
  },
  { name: 'agent.call_placed, as a callback,', action: 'agent.call_placed', ask: rig => placed(rig, 'callbacks') },
  { name: 'agent.call_placed, as a transfer,', action: 'agent.call_placed', ask: rig => placed(rig, 'transfers') },
  {
    name: "agent.status_changed, one's own,",
    action: 'agent.status_changed',
    async ask(rig) {
      const agent = await rig.agent();
      const answer = await as(rig, agent)('PATCH', '/api/agents/me/status', { status: 'busy' });
      return { answer, userId: agent.userId, targetType: 'agent', targetId: agent.id };
    },
  },
];
