import { defineEntity, LockMode, p, serialize } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { releasingHolds } from './holds.ts';
import { conflict, invalidArgument, invalidInput, notFound } from '#kernel/errors.ts';
import { overlay } from '#kernel/json.ts';
import { POLICY_ACTIONS, POLICY_SCOPES } from './decisions/policy-kind.ts';
import { type NewPolicy, type Policy, type PolicyChanges, type PolicyFields, policy } from './policy.ts';
import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { policyFault, writtenFault } from './decisions/policy-table.ts';
import type { Platform } from '#platform/platform.ts';
import { objectColumn, stampColumns } from '#platform/postgres/entity-columns.ts';
import { columnsOf } from '#platform/postgres/values.ts';
import type { Table } from '#platform/postgres/listing.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';

export const POLICY_TABLE = { columns: columnsOf(policy), from: sql`policy`, id: sql`id`, exists: sql`true` } satisfies Table<unknown>;

/** Most policies in one response; users write them by hand. */
const MAX_LISTED = 10_000;

/** Reasons for which a policy can hold a contact back (campaigns/decisions/skip-reason.ts); a retry rule can exhaust attempts and lengthen waits. */
const HELD_BY_POLICIES = [
  'blacklist',
  'frequency_cap',
  'blocked_date',
  'outside_window',
  'attempts_exhausted',
  'retry_wait',
  'consent_missing',
  'abandonment_limit',
  'abandoned_recently',
];

const heldIn = (...scopes: (number | null)[]) => ({ scopes, reasons: HELD_BY_POLICIES });

/** Filters of the list; an undefined filter does not narrow it. */
type PolicySearch = Partial<Pick<Policy, 'type' | 'scope' | 'isEnabled'>>;

type PoliciesApp = AuditPart & Pick<DiallingPlace, 'region'> & Pick<Platform, 'db' | 'wake'>;

/** Lists all policies, or those of one campaign: by descending priority, then newest first. Source: OCS 4.9, D8.2 */
export function listPolicies({ db }: Pick<PoliciesApp, 'db'>, campaignId: number | null, search: PolicySearch = {}): Promise<Policy[]> {
  const where = { ...search, ...(campaignId === null ? {} : { campaignId }) };
  return db.read(em => em.find(PolicyEntity, where, { orderBy: { priority: 'desc', id: 'desc' }, limit: MAX_LISTED }));
}

/**
 * Errors: INVALID_ARGUMENT naming the member when action or config do not fit the type, or the campaign does not exist
 * Source: OCS 2.9, 4.9, D8.2, D8.6
 */
export async function createPolicy(app: PoliciesApp, caller: Caller, { campaignId = null, ...input }: NewPolicy): Promise<Policy> {
  const fields = validPolicy({ ...input, campaignId });
  requireWritable(fields, app.region);
  const policy = await app.db.transaction(async tx => {
    await requireCampaign(tx, fields.campaignId);
    const created = tx.em.create(PolicyEntity, { ...fields, ruleId: null });
    await releasingHolds(tx, heldIn(fields.campaignId), () => tx.em.flush());
    return serialize(created);
  });
  await audit(app, caller, {
    action: 'policy.created',
    targetType: 'policy',
    targetId: policy.id,
    summary: `新建外呼策略「${policy.name}」`,
    detail: { type: policy.type, scope: policy.scope, campaignId: policy.campaignId, isEnabled: policy.isEnabled },
  });
  app.wake.campaign(policy.campaignId);
  return policy;
}

/**
 * Changes any subset of the fields; the result must be a valid policy as a whole.
 *
 * Errors: NOT_FOUND; POLICY_LOCKED; INVALID_ARGUMENT naming the member
 * Source: OCS 4.9, D8.2, D8.6, D8.11
 */
export async function updatePolicy(app: PoliciesApp, caller: Caller, policyId: number, changes: PolicyChanges): Promise<Policy> {
  const { before, after } = await app.db.transaction(async tx => {
    const policy = await lockPolicy(tx, policyId);
    const before = serialize(policy);
    const { ruleId: _rule, ...written } = before;
    const fields = validPolicy(overlay<PolicyFields>(written, changes));
    if (changes.config !== undefined) requireWritable(fields, app.region);
    if (fields.campaignId !== before.campaignId) await requireCampaign(tx, fields.campaignId);
    await releasingHolds(tx, heldIn(before.campaignId, fields.campaignId), () => {
      tx.em.assign(policy, fields);
      return tx.em.flush();
    });
    return { before, after: serialize(policy) };
  });
  const entry = { action: 'policy.updated', targetType: 'policy', targetId: policyId, summary: `修改外呼策略「${after.name}」` } as const;
  await auditChange(app, caller, entry, changeOf(before, after));
  app.wake.campaign(before.campaignId === after.campaignId ? after.campaignId : null);
  return after;
}

/**
 * Errors: NOT_FOUND; POLICY_LOCKED
 * Source: OCS 4.9, D8.6, D8.11
 */
export async function deletePolicy(app: PoliciesApp, caller: Caller, policyId: number): Promise<Policy> {
  const policy = await app.db.transaction(async tx => {
    const found = await lockPolicy(tx, policyId);
    await releasingHolds(tx, heldIn(found.campaignId), () => tx.em.remove(found).flush());
    return serialize(found);
  });
  await audit(app, caller, {
    action: 'policy.deleted',
    targetType: 'policy',
    targetId: policyId,
    summary: `删除外呼策略「${policy.name}」`,
    detail: { type: policy.type, scope: policy.scope, campaignId: policy.campaignId },
  });
  app.wake.campaign(policy.campaignId);
  return policy;
}

async function lockPolicy({ em }: Sql, id: number): Promise<PolicyEntity> {
  const policy = await em.findOne(PolicyEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (policy === null) throw notFound('外呼策略');
  if (policy.ruleId !== null) {
    throw conflict('POLICY_LOCKED', `策略「${policy.name}」由规则包锁定，不能修改或删除；只有管理员可以在规则包中关闭`);
  }
  return policy;
}

/** A policy that carries out a rule of a rule pack. */
export type RulePolicy = Omit<PolicyFields, 'scope' | 'campaignId' | 'isEnabled'> & { ruleId: string };

/**
 * Puts these policies in the place of those that rules with these ids have for the campaign (null: for all campaigns).
 *
 * Source: D8.11
 */
export async function replaceRulePolicies(
  tx: Sql,
  { campaignId, ruleIds, policies }: { campaignId: number | null; ruleIds: readonly string[]; policies: readonly RulePolicy[] },
): Promise<void> {
  await requireCampaign(tx, campaignId);
  const scope = campaignId === null ? 'global' : 'campaign';
  await releasingHolds(tx, heldIn(campaignId), async () => {
    await tx.em.nativeDelete(PolicyEntity, { campaignId, ruleId: { $in: [...ruleIds] } });
    for (const fields of policies) tx.em.create(PolicyEntity, { ...fields, scope, campaignId, isEnabled: true });
    await tx.em.flush();
  });
}

/** A concurrent deletion of the campaign waits for this transaction. */
async function requireCampaign(tx: Sql, campaignId: number | null): Promise<void> {
  if (campaignId === null) return;
  const found = await tx.first(sql`select id from campaign where id = ${campaignId} and deleted_at is null for share`);
  if (!found) throw invalidArgument('campaignId', 'unknownCampaign');
}

/**
 * Validates a whole policy and returns it as it is stored; a global policy has no campaign.
 *
 * Errors: INVALID_ARGUMENT naming the member: `action`, `config.start`
 * Source: OCS 2.9, D8.2
 */
function validPolicy(fields: PolicyFields): PolicyFields {
  const fault = policyFault(fields);
  if (fault) throw invalidInput([fault]);
  return fields.scope === 'global' ? { ...fields, campaignId: null } : fields;
}

/** Applied to changes only: a policy that an older version stored stays in force until it is edited. Errors: INVALID_ARGUMENT naming the member */
function requireWritable(fields: PolicyFields, region: Region): void {
  const fault = writtenFault(fields, region);
  if (fault) throw invalidInput([fault]);
}

const schema = defineEntity({
  name: 'PolicyEntity',
  tableName: 'policy',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    scope: p.enum(POLICY_SCOPES),
    campaignId: p.integer().strictNullable(),
    type: p.text(),
    action: p.enum(POLICY_ACTIONS),
    priority: p.integer(),
    config: objectColumn(),
    isEnabled: p.boolean(),
    ruleId: p.text().strictNullable(),
    ...stampColumns(),
  },
});

export class PolicyEntity extends schema.class {}

schema.setClass(PolicyEntity);
