import { z } from 'zod';
import { POLICY_ACTIONS, POLICY_SCOPES } from './decisions/policy-kind.ts';
import { POLICY_TYPES } from './decisions/policy-table.ts';
import { boundedJson, flag, requiredText, rowId, stamps } from '#kernel/fields.ts';

const MAX_NAME_LENGTH = 128;
/** Bound of `priority`, far inside its 32-bit column. */
const MAX_PRIORITY = 1_000_000;

/** Any object here; `policyFault` validates the members by `type`, with the same code that evaluates them (D8.2). */
const config = z.record(z.string(), z.json()).meta({ description: 'Members by type: OCS 4.9' });
/** In characters of JSON; a blacklist of 100,000 numbers fits. */
const MAX_CONFIG_LENGTH = 4 * 1024 * 1024;

/** A dialling policy: which numbers, hours and frequencies are allowed or forbidden. Source: OCS 2.9 */
export const policy = z
  .object({
    id: rowId,
    name: z.string(),
    scope: z.enum(POLICY_SCOPES),
    campaignId: rowId.nullable(),
    /** A plain string: a later version may have stored a type that this one does not know. */
    type: z.string(),
    action: z.enum(POLICY_ACTIONS),
    priority: z.int(),
    config,
    isEnabled: flag,
    ruleId: z
      .string()
      .nullable()
      .meta({ description: '所属规则包的规则，如 us/calling-hours：只能由管理员切换规则包来改变；空：普通策略' }),
    ...stamps,
  })
  .meta({ id: 'Policy' });

export type Policy = z.output<typeof policy>;

const input = z.object({
  name: requiredText(MAX_NAME_LENGTH),
  scope: z.enum(POLICY_SCOPES),
  campaignId: rowId.nullish(),
  type: z.enum(POLICY_TYPES),
  action: z.enum(POLICY_ACTIONS),
  priority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY),
  config: boundedJson(config, MAX_CONFIG_LENGTH),
  isEnabled: flag,
});

export const newPolicy = input.extend({
  priority: input.shape.priority.optional().default(0),
  isEnabled: flag.optional().default(true),
});
export const policyChanges = input.partial();

export type PolicyFields = Omit<Policy, 'id' | 'ruleId' | 'createdAt' | 'updatedAt'>;
export type NewPolicy = z.output<typeof newPolicy>;
export type PolicyChanges = z.output<typeof policyChanges>;
