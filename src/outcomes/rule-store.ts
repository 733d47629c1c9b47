import { type RawBuilder, sql } from 'kysely';
import { auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import { requireNotArchived } from '#campaigns/actions.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, invalidInput, notFound } from '#kernel/errors.ts';
import { fieldPath } from '#platform/http/parse.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { listOf, type Page, type PageRequest, readPage, type Table } from '#platform/postgres/listing.ts';
import { json } from '#platform/postgres/values.ts';
import { releasingHolds } from '#policies/holds.ts';
import type { OpenHours } from '#policies/decisions/week-schedule.ts';
import { faultsInHours, fittedTo, type OutcomeRules } from './decisions/outcome-rules.ts';
import { RULE_TEMPLATES, TEMPLATE_KEYS, type TemplateKey } from './decisions/rule-templates.ts';
import { type RuleChange, type RuleState, type RuleVersion, stateOf } from './decisions/rule-versions.ts';
import { hoursOf, limitsQuery } from './retry-limits.ts';

export type RulesApp = AuditPart & Pick<Platform, 'db' | 'wake'>;

/** The campaign whose rules are meant; null: the rules of all campaigns. */
type RuleScope = number | null;

const VERSIONS = {
  columns: sql<RuleVersion>`r.id, r.campaign_id, r.version, r.rules, r.inherits, r.created_by,
    coalesce(nullif(u.display_name, ''), u.username) as author, r.created_at`,
  from: sql`outcome_rules r left join app_user u on u.id = r.created_by`,
  id: sql`r.id`,
  exists: sql`true`,
} satisfies Table<RuleVersion>;

const inScope = (scope: RuleScope) => sql`coalesce(r.campaign_id, 0) = ${scope ?? 0}`;

/** All versions of the rules of a scope, newest first. */
export const ruleVersionList = listOf(VERSIONS, ({ campaignId }: { campaignId: RuleScope }) => inScope(campaignId));

/** Errors: NOT_FOUND when there is no such campaign */
export async function listRuleVersions({ db }: { db: Sql }, campaignId: RuleScope, page: PageRequest): Promise<Page<RuleVersion>> {
  if (campaignId !== null) await findCampaign(db, campaignId);
  return readPage({ db }, ruleVersionList, { ...page, campaignId });
}

/** Reasons for which rules hold a contact back: another table may allow more attempts. */
const HELD_BY_RULES = ['attempts_exhausted', 'retry_wait'];

/**
 * The rules that hold for a campaign, or for all campaigns.
 *
 * Errors: NOT_FOUND when there is no such campaign
 */
export async function readRules({ db }: { db: Sql }, campaignId: RuleScope): Promise<RuleState> {
  if (campaignId !== null) await findCampaign(db, campaignId);
  return readState(db, campaignId);
}

/**
 * Stores the next version of the rules; null: none, those of all campaigns included. What was decided by earlier versions stays.
 *
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; INVALID_ARGUMENT naming row and reason; CONFLICT (CHANGED_MEANWHILE) when `version` is not the newest
 * Source: D7.14
 */
export function setRules(app: RulesApp, caller: Caller, campaignId: RuleScope, { rules, version }: RuleChange): Promise<RuleState> {
  return addVersion(app, caller, { campaignId, rules, inherits: false, madeFrom: version });
}

/**
 * Removes the rules: a campaign then follows those of all campaigns.
 *
 * Errors: NOT_FOUND, also when there are none to remove; CAMPAIGN_ARCHIVED; CONFLICT (CHANGED_MEANWHILE)
 * Source: D7.14
 */
export async function removeRules(app: RulesApp, caller: Caller, campaignId: RuleScope, version?: number): Promise<RuleState> {
  return addVersion(app, caller, { campaignId, rules: null, inherits: campaignId !== null, madeFrom: version, isRemoval: true });
}

interface NewVersion {
  campaignId: RuleScope;
  rules: OutcomeRules | null;
  inherits: boolean;
  /** The newest version that the change was made from; undefined: not checked. */
  madeFrom: number | undefined;
  isRemoval?: boolean;
}

async function addVersion(app: RulesApp, caller: Caller, added: NewVersion): Promise<RuleState> {
  const { campaignId } = added;
  const { before, after } = await app.db.transaction(async tx => {
    await requireOpen(tx, campaignId);
    const before = await readState(tx, campaignId);
    requireNewest(before, added);
    if (added.rules !== null) await requireFit(tx, campaignId, added.rules);
    await releasingHolds(tx, { scopes: [campaignId], reasons: HELD_BY_RULES }, () => write(tx, added, before.ownVersion, caller.userId));
    return { before, after: await readState(tx, campaignId) };
  });
  await auditRules(app, caller, before, after);
  app.wake.campaign(campaignId);
  return after;
}

/** A concurrent deletion of the campaign waits for this transaction. */
async function requireOpen(tx: Sql, campaignId: RuleScope): Promise<void> {
  if (campaignId !== null) requireNotArchived(await findCampaign(tx, campaignId, sql`for share`));
}

async function findCampaign(db: Sql, campaignId: number, lock: RawBuilder<unknown> = sql``): Promise<Pick<Campaign, 'status'>> {
  const campaign = await db.first(sql<Pick<Campaign, 'status'>>`
    select status from campaign where id = ${campaignId} and deleted_at is null ${lock}`);
  if (!campaign) throw notFound('活动');
  return campaign;
}

async function readState(db: Sql, campaignId: RuleScope): Promise<RuleState> {
  const newest = (scope: RuleScope) =>
    db.first(sql<RuleVersion>`
      select ${VERSIONS.columns} from ${VERSIONS.from} where ${inScope(scope)} order by r.version desc limit 1`);
  return stateOf(campaignId, await newest(campaignId), campaignId === null ? undefined : await newest(null));
}

const changedMeanwhile = () => conflict('CHANGED_MEANWHILE', '结果规则已被他人修改，请核对后重试');

function requireNewest({ ownVersion, hasOwn }: RuleState, { madeFrom, isRemoval }: NewVersion): void {
  if (madeFrom !== undefined && madeFrom !== ownVersion) throw changedMeanwhile();
  if (isRemoval && !hasOwn) throw notFound('结果规则');
}

/** Errors: INVALID_ARGUMENT naming the parts of the day in which the campaign never dials */
export async function requireFit(db: Sql, campaignId: RuleScope, rules: OutcomeRules): Promise<void> {
  const [first, ...others] = faultsInHours(rules, await readHours(db, campaignId)).map(inBody);
  if (first) throw invalidInput([first, ...others.slice(0, MAX_FAULTS - 1)]);
}

/** Hours in which a campaign dials, or those that bind all campaigns. */
export async function readHours(db: Sql, campaignId: RuleScope): Promise<OpenHours> {
  const [row] = await db.rows(limitsQuery(sql`select ${campaignId}::int`));
  return hoursOf(row ?? { campaigns: [], policies: [], rules: [] });
}

/**
 * Tables to begin with, without the parts of the day in which the campaign never dials.
 *
 * Errors: NOT_FOUND
 */
export async function listTemplates({ db }: { db: Sql }, campaignId: RuleScope): Promise<{ key: TemplateKey; rules: OutcomeRules }[]> {
  if (campaignId !== null) await findCampaign(db, campaignId);
  const open = await readHours(db, campaignId);
  return TEMPLATE_KEYS.map(key => ({ key, rules: fittedTo(RULE_TEMPLATES[key], open) }));
}

/** Most faults in one answer. */
const MAX_FAULTS = 5;

const inBody = ({ path, problem }: ReturnType<typeof faultsInHours>[number]) => ({ field: fieldPath(['rules', ...path]), problem });

/** Two changes at once would write the same version: the second is refused. */
async function write(tx: Sql, { campaignId, rules, inherits }: NewVersion, newest: number, userId: number | null): Promise<void> {
  const written = await tx.rows(sql`
    insert into outcome_rules (campaign_id, version, rules, inherits, created_by)
    values (${campaignId}, ${newest + 1}, ${rules === null ? null : json(rules)}, ${inherits}, ${userId})
    on conflict do nothing returning id`);
  if (written.length === 0) throw changedMeanwhile();
}

function auditRules(app: AuditPart, caller: Caller, before: RuleState, after: RuleState): Promise<void> {
  const { campaignId, ownVersion } = after;
  const whose = campaignId === null ? '全部活动的' : '';
  const entry = {
    action: 'outcome_rules.changed',
    targetType: campaignId === null ? 'outcome_rules' : 'campaign',
    targetId: campaignId,
    summary: `修改${whose}结果规则，版本 ${ownVersion}`,
  } as const;
  return auditChange(app, caller, entry, changeOf(audited(before), audited(after)));
}

const audited = ({ origin, rules, ownVersion }: RuleState) => ({ version: ownVersion, origin, rules });
