import { z } from 'zod';
import { POLICY_TYPES } from '#rules/policies/policy.ts';
import { flag01, idParam, idText4, stamps } from './fields.ts';
import { flag, requiredText, rowId } from '#model/fields.ts';
import { instantText } from './instant.ts';
import { route } from './route.ts';

export const POLICY_SCOPES = ['global', 'campaign'] as const;
export const POLICY_ACTIONS = ['block', 'allow_window', 'limit'] as const;
const MAX_NAME_LENGTH = 128;
const MAX_NUMBER_LENGTH = 64;
/** `priority` is a 32-bit column; nobody needs more steps than this. */
const MAX_PRIORITY = 1_000_000;
/** A blacklist of 100,000 numbers fits, bytes. */
const POLICY_BODY_BYTES = 4 * 1024 * 1024;

/** Any object: what its members must be depends on `type` and is read by rules/policies, the same code that evaluates (D8.2). */
const policyConfig = z.record(z.string(), z.json()).meta({ description: 'Members by type: OCS 4.9' });

/** Source: OCS 2.9 */
export const policyRow = z
  .object({
    id: rowId,
    name: z.string(),
    scope: z.enum(POLICY_SCOPES),
    campaignId: rowId.nullable(),
    type: z.string(),
    action: z.enum(POLICY_ACTIONS),
    priority: z.int(),
    config: policyConfig,
    isEnabled: flag01,
    ...stamps,
  })
  .meta({ id: 'Policy' });

export type PolicyRow = z.input<typeof policyRow>;

const policyFields = {
  name: requiredText(MAX_NAME_LENGTH),
  scope: z.enum(POLICY_SCOPES),
  campaignId: rowId.nullish(),
  type: z.enum(POLICY_TYPES),
  action: z.enum(POLICY_ACTIONS),
  priority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY),
  config: policyConfig,
  isEnabled: flag,
};

const createBody = z.object({
  ...policyFields,
  priority: policyFields.priority.optional().default(0),
  isEnabled: policyFields.isEnabled.optional().default(true),
});

const policyLimits = z.object({
  maxConcurrency: z.int(),
  maxRetries: z.int(),
  retryIntervalSeconds: z.int(),
  callIntervalMs: z.int(),
});

export const listPoliciesRoute = route({
  method: 'GET',
  path: '/api/policies',
  access: 'session',
  summary: '外呼策略列表',
  query: z.object({ campaignId: idText4.optional() }),
  data: z.object({ rows: z.array(policyRow) }),
});

export const createPolicyRoute = route({
  method: 'POST',
  path: '/api/policies',
  access: 'policy:write',
  summary: '新建外呼策略',
  body: createBody,
  data: z.object({ policy: policyRow }),
  bodyLimit: POLICY_BODY_BYTES,
});

export const updatePolicyRoute = route({
  method: 'PATCH',
  path: '/api/policies/:id',
  access: 'policy:write',
  summary: '修改外呼策略',
  params: idParam,
  body: z.object(policyFields).partial(),
  data: z.object({ policy: policyRow }),
  bodyLimit: POLICY_BODY_BYTES,
});

export const deletePolicyRoute = route({
  method: 'DELETE',
  path: '/api/policies/:id',
  access: 'policy:write',
  summary: '删除外呼策略',
  params: idParam,
  data: z.object({ policy: policyRow }),
});

/** Source: OCS 2.9, 4.9, D8.5 */
export const evaluatePoliciesRoute = route({
  method: 'POST',
  path: '/api/policies/evaluate',
  access: 'session',
  summary: '评估外呼策略',
  body: z.object({ campaignId: rowId, phoneNumber: requiredText(MAX_NUMBER_LENGTH), at: instantText.nullish() }),
  data: z.object({
    allowed: z.boolean(),
    reason: z.string().nullable(),
    matchedPolicies: z.array(policyRow),
    effectiveLimits: policyLimits,
  }),
});
