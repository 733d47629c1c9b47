import { z } from 'zod';
import type { Policy } from '#policies/policy.ts';
import type { AttemptRow, DialTables } from '../../support/stores/dial-tables.ts';
import type { RuleHistory } from '../rule-history.ts';
import { ZONE } from '../settings.ts';

const MS_PER_HOUR = 3_600_000;
const HOURS_PER_DAY = 24;
/** Answered calls on which a share of abandoned ones is measured at least, more than any run has. */
const MEASURED_CALLS = 100;
/** Time from the reading of a campaign's plan to its claim, ms. */
const PLAN_AGE_MS = 20_000;

const settings = z.object({
  purpose: z.string().default(''),
  start: z.string().default(''),
  end: z.string().default(''),
  days: z.number().default(0),
  maxAttempts: z.number().default(0),
  hours: z.number().default(0),
  maxPercent: z.number().default(0),
});

type Settings = z.output<typeof settings>;

/**
 * I11 for the people who are called: each dial has the consent that a policy asks for, and keeps every rule of the pack that is on.
 *
 * Why: policies and ledger are read literally, because the product's own decision must not judge itself
 */
export class PersonChecks {
  /** Dials that required a consent, and those to which a pack applied. */
  readonly dials = { consented: 0, packed: 0 };
  readonly #tables: DialTables;
  readonly #history: RuleHistory;
  /** Times of the dials that rang, by number. */
  readonly #rang = new Map<string, AttemptRow[]>();
  /** When calls were first seen to be abandoned. */
  readonly #abandoned = new Map<AttemptRow, number>();

  constructor(tables: DialTables, history: RuleHistory) {
    this.#tables = tables;
    this.#history = history;
  }

  /** Runs after every change of an attempt. */
  lookAround(): void {
    for (const attempts of this.#rang.values())
      for (const attempt of attempts)
        if (attempt.outcome === 'abandoned' && !this.#abandoned.has(attempt)) this.#abandoned.set(attempt, this.#tables.now());
  }

  /** The rule that a dial breaks if it rings now; null when there is none. */
  brokenBy(attempt: AttemptRow): string | null {
    const decidedAt = attempt.dialingAt ?? this.#tables.now();
    const policies = this.#inForce(decidedAt);
    const broken = policies.filter(policy => this.#breaks(attempt, policy, decidedAt));
    this.dials.consented += Number(policies.some(({ type }) => type === 'consent_required'));
    this.dials.packed += Number(policies.some(({ ruleId }) => ruleId !== null));
    this.#rang.set(attempt.dialKey, [...(this.#rang.get(attempt.dialKey) ?? []), attempt]);
    return broken.length === 0 ? null : broken.map(({ type, ruleId }) => ruleId ?? type).join();
  }

  /** Consent policies and locked ones, before and at the instant: an edit in the same millisecond may have come later. */
  #inForce(at: number): Policy[] {
    const before = new Set(this.#history.policiesAt(at - 1));
    return this.#history
      .policiesAt(at)
      .filter(policy => before.has(policy) && (policy.type === 'consent_required' || policy.ruleId !== null));
  }

  #breaks(attempt: AttemptRow, { type, config }: Policy, at: number): boolean {
    const given = settings.parse(config);
    switch (type) {
      case 'consent_required':
        return !this.#hasConsent(attempt, given, at - 1) && !this.#hasConsent(attempt, given, at);
      case 'daily_window':
        return this.#zonesOf(attempt).some(zone => !isWithin(given, clockIn(zone, at)));
      case 'contact_frequency_limit':
        return this.#dialsSince(attempt, at - given.days * HOURS_PER_DAY * MS_PER_HOUR) >= given.maxAttempts;
      case 'abandoned_rest':
        return this.#abandonedOnes(attempt.claimedAt).some(
          ({ dialKey, endedAt }) => dialKey === attempt.dialKey && (endedAt ?? 0) + given.hours * MS_PER_HOUR > at,
        );
      case 'abandonment_limit': {
        const known = this.#abandonedOnes(attempt.claimedAt - PLAN_AGE_MS).filter(({ campaignId }) => campaignId === attempt.campaignId);
        return known.length > (given.maxPercent * MEASURED_CALLS) / 100;
      }
      default:
        throw new Error(`no reading of ${type}`);
    }
  }

  /** The last entry for the purpose, or for all, decides. */
  #hasConsent({ dialKey }: AttemptRow, { purpose }: Settings, at: number): boolean {
    const entries = this.#tables.consents.get(dialKey) ?? [];
    const last = entries.findLast(entry => entry.at <= at && ['', purpose].includes(entry.purpose));
    return last?.kind === 'given' && (last.until ?? Infinity) > at;
  }

  #zonesOf({ contactId }: AttemptRow): string[] {
    return (this.#tables.contacts.get(contactId)?.zones ?? ZONE).split(' ');
  }

  /** A dial into a dead line is no dial. */
  #dialsSince({ dialKey }: AttemptRow, since: number): number {
    return (this.#rang.get(dialKey) ?? []).filter(({ isLineFault, dialingAt }) => !isLineFault && (dialingAt ?? 0) > since).length;
  }

  /** Calls that were known by then to be abandoned, and still are. */
  #abandonedOnes(by: number): AttemptRow[] {
    return [...this.#abandoned].filter(([{ outcome }, seenAt]) => outcome === 'abandoned' && seenAt < by).map(([attempt]) => attempt);
  }
}

function isWithin({ start, end }: Settings, time: string): boolean {
  return start <= time && time < end;
}

/** `HH:MM` on the wall clocks of the zone. */
function clockIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
}
