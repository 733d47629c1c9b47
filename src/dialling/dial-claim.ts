import { type RawBuilder, sql } from 'kysely';
import { tallySum, WAITING } from '#campaigns/campaign-store.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Steps } from '#platform/postgres/hot-sql.ts';
import { instant } from '#platform/postgres/values.ts';
import { type CandidateRow, lockCandidates, type Verdicts } from './dial-candidates.ts';
import { writeClaim } from './dial-claim-write.ts';
import { claimsTakeTurns, type SeenDials, seenDials } from './recent-dials.ts';
import { mayDispatch } from './admission.ts';
import type { ClaimOutcome, ClaimRequest, DialStore } from './dial-store.ts';

/** Limit of queue reads per claim; further contacts are left to the next claim. */
const MAX_ROUNDS = 10;
/** Contacts per read: more than the grants, because some will be put on hold. */
const MIN_ROUND_SIZE = 20;
const MAX_ROUND_SIZE = 200;
const HELD_SHARE = 0.2;

/**
 * Claims contacts for granted slots in one transaction: locks and checks the campaign, locks and decides contacts, writes attempts. Usually
 * takes two round trips: lock and read everything; after the decision, write everything.
 *
 * Source: A6 step 3, D5.5, D7.1, D8.6
 */
export function claimDials(db: Database): DialStore['claim'] {
  return request => db.hot.transaction(tx => claim(tx, request));
}

async function claim(tx: Steps, request: ClaimRequest): Promise<ClaimOutcome> {
  const missing = request.grants.length;
  const [, [campaign], , rows] = await tx.step(
    ...lockCampaign(request),
    claimsTakeTurns(request),
    candidatesQuery(request, { missing, seen: [] }),
  );
  if (campaign === undefined) return { kind: 'stale' };
  const verdicts = await decideCandidates(tx, request, { rows, at: campaign.at });
  const { batchId, dials, invalid } = await writeClaim(tx, request, verdicts);
  const remainingPending = campaign.pending - leftPending(verdicts, [...dials, ...invalid]);
  if (batchId === null) return { kind: 'nothing', remainingPending };
  const used = new Set(dials.map(dial => dial.requestId));
  const unusedRequestIds = request.grants.map(grant => grant.requestId).filter(id => !used.has(id));
  return { kind: 'claimed', batchId, dials, invalid, unusedRequestIds, remainingPending };
}

/** Number of contacts that are no longer pending: those put on hold, and those with a written attempt. */
function leftPending({ admitted, held, failed }: Verdicts, written: readonly { contactId: number }[]): number {
  const moved = new Set([...held.map(({ row }) => row.contactId), ...written.map(({ contactId }) => contactId)]);
  const rows = [...admitted, ...held.map(({ row }) => row), ...failed.map(({ row }) => row)];
  return rows.filter(({ contactId, isRetry }) => !isRetry && moved.has(contactId)).length;
}

/**
 * Locks the campaign and then checks it: no row when the campaign or the policies have changed since the plan. `at`: the instant of the claim,
 * UTC ms.
 *
 * Why: the check is a separate statement, so that it sees commits that happened during a possibly long wait for the lock
 */
function lockCampaign({
  campaignId,
  source,
  policyVersion,
  ...plan
}: ClaimRequest): [RawBuilder<unknown>, RawBuilder<{ at: number; pending: number }>] {
  return [
    sql`select id from campaign where id = ${campaignId} for no key update`,
    sql`
    select clock_timestamp() as at, ${tallySum(sql`c.id`, WAITING.pending)} as pending from campaign c join rules_version r on r.version = ${policyVersion}
    where c.id = ${campaignId} and epoch_ms(c.updated_at) = ${plan.campaignUpdatedAt} and ${mayDispatch(sql`${source}::text`)}
      and (${plan.validUntil}::float8 is null or ${instant(plan.validUntil)} > clock_timestamp())`,
  ];
}

interface CandidatePage {
  missing: number;
  seen: readonly number[];
}

function candidatesQuery({ campaignId, frequencyDays }: ClaimRequest, { missing, seen }: CandidatePage): RawBuilder<CandidateRow> {
  return lockCandidates({ campaignId, frequencyDays, limit: roundSize(missing), seen });
}

function roundSize(missing: number): number {
  return Math.min(MAX_ROUND_SIZE, Math.max(MIN_ROUND_SIZE, missing + Math.ceil(missing * HELD_SHARE)));
}

async function decideCandidates(tx: Steps, request: ClaimRequest, first: { rows: readonly CandidateRow[]; at: number }): Promise<Verdicts> {
  const { at } = first;
  const verdicts: Verdicts = { at, admitted: [], held: [], failed: [] };
  const dials = seenDials(request, at);
  const taken = new Set<string>();
  const seen: number[] = [];
  let { rows } = first;
  for (let round = 1; ; round += 1) {
    const size = roundSize(request.grants.length - verdicts.admitted.length);
    seen.push(...rows.map(row => row.contactId));
    for (const row of rows) decide(request, verdicts, { row, at, dials, taken });
    const missing = request.grants.length - verdicts.admitted.length;
    if (missing === 0 || rows.length < size || round === MAX_ROUNDS) return verdicts;
    [rows] = await tx.step(candidatesQuery(request, { missing, seen }));
  }
}

interface Decided {
  row: CandidateRow;
  at: number;
  dials: SeenDials;
  /** Numbers already admitted in this claim. */
  taken: Set<string>;
}

function decide(request: ClaimRequest, verdicts: Verdicts, { row, at, dials, taken }: Decided): void {
  if (verdicts.admitted.length === request.grants.length) return;
  const isInCall = row.isInCall || taken.has(row.dialKey);
  const verdict = request.admit({ ...row, isInCall, recentDials: dials.of(row) }, at);
  if (verdict.kind === 'hold') verdicts.held.push({ row, reason: verdict.reason, until: verdict.until });
  else if (verdict.kind === 'fail') verdicts.failed.push({ row, callStatus: verdict.callStatus });
  else {
    verdicts.admitted.push(row);
    dials.add(row);
    taken.add(row.dialKey);
  }
}
