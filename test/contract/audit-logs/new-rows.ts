import { randomUUID } from 'node:crypto';
import type { ConferenceRig } from '#test/support/conference-rig.ts';
import { insertCampaign, insertContact } from '#test/support/rows.ts';
import { administrator, SECRETS } from './audit-case.ts';
import script from '../../../examples/spring-visit.script.json' with { type: 'json' };

const [PASSWORD, , SIP_PASSWORD] = SECRETS;

/** Bodies and rows of what people manage, each unlike the others. */
export const unique = () => randomUUID().slice(0, 8);
export const userBody = () => ({ username: `audited-${unique()}`, role: 'agent', password: PASSWORD });
export const businessBody = () => ({ businessCode: `audited-${unique()}`, businessName: '业务' });
/** Nobody answers there. */
export const webhookBody = () => ({ name: `端点 ${unique()}`, url: 'https://hooks.invalid/callout', types: ['import.completed'] });
export const lineBody = () => ({
  name: '线路',
  code: `audited-${unique()}`,
  dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
  maxConcurrency: 1,
  allocationMode: 'single_shared',
});
export const policyBody = () => ({
  name: '黑名单',
  scope: 'global',
  type: 'phone_blacklist',
  action: 'block',
  config: { numbers: ['10086'] },
});
export const agentBody = () => ({ name: '坐席', phoneExtension: `9${unique()}`, sipPassword: SIP_PASSWORD });
export const database = (rig: ConferenceRig) => rig.server.running.context.database;
export const newUser = async (rig: ConferenceRig) => Number((await administrator(rig).prepare('POST', '/api/users', userBody())).user.id);
export const newLine = async (rig: ConferenceRig) => Number((await administrator(rig).prepare('POST', '/api/lines', lineBody())).line.id);
export const newPool = async (rig: ConferenceRig) => {
  const body = { ...lineBody(), allocationMode: 'number_pool', numbers: [{ number: '02166660001' }] };
  const { line } = await administrator(rig).prepare('POST', '/api/lines', body);
  return { id: Number(line.id), numberId: Number(line.numbers[0].id) };
};
export const newPolicy = async (rig: ConferenceRig) =>
  Number((await administrator(rig).prepare('POST', '/api/policies', policyBody())).policy.id);
export const newWebhook = async (rig: ConferenceRig) =>
  Number((await administrator(rig).prepare('POST', '/api/webhooks', webhookBody())).webhook.id);
export const newScript = async (rig: ConferenceRig) =>
  Number((await administrator(rig).prepare('POST', '/api/v1/scripts', script)).script.id);
export const newGroup = async (rig: ConferenceRig) =>
  Number((await administrator(rig).prepare('POST', '/api/agent-groups', { name: `组 ${unique()}` })).group.id);
export const newAgent = async (rig: ConferenceRig) =>
  Number((await administrator(rig).prepare('POST', '/api/agents', agentBody())).agent.id);
export const newContact = async (rig: ConferenceRig, status: 'pending' | 'failed' = 'pending') => {
  const campaignId = await insertCampaign(database(rig));
  return { campaignId, contactId: await insertContact(database(rig), { campaignId, status }) };
};
