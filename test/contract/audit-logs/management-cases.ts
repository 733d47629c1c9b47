import type { AuditedAction } from '#audit/audit.ts';
import { RULE_TEMPLATES } from '#outcomes/decisions/rule-templates.ts';
import type { ConferenceRig } from '#test/support/conference-rig.ts';
import { insertAttempt, insertBatch, insertCampaign, insertContact } from '#test/support/rows.ts';
import { type AccessAction, administrator, type AuditCase, type AuditCases, type FurtherCase, SECRETS } from './audit-case.ts';
import type { ApiAnswer } from '#test/support/server.ts';
import { ask } from '../graphql/graphql-client.ts';
import {
  agentBody,
  businessBody,
  database,
  newAgent,
  newContact,
  newGroup,
  newLine,
  newPolicy,
  newScript,
  newUser,
  policyBody,
  unique,
  userBody,
} from './new-rows.ts';
import script from '../../../examples/spring-visit.script.json' with { type: 'json' };

const [PASSWORD, NEW_PASSWORD, SIP_PASSWORD] = SECRETS;

/** Only GraphQL changes the state of a script. */
async function moveScript(rig: ConferenceRig, field: string, id: number): Promise<ApiAnswer> {
  const { status, headers, data, errors } = await ask(rig.server, rig.token, `mutation($id: ID!) { ${field} { __typename } }`, { id });
  const [fault] = errors;
  return { status, headers, data, code: '0', msg: fault ? fault.message : 'ok', text: JSON.stringify(data) };
}

function formWith(text: string): FormData {
  const form = new FormData();
  form.set('file', new File([text], 'list.csv'));
  return form;
}

const consentBody = () => ({ phoneNumber: '13800138000', purpose: 'marketing', source: '官网表单' });

async function loggedIn(rig: ConferenceRig) {
  const body = userBody();
  const { user } = await administrator(rig).prepare('POST', '/api/users', body);
  return { user, answer: await rig.server.api('POST', '/api/auth/login', { username: body.username, password: PASSWORD }) };
}

function newFollowUp(rig: ConferenceRig): Promise<ApiAnswer> {
  return administrator(rig).ask('POST', '/api/follow-up-lists', { name: `名单 ${unique()}`, contacts: { status: 'paused' } });
}

/** A campaign whose planned start is in the future, so that nothing is dialled. */
async function moved(rig: ConferenceRig, status: 'running' | 'paused' | 'archived'): Promise<AuditCase> {
  const { id } = await rig.campaign({ contacts: ['13700000002'] });
  const path = `/api/campaigns/${id}`;
  await administrator(rig).prepare('PATCH', path, { scheduledStartAt: '2099-01-01T00:00:00Z' });
  if (status !== 'running') await administrator(rig).prepare('PATCH', path, { status: 'running' });
  if (status === 'archived') await administrator(rig).prepare('PATCH', path, { status: 'paused' });
  return { answer: await administrator(rig).ask('PATCH', path, { status }), targetType: 'campaign', targetId: id };
}

type ManagementAction = Extract<
  Exclude<AuditedAction, AccessAction>,
  `${'user' | 'campaign' | 'batch' | 'contact' | 'person' | 'attempt' | 'follow_up' | 'callback' | 'dial' | 'policy' | 'outcome_rules' | 'disposition_settings' | 'break_reasons' | 'do_not_call' | 'consent' | 'rule_pack' | 'business' | 'script' | 'agent_group'}.${string}`
>;

/** Actions on managed objects. */
export const MANAGEMENT_CASES: AuditCases<ManagementAction | 'agent.created' | 'agent.updated' | 'agent.deleted'> = {
  'user.created': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/users', userBody());
    return { answer, targetType: 'user', targetId: answer.data.user.id };
  },
  'user.updated': async rig => {
    const id = await newUser(rig);
    const answer = await administrator(rig).ask('PATCH', `/api/users/${id}`, { role: 'supervisor', password: NEW_PASSWORD });
    return { answer, targetType: 'user', targetId: id };
  },
  'user.deleted': async rig => {
    const id = await newUser(rig);
    return { answer: await administrator(rig).ask('DELETE', `/api/users/${id}`), targetType: 'user', targetId: id };
  },
  'user.password_changed': async rig => {
    const { user, answer } = await loggedIn(rig);
    const changed = await rig.server.api(
      'PATCH',
      '/api/auth/me/password',
      { oldPassword: PASSWORD, newPassword: NEW_PASSWORD },
      answer.data.token,
    );
    return { answer: changed, userId: user.id, targetType: 'user', targetId: user.id };
  },
  'user.logged_in': async rig => {
    const { user, answer } = await loggedIn(rig);
    return { answer, userId: user.id, targetType: 'user', targetId: user.id };
  },
  'user.logged_out': async rig => {
    const { user, answer } = await loggedIn(rig);
    const left = await rig.server.api('POST', '/api/auth/logout', undefined, answer.data.token);
    return { answer: left, userId: user.id, targetType: 'user', targetId: user.id };
  },
  'campaign.created': async rig => {
    const body = { name: '活动', businessCode: 'demo', lineIds: [await newLine(rig)], maxConcurrency: 1 };
    const answer = await administrator(rig).ask('POST', '/api/campaigns', body);
    return { answer, targetType: 'campaign', targetId: answer.data.campaign.id };
  },
  'campaign.updated': async rig => {
    const { id } = await rig.campaign();
    return {
      answer: await administrator(rig).ask('PATCH', `/api/campaigns/${id}`, { name: '改名' }),
      targetType: 'campaign',
      targetId: id,
    };
  },
  'campaign.deleted': async rig => {
    const { id } = await rig.campaign();
    return { answer: await administrator(rig).ask('DELETE', `/api/campaigns/${id}`), targetType: 'campaign', targetId: id };
  },
  'campaign.started': rig => moved(rig, 'running'),
  'campaign.paused': rig => moved(rig, 'paused'),
  'campaign.archived': rig => moved(rig, 'archived'),
  'campaign.dispatched': async rig => {
    const { id } = await rig.campaign({ contacts: ['13700000001'] });
    const answer = await administrator(rig).ask('POST', `/api/campaigns/${id}/dispatch`, { limit: 1 });
    return { answer, targetType: 'campaign', targetId: id };
  },
  'campaign.tested': async rig => {
    const { id } = await rig.campaign({ contacts: ['13700000002'] });
    const { rows } = await administrator(rig).prepare('GET', `/api/campaigns/${id}/contacts`);
    const path = `/api/campaigns/${id}/contacts/${rows[0].id}/test-call`;
    const answer = await administrator(rig).ask('POST', path, { phoneNumber: '13700000003' });
    return { answer, targetType: 'campaign', targetId: id };
  },
  'batch.cancelled': async rig => {
    const campaignId = await insertCampaign(database(rig));
    const id = await insertBatch(database(rig), { campaignId, status: 'running' });
    const answer = await administrator(rig).ask('POST', `/api/campaigns/${campaignId}/batches/${id}/cancel`);
    return { answer, targetType: 'batch', targetId: id };
  },
  'contact.added': async rig => {
    const id = await insertCampaign(database(rig));
    const body = { contacts: [{ phoneNumber: '13800138000' }] };
    const answer = await administrator(rig).ask('POST', `/api/campaigns/${id}/contacts`, body);
    return { answer, targetType: 'campaign', targetId: id };
  },
  'contact.imported': async rig => {
    const id = await insertCampaign(database(rig));
    const answer = await administrator(rig).ask('POST', `/api/campaigns/${id}/import-files`, formWith('手机号,姓名\n13800138000,张三\n'));
    return { answer, targetType: 'campaign', targetId: id };
  },
  'contact.updated': async rig => {
    const { campaignId, contactId } = await newContact(rig);
    const answer = await administrator(rig).ask('PATCH', `/api/campaigns/${campaignId}/contacts/${contactId}`, { remark: '改' });
    return { answer, targetType: 'contact', targetId: contactId };
  },
  'contact.paused': async rig => {
    const { campaignId, contactId } = await newContact(rig);
    const answer = await administrator(rig).ask('POST', `/api/campaigns/${campaignId}/contacts/pause`, { contactIds: [contactId] });
    return { answer, targetType: 'campaign', targetId: campaignId };
  },
  'contact.deleted': async rig => {
    const { campaignId, contactId } = await newContact(rig);
    const answer = await administrator(rig).ask('DELETE', `/api/campaigns/${campaignId}/contacts/${contactId}`);
    return { answer, targetType: 'contact', targetId: contactId };
  },
  'contact.retried': async rig => {
    const { campaignId, contactId } = await newContact(rig, 'failed');
    const answer = await administrator(rig).ask('POST', `/api/campaigns/${campaignId}/retry`, { contactIds: [contactId] });
    return { answer, targetType: 'campaign', targetId: campaignId };
  },
  'callback.promised': async rig => {
    const { campaignId, contactId } = await newContact(rig);
    const answer = await administrator(rig).ask('POST', `/api/campaigns/${campaignId}/contacts/${contactId}/callback`, {
      dueAt: inAnHour(),
    });
    return { answer, targetType: 'contact', targetId: contactId };
  },
  'callback.cancelled': async rig => {
    const { campaignId, contactId } = await newContact(rig);
    const { data } = await administrator(rig).ask('POST', `/api/campaigns/${campaignId}/contacts/${contactId}/callback`, {
      dueAt: inAnHour(),
    });
    const answer = await administrator(rig).ask('DELETE', `/api/callbacks/${data.callback.id}`);
    return { answer, targetType: 'contact', targetId: contactId };
  },
  'dial.requested': async rig => {
    const id = await insertCampaign(database(rig));
    const answer = await administrator(rig).ask('POST', `/api/campaigns/${id}/dials`, { dials: [{ phoneNumber: '13800138000' }] });
    return { answer, targetType: 'campaign', targetId: id };
  },
  'consent.recorded': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/consents', consentBody());
    return { answer, targetType: 'consent', targetId: answer.data.consent.id };
  },
  'consent.imported': async rig => {
    const answer = await administrator(rig).ask(
      'POST',
      '/api/consents/import',
      formWith('手机号,用途,来源\n13800138000,marketing,官网表单'),
    );
    return { answer, targetType: 'consent', targetId: null };
  },
  'consent.exported': async rig => {
    await administrator(rig).prepare('POST', '/api/consents', consentBody());
    return { answer: await administrator(rig).ask('GET', '/api/consents/evidence/13800138000'), targetType: 'person', targetId: '***8000' };
  },
  'rule_pack.enabled': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/rule-packs/uk/switch', { isOn: 1 });
    return { answer, targetType: 'rule_pack', targetId: 'uk' };
  },
  'rule_pack.disabled': async rig => {
    await administrator(rig).prepare('POST', '/api/rule-packs/uk/switch', { isOn: 1 });
    const answer = await administrator(rig).ask('POST', '/api/rule-packs/uk/switch', { isOn: 0 });
    return { answer, targetType: 'rule_pack', targetId: 'uk' };
  },
  'person.erased': async rig => {
    await insertContact(database(rig), { campaignId: await insertCampaign(database(rig)), phoneNumber: '13400001234' });
    const answer = await administrator(rig).ask('DELETE', '/api/contacts/by-number/13400001234');
    return { answer, targetType: 'person', targetId: '***1234' };
  },
  'attempt.deleted': async rig => {
    const { campaignId, contactId } = await newContact(rig);
    const id = await insertAttempt(database(rig), { campaignId, contactId, status: 'completed' });
    const answer = await administrator(rig).ask('POST', '/api/call-attempts/delete', { attemptIds: [id] });
    return { answer, targetType: 'attempt', targetId: null };
  },
  'attempt.corrected': async rig => {
    const { campaignId, contactId } = await newContact(rig);
    const id = await insertAttempt(database(rig), { campaignId, contactId, status: 'completed' });
    const body = { reason: '听录音更正', classification: '有意向' };
    return { answer: await administrator(rig).ask('PATCH', `/api/call-attempts/${id}/result`, body), targetType: 'attempt', targetId: id };
  },
  'follow_up.created': async rig => {
    const answer = await newFollowUp(rig);
    return { answer, targetType: 'follow_up', targetId: answer.data.list.id };
  },
  'follow_up.updated': async rig => {
    const { id } = (await newFollowUp(rig)).data.list;
    return {
      answer: await administrator(rig).ask('PATCH', `/api/follow-up-lists/${id}`, { name: unique() }),
      targetType: 'follow_up',
      targetId: id,
    };
  },
  'follow_up.deleted': async rig => {
    const { id } = (await newFollowUp(rig)).data.list;
    return { answer: await administrator(rig).ask('DELETE', `/api/follow-up-lists/${id}`), targetType: 'follow_up', targetId: id };
  },
  'follow_up.fed': async rig => {
    const { id } = (await newFollowUp(rig)).data.list;
    const { id: campaignId } = await rig.campaign();
    const answer = await administrator(rig).ask('POST', `/api/follow-up-lists/${id}/feed`, { campaignId });
    return { answer, targetType: 'follow_up', targetId: id };
  },
  'policy.created': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/policies', policyBody());
    return { answer, targetType: 'policy', targetId: answer.data.policy.id };
  },
  'policy.updated': async rig => {
    const id = await newPolicy(rig);
    return { answer: await administrator(rig).ask('PATCH', `/api/policies/${id}`, { isEnabled: 0 }), targetType: 'policy', targetId: id };
  },
  'policy.deleted': async rig => {
    const id = await newPolicy(rig);
    return { answer: await administrator(rig).ask('DELETE', `/api/policies/${id}`), targetType: 'policy', targetId: id };
  },
  'outcome_rules.changed': async rig => {
    const { campaignId } = await newContact(rig);
    const answer = await administrator(rig).ask('PUT', `/api/campaigns/${campaignId}/outcome-rules`, { rules: RULE_TEMPLATES.sales });
    return { answer, targetType: 'campaign', targetId: campaignId };
  },
  'disposition_settings.changed': async rig => {
    const { id } = await rig.campaign();
    const body = { dispositions: null, wrapUpSeconds: 30, isRequired: null };
    return { answer: await administrator(rig).ask('PUT', `/api/campaigns/${id}/dispositions`, body), targetType: 'campaign', targetId: id };
  },
  'break_reasons.changed': async rig => {
    const reasons = [{ code: `meal-${unique()}`, label: '用餐', isEnabled: 1 }];
    return { answer: await administrator(rig).ask('PUT', '/api/break-reasons', { reasons }), targetType: 'break_reasons', targetId: null };
  },
  'do_not_call.added': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/dnc', { phoneNumber: '13500000001', reason: '客户要求' });
    return { answer, targetType: 'do_not_call', targetId: answer.data.entry.id };
  },
  'do_not_call.updated': async rig => {
    const { entry } = await administrator(rig).prepare('POST', '/api/dnc', { phoneNumber: '13500000003', reason: '客户要求' });
    const answer = await administrator(rig).ask('POST', '/api/dnc', { phoneNumber: '13500000003', reason: '投诉' });
    return { answer, targetType: 'do_not_call', targetId: entry.id };
  },
  'do_not_call.removed': async rig => {
    const { entry } = await administrator(rig).prepare('POST', '/api/dnc', { phoneNumber: '13500000002' });
    return { answer: await administrator(rig).ask('DELETE', `/api/dnc/${entry.id}`), targetType: 'do_not_call', targetId: entry.id };
  },
  'business.created': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/businesses', businessBody());
    return { answer, targetType: 'business', targetId: answer.data.business.id };
  },
  'business.updated': async rig => {
    const { business } = await administrator(rig).prepare('POST', '/api/businesses', businessBody());
    const answer = await administrator(rig).ask('PATCH', `/api/businesses/${business.id}`, { isEnabled: 0 });
    return { answer, targetType: 'business', targetId: business.id };
  },
  'script.created': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/v1/scripts', script);
    return { answer, targetType: 'script', targetId: answer.data.script.id };
  },
  'script.updated': async rig => {
    const id = await newScript(rig);
    return { answer: await administrator(rig).ask('POST', '/api/v1/scripts', { ...script, id }), targetType: 'script', targetId: id };
  },
  'script.deleted': async rig => {
    const id = await newScript(rig);
    return { answer: await administrator(rig).ask('DELETE', `/api/v1/scripts/${id}`), targetType: 'script', targetId: id };
  },
  'script.activated': async rig => {
    const id = await newScript(rig);
    await administrator(rig).prepare('POST', '/api/v1/scripts', { ...script, id });
    return { answer: await moveScript(rig, 'activateScript(id: $id, version: 1)', id), targetType: 'script', targetId: id };
  },
  'script.deactivated': async rig => {
    const id = await newScript(rig);
    return { answer: await moveScript(rig, 'deactivateScript(id: $id)', id), targetType: 'script', targetId: id };
  },
  'agent_group.created': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/agent-groups', { name: `组 ${unique()}` });
    return { answer, targetType: 'agent_group', targetId: answer.data.group.id };
  },
  'agent_group.updated': async rig => {
    const id = await newGroup(rig);
    const answer = await administrator(rig).ask('PATCH', `/api/agent-groups/${id}`, { description: '早班' });
    return { answer, targetType: 'agent_group', targetId: id };
  },
  'agent_group.deleted': async rig => {
    const id = await newGroup(rig);
    return { answer: await administrator(rig).ask('DELETE', `/api/agent-groups/${id}`), targetType: 'agent_group', targetId: id };
  },
  'agent.created': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/agents', agentBody());
    return { answer, targetType: 'agent', targetId: answer.data.agent.id };
  },
  'agent.updated': async rig => {
    const id = await newAgent(rig);
    const answer = await administrator(rig).ask('PATCH', `/api/agents/${id}`, { name: '改名', sipPassword: SIP_PASSWORD });
    return { answer, targetType: 'agent', targetId: id };
  },
  'agent.deleted': async rig => {
    const id = await newAgent(rig);
    return { answer: await administrator(rig).ask('DELETE', `/api/agents/${id}`), targetType: 'agent', targetId: id };
  },
};

export const FURTHER_MANAGEMENT_CASES: readonly FurtherCase[] = [
  ...(['user', 'agent'] as const).map(targetType => ({
    name: `${targetType}.created, with the other,`,
    action: `${targetType}.created` as const,
    async ask(rig: ConferenceRig) {
      const answer = await administrator(rig).ask('POST', '/api/users/with-agent', { ...userBody(), agent: agentBody() });
      return { answer, targetType, targetId: answer.data[targetType].id };
    },
  })),
  {
    name: 'contact.deleted, of several at once,',
    action: 'contact.deleted',
    async ask(rig) {
      const { campaignId, contactId } = await newContact(rig);
      const answer = await administrator(rig).ask('POST', `/api/campaigns/${campaignId}/contacts/delete`, { contactIds: [contactId] });
      return { answer, targetType: 'campaign', targetId: campaignId };
    },
  },
];

function inAnHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString();
}
