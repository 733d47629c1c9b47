import { type RawBuilder, sql } from 'kysely';
import { isCalloutError } from '#kernel/errors.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Steps } from '#platform/postgres/hot-sql.ts';
import { BUSINESS_ZONE, ids, json, texts, uuids } from '#platform/postgres/values.ts';
import { fieldsOfVersions, RememberedFields } from '#scripts/result-fields.ts';
import type { ResultOutcome, ResultReport } from './outcome-store.ts';
import { concludeCallbacks, type EndedCall, promiseFromResults, type ReportedPromise } from '#callbacks/conclude-callbacks.ts';
import { callbackEnd } from '#callbacks/decisions/callback-end.ts';
import { afterScriptless, scriptKey, type ScriptlessCalls, type ScriptVersion } from '#campaigns/decisions/campaign-states.ts';
import { zonesOfContact } from '#contacts/contact.ts';
import type { Outcome } from '#attempts/decisions/evidence.ts';
import { concludeResult, type Conclusion } from './decisions/conclude-attempt.ts';
import type { OutcomeCounts } from './decisions/decide-by-rules.ts';
import { listByRule } from './rule-statements.ts';
import { readReport, type ReportedAttempt, type ReportReading, resultOutcome } from './decisions/result-report.ts';
import { type Freed, freeNumbers, notifyFreed } from '#policies/holds.ts';
import { hasValues } from './decisions/reported-fields.ts';
import { refreshBatches } from '#attempts/batch-store.ts';
import { addOptOuts, writeResults } from './result-write.ts';
import { limitsQuery, type LimitsRow, retryLimits } from './retry-limits.ts';
import { HISTORY, numberChanges } from './settle.ts';
import { changeNumbers } from '#contacts/contact-number-statements.ts';
import type { PersonNumber } from './decisions/next-number.ts';
import type { OutcomeStore } from '#outcomes/outcome-store.ts';

/** Limit of reports written together. */
const MAX_TOGETHER = 50;

interface LockedAttempt extends Omit<ReportedAttempt, 'declared'> {
  id: number;
  requestId: string;
  campaignId: number;
  batchId: number | null;
  isAccepted: boolean;
  contactId: number;
  phoneNumber: string;
  dialKey: string;
  /** The contact's numbers in order; empty for a single one. */
  numbers: PersonNumber[];
  attemptCount: number;
  /** The script that the call required. */
  script: ScriptVersion | null;
  scriptless: ScriptlessCalls | null;
  /** The contact had been promised a callback. */
  isPromised: boolean;
  zones: string | null;
  outcomeCounts: OutcomeCounts;
  partsTried: number;
  earlierOutcome: Outcome | null;
  isTest: boolean;
  ringback: string | null;
  now: number;
}

type Answer = { outcome: ResultOutcome } | { error: unknown };

/**
 * Applies the runtime's result and everything related in one transaction; reports that arrive meanwhile share the next transaction.
 *
 * Source: D7.7, A6 step 9, A7
 */
export function applyResult(db: Database, freed: Freed): OutcomeStore['applyResult'] {
  const parts = { db, freed, remembered: new RememberedFields() };
  const batcher = new MicroBatcher<ResultReport, Answer>({ maxBatch: MAX_TOGETHER, write: reports => applyAll(parts, reports) });
  return async report => {
    const answer = await batcher.add(report);
    if ('error' in answer) throw answer.error;
    return answer.outcome;
  };
}

interface Parts {
  db: Database;
  freed: Freed;
  remembered: RememberedFields;
}

async function applyAll(parts: Parts, reports: readonly ResultReport[]): Promise<Answer[]> {
  const answers = new Map<number, Answer>();
  while (answers.size < reports.length) {
    const waiting = reports.map((report, place) => ({ place, report })).filter(({ place }) => !answers.has(place));
    for (const [place, answer] of await applyTogether(parts, waiting)) answers.set(place, answer);
  }
  return reports.map((_report, place) => answers.get(place) ?? { error: new Error('a report without an answer') });
}

/** A report with its position in the group. */
interface Placed {
  place: number;
  report: ResultReport;
}

/** If the group fails, each report is written separately, so that only the faulty one fails. */
async function applyTogether(parts: Parts, reports: readonly Placed[]): Promise<Map<number, Answer>> {
  const { db, freed, remembered } = parts;
  try {
    const { outcomes, waiting } = await db.hot.transaction(tx => apply(tx, reports, remembered), { byKey: true });
    notifyFreed(freed, waiting);
    return new Map([...outcomes].map(([place, outcome]) => [place, { outcome }]));
  } catch (error) {
    if (reports.length === 1 || isCalloutError(error)) return new Map(reports.map(({ place }) => [place, { error }]));
    const answers = new Map<number, Answer>();
    for (const report of reports) for (const [place, answer] of await applyTogether(parts, [report])) answers.set(place, answer);
    return answers;
  }
}

type Application<Kind extends ReportReading['kind'] = ReportReading['kind']> = Placed & {
  attempt: LockedAttempt;
  reading: Extract<ReportReading, { kind: Kind }>;
};

/** Takes only the first of several reports about a call: the next must see what the first has written. */
async function apply(
  tx: Steps,
  reports: readonly Placed[],
  remembered: RememberedFields,
): Promise<{ outcomes: Map<number, ResultOutcome>; waiting: Waiting }> {
  const which = reported(reports.map(({ report }) => report));
  const [rows, limits] = await tx.step(lockAttempts(which), limitsQuery(sql`select a.campaign_id from attempt a where ${which}`));
  const locked = byReport(rows);
  const declaredOf = await declaredFields(tx, remembered, locked, reports);
  const outcomes = new Map<number, ResultOutcome>();
  const applications: Application[] = [];
  const seen = new Set<LockedAttempt>();
  for (const { place, report } of reports) {
    const attempt = locked(report);
    if (!attempt) outcomes.set(place, { kind: 'not_found' });
    else if (!seen.has(attempt))
      applications.push({ place, report, attempt, reading: readReport(declaredOf(attempt), report, attempt.now) });
    if (attempt) seen.add(attempt);
  }
  const { outboxIds, waiting } = await write(tx, applications, limits);
  for (const application of applications) outcomes.set(application.place, outcomeOf(application, outboxIds));
  return { outcomes, waiting };
}

/** Adds the declared fields to an attempt. Scripts are read only for reports that have values, and each version once. */
async function declaredFields(
  tx: Steps,
  remembered: RememberedFields,
  locked: (report: ResultReport) => LockedAttempt | undefined,
  reports: readonly Placed[],
): Promise<(attempt: LockedAttempt) => ReportedAttempt> {
  const telling = reports.flatMap(({ report }) => (hasValues(report.payload) ? (locked(report)?.script ?? []) : []));
  const fieldsOf = await remembered.of(telling, async missing => (await tx.step(fieldsOfVersions(missing)))[0]);
  return attempt => ({ ...attempt, declared: fieldsOf(attempt.script) });
}

function outcomeOf({ attempt, reading }: Application, outboxIds: ReadonlyMap<string, number>): ResultOutcome {
  return resultOutcome(attempt, reading, outboxIds.get(attempt.requestId) ?? null);
}

const isNews = (application: Application): application is Application<'first' | 'later'> => application.reading.kind !== 'duplicate';
/** Words of a user in a test call are no wish of a customer. Source: D7.16 */
const isReal = ({ attempt }: Pick<Application, 'attempt'>) => !attempt.isTest;
const isFirst = (application: Application): application is Application<'first'> => application.reading.kind === 'first';

/** Contacts that waited for the end of these calls. */
type Waiting = readonly { campaignId: number }[];

/** `outboxIds`: ids of outbox rows by request id. */
async function write(
  tx: Steps,
  applications: readonly Application[],
  limits: readonly LimitsRow[],
): Promise<{ outboxIds: Map<string, number>; waiting: Waiting }> {
  const news = applications.filter(isNews);
  if (news.length === 0) return { outboxIds: new Map(), waiting: [] };
  const firsts = applications.filter(isFirst);
  const outcomes = decideContacts(firsts, limits);
  const writes = news.map(application => ({ ...application, outcome: outcomes.get(application.attempt.id) ?? null }));
  // The batch has counted an accepted call already.
  const batches = firsts.map(({ attempt }) => (attempt.isAccepted ? null : attempt.batchId));
  const counted = await countScriptless(tx, firsts.filter(isReal));
  const concluded = await concludeCallbacks(tx, endedCalls(firsts, outcomes));
  const keys = firsts.map(({ attempt }) => attempt.dialKey);
  const [written, waiting] = await tx.last(
    writeResults(writes),
    freeNumbers(sql`select unnest(${texts(keys)})`),
    ...changeNumbers(changesOf(firsts, outcomes)),
    ...addOptOuts(news.filter(isReal)),
    ...listByRule(Array.from(outcomes, ([id, { isListed }]) => (isListed ? [id] : [])).flat()),
    ...concluded,
    ...promiseFromResults(reportedPromises(firsts)),
    ...refreshBatches(batches),
    ...counted,
  );
  return { outboxIds: new Map(written.map(({ id, requestId }) => [requestId, id])), waiting };
}

function changesOf(firsts: readonly Application<'first'>[], outcomes: ReadonlyMap<number, Conclusion>) {
  return numberChanges(
    firsts.flatMap(({ attempt: { id, contactId } }) => {
      const outcome = outcomes.get(id);
      return outcome === undefined ? [] : [{ ...outcome, id, contactId }];
    }),
  );
}

function endedCalls(firsts: readonly Application<'first'>[], outcomes: ReadonlyMap<number, Conclusion>): EndedCall[] {
  return firsts.flatMap(({ attempt, reading }) => {
    const outcome = outcomes.get(attempt.id);
    if (!attempt.isPromised || outcome === undefined) return [];
    const { callStatus } = reading.fields;
    return [{ attemptId: attempt.id, ...callbackEnd({ callStatus, isCounted: outcome.isCounted, endedAt: reading.overAt }) }];
  });
}

/** A customer who asks not to be called again gets no callback. */
function reportedPromises(firsts: readonly Application<'first'>[]): ReportedPromise[] {
  return firsts.flatMap(({ attempt, report, reading: { callback } }) =>
    callback === null || report.optOut ? [] : [{ attemptId: attempt.id, ...callback }],
  );
}

function decideContacts(firsts: readonly Application<'first'>[], limits: readonly LimitsRow[]): Map<number, Conclusion> {
  const limitsOf = retryLimits(limits);
  return new Map(
    firsts.map(({ attempt, report, reading }) => {
      const { zone, ruled, ...limits } = limitsOf(attempt.campaignId);
      return [
        attempt.id,
        concludeResult({ attempt, report, reading, limits, ruled, contact: { ...attempt, zones: zonesOfContact(attempt.zones, zone) } }),
      ];
    }),
  );
}

/** Returns the updates of the counts. Campaigns whose count is unaffected are not locked: their results must not wait for each other. */
async function countScriptless(tx: Steps, firsts: readonly Application<'first'>[]): Promise<RawBuilder<unknown>[]> {
  const concerned = firsts.filter(({ attempt, reading }) => reading.isScriptless || attempt.scriptless !== null);
  const statements: RawBuilder<unknown>[] = [];
  for (const campaignId of [...new Set(concerned.map(({ attempt }) => attempt.campaignId))].sort((a, b) => a - b)) {
    const [[known]] = await tx.step(sql<{ scriptless: ScriptlessCalls | null }>`
      select scriptless from campaign where id = ${campaignId} for no key update`);
    const ofCampaign = firsts.filter(({ attempt }) => attempt.campaignId === campaignId);
    const calls = ofCampaign.reduce(scriptlessAfter, known?.scriptless ?? null);
    statements.push(
      calls === null
        ? sql`update campaign set scriptless = null where id = ${campaignId} and scriptless is not null`
        : sql`update campaign set scriptless = ${json(calls)}, next_wake_at = now() where id = ${campaignId}`,
    );
  }
  return statements;
}

function scriptlessAfter(known: ScriptlessCalls | null, { attempt, reading }: Application<'first'>): ScriptlessCalls | null {
  return reading.isScriptless ? afterScriptless(known, scriptKey(attempt.script), attempt.now) : null;
}

/** Finds attempts by `requestId`, else by `attemptId` (D7.7). */
function reported(reports: readonly ResultReport[]): RawBuilder<unknown> {
  const requestIds = reports.flatMap(({ requestId }) => requestId ?? []);
  const attemptIds = reports.flatMap(({ requestId, attemptId }) => (requestId === null ? (attemptId ?? []) : []));
  return sql`(a.request_id = any(${uuids(requestIds)}) or a.id = any(${ids(attemptIds)}))`;
}

/** Locks the contacts, too, because a later claim of one may be reverted at this moment (dial-mark.ts). */
function lockAttempts(which: RawBuilder<unknown>): RawBuilder<LockedAttempt> {
  return sql<LockedAttempt>`
    select a.id, a.request_id, a.campaign_id, a.batch_id, a.status, a.accepted_at is not null as is_accepted, a.phone_number,
      c.attempt_count, c.callback_at is not null as is_promised, ${HISTORY}, a.tested_by is not null as is_test, a.result_hashes as hashes,
      now() as now,
      (select scriptless from campaign where id = a.campaign_id) as scriptless,
      case when a.script_id is not null then jsonb_build_object('scriptId', a.script_id, 'version', a.script_version) end as script,
      a.call_status, a.claimed_at, a.started_at, a.answered_at, a.ended_at, a.duration_seconds, a.hangup_cause, a.hangup_by, a.recording_url,
      a.intent, a.recognized_text, a.payload, a.result_fields, a.result_layers, a.reported_times, ${BUSINESS_ZONE} as zone
    from attempt a join contact c on c.id = a.contact_id
    where ${which} order by a.id for no key update`;
}

function byReport(rows: readonly LockedAttempt[]): (report: ResultReport) => LockedAttempt | undefined {
  const byRequest = new Map(rows.map(row => [row.requestId, row]));
  const byId = new Map(rows.map(row => [row.id, row]));
  return ({ requestId, attemptId }) => (requestId === null ? byId.get(attemptId ?? 0) : byRequest.get(requestId.toLowerCase()));
}
