import { type CallbackEnd, decideCallback } from '#callbacks/decisions/callback-end.ts';
import { isAnswered } from '#protocol/call-status.ts';
import type { CallbackPromise, DuePromise } from '#callbacks/callback.ts';
import { type AttemptRow, type ContactRow, contactOf, type DialTables } from './dial-tables.ts';

/*
 * Mirrors callbacks/: the promises of contacts, one each.
 */

export type PromisedCall = Pick<CallbackPromise, 'dueAt' | 'until' | 'note'>;

export function promise(
  tables: DialTables,
  contact: ContactRow,
  { dueAt, until, note, misses = 0 }: PromisedCall & { misses?: number },
): void {
  tables.promises.set(contact.id, { dueAt, until, note, misses });
  tables.everPromised.add(contact.id);
  contact.callbackAt = dueAt;
  if (contact.status === 'paused' || contact.status === 'submitted' || contact.holdReason === 'invalid_number') return;
  Object.assign(contact, { status: 'pending', retryAt: null, holdReason: 'callback', holdUntil: dueAt });
}

/** Decides the promise of a contact whose call has ended; to be called after the contact has been moved. */
export function concludePromise(tables: DialTables, attempt: AttemptRow, end: CallbackEnd): void {
  const contact = contactOf(tables, attempt);
  const known = tables.promises.get(contact.id);
  if (!known) return;
  const campaign = tables.campaigns.get(attempt.campaignId);
  if (!campaign) throw new Error(`no campaign ${attempt.campaignId}`);
  const zone = contact.zones?.split(' ')[0] ?? campaign.timeZone ?? 'Asia/Shanghai';
  const decision = decideCallback({ ...known, ...campaign, claimedAt: attempt.claimedAt, agentId: null, zone }, end);
  if (decision.status === 'promised') return promise(tables, contact, { ...known, ...decision });
  tables.promises.delete(contact.id);
  contact.callbackAt = null;
}

export function duePromise({ promises }: DialTables, contactId: number, at: number): DuePromise | null {
  const found = promises.get(contactId);
  if (!found || found.dueAt > at) return null;
  const { dueAt, note, misses } = found;
  return { dueAt, note, misses };
}

/** Mirrors `giveUpHopeless`; returns the campaigns of the contacts. */
export function giveUpHopeless(tables: DialTables): number[] {
  const given: number[] = [];
  for (const [contactId, { until, dueAt }] of tables.promises) {
    const contact = tables.contacts.get(contactId);
    if (!contact || contact.status === 'submitted' || !isHopeless(tables, contact, { until, dueAt })) continue;
    tables.promises.delete(contactId);
    contact.callbackAt = null;
    if (contact.holdReason === 'callback') endWait(tables, contact);
    given.push(contact.campaignId);
  }
  return given;
}

function isHopeless(tables: DialTables, contact: ContactRow, { until, dueAt }: { until: number | null; dueAt: number }): boolean {
  const now = tables.now();
  const status = tables.campaigns.get(contact.campaignId)?.status;
  const entry = tables.doNotCall.get(contact.dialKey);
  const isListed = entry !== undefined && (entry.expiresAt === null || (until !== null && entry.expiresAt >= until));
  const isOver = status === 'archived' || (status === 'completed' && dueAt <= now);
  return isOver || isListed || (until !== null && until <= now) || (dueAt <= now && contact.holdReason === 'invalid_number');
}

function endWait({ attempts }: DialTables, contact: ContactRow): void {
  const last = contact.lastAttemptId === null ? undefined : attempts[contact.lastAttemptId - 1];
  Object.assign(contact, { holdReason: null, holdUntil: null });
  if (isAnswered(last?.callStatus ?? null)) contact.status = 'completed';
}
