import type { AuditedAction } from '#audit/audit.ts';
import { administrator, type AuditCases } from './audit-case.ts';
import { newWebhook, webhookBody } from './new-rows.ts';

const hookBody = { url: 'https://hooks.invalid/ask', onFailure: 'refuse' };

type WebhookAction = Extract<AuditedAction, `${'webhook' | 'pre_dial_hook'}.${string}`>;

/** Actions on webhook endpoints and pre-dial hooks. */
export const WEBHOOK_CASES: AuditCases<WebhookAction> = {
  'pre_dial_hook.changed': async rig => {
    const { id } = await rig.campaign();
    const answer = await administrator(rig).ask('PUT', `/api/campaigns/${id}/pre-dial-hook`, hookBody);
    return { answer, targetType: 'campaign', targetId: id };
  },
  'pre_dial_hook.removed': async rig => {
    const { id } = await rig.campaign();
    await administrator(rig).prepare('PUT', `/api/campaigns/${id}/pre-dial-hook`, hookBody);
    return { answer: await administrator(rig).ask('DELETE', `/api/campaigns/${id}/pre-dial-hook`), targetType: 'campaign', targetId: id };
  },
  'webhook.created': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/webhooks', webhookBody());
    return { answer, targetType: 'webhook', targetId: answer.data.webhook.id };
  },
  'webhook.updated': async rig => {
    const id = await newWebhook(rig);
    const answer = await administrator(rig).ask('PATCH', `/api/webhooks/${id}`, { status: 'paused' });
    return { answer, targetType: 'webhook', targetId: id };
  },
  'webhook.deleted': async rig => {
    const id = await newWebhook(rig);
    return { answer: await administrator(rig).ask('DELETE', `/api/webhooks/${id}`), targetType: 'webhook', targetId: id };
  },
  'webhook.secret_rotated': async rig => {
    const id = await newWebhook(rig);
    const answer = await administrator(rig).ask('POST', `/api/webhooks/${id}/rotate-secret`);
    return { answer, targetType: 'webhook', targetId: id };
  },
  'webhook.tested': async rig => {
    const id = await newWebhook(rig);
    return { answer: await administrator(rig).ask('POST', `/api/webhooks/${id}/test`), targetType: 'webhook', targetId: id };
  },
  'webhook.replayed': async rig => {
    const id = await newWebhook(rig);
    const range = { from: '2026-11-22T02:00:00.000Z', to: '2026-11-23T02:00:00.000Z' };
    return { answer: await administrator(rig).ask('POST', `/api/webhooks/${id}/replay`, range), targetType: 'webhook', targetId: id };
  },
};
