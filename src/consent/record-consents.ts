import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidInput, type InputFault } from '#kernel/errors.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import { listedNumberFault } from '#phone-numbers/listed-number.ts';
import { maskedNumber } from '#phone-numbers/phone-number.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import type { Platform } from '#platform/platform.ts';
import type { Consent, ConsentEntry } from './consent.ts';
import { appendConsents, ledgerOf, releaseConsentHolds } from './consent-store.ts';
import { consentFault } from './decisions/consent-at.ts';

export type ConsentApp = AuditPart & Pick<DiallingPlace, 'region'> & Pick<Platform, 'db' | 'wake' | 'clock'>;

/**
 * Appends one entry to the ledger. A consent lets waiting contacts be dialled; a revocation forbids every dial that has not left.
 *
 * Errors: INVALID_ARGUMENT naming the member
 * Source: D8.10
 */
export async function recordConsent(app: ConsentApp, caller: Caller, entry: ConsentEntry): Promise<Consent> {
  const fault = faultOf(entry, app.region, app.clock.now());
  if (fault !== null) throw invalidInput([fault]);
  const [recorded] = await append(app, [entry], { origin: 'console', createdBy: caller.userId });
  if (recorded === undefined) throw new Error('an appended consent vanished');
  const { id, kind, purpose, source, phoneNumber } = recorded;
  await audit(app, caller, {
    action: 'consent.recorded',
    targetType: 'consent',
    targetId: id,
    summary: kind === 'given' ? '登记同意' : '登记撤回同意',
    detail: { phoneNumber, kind, purpose, source },
  });
  return recorded;
}

/** Why an entry cannot be recorded; null when it can. */
export function faultOf(entry: ConsentEntry, region: Region, now: number): InputFault | null {
  const problem = listedNumberFault(entry.phoneNumber, region);
  return problem === null ? consentFault(entry, now) : { field: 'phoneNumber', problem };
}

/** Appends valid entries in one transaction and returns the contacts that waited for them to the queue. */
export async function append(
  app: ConsentApp,
  entries: readonly ConsentEntry[],
  by: Pick<Consent, 'origin' | 'createdBy'>,
): Promise<Consent[]> {
  const keyed = entries.map(entry => ({ ...entry, dialKey: dialKey(entry.phoneNumber, app.region) }));
  const given = keyed.filter(({ kind }) => kind === 'given').map(each => each.dialKey);
  const { recorded, campaignIds } = await app.db.transaction(async tx => ({
    recorded: await appendConsents(tx, keyed, by),
    campaignIds: given.length === 0 ? [] : await releaseConsentHolds(tx, [...new Set(given)]),
  }));
  for (const campaignId of campaignIds) app.wake.campaign(campaignId);
  return recorded;
}

/** Entries of the ledger about one person. */
export interface ConsentEvidence {
  /** The key by which numbers are compared. */
  phoneNumber: string;
  /** UTC ms. */
  exportedAt: number;
  /** Oldest first. */
  entries: Consent[];
}

/**
 * All entries of one person, as evidence for an authority; who takes it is audited.
 *
 * Source: D3.7, D8.10
 */
export async function exportEvidence(app: ConsentApp, caller: Caller, number: string): Promise<ConsentEvidence> {
  const key = dialKey(number, app.region);
  const entries = await ledgerOf(app.db, key);
  await audit(app, caller, {
    action: 'consent.exported',
    targetType: 'person',
    targetId: maskedNumber(key),
    summary: `导出号码 ${maskedNumber(key)} 的同意凭证`,
    detail: { entries: entries.length },
  });
  return { phoneNumber: key, exportedAt: app.clock.now(), entries };
}
