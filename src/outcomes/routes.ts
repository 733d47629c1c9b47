import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { idParam, idText4, integerText, pageOf, pageQuery, route } from '#platform/http/route.ts';
import { bigRowId, bulkCounts } from '#kernel/fields.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { retryContacts } from './retry-contacts.ts';
import { RETRYABLE_STATUSES } from './decisions/contact-outcome.ts';
import { ruleChange, rulePreview, ruleState, ruleTemplate, rulesToTry, ruleVersion } from './decisions/rule-versions.ts';
import { previewOnPast } from './preview-past.ts';
import { listRuleVersions, listTemplates, readRules, removeRules, setRules } from './rule-store.ts';
import type { App } from '#app/app.ts';

/** Most contacts in one retry; the bound of bulk changes of contacts (D6.2). */
export const MAX_RETRIED_CONTACTS = 10_000;

const retryBody = z
  .object({
    status: z.enum(RETRYABLE_STATUSES).optional(),
    contactIds: z.array(bigRowId).min(1).max(MAX_RETRIED_CONTACTS).optional(),
  })
  .superRefine((body, context) => {
    const given = Number(body.status !== undefined) + Number(body.contactIds !== undefined);
    if (given !== 1) context.addIssue({ code: 'custom', path: ['status'], message: issue('exactlyOne', { other: 'contactIds' }) });
  });

/** Source: OCS 4.8, D5.5 */
export const retryContactsRoute = route('POST /api/campaigns/:id/retry', 'campaign:dispatch', '重试联系人：status 与 contactIds 给出一个', {
  params: idParam,
  body: retryBody,
  data: bulkCounts,
});

/** OCS 4.8: returning contacts to the queue. */
export function retryHandlers(app: App): RouteHandler[] {
  return [handler(retryContactsRoute, ({ params, body, caller }) => retryContacts(app, caller, params.id, selectionOf(body)))];
}

/** The contract admits exactly one of the two. */
export function selectionOf({ status, contactIds = [] }: z.output<typeof retryBody>) {
  return status === undefined ? { contactIds } : { status };
}

const state = z.object({ outcomeRules: ruleState });
const removal = z.object({ version: integerText({ min: 0 }).optional() });

export const getCampaignRulesRoute = route('GET /api/campaigns/:id/outcome-rules', 'session', '活动生效的结果规则', {
  params: idParam,
  data: state,
});

export const setCampaignRulesRoute = route('PUT /api/campaigns/:id/outcome-rules', 'policy:write', '设置活动自己的结果规则，存为新版本', {
  params: idParam,
  body: ruleChange,
  data: state,
});

export const removeCampaignRulesRoute = route(
  'DELETE /api/campaigns/:id/outcome-rules',
  'policy:write',
  '删除活动自己的结果规则，此后用全部活动的规则',
  { params: idParam, query: removal, data: state },
);

export const listCampaignRuleVersionsRoute = route('GET /api/campaigns/:id/outcome-rules/versions', 'session', '活动结果规则的历史版本', {
  params: idParam,
  query: pageQuery,
  data: pageOf(ruleVersion),
});

export const previewRulesRoute = route(
  'POST /api/campaigns/:id/outcome-rules/preview',
  'session',
  '预览：按这些规则重放活动最近 7 天的呼叫，不保存',
  { params: idParam, body: rulesToTry, data: z.object({ preview: rulePreview }) },
);

export const getCommonRulesRoute = route('GET /api/outcome-rules', 'session', '全部活动的结果规则', { data: state });

export const setCommonRulesRoute = route('PUT /api/outcome-rules', 'policy:write', '设置全部活动的结果规则，存为新版本', {
  body: ruleChange,
  data: state,
});

export const removeCommonRulesRoute = route('DELETE /api/outcome-rules', 'policy:write', '删除全部活动的结果规则', {
  query: removal,
  data: state,
});

export const listCommonRuleVersionsRoute = route('GET /api/outcome-rules/versions', 'session', '全部活动结果规则的历史版本', {
  query: pageQuery,
  data: pageOf(ruleVersion),
});

export const listRuleTemplatesRoute = route('GET /api/outcome-rules/templates', 'session', '结果规则的模板：销售、催收、调研、通知', {
  query: z.object({ campaignId: idText4.optional().meta({ description: '去掉该活动从不呼叫的时段' }) }),
  data: z.object({ rows: z.array(ruleTemplate) }),
});

/** Source: D7.14 */
export function ruleHandlers(app: App): RouteHandler[] {
  return [...campaignRuleHandlers(app), ...commonRuleHandlers(app)];
}

function campaignRuleHandlers(app: App): RouteHandler[] {
  return [
    handler(getCampaignRulesRoute, async ({ params }) => ({ outcomeRules: await readRules(app, params.id) })),
    handler(setCampaignRulesRoute, async ({ params, body, caller }) => ({ outcomeRules: await setRules(app, caller, params.id, body) })),
    handler(removeCampaignRulesRoute, async ({ params, query, caller }) => ({
      outcomeRules: await removeRules(app, caller, params.id, query.version),
    })),
    handler(listCampaignRuleVersionsRoute, ({ params, query }) => listRuleVersions(app, params.id, query)),
    handler(previewRulesRoute, async ({ params, body }) => ({ preview: await previewOnPast(app, params.id, body.rules) })),
  ];
}

function commonRuleHandlers(app: App): RouteHandler[] {
  return [
    handler(getCommonRulesRoute, async () => ({ outcomeRules: await readRules(app, null) })),
    handler(setCommonRulesRoute, async ({ body, caller }) => ({ outcomeRules: await setRules(app, caller, null, body) })),
    handler(removeCommonRulesRoute, async ({ query, caller }) => ({ outcomeRules: await removeRules(app, caller, null, query.version) })),
    handler(listCommonRuleVersionsRoute, ({ query }) => listRuleVersions(app, null, query)),
    handler(listRuleTemplatesRoute, async ({ query }) => ({ rows: await listTemplates(app, query.campaignId ?? null) })),
  ];
}
