import type { Policy } from '#ports/records.ts';
import type { Policy as RulePolicy } from '#rules/policies/policy.ts';
import { isPolicyType } from '#rules/policies/policy-table.ts';

/** A policy as the rules read it, with the row it came from. */
export type PolicyOfRow = RulePolicy & { row: Policy };

/**
 * A stored policy as the rules read it.
 *
 * Why: a type that this version does not know becomes an unreadable config, which forbids every dial instead of opening one
 */
export function rulePolicy(row: Policy): PolicyOfRow {
  const readable = isPolicyType(row.type) ? { type: row.type, config: row.config } : { type: 'daily_window' as const, config: null };
  return {
    ...readable,
    id: row.id,
    name: row.name,
    scope: row.scope,
    campaignId: row.campaignId,
    action: row.action,
    priority: row.priority,
    isEnabled: row.isEnabled ? 1 : 0,
    row,
  };
}
