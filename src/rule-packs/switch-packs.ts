import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument, notFound } from '#kernel/errors.ts';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import type { Platform } from '#platform/platform.ts';
import type { RulePack } from '#policies/decisions/packs/rule-pack.ts';
import {
  type Choices,
  choiceOf,
  findPack,
  policiesOf,
  presentRule,
  RULE_PACKS,
  type RulePolicyFields,
} from '#policies/decisions/rule-packs.ts';
import { replaceRulePolicies } from '#policies/policy-store.ts';
import type { Policy } from '#policies/policy.ts';
import { conflictsOf } from './decisions/conflicts.ts';
import { previewPack } from './decisions/preview-pack.ts';
import type { PackConflict, PackPreview, PackSwitch, PackSwitching, PackUse, RulePackView } from './rule-pack.ts';
import { MAX_DIALS, readDials, readLedgers, readRivals, readRulePolicies } from './rule-pack-statements.ts';

export type RulePacksApp = AuditPart & Pick<DiallingPlace, 'region'> & { timeZone: string } & Pick<Platform, 'db' | 'wake' | 'clock'>;

/** All packs, and where each is switched on. Source: D8.11 */
export async function listPacks({ db }: Pick<RulePacksApp, 'db'>): Promise<RulePackView[]> {
  const policies = await readRulePolicies(db);
  return RULE_PACKS.map(pack => viewOf(pack, policies));
}

function viewOf(pack: RulePack, policies: readonly Policy[]): RulePackView {
  const own = policies.filter(({ ruleId }) => pack.rules.some(({ id }) => id === ruleId));
  const byCampaign = Map.groupBy(own, ({ campaignId }) => campaignId);
  return {
    id: pack.id,
    name: pack.name,
    note: pack.note,
    rules: pack.rules.map(presentRule),
    switches: Array.from(byCampaign, ([campaignId, switched]) => switchOf(pack, campaignId, switched)),
  };
}

/** A rule without a policy was left out. A config that no choice has comes from an earlier state of the pack. */
function switchOf(pack: RulePack, campaignId: number | null, policies: readonly Policy[]): PackSwitch {
  const configOf = new Map(policies.map(({ ruleId, config }) => [ruleId, canonical(config)]));
  const read = pack.rules.flatMap(({ id: ruleId, policy }) => {
    if (policy === null) return [];
    const config = configOf.get(ruleId) ?? null;
    const choice = policy.choices.find(each => (each.config === null ? null : canonical(each.config)) === config);
    return [{ ruleId, choiceId: choice?.id ?? null }];
  });
  const choices = read.flatMap(({ ruleId, choiceId }) => (choiceId === null ? [] : [{ ruleId, choiceId }]));
  const since = Math.min(...policies.map(({ createdAt }) => createdAt));
  return { campaignId, choices, isCurrent: choices.length === read.length, since };
}

function canonical(config: object): string {
  return JSON.stringify(Object.entries(config).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Span of a preview, days. */
const PREVIEW_DAYS = 7;
/** How far back rules look at most, days: the longest limit on abandoned calls. */
const HISTORY_DAYS = 31;

/**
 * Counts the dials that a pack would have blocked last week, and names the policies that it contradicts; writes nothing.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT naming a choice that the pack does not have
 * Source: D8.11
 */
export async function previewRulePack(app: RulePacksApp, packId: string, use: PackUse): Promise<PackPreview> {
  const { db, region, timeZone, clock } = app;
  const rules = policiesOf(...chosen(packId, use));
  const campaignId = use.campaignId ?? null;
  const to = clock.now();
  const from = to - PREVIEW_DAYS * MS_PER_DAY;
  const dials = await readDials(db, campaignId, from - HISTORY_DAYS * MS_PER_DAY);
  const consents = await readLedgers(db, [...new Set(dials.map(({ dialKey }) => dialKey))]);
  const { attempts, blocked, byRule } = previewPack(rules, { dials, consents, from, campaignId, timeZone, region });
  return {
    from,
    to,
    attempts,
    blocked,
    isSampled: dials.length === MAX_DIALS,
    rules: Array.from(byRule, ([ruleId, count]) => ({ ruleId, blocked: count })),
    conflicts: await contradictions(app, rules, campaignId),
  };
}

/** Errors: NOT_FOUND; INVALID_ARGUMENT naming the choice */
function chosen(packId: string, { choices }: PackUse): [RulePack, Choices] {
  const pack = findPack(packId);
  if (pack === undefined) throw notFound('规则包');
  for (const [index, { ruleId, choiceId }] of choices.entries()) {
    const rule = pack.rules.find(({ id }) => id === ruleId);
    if (rule === undefined) throw invalidArgument(`choices[${index}].ruleId`, 'invalidChoice');
    if (choiceOf(rule, { [ruleId]: choiceId }) === undefined) throw invalidArgument(`choices[${index}].choiceId`, 'invalidChoice');
  }
  return [pack, Object.fromEntries(choices.map(({ ruleId, choiceId }) => [ruleId, choiceId]))];
}

async function contradictions({ db, region }: RulePacksApp, rules: readonly RulePolicyFields[], campaignId: number | null) {
  return conflictsOf(rules, await readRivals(db, campaignId), region);
}

/** A pack as it stands after a switch, with the policies that it contradicts. */
export interface SwitchedPack {
  pack: RulePackView;
  conflicts: PackConflict[];
}

/**
 * Switches a pack on or off, for all campaigns or for one; on again it takes the pack's present rules and these choices.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT naming a choice, the campaign, or a policy that has no hours in common with the pack
 * Source: D8.11
 */
export async function switchRulePack(app: RulePacksApp, caller: Caller, packId: string, input: PackSwitching): Promise<SwitchedPack> {
  const [pack, choices] = chosen(packId, input);
  const { isOn } = input;
  const campaignId = input.campaignId ?? null;
  const policies = isOn ? policiesOf(pack, choices) : [];
  const conflicts = await contradictions(app, policies, campaignId);
  const never = conflicts.find(({ winner }) => winner === 'nobody');
  if (never) throw invalidArgument('isOn', 'noCommonHours', { policy: never.policyName });
  await app.db.transaction(tx => replaceRulePolicies(tx, { campaignId, ruleIds: pack.rules.map(({ id }) => id), policies }));
  await audit(app, caller, {
    action: isOn ? 'rule_pack.enabled' : 'rule_pack.disabled',
    targetType: 'rule_pack',
    targetId: pack.id,
    summary: `${isOn ? '打开' : '关闭'}规则包「${pack.name.zh}」`,
    detail: { campaignId, choices: { ...choices }, policies: policies.map(({ name }) => name) },
  });
  app.wake.campaign(campaignId);
  return { pack: viewOf(pack, await readRulePolicies(app.db)), conflicts };
}
