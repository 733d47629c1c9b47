import type { Outcome } from '#attempts/decisions/evidence.ts';
import type { Consent } from '#consent/consent.ts';
import type { OutcomeCounts } from '#outcomes/decisions/decide-by-rules.ts';
import type { StoredNumber } from '#contacts/decisions/numbers.ts';
import type { NumberChange } from '#outcomes/decisions/next-number.ts';
import type { OutcomeRules } from '#outcomes/decisions/outcome-rules.ts';
import type { ActorColumns } from '#actors/campaign/context.ts';
import type { ScriptlessCalls } from '#campaigns/decisions/campaign-states.ts';
import { campaignRecord } from '#test/support/campaign-record.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import type { ResultFields } from '#outcomes/decisions/result-report.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import { type Batch } from '#attempts/batch.ts';
import { type Contact, eachText } from '#contacts/contact.ts';
import { type AttemptStatus, OPEN_ATTEMPT_STATUSES, type RingbackDetection } from '#attempts/attempt.ts';
import { type Policy } from '#policies/policy.ts';
import { type Line } from '#lines/line.ts';

export interface CampaignRow extends Campaign, ActorColumns {
  scriptless?: ScriptlessCalls | null;
  actorVersion: number;
  actorCommands: string[];
}

export interface ContactRow extends Omit<Contact, 'createdAt' | 'updatedAt' | 'zones' | 'zoneSource' | 'numbers'> {
  /** All numbers in order; empty for a single one. */
  numbers: StoredNumber[];
  /** Same as `DialCandidate.zones`. */
  zones: string | null;
  dialKey: string;
  lastCallerNumber: string | null;
  silentRepeats: number;
  outcomeCounts: OutcomeCounts;
  partsTried: number;
  /** Left on a mailbox by the next call. */
  mailboxText: string | null;
  notBefore: number | null;
  notAfter: number | null;
  urgency: number;
}

export interface AttemptRow extends ResultFields {
  id: number;
  requestId: string;
  campaignId: number;
  contactId: number;
  batchId: number | null;
  lineId: number | null;
  callerNumber: string | null;
  cellId: string | null;
  phoneNumber: string;
  dialKey: string;
  status: AttemptStatus;
  replyText: string;
  ringback: RingbackDetection | null;
  scriptId: number | null;
  scriptVersion: number | null;
  policyVersion: number;
  validUntil: number | null;
  claimedAt: number;
  dialingAt: number | null;
  acceptedAt: number | null;
  heardRuntime: string | null;
  /** When that was written, UTC ms. */
  heardAt: number | null;
  resultAt: number | null;
  optOut: boolean;
  outcome: Outcome | null;
  /** Whether it failed through a fault of the switch, line or runtime; it then does not count as an attempt of the contact. */
  isOurFault: boolean;
  /** Whether the far end never responded; the contact then was not dialled. */
  isLineFault: boolean;
  hashes: string[];
  transcript: readonly string[];
  /** Captions by segment id, kept until a transcript arrives; empty after that. */
  captions: ReadonlyMap<string, string>;
}

/** An entry of the ledger of consents. */
export type LedgerEntry = Pick<Consent, 'id' | 'kind' | 'purpose' | 'at' | 'until'>;

/** `scope` absent: the number alone. */
export interface DoNotCallRow {
  expiresAt: number | null;
  scope?: 'number' | 'person';
}

export interface OutboxEntry {
  id: number;
  kind: 'result_applied' | 'campaign_effect';
  key: string;
  payload: { [name: string]: string | number };
  dueAt: number;
}

/** PostgreSQL's dialling tables in memory; each statement of the simulated stores is one atomic step on them. */
export interface DialTables {
  now: () => number;
  campaigns: Map<number, CampaignRow>;
  lines: Map<number, Line>;
  contacts: Map<number, ContactRow>;
  /** Contacts with several numbers. */
  several: ContactRow[];
  attempts: AttemptRow[];
  byRequest: Map<string, AttemptRow>;
  /** Open attempts in the order of their ids. */
  open: Set<AttemptRow>;
  batches: Map<number, Batch>;
  policies: Map<number, Policy>;
  /** Outcome rules by campaign. */
  outcomeRules: Map<number, OutcomeRules>;
  rulesVersion: number;
  doNotCall: Map<string, DoNotCallRow>;
  /** The ledger of consents by number. */
  consents: Map<string, LedgerEntry[]>;
  /** Promised callbacks by contact. */
  promises: Map<number, { dueAt: number; until: number | null; note: string; misses: number }>;
  /** Contacts that were ever promised a callback. */
  everPromised: Set<number>;
  outbox: Map<number, OutboxEntry>;
  nextOutboxId: number;
  /** Whether the partial unique index attempt_one_open and the checks of the contact's own open attempts are active. */
  keepsOneOpenAttempt: boolean;
  /** Whether claim and mark check for other calls to the number. */
  keepsOneCallPerNumber: boolean;
  /** Whether the mark looks into the ledger of consents. */
  keepsConsent: boolean;
  /** Called with the campaigns whose held contacts became free when a call ended. */
  freed: (campaignIds: readonly number[]) => void;
  /** Incremented by every change of an attempt. */
  revision: number;
}

export function dialTables(now: () => number): DialTables {
  return {
    now,
    campaigns: new Map(),
    lines: new Map(),
    contacts: new Map(),
    several: [],
    attempts: [],
    byRequest: new Map(),
    open: new Set(),
    batches: new Map(),
    policies: new Map(),
    outcomeRules: new Map(),
    rulesVersion: 1,
    doNotCall: new Map(),
    consents: new Map(),
    promises: new Map(),
    everPromised: new Set(),
    outbox: new Map(),
    nextOutboxId: 1,
    keepsOneOpenAttempt: true,
    keepsOneCallPerNumber: true,
    keepsConsent: true,
    freed: () => undefined,
    revision: 0,
  };
}

const OPEN: ReadonlySet<string> = new Set(OPEN_ATTEMPT_STATUSES);

export function isOpen(attempt: Pick<AttemptRow, 'status'>): boolean {
  return OPEN.has(attempt.status);
}

export function insertAttempt(tables: DialTables, attempt: Omit<AttemptRow, 'id'>): AttemptRow {
  const row = { ...attempt, id: tables.attempts.length + 1 };
  tables.attempts.push(row);
  tables.byRequest.set(row.requestId, row);
  if (isOpen(row)) tables.open.add(row);
  tables.revision += 1;
  return row;
}

export function updateAttempt(tables: DialTables, attempt: AttemptRow, changes: Partial<AttemptRow>): void {
  Object.assign(attempt, changes);
  if (!isOpen(attempt)) tables.open.delete(attempt);
  tables.revision += 1;
}

export function openAttemptsOf(tables: DialTables, is: (attempt: AttemptRow) => boolean): AttemptRow[] {
  return [...tables.open].filter(is);
}

export function contactOf(tables: DialTables, { contactId }: Pick<AttemptRow, 'contactId'>): ContactRow {
  const contact = tables.contacts.get(contactId);
  if (!contact) throw new Error(`no contact ${contactId}`);
  return contact;
}

export function addContact(tables: DialTables, fields: Pick<ContactRow, 'campaignId' | 'phoneNumber'> & Partial<ContactRow>): ContactRow {
  const contact: ContactRow = {
    id: tables.contacts.size + 1,
    ...eachText(() => ''),
    zones: null,
    numbers: [],
    metadata: {},
    priority: 0,
    status: 'pending',
    attemptCount: 0,
    retryAt: null,
    lastAttemptId: null,
    holdReason: null,
    holdUntil: null,
    callbackAt: null,
    lastCallerNumber: null,
    silentRepeats: 0,
    outcomeCounts: {},
    partsTried: 0,
    mailboxText: null,
    notBefore: null,
    notAfter: null,
    urgency: 0,
    dialKey: dialKey(fields.phoneNumber, 'CN'),
    ...fields,
  };
  tables.contacts.set(contact.id, contact);
  if (contact.numbers.length > 0) tables.several.push(contact);
  return contact;
}

export function addCampaign(tables: DialTables, fields: Partial<CampaignRow>): CampaignRow {
  const at = tables.now();
  const id = tables.campaigns.size + 1;
  const record = campaignRecord(at, { id, name: `campaign ${id}` });
  const campaign: CampaignRow = {
    ...record,
    actorVersion: 0,
    phaseCause: null,
    phaseRefusal: null,
    breaker: null,
    actorCommands: [],
    ...fields,
  };
  tables.campaigns.set(id, campaign);
  return campaign;
}

/** Batch counts are recomputed from the attempts, so they are right whatever the order of events (D7.3). */
export function refreshBatches(tables: DialTables, batchIds: readonly (number | null)[]): void {
  for (const batchId of new Set(batchIds)) {
    const batch = batchId === null ? undefined : tables.batches.get(batchId);
    if (batch) refresh(tables, batch);
  }
}

function refresh(tables: DialTables, batch: Batch): void {
  const attempts = tables.attempts.filter(attempt => attempt.batchId === batch.id);
  if (attempts.length === 0) return;
  const submitted = attempts.filter(attempt => attempt.acceptedAt !== null).length;
  const closed = attempts.filter(
    ({ acceptedAt, status }) => acceptedAt === null && ['failed', 'completed', 'outcome_unknown'].includes(status),
  );
  const undecided = attempts.some(({ status }) => status === 'claimed' || status === 'dialing');
  const ended = submitted > 0 ? 'completed' : closed.length > 0 ? 'failed' : 'cancelled';
  batch.submitted = submitted;
  batch.failed = closed.length;
  batch.finishedAt = batch.status === 'cancelled' || !undecided ? (batch.finishedAt ?? tables.now()) : null;
  if (batch.status !== 'cancelled') batch.status = undecided ? 'running' : ended;
}

/** The number, and those of the persons who have it among several. Mirrors policies/person-keys.ts. */
export function keysOfPersons({ several }: DialTables, dialKey: string): ReadonlySet<string> {
  const persons = several.filter(({ numbers }) => numbers.some(number => number.dialKey === dialKey));
  return new Set([dialKey, ...persons.flatMap(({ numbers }) => numbers.map(number => number.dialKey))]);
}

/** The do-not-call entry that binds the number longest. Mirrors do-not-call/entry-conditions.ts. */
export function entryOf(tables: DialTables, dialKey: string): { expiresAt: number | null } | null {
  const entries = [...keysOfPersons(tables, dialKey)].flatMap(key => {
    const entry = tables.doNotCall.get(key);
    return entry && (key === dialKey || entry.scope === 'person') ? [entry] : [];
  });
  const [longest] = entries.sort((a, b) => (b.expiresAt ?? Infinity) - (a.expiresAt ?? Infinity));
  return longest ? { expiresAt: longest.expiresAt } : null;
}

export function isListed(tables: DialTables, dialKey: string): boolean {
  const entry = entryOf(tables, dialKey);
  return entry !== null && (entry.expiresAt ?? Infinity) > tables.now();
}

/** Lists a number for good: its person, when it is one of several. */
export function listNumber(tables: DialTables, dialKey: string): void {
  const isOneOfSeveral = tables.several.some(({ numbers }) => numbers.some(number => number.dialKey === dialKey));
  tables.doNotCall.set(dialKey, { expiresAt: null, scope: isOneOfSeveral ? 'person' : 'number' });
}

/** Appends to the ledger of consents. */
export function enterConsent(
  tables: DialTables,
  dialKey: string,
  { until = null, ...entry }: Omit<LedgerEntry, 'id' | 'until'> & Partial<Pick<LedgerEntry, 'until'>>,
): void {
  const entries = tables.consents.get(dialKey) ?? [];
  tables.consents.set(dialKey, [...entries, { ...entry, id: entries.length + 1, until }]);
}

/** Mirrors dialling/queue-conditions.ts, without agents' calls, which are not simulated. */
export function isInCall(tables: DialTables, { id, dialKey }: Pick<ContactRow, 'id' | 'dialKey'>): boolean {
  const keys = keysOfPersons(tables, dialKey);
  const isRival = (attempt: AttemptRow) => keys.has(attempt.dialKey) && (tables.keepsOneOpenAttempt || attempt.contactId !== id);
  return tables.keepsOneCallPerNumber && openAttemptsOf(tables, isRival).length > 0;
}

/** Mirrors `freeNumbers` of policies/holds.ts. */
export function freeNumbers(tables: DialTables, dialKeys: readonly string[]): void {
  const keys = new Set(dialKeys.flatMap(key => [...keysOfPersons(tables, key)]));
  const waiting = [...tables.contacts.values()].filter(
    ({ holdReason, dialKey }) => holdReason === 'in_call_elsewhere' && keys.has(dialKey),
  );
  for (const contact of waiting) Object.assign(contact, { holdReason: null, holdUntil: null });
  if (waiting.length > 0) tables.freed([...new Set(waiting.map(({ campaignId }) => campaignId))]);
}

/** Mirrors `changeNumbers` of contacts/contact-number-statements.ts. */
export function changeNumber(contact: ContactRow, { dialKey, verdict, next }: NumberChange, isLast = true): void {
  const dialled = contact.numbers.find(number => number.dialKey === dialKey);
  if (dialled) dialled.verdict = verdict;
  const following = contact.numbers.find(number => number.dialKey === next);
  if (following && isLast) Object.assign(contact, { phoneNumber: following.phoneNumber, dialKey: following.dialKey });
}
