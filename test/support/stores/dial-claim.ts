import { chooseNumber } from '#dialling/decisions/choose-number.ts';
import { matchGrants } from '#dialling/decisions/slot-offer.ts';
import { consentAt } from '#consent/decisions/consent-at.ts';
import { numberQueue, onNextNumber } from '#outcomes/decisions/next-number.ts';
import { contactOutcome } from '#outcomes/decisions/contact-outcome.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import type { Batch } from '#attempts/batch.ts';
import type { SlotGrant } from '#slots/slot-registry.ts';
import { candidates, countPending } from './dial-plans.ts';
import { duePromise } from './dial-promises.ts';
import { retryLimits } from './dial-limits.ts';
import {
  type AttemptRow,
  changeNumber,
  type ContactRow,
  type DialTables,
  entryOf,
  insertAttempt,
  isInCall,
  isListed,
  openAttemptsOf,
  refreshBatches,
} from './dial-tables.ts';
import type { ClaimedDial, ClaimOutcome, ClaimRequest, DialCandidate, InvalidDial, RecentDial } from '#dialling/dial-store.ts';

const MS_PER_DAY = 86_400_000;
const MANUAL_STATUSES: readonly string[] = ['draft', 'running', 'paused'];

/** Mirrors dialling/dial-claim.ts and dial-claim-write.ts, but reads the candidates in one round instead of several. */
export function simulatedClaim(tables: DialTables, request: ClaimRequest): ClaimOutcome {
  const at = tables.now();
  if (isStale(tables, request, at)) return { kind: 'stale' };
  const verdicts = decideCandidates(tables, request, at);
  for (const { contact, reason, until } of verdicts.held) Object.assign(contact, { holdReason: reason, holdUntil: until });
  const written = writeClaim(tables, request, verdicts);
  const remainingPending = countPending(tables, request.campaignId);
  const held = verdicts.held.length;
  return written
    ? { kind: 'claimed', ...written, remainingPending, held }
    : { kind: 'nothing', remainingPending, held, ...(verdicts.admitted.length > 0 ? { hasDeferred: true } : {}) };
}

function isStale(tables: DialTables, request: ClaimRequest, at: number): boolean {
  const campaign = tables.campaigns.get(request.campaignId);
  if (campaign?.updatedAt !== request.campaignUpdatedAt || tables.rulesVersion !== request.policyVersion) return true;
  const allowed = request.source === 'auto' ? campaign.status === 'running' : MANUAL_STATUSES.includes(campaign.status);
  return !allowed || (request.validUntil !== null && request.validUntil <= at);
}

interface Verdicts {
  /** At the number that is to be dialled. */
  admitted: ContactRow[];
  /** End of the permission to dial each admitted contact. */
  validUntil: Map<ContactRow, number | null>;
  held: { contact: ContactRow; reason: string; until: number | null }[];
  failed: { contact: ContactRow; callStatus: CallStatus }[];
}

function decideCandidates(tables: DialTables, request: ClaimRequest, at: number): Verdicts {
  const verdicts: Verdicts = { admitted: [], validUntil: new Map(), held: [], failed: [] };
  const taken = new Map<string, RecentDial[]>();
  const busy = new Set(tables.keepsOneOpenAttempt ? openAttemptsOf(tables, () => true).map(attempt => attempt.contactId) : []);
  for (const contact of candidates(tables, request.campaignId, at).filter(({ id }) => !busy.has(id))) {
    if (verdicts.admitted.length === request.grants.length) break;
    const own = keysOfContact(contact);
    const asked = candidateOf(tables, request, { contact, at, taken: [...new Set(own.flatMap(key => taken.get(key) ?? []))] });
    const { verdict, candidate } = chooseNumber(request.admit, asked, at);
    if (verdict.kind === 'hold') verdicts.held.push({ contact, reason: verdict.reason, until: verdict.until });
    else if (verdict.kind === 'fail') verdicts.failed.push({ contact, callStatus: verdict.callStatus });
    else {
      changeNumber(contact, { dialKey: candidate.dialKey, verdict: null, next: candidate.dialKey });
      verdicts.admitted.push(contact);
      verdicts.validUntil.set(contact, verdict.validUntil === undefined ? request.validUntil : verdict.validUntil);
      const dial = { at, campaignId: request.campaignId };
      for (const key of own) taken.set(key, [dial, ...(taken.get(key) ?? [])]);
    }
  }
  return verdicts;
}

function keysOfContact({ dialKey, numbers }: ContactRow): string[] {
  return numbers.length === 0 ? [dialKey] : numbers.map(number => number.dialKey);
}

function candidateOf(
  tables: DialTables,
  request: ClaimRequest,
  { contact, at, taken }: { contact: ContactRow; at: number; taken: readonly RecentDial[] },
): DialCandidate {
  const { id: contactId, phoneNumber, dialKey, attemptCount, lastCallerNumber, callbackAt, retryAt, notBefore, notAfter, zones } = contact;
  const doNotCall = entryOf(tables, dialKey);
  const recentDials = request.frequencyDays === 0 ? [] : recentDialsOf(tables, request, { dialKeys: keysOfContact(contact), at, taken });
  const rangNobody = ({ outcome }: AttemptRow) => contact.numbers.length > 0 && outcome === 'invalid_number';
  const lastEndedAt =
    tables.attempts.findLast(
      attempt => attempt.contactId === contactId && attempt.status !== 'cancelled' && !isRefused(attempt) && !rangNobody(attempt),
    )?.endedAt ?? null;
  const { purposes = [], readsAbandoned = false } = request;
  const consentsOf = (key: string) => purposes.filter(purpose => consentAt(tables.consents.get(key) ?? [], purpose, at));
  const numbers = contact.numbers.map(number => {
    const { dialKey: key } = number;
    return { ...number, doNotCall: entryOf(tables, key), consents: consentsOf(key) };
  });
  const consents = consentsOf(dialKey);
  const lastAbandonedAt = readsAbandoned ? lastAbandonedOf(tables, keysOfContact(contact)) : null;
  const isBusy = tables.keepsOneCallPerNumber && (taken.length > 0 || isInCall(tables, contact));
  return {
    contactId,
    phoneNumber,
    dialKey,
    attemptCount,
    lastEndedAt,
    lastCallerNumber,
    callbackAt,
    retryAt,
    notBefore,
    notAfter,
    doNotCall,
    isInCall: isBusy,
    recentDials,
    consents,
    lastAbandonedAt,
    zones,
    numbers,
  };
}

/** End of the last abandoned call to one of the numbers. */
function lastAbandonedOf(tables: DialTables, dialKeys: readonly string[]): number | null {
  const ends = tables.attempts.flatMap(({ outcome, endedAt, ...attempt }) =>
    dialKeys.includes(attempt.dialKey) && outcome === 'abandoned' && endedAt !== null ? [endedAt] : [],
  );
  return ends.length === 0 ? null : Math.max(...ends);
}

/** Mirrors dialling/admission.ts. */
function isRefused({ status, acceptedAt, replyText }: AttemptRow): boolean {
  return status === 'failed' && acceptedAt === null && replyText !== '';
}

/** Recent dials to the number. A claim counts as a dial because it may still be dialled (D8.4). */
function recentDialsOf(
  tables: DialTables,
  request: ClaimRequest,
  { dialKeys, at, taken }: { dialKeys: readonly string[]; at: number; taken: readonly RecentDial[] },
): RecentDial[] {
  const since = at - request.frequencyDays * MS_PER_DAY;
  const dials = tables.attempts
    .filter(attempt => dialKeys.includes(attempt.dialKey) && !isRefused(attempt) && !attempt.isLineFault)
    .flatMap(({ campaignId, dialingAt, status, claimedAt }) => {
      if (dialingAt !== null && dialingAt > since) return [{ campaignId, at: dialingAt }];
      return status === 'claimed' ? [{ campaignId, at: claimedAt }] : [];
    })
    .sort((a, b) => b.at - a.at);
  return [...taken, ...dials];
}

function writeClaim(tables: DialTables, request: ClaimRequest, { admitted, failed, validUntil }: Verdicts) {
  // A contact in another call is skipped even if it was admitted.
  const skipped = new Set(admitted.filter(contact => isInCall(tables, contact)));
  const matched = matchGrants(
    admitted.map(({ id: contactId, lastCallerNumber }) => ({ contactId, lastCallerNumber })),
    request.grants,
  );
  const granted = admitted.flatMap((contact, index) => {
    const grant = matched[index];
    return grant && !skipped.has(contact) ? [{ contact, grant }] : [];
  });
  const requested = granted.length + failed.length;
  if (requested === 0) return null;
  const batch = insertBatch(tables, request, requested);
  const dials = granted.map(({ contact, grant }) =>
    insertDial(tables, request, { batch, contact, grant, validUntil: validUntil.get(contact) ?? null }),
  );
  const invalid = failed.map(({ contact, callStatus }) => insertFailed(tables, request, { batch, contact, callStatus }));
  if (invalid.length > 0) refreshBatches(tables, [batch.id]);
  const used = new Set(dials.map(dial => dial.requestId));
  const unusedRequestIds = request.grants.map(grant => grant.requestId).filter(id => !used.has(id));
  return { batchId: batch.id, dials, invalid, unusedRequestIds };
}

function insertBatch(tables: DialTables, request: ClaimRequest, requested: number): Batch {
  const now = tables.now();
  const { campaignId, source, requestedLimit, effectiveLimit, createdBy } = request;
  const batch: Batch = {
    id: tables.batches.size + 1,
    campaignId,
    status: 'running',
    source,
    requestedLimit,
    effectiveLimit,
    requested,
    submitted: 0,
    failed: 0,
    createdBy,
    finishedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  tables.batches.set(batch.id, batch);
  return batch;
}

function insertDial(
  tables: DialTables,
  request: ClaimRequest,
  { batch, contact, grant, validUntil }: { batch: Batch; contact: ContactRow; grant: SlotGrant; validUntil: number | null },
): ClaimedDial {
  const { requestId, lineId, number: callerNumber, cellId, startsInMs } = grant;
  const mayHaveChannel = ({ dialKey, dialingAt, acceptedAt, status }: AttemptRow) =>
    dialKey === contact.dialKey && dialingAt !== null && (acceptedAt !== null || status === 'outcome_unknown');
  const earlier = tables.attempts.filter(mayHaveChannel).toSorted((a, b) => (a.dialingAt ?? 0) - (b.dialingAt ?? 0));
  const previousRequestId = earlier.at(-1)?.requestId ?? null;
  const attempt = insertAttempt(tables, {
    ...newAttempt(tables, request, { batch, contact }),
    requestId,
    lineId,
    callerNumber,
    cellId,
    status: 'claimed',
    validUntil,
  });
  take(contact, attempt);
  const { phoneNumber, dialKey, customerName, metadata, mailboxText } = contact;
  const ids = { requestId, attemptId: attempt.id, batchId: batch.id, contactId: contact.id };
  return {
    ...ids,
    previousRequestId,
    isRetry: contact.retryAt !== null,
    phoneNumber,
    dialKey,
    extension: contact.numbers.find(number => number.dialKey === dialKey)?.extension ?? '',
    customerName,
    metadata,
    mailboxText,
    callback: duePromise(tables, contact.id, tables.now()),
    lineId,
    callerNumber,
    cellId,
    startsInMs,
  };
}

/** Inserts an attempt that fails before it reaches a switch (D4.5). */
function insertFailed(
  tables: DialTables,
  request: ClaimRequest,
  { batch, contact, callStatus }: { batch: Batch; contact: ContactRow; callStatus: CallStatus },
): InvalidDial {
  const endedAt = tables.now();
  const requestId = `00000000-0000-4000-8000-${String(tables.attempts.length + 1).padStart(12, 'f')}`;
  const base = newAttempt(tables, request, { batch, contact });
  const outcome = 'invalid_number';
  const attempt = insertAttempt(tables, { ...base, requestId, status: 'failed', callStatus, outcome, endedAt, durationSeconds: 0 });
  const ended = contactOutcome({ callStatus, attemptCount: contact.attemptCount + 1, endedAt, ...retryLimits(tables, request.campaignId) });
  const persons = contact.numbers.map(number => ({ ...number, isListed: isListed(tables, number.dialKey) }));
  const { next } = numberQueue({ numbers: persons, dialKey: contact.dialKey }, outcome);
  const retry = next === null ? ended : onNextNumber(ended, endedAt);
  take(contact, attempt);
  Object.assign(contact, {
    status: retry.contactStatus,
    retryAt: retry.retryAt,
    attemptCount: contact.attemptCount - Number(!retry.isCounted),
  });
  if (retry.isUnreachable) contact.holdReason = 'invalid_number';
  changeNumber(contact, { dialKey: contact.dialKey, verdict: outcome, next });
  return { attemptId: attempt.id, requestId, contactId: contact.id, phoneNumber: attempt.phoneNumber };
}

function take(contact: ContactRow, attempt: AttemptRow): void {
  Object.assign(contact, { status: 'submitted', attemptCount: contact.attemptCount + 1, lastAttemptId: attempt.id });
}

function newAttempt(
  tables: DialTables,
  request: ClaimRequest,
  { batch, contact }: { batch: Batch; contact: ContactRow },
): Omit<AttemptRow, 'id' | 'requestId' | 'status'> {
  return {
    campaignId: request.campaignId,
    contactId: contact.id,
    batchId: batch.id,
    lineId: null,
    outcome: null,
    callerNumber: null,
    cellId: null,
    phoneNumber: contact.phoneNumber,
    dialKey: contact.dialKey,
    callStatus: null,
    hangupCause: null,
    hangupBy: null,
    replyText: '',
    ringback: null,
    scriptId: request.script?.scriptId ?? null,
    scriptVersion: request.script?.version ?? null,
    policyVersion: request.policyVersion,
    validUntil: null,
    claimedAt: tables.now(),
    dialingAt: null,
    acceptedAt: null,
    startedAt: null,
    answeredAt: null,
    heardRuntime: null,
    heardAt: null,
    endedAt: null,
    durationSeconds: null,
    recordingUrl: null,
    recognizedText: null,
    classification: null,
    intent: null,
    payload: null,
    resultFields: null,
    resultLayers: null,
    reportedTimes: null,
    optOut: false,
    isOurFault: false,
    isLineFault: false,
    resultAt: null,
    hashes: [],
    transcript: [],
    captions: new Map(),
  };
}
