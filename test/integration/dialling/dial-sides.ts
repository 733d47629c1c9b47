import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { instant, json } from '#platform/postgres/values.ts';
import type { ConsentKind } from '#consent/consent.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';
import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import { addCampaign, addContact, type DialTables, dialTables, enterConsent } from '#test/support/stores/dial-tables.ts';
import { simulatedDialStore } from '#test/support/stores/simulated-dial-store.ts';
import { storedNumbers } from '#contacts/decisions/numbers.ts';
import { addCampaign as insertCampaign, addContacts as insertContacts, numbersOfContact } from '#test/support/dialling.ts';
import type { DialStore } from '#dialling/dial-store.ts';

/** A dial store and its surroundings, for tests that PostgreSQL and the simulation must both pass. */
export interface DialSide {
  dials: DialStore;
  /** Ids in the order of the plan. */
  campaigns: number[];
  /** Batches in the order of creation. */
  batches(): Promise<{ id: number; campaignId: number }[]>;
  rulesVersion(): Promise<number>;
  updatedAt(campaignId: number): Promise<number>;
  setStatus(campaignId: number, status: CampaignStatus): Promise<void>;
  list(dialKey: string, isListed: boolean): Promise<void>;
  editPolicies(): Promise<void>;
  /** Appends to the number's ledger of consents, at an instant that is later with each call and earlier than every call's result. */
  consent(dialKey: string, kind: ConsentKind): Promise<void>;
  /** Makes the contacts with the number urgent (0: not), with a latest instant in an hour, or without one. */
  urge(dialKey: string, urgency: number, isBounded: boolean): Promise<void>;
  /** Content of the tables, one line per row, without ids of the store's own. */
  state(): Promise<string[]>;
}

export interface SidePlan {
  maxRetries: number;
  retryIntervalSeconds: number;
  retryAnsweredWithoutResult: boolean;
  retryUnknown: boolean;
  /** Phone numbers of each campaign. */
  contacts: readonly (readonly string[])[];
}

interface ContactState {
  phoneNumber: string;
  /** Keys of numbers that have ended. */
  ended: string[];
  status: string;
  attemptCount: number;
  retryAt: number | null;
  lastRequestId: string | null;
  lastCallerNumber: string | null;
  holdReason: string | null;
  holdUntil: number | null;
}

interface AttemptState {
  requestId: string;
  phoneNumber: string;
  status: string;
  callStatus: string | null;
  replyText: string;
  callerNumber: string | null;
  hangupCause: string | null;
  hangupBy: string | null;
  intent: string | null;
  classification: string | null;
  durationSeconds: number | null;
  dialingAt: number | null;
  startedAt: number | null;
  acceptedAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
}

interface BatchState {
  status: string;
  requested: number;
  submitted: number;
  failed: number;
  finishedAt: number | null;
}

const HOUR_MS = 3_600_000;

/** Purpose for which the last campaign asks a consent. */
const PURPOSE = 'marketing';

/** Instants of the ledger: all different, so that both sides order entries alike. */
function clockOfLedger(): () => number {
  let at = Date.now() - 24 * HOUR_MS;
  return () => at++;
}

/** Every other number of the last campaign: these people have consented at first. */
function consentingKeys({ contacts }: SidePlan): string[] {
  const keys = (contacts.at(-1) ?? []).flatMap(written => numbersOfContact(written).map(({ phoneNumber }) => dialKey(phoneNumber, 'CN')));
  return [...new Set(keys)].filter((_, index) => index % 2 === 0);
}

/** Instants differ by the time between the two sides, so only their presence is compared. */
const has = (at: number | null) => (at === null ? '-' : '+');
const KNOWN = /^00000000-0000-4000-9000-/;
/** An attempt that fails at once has an id of the store's own. */
const shown = (requestId: string | null) => (requestId === null || KNOWN.test(requestId) ? requestId : 'own id');

function lines(rows: {
  contacts: ContactState[];
  attempts: AttemptState[];
  batches: BatchState[];
  listed: string[];
  /** Entries of the ledger, as number and kind. */
  ledger: string[];
  outbox: string[];
  said: string[];
}) {
  const contacts = rows.contacts.map(
    ({ retryAt, holdUntil, lastRequestId, ...contact }) =>
      `contact ${JSON.stringify({ ...contact, last: shown(lastRequestId), retry: has(retryAt), until: has(holdUntil) })}`,
  );
  const attempts = rows.attempts.map(
    ({ requestId, dialingAt, startedAt, acceptedAt, answeredAt, endedAt, ...attempt }) =>
      `attempt ${shown(requestId)} ${JSON.stringify(attempt)} ${[dialingAt, startedAt, acceptedAt, answeredAt, endedAt].map(has).join('')}`,
  );
  const batches = rows.batches.map(({ finishedAt, ...batch }, index) => `batch ${index} ${JSON.stringify(batch)} ${has(finishedAt)}`);
  const others = [
    ...rows.ledger.map(entry => `consent ${entry}`),
    ...rows.listed.map(key => `listed ${key}`),
    ...rows.outbox.map(key => `owed ${key}`),
    ...rows.said,
  ];
  return [...contacts, ...attempts, ...batches, ...others].toSorted((a, b) => (a < b ? -1 : 1));
}

export async function postgresSide(db: Database, dials: DialStore, plan: SidePlan): Promise<DialSide> {
  // Attempts of an earlier run would be open, recent and have the same request ids.
  for (const table of ['outbox', 'do_not_call', 'transcript_segment', 'attempt', 'batch', 'contact', 'policy', 'campaign'])
    await db.run(sql`delete from ${sql.table(table)}`);
  await db.run(sql`truncate consent`);
  const campaigns: number[] = [];
  for (const numbers of plan.contacts) {
    const id = await insertCampaign(db, plan);
    await insertContacts(db, id, numbers);
    campaigns.push(id);
  }
  const mine = sql`campaign_id in (${sql.join(campaigns)})`;
  await db.run(sql`
    insert into policy (name, scope, campaign_id, type, action, config)
    values ('须同意', 'campaign', ${campaigns.at(-1) ?? 0}::int, 'consent_required', 'block', ${json({ purpose: PURPOSE })}::jsonb)`);
  const now = clockOfLedger();
  const consent = async (key: string, kind: ConsentKind) =>
    void (await db.run(sql`
      insert into consent (subject, kind, purpose, source, at, origin) values (${key}, ${kind}, ${PURPOSE}, '表单', ${instant(now())}, 'console')`));
  for (const key of consentingKeys(plan)) await consent(key, 'given');
  return {
    dials,
    campaigns,
    batches: () =>
      db.rows(sql<{ id: number; campaignId: number }>`select id, campaign_id as "campaignId" from batch where ${mine} order by id`),
    rulesVersion: async () => (await db.first(sql<{ version: number }>`select version from rules_version`))?.version ?? 0,
    updatedAt: async campaignId =>
      (await db.first(sql<{ at: number }>`select updated_at as at from campaign where id = ${campaignId}`))?.at ?? 0,
    setStatus: async (campaignId, status) => void (await db.run(sql`update campaign set status = ${status} where id = ${campaignId}`)),
    list: async (key, isListed) =>
      void (await db.run(
        isListed
          ? sql`insert into do_not_call (phone_number, dial_key, source) values (${key}, ${key}, 'manual') on conflict do nothing`
          : sql`delete from do_not_call where dial_key = ${key}`,
      )),
    urge: async (key, urgency, isBounded) =>
      void (await db.run(sql`
        update contact set urgency = ${urgency}, not_after = case when ${isBounded}::boolean then now() + interval '1 hour' end where dial_key = ${key}`)),
    consent,
    editPolicies: async () =>
      void (await db.run(sql`
        insert into policy (name, scope, type, action, config, is_enabled)
        values ('p', 'global', 'phone_blacklist', 'block', '{"numbers":[]}', false)`)),
    state: async () =>
      lines({
        contacts: await db.rows(sql<ContactState>`
          select phone_number as "phoneNumber", status, attempt_count as "attemptCount", retry_at as "retryAt",
            (select request_id from attempt where id = last_attempt_id) as "lastRequestId", last_caller_number as "lastCallerNumber",
            hold_reason as "holdReason", hold_until as "holdUntil",
            array(select dial_key from contact_number n where n.contact_id = contact.id and verdict is not null order by position) as ended
          from contact where ${mine}`),
        attempts: await db.rows(sql<AttemptState>`
          select request_id as "requestId", phone_number as "phoneNumber", status, call_status as "callStatus", reply_text as "replyText",
            caller_number as "callerNumber", hangup_cause as "hangupCause", hangup_by as "hangupBy", intent, classification,
            duration_seconds as "durationSeconds", dialing_at as "dialingAt", started_at as "startedAt", accepted_at as "acceptedAt",
            answered_at as "answeredAt", ended_at as "endedAt" from attempt where ${mine}`),
        batches: await db.rows(sql<BatchState>`
          select status, requested, submitted, failed, finished_at as "finishedAt" from batch where ${mine} order by id`),
        listed: (await db.rows(sql<{ key: string }>`select dial_key as key from do_not_call`)).map(({ key }) => key),
        ledger: (await db.rows(sql<{ entry: string }>`select concat_ws(' ', subject, kind, purpose) as entry from consent`)).map(
          ({ entry }) => entry,
        ),
        outbox: (await db.rows(sql<{ key: string }>`select key from outbox where kind = 'result_applied'`)).map(({ key }) => key),
        said: (
          await db.rows(sql<{ line: string }>`
            select concat_ws(' ', t.source, a.request_id, t.segment_id, t.text) as line
            from transcript_segment t join attempt a on a.id = t.attempt_id`)
        ).map(({ line }) => line),
      }),
  };
}

function addSimulated(tables: DialTables, campaignId: number, written: string): void {
  const given = numbersOfContact(written);
  const numbers = storedNumbers(given).map(number => ({ ...number, verdict: null }));
  addContact(tables, { campaignId, phoneNumber: given[0]?.phoneNumber ?? '', numbers, customerName: '李雷', metadata: { city: '北京' } });
}

export function simulatedSide(plan: SidePlan, rulesVersion: number): DialSide {
  const tables: DialTables = dialTables(Date.now);
  tables.rulesVersion = rulesVersion;
  const { contacts: _contacts, ...limits } = plan;
  const campaigns = plan.contacts.map(numbers => {
    const { id } = addCampaign(tables, { name: '回访', status: 'running', ...limits });
    for (const written of numbers) addSimulated(tables, id, written);
    return id;
  });
  tables.policies.set(1, {
    id: 1,
    name: '须同意',
    scope: 'campaign',
    campaignId: campaigns.at(-1) ?? 0,
    type: 'consent_required',
    action: 'block',
    priority: 0,
    config: { purpose: PURPOSE },
    isEnabled: true,
    ruleId: null,
    createdAt: 0,
    updatedAt: 0,
  });
  const now = clockOfLedger();
  const consent = async (key: string, kind: ConsentKind) => enterConsent(tables, key, { kind, purpose: PURPOSE, at: now() });
  for (const key of consentingKeys(plan)) void consent(key, 'given');
  const requestOf = (attemptId: number | null) => tables.attempts.find(({ id }) => id === attemptId)?.requestId ?? null;
  return {
    dials: simulatedDialStore(tables),
    campaigns,
    batches: async () => [...tables.batches.values()].map(({ id, campaignId }) => ({ id, campaignId })),
    rulesVersion: async () => tables.rulesVersion,
    updatedAt: async campaignId => tables.campaigns.get(campaignId)?.updatedAt ?? 0,
    async setStatus(campaignId, status) {
      Object.assign(tables.campaigns.get(campaignId) ?? {}, { status });
    },
    async list(key, isListed) {
      if (!isListed) tables.doNotCall.delete(key);
      else if (!tables.doNotCall.has(key)) tables.doNotCall.set(key, { expiresAt: null });
    },
    async urge(key, urgency, isBounded) {
      for (const contact of tables.contacts.values())
        if (contact.dialKey === key) Object.assign(contact, { urgency, notAfter: isBounded ? Date.now() + HOUR_MS : null });
    },
    consent,
    async editPolicies() {
      tables.rulesVersion += 1;
    },
    state: async () =>
      lines({
        contacts: [...tables.contacts.values()].map(
          ({ phoneNumber, numbers, status, attemptCount, retryAt, lastAttemptId, lastCallerNumber, holdReason, holdUntil }) => {
            const lastRequestId = requestOf(lastAttemptId);
            const ended = numbers.filter(({ verdict }) => verdict !== null).map(number => number.dialKey);
            return { phoneNumber, status, attemptCount, lastCallerNumber, holdReason, holdUntil, ended, retryAt, lastRequestId };
          },
        ),
        attempts: tables.attempts.map(attempt => ({
          requestId: attempt.requestId,
          phoneNumber: attempt.phoneNumber,
          status: attempt.status,
          callStatus: attempt.callStatus,
          replyText: attempt.replyText,
          callerNumber: attempt.callerNumber,
          hangupCause: attempt.hangupCause,
          hangupBy: attempt.hangupBy,
          intent: attempt.intent,
          classification: attempt.classification,
          durationSeconds: attempt.durationSeconds,
          dialingAt: attempt.dialingAt,
          startedAt: attempt.startedAt,
          acceptedAt: attempt.acceptedAt,
          answeredAt: attempt.answeredAt,
          endedAt: attempt.endedAt,
        })),
        batches: [...tables.batches.values()].map(({ status, requested, submitted, failed, finishedAt }) => ({
          status,
          requested,
          submitted,
          failed,
          finishedAt,
        })),
        listed: [...tables.doNotCall.keys()],
        ledger: [...tables.consents].flatMap(([key, entries]) => entries.map(({ kind, purpose }) => `${key} ${kind} ${purpose}`)),
        outbox: [...tables.outbox.values()].map(({ key }) => key),
        said: tables.attempts.flatMap(({ requestId, transcript, captions }) => [
          ...transcript.map((text, position) => `result ${requestId} ${position} ${text}`),
          ...[...captions].map(([segmentId, text]) => `captions ${requestId} ${segmentId} ${text}`),
        ]),
      }),
  };
}
