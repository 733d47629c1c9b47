import { sql } from 'kysely';
import { hasLeft } from '#actors/call/stage.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { callAggregate } from '#calls/call-actor.ts';
import type { LiveCallReadPart } from '#calls/live-call-store.ts';
import { CONTACT_TABLE } from '#contacts/contact-store.ts';
import type { Contact } from '#contacts/contact.ts';
import { DO_NOT_CALL_TABLE } from '#do-not-call/do-not-call-store.ts';
import type { DoNotCallEntry } from '#do-not-call/do-not-call.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict } from '#kernel/errors.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import { isFoundInTexts, maskedNumber } from '#phone-numbers/phone-number.ts';
import type { ActorStore } from '#platform/actor-host/actor-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { Table } from '#platform/postgres/listing.ts';
import type { HeldTexts } from './held-texts.ts';
import type { CallsOfPerson, ErasedCounts, PersonRows } from './person-rows.ts';
import type { PolicyNumbers } from './policy-numbers.ts';
import type { DiallingPlace } from '#phone-numbers/short-code.ts';
import { keysOf } from '#kernel/typed.ts';

/** The person behind a number, in whatever format it is written. */
export interface Person {
  /** Normalised number for comparisons. */
  dialKey: string;
}

/** Most contacts listed: one number is rarely in more campaigns. */
const MAX_CONTACTS = 200;

/** Errors: none; an unknown number is a person without contacts */
export function personOf(number: string, region: Region): Person {
  return { dialKey: dialKey(number, region) };
}

/** Returns the person's contacts in all campaigns, newest first. */
export function contactsOfPerson({ db }: Pick<Platform, 'db'>, person: Person): Promise<Contact[]> {
  const { columns, from, exists }: Table<Contact> = CONTACT_TABLE;
  return db.rows(sql<Contact>`
    select ${columns} from ${from} where ${exists} and (k.dial_key = ${person.dialKey}
      or k.id in (select n.contact_id from contact_number n where n.dial_key = ${person.dialKey})) order by k.id desc limit ${MAX_CONTACTS}`);
}

/** Returns the person's do-not-call entry, expired or not; null when there is none. Source: D8.7 */
export async function doNotCallOfPerson({ db }: Pick<Platform, 'db'>, person: Person): Promise<DoNotCallEntry | null> {
  const { columns, from }: Table<DoNotCallEntry> = DO_NOT_CALL_TABLE;
  return (await db.first(sql<DoNotCallEntry>`select ${columns} from ${from} where d.dial_key = ${person.dialKey}`)) ?? null;
}

export interface PrivacyPart {
  persons: PersonRows;
  /** Cached calls: of campaigns with their captions, and of agents. */
  callStore: Pick<ActorStore, 'remove'>;
  agentCallStore: Pick<ActorStore, 'remove'>;
  policyNumbers: PolicyNumbers;
  heldTexts: HeldTexts;
}

interface Erasure {
  erased: ErasedCounts;
  /** True when the time limit was reached before everything was erased: repeating the request continues. */
  remaining: boolean;
}

/** Longest duration of one request, in ms. */
const MAX_MS = 20_000;

const aggregate = callAggregate();

type ErasureApp = PrivacyPart & LiveCallReadPart & AuditPart & Pick<DiallingPlace, 'region'> & Pick<Platform, 'clock'>;

/**
 * Erases the person with this number, and its other numbers, everywhere but on the do-not-call list and in the ledger of consents, in slices;
 * safe to repeat.
 *
 * Why:    the ledger proves that earlier calls were allowed; the erasure ends what consents it holds. The cache is cleared before the rows are deleted, because they contain its keys
 * Errors: CONFLICT while a call with the number is in progress or claimed
 * Source: D3.7, D8.7, D8.10
 */
export async function erasePerson(app: ErasureApp, caller: Caller, number: string): Promise<Erasure> {
  const key = dialKey(number, app.region);
  const erasure: Erasure = { erased: { ...NOTHING }, remaining: true };
  const endsAt = app.clock.monotonic() + MAX_MS;
  const keys = await app.persons.findKeys(key);
  try {
    while (app.clock.monotonic() < endsAt) {
      if (!(await eraseSlice(app, keys, erasure.erased))) {
        erasure.remaining = await eraseTexts(app, caller, { keys, endsAt }, erasure.erased);
        break;
      }
    }
  } finally {
    await record(app, caller, { key, erasure });
  }
  return erasure;
}

const NOTHING: ErasedCounts = {
  contacts: 0,
  attempts: 0,
  transcripts: 0,
  recordings: 0,
  agentCalls: 0,
  conferences: 0,
  events: 0,
  auditRows: 0,
};
const KINDS = keysOf(NOTHING);

/** Returns whether anything was erased. */
async function eraseSlice(app: ErasureApp, keys: readonly string[], erased: ErasedCounts): Promise<boolean> {
  const calls = await app.persons.findCalls(keys);
  if (calls === null || (await isOnTheLine(app, calls))) throw inCall();
  for (const { requestId } of calls.attempts) await app.callStore.remove(requestId);
  for (const { requestId } of calls.agentCalls) await app.agentCallStore.remove(requestId);
  const slice = await app.persons.erase(keys, calls);
  if (slice === null) throw inCall();
  for (const kind of KINDS) erased[kind] += slice[kind];
  return KINDS.some(kind => slice[kind] > 0);
}

/** A call's result may arrive while its channel still exists. */
async function isOnTheLine({ liveCalls }: Pick<ErasureApp, 'liveCalls'>, { attempts }: CallsOfPerson): Promise<boolean> {
  const held = await liveCalls.read(attempts.map(({ requestId }) => requestId));
  return held.some(({ snapshot }) => !hasLeft(aggregate.parse(snapshot)));
}

function inCall() {
  return conflict('PERSON_IN_CALL', '该号码正在通话中或即将拨出，请在通话结束后再清除');
}

/** Removes the numbers from policies and texts, and ends their consents. Returns whether unexamined rows remain. */
async function eraseTexts(
  app: ErasureApp,
  caller: Caller,
  { keys, endsAt }: { keys: readonly string[]; endsAt: number },
  erased: ErasedCounts,
): Promise<boolean> {
  let remaining = false;
  for (const key of keys) {
    await unlist(app, caller, key);
    await app.persons.removeLists(key);
    await app.persons.endConsents(key);
    remaining = (await maskRest(app, { key, endsAt }, erased)) || remaining;
  }
  return remaining;
}

/** Removes the number from policies, and from texts that the cache keeps for some hours. */
async function unlist({ policyNumbers, heldTexts, ...app }: ErasureApp, caller: Caller, key: string): Promise<void> {
  for (const { id, name } of await policyNumbers.take(key)) {
    const summary = `从外呼策略「${name}」中清除号码 ${maskedNumber(key)}`;
    await audit(app, caller, { action: 'policy.updated', targetType: 'policy', targetId: id, summary });
  }
  if (isFoundInTexts(key)) await heldTexts.eraseNumber(key);
}

/** Masks the number in the audit rows about anything but its contacts and calls. Returns whether unexamined rows remain. */
async function maskRest(
  app: Pick<PrivacyPart, 'persons'> & Pick<Platform, 'clock'>,
  { key, endsAt }: { key: string; endsAt: number },
  erased: ErasedCounts,
): Promise<boolean> {
  let next: number | null = isFoundInTexts(key) ? 0 : null;
  while (next !== null && app.clock.monotonic() < endsAt) {
    const page: { masked: number; next: number | null } = await app.persons.maskAuditRows(key, next);
    erased.auditRows += page.masked;
    next = page.next;
  }
  return next !== null;
}

async function record(app: AuditPart, caller: Caller, { key, erasure }: { key: string; erasure: Erasure }): Promise<void> {
  const { erased, remaining } = erasure;
  if (KINDS.every(kind => erased[kind] === 0)) return;
  await audit(app, caller, {
    action: 'person.erased',
    targetType: 'person',
    targetId: maskedNumber(key),
    summary: `清除号码 ${maskedNumber(key)} 的个人数据`,
    detail: { ...erased, remaining },
  });
}
