import { z } from 'zod';
import { evaluateDial } from '#dialling/evaluate.ts';
import { notFound } from '#kernel/errors.ts';
import { issue } from '#kernel/problem.ts';
import { instantText, requiredText, rowId, toInstant } from '#kernel/fields.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { idParam, idText4, route } from '#platform/http/route.ts';
import { holidayCountries, holidaysOf } from './holidays.ts';
import { createPolicy, deletePolicy, listPolicies, updatePolicy } from './policy-store.ts';
import { newPolicy, policy, policyChanges } from './policy.ts';
import type { App } from '#app/app.ts';

const MAX_NUMBER_LENGTH = 64;
/** Fits a blacklist of 100,000 numbers, in bytes. */
const POLICY_BODY_BYTES = 4 * 1024 * 1024;

const policyLimits = z.object({
  maxConcurrency: z.int(),
  maxRetries: z.int(),
  retryIntervalSeconds: z.int(),
  callIntervalMs: z.int(),
});

export const listPoliciesRoute = route('GET /api/policies', 'session', '外呼策略列表', {
  query: z.object({ campaignId: idText4.optional() }),
  data: z.object({ rows: z.array(policy) }),
});

export const createPolicyRoute = route('POST /api/policies', 'policy:write', '新建外呼策略', {
  body: newPolicy,
  data: z.object({ policy }),
  bodyLimit: POLICY_BODY_BYTES,
});

export const updatePolicyRoute = route('PATCH /api/policies/:id', 'policy:write', '修改外呼策略', {
  params: idParam,
  body: policyChanges,
  data: z.object({ policy }),
  bodyLimit: POLICY_BODY_BYTES,
});

export const deletePolicyRoute = route('DELETE /api/policies/:id', 'policy:write', '删除外呼策略', {
  params: idParam,
  data: z.object({ policy }),
});

/** Source: OCS 2.9, 4.9, D8.5 */
export const evaluatePoliciesRoute = route('POST /api/policies/evaluate', 'session', '评估外呼策略', {
  body: z.object({ campaignId: rowId, phoneNumber: requiredText(MAX_NUMBER_LENGTH), at: instantText.nullish() }),
  data: z.object({
    allowed: z.boolean(),
    reason: z.string().nullable(),
    matchedPolicies: z.array(policy),
    effectiveLimits: policyLimits,
  }),
});

/** ISO 3166-1. */
const country = z.string().regex(/^[A-Z]{2}$/, issue('countryCode'));

/** Source: D8.9 */
export const listHolidayCountriesRoute = route('GET /api/holidays', 'session', '有公共假日数据的国家和地区', {
  data: z.object({ countries: z.array(z.string()) }),
});

/** Source: D8.9 */
export const getHolidaysRoute = route('GET /api/holidays/:country', 'session', '一个国家或地区的公共假日和调休上班日', {
  params: z.object({ country }),
  data: z.object({
    calendar: z.object({
      country: z.string(),
      sources: z.array(z.string()),
      asOf: z.string(),
      years: z.array(z.int()),
      note: z.string().nullable(),
      holidays: z.array(z.object({ date: z.string(), name: z.string() })),
      workdays: z.array(z.string()),
    }),
  }),
});

/** OCS 4.9. */
export function policyHandlers(app: App): RouteHandler[] {
  return [
    handler(listPoliciesRoute, async ({ query }) => ({ rows: await listPolicies(app, query.campaignId ?? null) })),
    handler(createPolicyRoute, async ({ body, caller }) => ({ policy: await createPolicy(app, caller, body) })),
    handler(updatePolicyRoute, async ({ params, body, caller }) => ({ policy: await updatePolicy(app, caller, params.id, body) })),
    handler(deletePolicyRoute, async ({ params, caller }) => ({ policy: await deletePolicy(app, caller, params.id) })),
    handler(listHolidayCountriesRoute, async () => ({ countries: holidayCountries() })),
    handler(getHolidaysRoute, async ({ params }) => {
      const calendar = holidaysOf(params.country);
      if (calendar === null) throw notFound('假日数据');
      return { calendar };
    }),
    handler(evaluatePoliciesRoute, ({ body: { campaignId, phoneNumber, at } }) =>
      evaluateDial(app, { campaignId, phoneNumber, at: typeof at === 'string' ? toInstant(at, app.timeZone) : undefined }),
    ),
  ];
}
