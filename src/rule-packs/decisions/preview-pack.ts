import type { Outcome } from '#attempts/decisions/evidence.ts';
import { ANSWERED_BY_PERSON } from '#attempts/decisions/evidence.ts';
import { consentAt } from '#consent/decisions/consent-at.ts';
import type { Consent } from '#consent/consent.ts';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { evaluatePolicies } from '#policies/decisions/evaluate.ts';
import type { AbandonmentCount } from '#policies/decisions/person-kinds.ts';
import type { Policy, PolicyEffect, PolicyLimits } from '#policies/decisions/policy-kind.ts';
import type { RulePolicyFields } from '#policies/decisions/rule-packs.ts';
import { type PreparedPolicies, preparePolicies } from '#policies/decisions/prepare-policies.ts';

/** A dial that was made. Units: UTC ms */
export interface PastDial {
  id: number;
  campaignId: number;
  dialKey: string;
  dialledAt: number;
  endedAt: number | null;
  outcome: Outcome | null;
  /** Zones of its contact, joined by spaces, else of its campaign; null: the installation's. */
  zones: string | null;
}

export interface PreviewFacts {
  /** In the order of their instants; those before `from` are history alone. */
  dials: readonly PastDial[];
  /** The ledger's entries of these numbers. */
  consents: ReadonlyMap<string, readonly Consent[]>;
  from: number;
  /** Null: the pack is for all campaigns. */
  campaignId: number | null;
  timeZone: string;
  region: Region;
}

/** Number of dials that each rule would have blocked, and how many at least one would have. */
export interface BlockedDials {
  attempts: number;
  blocked: number;
  byRule: ReadonlyMap<string, number>;
}

/** Effective limits play no part in a preview. */
const NO_LIMITS: PolicyLimits = { maxConcurrency: 1, maxRetries: 0, retryIntervalSeconds: 0, callIntervalMs: 0 };

/**
 * Replays dials through the policies of a pack.
 *
 * Why:    a dial that would have been blocked was not made in the replay, so it counts for no later one
 * Source: D8.11
 */
export function previewPack(rules: readonly RulePolicyFields[], facts: PreviewFacts): BlockedDials {
  const prepared = rules.map((rule, index) => ({ ruleId: rule.ruleId, policies: preparedRule(rule, index, facts) }));
  const byRule = new Map(rules.map(({ ruleId }) => [ruleId, 0]));
  const made: MadeDials = { byNumber: new Map(), byCampaign: new Map() };
  let [attempts, blocked] = [0, 0];
  for (const dial of facts.dials) {
    const isCounted = dial.dialledAt >= facts.from;
    const refusing = isCounted ? prepared.filter(({ policies }) => !allows(policies, dial, made, facts)) : [];
    attempts += Number(isCounted);
    blocked += Number(refusing.length > 0);
    for (const { ruleId } of refusing) byRule.set(ruleId, (byRule.get(ruleId) ?? 0) + 1);
    if (refusing.length === 0) record(made, dial);
  }
  return { attempts, blocked, byRule };
}

function preparedRule(rule: RulePolicyFields, index: number, { campaignId, region }: PreviewFacts): PreparedPolicies {
  const policy: Policy = { ...rule, id: index, scope: campaignId === null ? 'global' : 'campaign', campaignId, isEnabled: true };
  return preparePolicies([policy], campaignId, region);
}

/** Dials that the replay has made, oldest first. */
interface MadeDials {
  byNumber: Map<string, PastDial[]>;
  byCampaign: Map<number, PastDial[]>;
}

function record({ byNumber, byCampaign }: MadeDials, dial: PastDial): void {
  add(byNumber, dial.dialKey, dial);
  if (dial.outcome !== null && ANSWERED_BY_PERSON.includes(dial.outcome)) add(byCampaign, dial.campaignId, dial);
}

function add<Key>(dials: Map<Key, PastDial[]>, key: Key, dial: PastDial): void {
  const known = dials.get(key);
  if (known) known.push(dial);
  else dials.set(key, [dial]);
}

function allows(policies: PreparedPolicies, dial: PastDial, made: MadeDials, facts: PreviewFacts): boolean {
  const { dialKey, dialledAt: at, zones, campaignId } = dial;
  const earlier = made.byNumber.get(dialKey) ?? [];
  const entries = facts.consents.get(dialKey) ?? [];
  const verdict = evaluatePolicies({
    policies,
    campaign: NO_LIMITS,
    at,
    zones: (zones ?? facts.timeZone).split(' '),
    dialKey,
    recentAttempts: () => earlier.map(({ dialledAt }) => dialledAt),
    consents: policies.purposes.filter(purpose => consentAt(entries, purpose, at)),
    lastAbandonedAt: earlier.findLast(({ outcome }) => outcome === 'abandoned')?.endedAt ?? null,
    abandonment: policies.entries.flatMap(({ policy, effect }) => countOf(policy, effect, made.byCampaign.get(campaignId) ?? [], at)),
  });
  return verdict.allowed;
}

const HOURS_PER_DAY = 24;

/** Answered and abandoned calls of the campaign that had ended at `at`; the loop stops at the first that is too old. */
function countOf({ id }: Policy, effect: PolicyEffect | null, answered: readonly PastDial[], at: number): AbandonmentCount[] {
  if (effect?.kind !== 'abandonment') return [];
  const since = at - (effect.limit.hours * MS_PER_DAY) / HOURS_PER_DAY;
  const firstWithin = answered.findLastIndex(({ dialledAt }) => dialledAt <= since) + 1;
  const within = answered.slice(firstWithin).filter(({ endedAt }) => endedAt !== null && endedAt <= at);
  const abandonedAt = within.flatMap(({ outcome, endedAt }) => (outcome === 'abandoned' && endedAt !== null ? [endedAt] : []));
  return [{ policyId: id, answered: within.length, abandonedAt: abandonedAt.toSorted((a, b) => a - b) }];
}
