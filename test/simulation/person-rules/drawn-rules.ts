import type { Policy } from '#policies/policy.ts';
import { policiesOf, RULE_PACKS } from '#policies/decisions/rule-packs.ts';
import type { DialTables } from '../../support/stores/dial-tables.ts';
import type { Dice } from '../dice.ts';

/** The protection of customers in a run: a consent required by a policy, and a rule pack. */
export interface PersonRules {
  /** Purpose of the consent; null: none is required. */
  purpose: string | null;
  /** Null: no pack is on. */
  pack: { id: string; choices: Readonly<Record<string, string>> } | null;
  /** Ledger at the start by number; a number without entries has never consented. */
  ledger: Readonly<Record<string, readonly PlannedEntry[]>>;
}

/** `untilMs` null: until a revocation; otherwise ms from the start. */
export interface PlannedEntry {
  kind: 'given' | 'revoked';
  purpose: string;
  untilMs: number | null;
}

const PURPOSE = 'marketing';
const OTHER_PURPOSE = 'survey';
/** A Monday, 10:00 in Shanghai, is a Sunday, 20:00 in Chicago and 21:00 in New York, where the hours of packs have just ended. */
const PACK_ZONES = [null, null, 'America/Chicago', 'America/New_York', 'America/Chicago America/New_York'];

export function drawPersonRules(draw: Dice, numbers: readonly string[], has: { consent: boolean; pack: boolean }): PersonRules {
  const ledger = numbers.map(number => [number, drawEntries(draw)] as const);
  const pack = drawPack(draw);
  return { purpose: has.consent ? PURPOSE : null, pack: has.pack ? pack : null, ledger: Object.fromEntries(ledger) };
}

export function drawPackZones(draw: Dice, phoneNumbers: readonly string[]): (string | null)[] {
  return phoneNumbers.map(() => draw.pick(PACK_ZONES));
}

function drawEntries(draw: Dice): PlannedEntry[] {
  const given = { kind: 'given', purpose: PURPOSE, untilMs: null } as const;
  return draw.pick<PlannedEntry[]>([
    [],
    [given],
    [given],
    [{ ...given, untilMs: draw.between(5_000, 120_000) }],
    [{ ...given, purpose: OTHER_PURPOSE }],
    [given, { ...given, kind: 'revoked', purpose: '' }],
    [given, { ...given, kind: 'revoked', purpose: OTHER_PURPOSE }],
  ]);
}

/** Each rule of the pack in one of its ways, which may leave it out. */
function drawPack(draw: Dice): PersonRules['pack'] {
  const pack = draw.pick(RULE_PACKS);
  const choices = pack.rules.flatMap(({ id, policy }) => (policy ? [[id, draw.pick(policy.choices).id] as const] : []));
  return { id: pack.id, choices: Object.fromEntries(choices) };
}

/** Ids of these policies begin here, above those of users. */
const FIRST_ID = 1_001;

/** Puts the consent policy, the pack and the ledger into the tables. */
export function applyPersonRules(tables: DialTables, { purpose, pack, ledger }: PersonRules): void {
  const at = tables.now();
  if (purpose !== null)
    addPolicy(tables, { ruleId: null, name: 'consent', type: 'consent_required', action: 'block', priority: 0, config: { purpose } });
  if (pack !== null) switchPackOn(tables, pack);
  for (const [dialKey, entries] of Object.entries(ledger))
    tables.consents.set(
      dialKey,
      entries.map(({ untilMs, ...entry }, index) => ({
        ...entry,
        id: index + 1,
        at: at - entries.length + index,
        until: untilMs && at + untilMs,
      })),
    );
}

export function switchPackOn(tables: DialTables, { id, choices }: NonNullable<PersonRules['pack']>): void {
  const pack = RULE_PACKS.find(each => each.id === id);
  for (const fields of pack ? policiesOf(pack, choices) : []) addPolicy(tables, fields);
}

type PolicyFields = Pick<Policy, 'name' | 'type' | 'action' | 'priority' | 'config'> & { ruleId: string | null };

function addPolicy(tables: DialTables, fields: PolicyFields): void {
  const at = tables.now();
  const id = Math.max(FIRST_ID - 1, ...tables.policies.keys()) + 1;
  tables.policies.set(id, { ...fields, id, scope: 'global', campaignId: null, isEnabled: true, createdAt: at, updatedAt: at });
}
