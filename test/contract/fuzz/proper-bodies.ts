import { RULE_TEMPLATES } from '#outcomes/decisions/rule-templates.ts';
import { POLICY_CASES } from '#test/support/policy-cases.ts';
import script from '../../../examples/spring-visit.script.json' with { type: 'json' };

const line = {
  name: '线路',
  code: 'FUZZ',
  dialStringTemplate: 'sofia/gateway/x/{{destinationNumber}}',
  maxConcurrency: 3,
  allocationMode: 'number_pool',
  numbers: [{ number: '1001', weight: 2, maxConcurrency: 1, isEnabled: 1 }],
};

const campaign = {
  name: '活动',
  businessCode: 'demo-business',
  lineIds: [1],
  maxConcurrency: 2,
  maxRetries: 1,
  retryIntervalSeconds: 60,
  callIntervalMs: 100,
  retryAnsweredWithoutResult: true,
  retryUnknown: true,
  callbackMissed: 'next_day',
  callbackAgainMinutes: 20,
  callbackMaxMisses: 2,
  anybodyAfterMinutes: 5,
  recordingDays: 90,
  workdayStart: '09:00',
  workdayEnd: '18:00',
  scheduledStartAt: '2026-12-01T00:00:00Z',
  scheduledEndAt: '2026-12-31 18:00',
  businessConfig: { variables: { city: '杭州' }, intentKeywords: ['投诉'] },
  description: '说明',
};

const policy = (type: string, action: string, config: object) => ({
  name: type,
  scope: 'global',
  type,
  action,
  priority: 1,
  config,
  isEnabled: 1,
});

const choice = { code: 'sold', label: '成交', category: 'sale', needsNote: 0, needsCallback: 0, isEnabled: 1 };
const segment = { speaker: 'bot', text: '您好', startMs: 0, endMs: 900, nodeId: 'n1' };
const requestId = '00000000-0000-4000-8000-000000000001';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/**
 * Valid bodies for routes whose schema alone rarely generates one: damaged versions of them come closest to being accepted.
 *
 * Shape: by the route's name; a route without any uses its schema
 */
export const PROPER_BODIES: Readonly<Record<string, readonly unknown[]>> = {
  'POST /api/auth/login': [{ username: 'admin', password: 'test-admin-password' }],
  // There and back, so that a concurrent login knows one of the two passwords.
  'PATCH /api/auth/me/password': [
    { oldPassword: 'test-admin-password', newPassword: 'fuzz-own-password' },
    { oldPassword: 'fuzz-own-password', newPassword: 'test-admin-password' },
  ],
  'POST /api/users': [{ username: 'fuzz', role: 'agent', password: 'fuzz-password' }],
  'POST /api/users/with-agent': [
    { username: 'fuzz-agent', role: 'agent', password: 'fuzz-password', agent: { phoneExtension: '2998' } },
    { username: 'fuzz-bound', role: 'agent', password: 'fuzz-password', agentId: 1 },
  ],
  'PATCH /api/users/{id}': [
    { displayName: '张三', role: 'supervisor' },
    { password: 'another-password', isEnabled: 0 },
  ],
  'POST /api/lines': [line],
  'PATCH /api/lines/{id}': [{ name: '改名' }, { allocationMode: 'bound_numbers', numbers: [{ number: '1' }] }],
  'POST /api/businesses': [{ businessCode: 'fuzz', businessName: '业务', remark: '说明', isEnabled: 1, runtimeBringsFlow: 1 }],
  'PATCH /api/businesses/{id}': [{ businessName: '改名', isEnabled: 0 }],
  'POST /api/campaigns': [campaign],
  'PATCH /api/campaigns/{id}': [
    { status: 'running' },
    { status: 'paused' },
    { cellId: '' },
    { retryAnsweredWithoutResult: false },
    { businessConfig: { monitoringMode: 'strict', monitoringPriority: 3 }, businessCode: 'kb-audio-chat-business' },
    campaign,
  ],
  'POST /api/campaigns/{id}/contacts': [
    { contacts: [{ phoneNumber: '13800138000', customerName: '张三', remark: '', metadata: { city: '杭州' } }] },
  ],
  'PATCH /api/campaigns/{id}/contacts/{contactId}': [{ phoneNumber: '13900139000', metadata: { a: 'b' }, priority: 3, status: 'paused' }],
  'POST /api/lines/{id}/numbers/{numberId}/rest': [{ hours: 24 }],
  'POST /api/lines/{id}/prices': [
    { currency: 'CNY', perMinute: 0.12 },
    { currency: 'USD', perMinute: 0.015, unitSeconds: 6, connectionFee: 0.01, validFrom: '2026-11-01T00:00:00Z' },
  ],
  'POST /api/lists': [
    { name: '春季名单', kind: 'contacts', description: '说明' },
    { name: '黑名单', kind: 'do_not_call' },
  ],
  'PATCH /api/lists/{id}': [{ name: '改名', description: '' }],
  'POST /api/lists/{id}/campaigns': [{ campaignId: 1 }, { campaignId: 2, version: 1 }],
  'POST /api/imports': [
    {
      fileId: requestId,
      listId: 1,
      options: { carriers: ['mobile'], landline: 'reject', headerRow: 1, columns: { phoneNumber: '手机号' } },
    },
    { fileId: requestId, campaignId: 1, options: { duplicates: 'business', contactedWithinDays: 30 } },
  ],
  'POST /api/consents': [{ phoneNumber: '13800138000', purpose: 'marketing', source: '官网表单', wording: '同意接收营销来电' }],
  'POST /api/rule-packs/{packId}/preview': [{ choices: [{ ruleId: 'cn/calling-hours', choiceId: '9-20' }] }],
  'POST /api/rule-packs/{packId}/switch': [{ isOn: 1, campaignId: 1 }],
  'PUT /api/campaigns/{id}/pre-dial-hook': [
    { url: 'https://hooks.invalid/ask', onFailure: 'refuse' },
    { url: 'https://hooks.invalid/ask', onFailure: 'allow', cacheSeconds: 0, renewSecret: 1 },
  ],
  'POST /api/webhooks': [
    { name: '订单系统', url: 'https://hooks.example.com/callout', types: ['attempt.settled'] },
    { name: '值班群', kind: 'feishu', url: 'https://robots.example.com/hook/1', types: ['alert.raised'], minLevel: 'error' },
    {
      name: '邮箱',
      kind: 'email',
      url: 'smtps://mail.example.com:465',
      types: ['alert.raised'],
      recipients: ['ops@example.com'],
      sender: 'callout@example.com',
    },
  ],
  'PATCH /api/webhooks/{id}': [
    { name: '改名', status: 'paused' },
    { types: ['alert.raised'], campaignIds: [1] },
  ],
  'POST /api/webhooks/{id}/replay': [{ from: '2026-11-22T02:00:00.000Z', to: '2026-11-23T02:00:00.000Z', onlyFailed: 1 }],
  'POST /api/campaigns/{id}/contacts/{contactId}/callback': [{ dueAt: new Date(Date.now() + 86_400_000).toISOString(), note: '明天再打' }],
  'POST /api/campaigns/{id}/dials': [
    { dials: [{ phoneNumber: '13800138001', customerName: '张三', externalId: 'order-1', priority: 9 }] },
    { dials: [{ phoneNumber: '13800138002', notBefore: inDays(1), notAfter: inDays(2), metadata: { order: '7' } }] },
  ],
  'POST /api/campaigns/{id}/contacts/{contactId}/test-call': [{ phoneNumber: '13800138009' }, { ownPhone: true }],
  'POST /api/campaigns/{id}/contacts/pause': [{ contactIds: [1, 2] }],
  'POST /api/campaigns/{id}/contacts/delete': [{ contactIds: [3] }],
  'POST /api/campaigns/{id}/dispatch': [{ limit: 5 }],
  'POST /api/campaigns/{id}/retry': [{ status: 'failed' }, { contactIds: [1, 2, 3] }],
  'POST /api/exports': [
    { kind: 'attempts', format: 'csv', calls: { campaignId: 1 } },
    { kind: 'contacts', format: 'ndjson', columns: ['phoneNumber', 'variable.city'], contacts: { q: '138', isHeld: 0 } },
  ],
  'POST /api/call-attempts/delete': [{ attemptIds: [1, 2] }],
  'POST /api/call-results': [
    {
      attemptId: 1,
      callStatus: 'completed',
      startedAt: '2026-11-22T02:00:00.000Z',
      answeredAt: '2026-11-22T02:00:05.000Z',
      endedAt: '2026-11-22T02:01:00.000Z',
      durationSeconds: 55,
      hangupCause: 'NORMAL_CLEARING',
      hangupBy: 'customer',
      recordingUrl: '/var/lib/a.wav',
      classification: 'A',
      intent: '有意向',
      optOut: true,
      optOutReason: '不要再打',
      transcript: [segment],
      payload: { result: { recognizedText: '好的' } },
    },
  ],
  'POST /api/call-progress': [
    {
      attemptId: 2,
      kind: 'segment',
      seq: 1,
      at: '2026-11-22T02:00:00.000Z',
      nodeId: 'n1',
      segment: { segmentId: 's1', final: true, ...segment },
    },
    {
      events: [
        { requestId, kind: 'started' },
        { callKey: 'attempt:1', kind: 'ended', hangupCause: 'NORMAL_CLEARING' },
      ],
    },
    { attemptId: 3, kind: 'intervention', intervention: { id: 'i1', status: 'active', agentId: 1, reason: '' } },
  ],
  'POST /api/v1/scripts': [script, { ...script, id: 1 }],
  'POST /api/policies': Object.entries(POLICY_CASES).map(([type, { action, documented }]) => policy(type, action, documented)),
  'PATCH /api/policies/{id}': [{ name: '改名', priority: 9 }, { config: { start: '08:00', end: '20:00' } }, { isEnabled: 0 }],
  'POST /api/policies/evaluate': [{ campaignId: 1, phoneNumber: '13800138000', at: '2026-11-23T02:00:00Z' }],
  'PUT /api/campaigns/{id}/outcome-rules': [{ rules: RULE_TEMPLATES.sales, version: 0 }, { rules: null }],
  'PUT /api/outcome-rules': [{ rules: RULE_TEMPLATES.notice, version: 0 }],
  'POST /api/campaigns/{id}/outcome-rules/preview': [{ rules: RULE_TEMPLATES.survey }],
  'PUT /api/campaigns/{id}/dispositions': [
    { dispositions: [choice], wrapUpSeconds: 30, isRequired: 1, version: 0 },
    { dispositions: null, wrapUpSeconds: null, isRequired: null },
  ],
  'PUT /api/businesses/{businessCode}/dispositions': [{ dispositions: [choice], wrapUpSeconds: 0, isRequired: null }],
  'PUT /api/calls/{callKey}/disposition': [
    { code: 'sold', note: '已成交', fields: { amount: 5 } },
    { code: 'sold', callback: { dueAt: inDays(1) }, doNotCall: true },
  ],
  'POST /api/reports/saved': [{ name: '昨天的忙音', question: 'span=yesterday&m=dials&by=outcome', isShared: 1 }],
  'PATCH /api/reports/saved/{id}': [{ name: '改名', isShared: 0 }],
  'POST /api/report-schedules': [
    { name: '每日外呼', reportId: 1, cron: '0 8 * * 1-5', timeZone: 'Asia/Shanghai', span: 'yesterday', channelId: 1, isEnabled: 0 },
    { name: '每月名单', export: { kind: 'contacts', contacts: { campaignId: 1 } }, cron: '0 6 1 * *', channelId: 2, isEnabled: 0 },
  ],
  'PATCH /api/report-schedules/{id}': [
    { name: '改名', cron: '30 9 * * *' },
    { span: 'last_week', channelId: 3 },
  ],
  'POST /api/follow-up-lists': [
    { name: '下周上门', calls: { campaignId: 1, resultField: [{ key: 'contact_time', op: 'within', value: 'next_week' }] }, isShared: 1 },
    { name: '未触达', contacts: { status: 'failed', sinceDays: 7 } },
  ],
  'PATCH /api/follow-up-lists/{id}': [{ name: '改名', isShared: 0 }, { calls: { sinceDays: 1 } }],
  'POST /api/follow-up-lists/{id}/feed': [{ campaignId: 1, withResults: 0 }],
  'PATCH /api/call-attempts/{id}/result': [{ reason: '听录音更正', classification: 'A', intent: null, fields: {} }],
  'POST /api/calls/{callKey}/do-not-call': [{ reason: '客户要求不再来电' }],
  'PUT /api/break-reasons': [{ reasons: [{ code: 'meal', label: '用餐', isEnabled: 1 }], version: 0 }],
  'POST /api/agents/{id}/wrap-up': [{ step: 'extend' }, { step: 'end' }],
  'POST /api/agents/{id}/message': [{ text: '请先接回访' }],
  'POST /api/agents': [{ name: '坐席', phoneExtension: '2999' }],
  'POST /api/dnc': [{ phoneNumber: '13800138009', reason: '客户要求', expiresAt: '2027-01-01T00:00:00Z' }],
};
