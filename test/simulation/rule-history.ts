import { decideWindow } from '#policies/decisions/calling-window.ts';
import { evaluatePolicies } from '#policies/decisions/evaluate.ts';
import type { Policy } from '#policies/policy.ts';
import type { AttemptRow, DialTables } from '../support/stores/dial-tables.ts';
import { ZONE } from './settings.ts';
import { type PreparedPolicies, preparePolicies } from '#policies/decisions/prepare-policies.ts';

interface Edit<Value> {
  at: number;
  value: Value;
}

/** The rules as users had edited them at each time: the reference for checking dials. */
export class RuleHistory {
  readonly #tables: DialTables;
  readonly #listed = new Map<string, Edit<boolean>[]>();
  readonly #running = new Map<number, Edit<boolean>[]>();
  readonly #paused = new Map<number, Edit<boolean>[]>();
  readonly #disabled = new Map<number, Edit<boolean>[]>();
  readonly #policies: Edit<Policy[]>[] = [];
  readonly #prepared = new Map<string, PreparedPolicies>();
  /** Highest concurrency of a campaign under each policy version, by `version:campaign`. */
  readonly #limits = new Map<string, number>();

  constructor(tables: DialTables) {
    this.#tables = tables;
  }

  numberListed(dialKey: string, isListed: boolean): void {
    append(this.#listed, dialKey, { at: this.#tables.now(), value: isListed });
  }

  campaignRuns(campaignId: number, isRunning: boolean): void {
    append(this.#running, campaignId, { at: this.#tables.now(), value: isRunning });
  }

  contactPaused(contactId: number, isPaused: boolean): void {
    append(this.#paused, contactId, { at: this.#tables.now(), value: isPaused });
  }

  lineDisabled(lineId: number, isDisabled: boolean): void {
    append(this.#disabled, lineId, { at: this.#tables.now(), value: isDisabled });
  }

  policiesChanged(): void {
    const policies = [...this.#tables.policies.values()].filter(policy => policy.isEnabled);
    this.#policies.push({ at: this.#tables.now(), value: policies });
    for (const campaign of this.#tables.campaigns.values()) {
      const { effectiveLimits } = this.#verdict(policies, { campaignId: campaign.id, dialKey: '', contactId: 0 }, this.#tables.now());
      this.#limits.set(`${this.#tables.rulesVersion}:${campaign.id}`, effectiveLimits.maxConcurrency);
    }
  }

  /** The enabled policies at a time. */
  policiesAt(at: number): Policy[] {
    return valueAt(this.#policies, at) ?? [];
  }

  /** Highest concurrency of the campaign since the attempt was claimed; a later relaxation also applies to it. */
  limitOf({ policyVersion, campaignId }: AttemptRow): number {
    const own = this.#tables.campaigns.get(campaignId)?.maxConcurrency ?? 0;
    let most = 0;
    for (let version = policyVersion; version <= this.#tables.rulesVersion; version++)
      most = Math.max(most, this.#limits.get(`${version}:${campaignId}`) ?? own);
    return most;
  }

  /** Reason why the dial was forbidden during the whole time from `from` to `to`; null when it was allowed at some point. */
  forbiddenThroughout(attempt: AttemptRow, from: number, to: number): string | null {
    let reason: string | null = null;
    for (const at of [from, ...this.#editsBetween(attempt, from, to), to]) {
      reason = this.#forbidden(attempt, at);
      if (reason === null) return null;
    }
    return reason;
  }

  #editsBetween(attempt: AttemptRow, from: number, to: number): number[] {
    const { dialKey, campaignId, contactId, lineId } = attempt;
    const own = [this.#listed.get(dialKey), this.#running.get(campaignId), this.#paused.get(contactId), this.#disabled.get(lineId ?? 0)];
    const edits = [...own.flatMap(history => history ?? []), ...this.#policies];
    return edits.map(({ at }) => at).filter(at => at > from && at < to);
  }

  #forbidden(attempt: AttemptRow, at: number): string | null {
    if (valueAt(this.#listed.get(attempt.dialKey), at) === true) return 'the number is on the do-not-call list';
    if (valueAt(this.#paused.get(attempt.contactId), at) === true) return 'the contact is paused';
    if (valueAt(this.#disabled.get(attempt.lineId ?? 0), at) === true) return 'the line is disabled';
    const batch = attempt.batchId === null ? undefined : this.#tables.batches.get(attempt.batchId);
    const isAuto = batch?.source !== 'manual';
    if (isAuto && valueAt(this.#running.get(attempt.campaignId), at) === false) return 'the campaign does not run';
    if (this.#isOutsideWindow(attempt, at)) return "the campaign's window is closed where the contact is";
    const policies = this.policiesAt(at).filter(isJudgedHere);
    if (policies.length === 0) return null;
    return this.#verdict(policies, attempt, at).reason;
  }

  #zonesOf({ contactId }: Pick<AttemptRow, 'contactId'>): string[] {
    return (this.#tables.contacts.get(contactId)?.zones ?? ZONE).split(' ');
  }

  #isOutsideWindow(attempt: AttemptRow, at: number): boolean {
    const campaign = this.#tables.campaigns.get(attempt.campaignId);
    return campaign !== undefined && campaign.workdayStart !== null && !decideWindow(campaign, at, this.#zonesOf(attempt)).open;
  }

  #verdict(policies: Policy[], { campaignId, dialKey, contactId }: Pick<AttemptRow, 'campaignId' | 'dialKey' | 'contactId'>, at: number) {
    const campaign = this.#tables.campaigns.get(campaignId);
    if (!campaign) throw new Error(`no campaign ${campaignId}`);
    const zones = this.#zonesOf({ contactId });
    const name = `${campaignId}:${policies.map(policy => policy.id).join()}`;
    const prepared = this.#prepared.get(name) ?? preparePolicies(policies, campaignId, 'CN');
    this.#prepared.set(name, prepared);
    return evaluatePolicies({ policies: prepared, campaign, dialKey, recentAttempts: () => [], at, zones });
  }
}

/** Consent and the rules of packs are judged by PersonChecks. */
function isJudgedHere({ type, ruleId }: Policy): boolean {
  return type !== 'consent_required' && ruleId === null;
}

function append<Key, Value>(histories: Map<Key, Edit<Value>[]>, key: Key, edit: Edit<Value>): void {
  const history = histories.get(key) ?? [];
  history.push(edit);
  histories.set(key, history);
}

/** Value at a time; of several edits at the same time the last counts. Undefined before the first edit. */
function valueAt<Value>(history: readonly Edit<Value>[] | undefined, at: number): Value | undefined {
  return history?.findLast(edit => edit.at <= at)?.value;
}
