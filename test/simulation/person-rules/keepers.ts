import { type DialTables, enterConsent } from '../../support/stores/dial-tables.ts';
import type { Dice } from '../dice.ts';
import { type RuleEdits, policiesWritten, releaseHolds } from '../rule-edits.ts';
import type { Timeline } from '../timeline.ts';
import type { Weather } from '../weather.ts';
import { type PersonRules, switchPackOn } from './drawn-rules.ts';

export interface KeepersOptions extends RuleEdits {
  timeline: Timeline;
  dice: Dice;
  weather: Weather;
  rules: PersonRules;
}

/** Longest pause between two edits, ms. */
const LEDGER_PACE_MS = 4_000;
const PACK_PACE_MS = 60_000;
/** Longest consent that ends by itself, ms. */
const MAX_CONSENT_MS = 60_000;

/** The people who keep the ledger of consents and switch the rule pack, until the storm is over. */
export class Keepers {
  readonly #options: KeepersOptions;

  constructor(options: KeepersOptions) {
    this.#options = options;
  }

  start(): void {
    const { purpose, pack } = this.#options.rules;
    if (purpose !== null) this.#act(LEDGER_PACE_MS, () => this.#editLedger(purpose));
    if (pack !== null) this.#act(PACK_PACE_MS, () => this.#switchPack(pack));
  }

  #act(paceMs: number, act: () => void): void {
    const { timeline, dice, weather } = this.#options;
    timeline.after(dice.between(500, paceMs), () => {
      if (!weather.isActive) return;
      act();
      this.#act(paceMs, act);
    });
  }

  /** Mostly of a number that is about to be dialled. */
  #editLedger(purpose: string): void {
    const { dice, tables, journal, rig } = this.#options;
    const dialKey = dice.chance(0.7) ? this.#claimed() : dice.pick([...tables.contacts.values()]).dialKey;
    const isGiven = dice.chance(0.5);
    const until = isGiven && dice.chance(0.5) ? tables.now() + dice.between(1_000, MAX_CONSENT_MS) : null;
    const entry = { kind: isGiven ? ('given' as const) : ('revoked' as const), purpose: isGiven ? purpose : '', at: tables.now(), until };
    journal.write(() => `people enter ${entry.kind} of ${dialKey} until ${until}`);
    enterConsent(tables, dialKey, entry);
    if (!isGiven) return;
    releaseHolds(tables, contact => contact.dialKey === dialKey && contact.holdReason === 'consent_missing');
    rig.wake(null);
  }

  #claimed(): string {
    const { dice, tables } = this.#options;
    const claimed = [...tables.open].filter(({ status }) => status === 'claimed').map(({ dialKey }) => dialKey);
    return dice.pick(claimed.length > 0 ? claimed : [...tables.contacts.values()].map(({ dialKey }) => dialKey));
  }

  #switchPack(pack: NonNullable<PersonRules['pack']>): void {
    const { tables } = this.#options;
    const locked = lockedPolicies(tables);
    if (locked.length === 0) switchPackOn(tables, pack);
    for (const id of locked) tables.policies.delete(id);
    policiesWritten(this.#options);
  }
}

function lockedPolicies({ policies }: DialTables): number[] {
  return [...policies.values()].filter(({ ruleId }) => ruleId !== null).map(({ id }) => id);
}
