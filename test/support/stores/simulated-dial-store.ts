import { simulatedClaim } from './dial-claim.ts';
import { simulatedMarks } from './dial-marks.ts';
import { simulatedOutcomes } from './dial-outcomes.ts';
import { simulatedDialsOfNumbers, simulatedPlans } from './dial-plans.ts';
import { duePromise } from './dial-promises.ts';
import { type AttemptRow, type DialTables, openAttemptsOf } from './dial-tables.ts';
import type { CallDetails, OpenAttempt } from '#outcomes/outcome-store.ts';
import type { DialStore } from '#dialling/dial-store.ts';

/** The dial store over tables in memory: does what dialling/postgres/dial-*.ts does in SQL, each method in one atomic step. */
export function simulatedDialStore(tables: DialTables): DialStore {
  return {
    ...simulatedPlans(tables),
    claim: async request => simulatedClaim(tables, request),
    ...simulatedMarks(tables),
    dialsOfNumbers: simulatedDialsOfNumbers(tables),
    ...simulatedOutcomes(tables),
    openAttempts: async (afterId, limit) =>
      openAttemptsOf(tables, attempt => attempt.id > afterId)
        .toSorted((a, b) => a.id - b.id)
        .slice(0, limit)
        .map(attempt => openAttempt(tables, attempt)),
    findAttempts: async requestIds => found(tables, requestIds).map(attempt => openAttempt(tables, attempt)),
    async closedByReport(cellId, withinMs, limit) {
      const after = tables.now() - withinMs;
      const isRecent = ({ status, resultAt }: AttemptRow) =>
        (status === 'completed' || status === 'failed') && resultAt !== null && resultAt > after;
      const closed = tables.attempts.filter(attempt => attempt.cellId === cellId && isRecent(attempt));
      closed.sort((a, b) => (b.resultAt ?? 0) - (a.resultAt ?? 0));
      return closed.slice(0, limit).map(attempt => openAttempt(tables, attempt));
    },
    loadDetails: async requestIds => found(tables, requestIds).map(attempt => details(tables, attempt)),
    async endDueHolds(limit) {
      const now = tables.now();
      const due = [...tables.contacts.values()].filter(
        ({ holdReason, holdUntil }) => holdReason !== null && holdUntil !== null && holdUntil <= now,
      );
      due.sort((a, b) => (a.holdUntil ?? 0) - (b.holdUntil ?? 0));
      const ended = due.slice(0, limit);
      for (const contact of ended) Object.assign(contact, { holdReason: null, holdUntil: null });
      return [...new Set(ended.map(contact => contact.campaignId))];
    },
    foldTallies: async () => undefined,
    async takeOutbox(limit, leaseMs) {
      const now = tables.now();
      const due = [...tables.outbox.values()].filter(row => row.kind === 'result_applied' && row.dueAt <= now);
      due.sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
      const taken = due.slice(0, limit);
      for (const row of taken) row.dueAt = now + leaseMs;
      return taken.map(({ id, key, payload }) => ({ id, kind: 'result_applied', key, payload }));
    },
    async clearOutbox(ids) {
      for (const id of ids) tables.outbox.delete(id);
    },
  };
}

function found(tables: DialTables, requestIds: readonly string[]): AttemptRow[] {
  const rows = [...new Set(requestIds)].flatMap(requestId => tables.byRequest.get(requestId) ?? []);
  return rows.sort((a, b) => a.id - b.id);
}

function openAttempt(tables: DialTables, attempt: AttemptRow): OpenAttempt {
  const { id, requestId, campaignId, contactId, lineId, callerNumber, cellId, status, claimedAt, dialingAt, answeredAt, resultAt } =
    attempt;
  const { heardRuntime, heardAt } = attempt;
  const ageOf = (at: number | null) => (at === null ? null : tables.now() - at);
  const ages = { claimedAgoMs: tables.now() - claimedAt, dialingAgoMs: ageOf(dialingAt) };
  const hearing = { heardRuntime, unheardMs: heardRuntime === null ? ageOf(heardAt ?? answeredAt) : null };
  const about = { id, requestId, campaignId, contactId, lineId, callerNumber, cellId, status, answeredAt };
  return { ...about, ...ages, ...hearing, hasResult: resultAt !== null };
}

function details(tables: DialTables, attempt: AttemptRow): CallDetails {
  const { requestId, id: attemptId, batchId, campaignId, contactId, phoneNumber, cellId, scriptId, scriptVersion } = attempt;
  const campaign = tables.campaigns.get(campaignId);
  const contact = tables.contacts.get(contactId);
  return {
    requestId,
    attemptId,
    batchId,
    campaignId,
    campaignName: campaign?.name ?? '',
    businessCode: campaign?.businessCode ?? '',
    contactId,
    phoneNumber,
    customerName: contact?.customerName ?? '',
    cellId: cellId ?? '',
    scriptId,
    scriptVersion,
    businessConfig: campaign?.businessConfig ?? {},
    metadata: contact?.metadata ?? {},
    mailboxText: contact?.mailboxText ?? null,
    callback: duePromise(tables, contactId, attempt.claimedAt),
  };
}
