import type { ContactRow, DialTables } from '../support/stores/dial-tables.ts';
import type { Journal } from './journal.ts';
import type { RuleHistory } from './rule-history.ts';

export interface RuleEdits {
  tables: DialTables;
  history: RuleHistory;
  journal: Journal;
  rig: { wake(campaignId: number | null): void };
}

/** Hold reasons that a change of policies releases (policies/policy-store.ts). */
const HELD_BY_POLICIES: ReadonlySet<string | null> = new Set([
  'blacklist',
  'frequency_cap',
  'blocked_date',
  'outside_window',
  'attempts_exhausted',
  'retry_wait',
  'consent_missing',
  'abandonment_limit',
  'abandoned_recently',
]);

/** The consequences of an edit of policies: a new version, the end of holds, and a look at every campaign. */
export function policiesWritten({ tables, history, rig, journal }: RuleEdits): void {
  tables.rulesVersion += 1;
  history.policiesChanged();
  journal.write(
    () =>
      `people leave policies ${[...tables.policies.values()].map(({ id, type, config }) => `${id} ${type} ${JSON.stringify(config)}`).join('; ')}`,
  );
  releaseHolds(tables, ({ holdReason }) => HELD_BY_POLICIES.has(holdReason));
  rig.wake(null);
}

export function releaseHolds({ contacts }: DialTables, which: (contact: ContactRow) => boolean): void {
  for (const contact of contacts.values()) if (which(contact)) Object.assign(contact, { holdReason: null, holdUntil: null });
}
