import {
  type AttemptRow,
  contactOf,
  type DialTables,
  freeNumbers,
  isListed,
  keysOfPersons,
  openAttemptsOf,
  refreshBatches,
  updateAttempt,
} from './dial-tables.ts';
import { consentAt } from '#consent/decisions/consent-at.ts';
import type { DialStore } from '#dialling/dial-store.ts';
import { preparePolicies } from '#policies/decisions/prepare-policies.ts';

type MarkMethods = Pick<DialStore, 'markDialing' | 'revert' | 'cancelClaims' | 'cancelBatch' | 'forgetScriptless'>;

/** Mirrors dialling/mark-statements.ts. */
export function simulatedMarks(tables: DialTables): MarkMethods {
  return {
    async markDialing(requestIds) {
      const now = tables.now();
      const marked = requestIds
        .flatMap(requestId => tables.byRequest.get(requestId) ?? [])
        .filter(attempt => mayDial(tables, attempt, now) && !hasRival(tables, attempt));
      for (const attempt of marked) updateAttempt(tables, attempt, { status: 'dialing', dialingAt: now, startedAt: now });
      return marked.map(({ requestId, validUntil }) => ({ requestId, validForMs: validUntil === null ? null : validUntil - now }));
    },
    async revert(requestIds, { alsoDialing, reason }) {
      const ids = new Set(requestIds);
      const statuses = alsoDialing ? ['claimed', 'dialing'] : ['claimed'];
      const reverted = revertAttempts(tables, ({ requestId, status }) => ids.has(requestId) && statuses.includes(status), reason);
      freeNumbers(
        tables,
        reverted.flatMap(requestId => tables.byRequest.get(requestId)?.dialKey ?? []),
      );
      return reverted.length;
    },
    cancelClaims: async (campaignId, reason) =>
      revertAttempts(tables, attempt => attempt.campaignId === campaignId && attempt.status === 'claimed', reason),
    async forgetScriptless(campaignId) {
      const campaign = tables.campaigns.get(campaignId);
      if (!campaign?.scriptless) return;
      campaign.scriptless = null;
      for (const contact of tables.contacts.values()) {
        if (contact.campaignId === campaignId && contact.holdReason === 'retry_wait' && contact.status === 'pending')
          Object.assign(contact, { holdReason: null, holdUntil: null });
      }
    },
    async cancelBatch(campaignId, batchId) {
      const batch = tables.batches.get(batchId);
      if (batch?.campaignId !== campaignId) return 'not_found';
      if (batch.status !== 'running') return 'not_running';
      Object.assign(batch, { status: 'cancelled', finishedAt: tables.now() });
      const cancelledRequestIds = revertAttempts(
        tables,
        attempt => attempt.batchId === batchId && attempt.status === 'claimed',
        '批次已取消',
      );
      return { batch: { ...batch }, cancelledRequestIds };
    },
  };
}

/** Mirrors dialling/admission.ts. */
function hasRival(tables: DialTables, { id, dialKey, contactId }: AttemptRow): boolean {
  const keys = keysOfPersons(tables, dialKey);
  const isRival = (other: AttemptRow) =>
    keys.has(other.dialKey) &&
    other.id !== id &&
    (other.status !== 'claimed' || other.id < id) &&
    (tables.keepsOneOpenAttempt || other.contactId !== contactId);
  return tables.keepsOneCallPerNumber && openAttemptsOf(tables, isRival).length > 0;
}

function mayDial(tables: DialTables, attempt: AttemptRow, now: number): boolean {
  const campaign = tables.campaigns.get(attempt.campaignId);
  if (!campaign || attempt.status !== 'claimed' || attempt.policyVersion !== tables.rulesVersion) return false;
  if (attempt.validUntil !== null && attempt.validUntil <= now) return false;
  if (isListed(tables, attempt.dialKey)) return false;
  if (tables.keepsConsent && lacksConsent(tables, attempt, now)) return false;
  const line = attempt.lineId === null ? undefined : tables.lines.get(attempt.lineId);
  if (line && !(line.isEnabled && campaign.lineIds.includes(line.id))) return false;
  const batch = attempt.batchId === null ? null : tables.batches.get(attempt.batchId);
  if (batch === null) return campaign.status === 'running';
  const allowed = campaign.status === 'running' || (batch?.source === 'manual' && ['draft', 'paused'].includes(campaign.status));
  return batch?.status === 'running' && allowed;
}

/** Whether a policy of the campaign, or of all, asks for a consent that the number has not. */
function lacksConsent(tables: DialTables, { campaignId, dialKey }: AttemptRow, now: number): boolean {
  const { purposes } = preparePolicies([...tables.policies.values()], campaignId, 'CN');
  return purposes.some(purpose => !consentAt(tables.consents.get(dialKey) ?? [], purpose, now));
}

/** Cancels attempts and restores their contacts to the state before the claim; no retry is used up. */
export function revertAttempts(tables: DialTables, is: (attempt: AttemptRow) => boolean, reason: string): string[] {
  const reverted = openAttemptsOf(tables, is);
  for (const attempt of reverted) {
    updateAttempt(tables, attempt, { status: 'cancelled', replyText: reason, endedAt: tables.now(), dialingAt: null, startedAt: null });
    const contact = contactOf(tables, attempt);
    if (contact.lastAttemptId !== attempt.id || contact.status !== 'submitted') continue;
    const last = previousAttempt(tables, attempt);
    const isCompleted = contact.retryAt !== null && last?.status === 'completed' && last.resultAt !== null;
    contact.status = contact.retryAt === null ? 'pending' : isCompleted ? 'completed' : 'failed';
    if (isCompleted) contact.retryAt = null;
    contact.attemptCount = Math.max(0, contact.attemptCount - 1);
    contact.lastAttemptId = last?.id ?? null;
  }
  refreshBatches(
    tables,
    reverted.map(attempt => attempt.batchId),
  );
  return reverted.map(attempt => attempt.requestId);
}

function previousAttempt(tables: DialTables, { id, contactId }: AttemptRow): AttemptRow | undefined {
  return tables.attempts.findLast(other => other.contactId === contactId && other.id < id && other.status !== 'cancelled');
}
