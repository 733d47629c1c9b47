import { sql } from 'kysely';
import type { ClaimOutcome, ClaimRequest, DialStore } from '#ports/dial-store.ts';
import { tallySum, WAITING } from '#adapters/postgres/contact-tally.ts';
import type { Database, Sql } from '#adapters/postgres/database.ts';
import { instant } from '#adapters/postgres/values.ts';
import { type CandidateRow, lockCandidates, type Verdicts } from './dial-candidates.ts';
import { writeClaim } from './dial-claim-write.ts';
import { openRecentDials, type RecentDials } from './recent-dials.ts';
import { mayDispatch } from './admission.ts';

/** Looks at the queue in one claim; what they leave is for the next claim. */
const MAX_ROUNDS = 10;
/** Contacts of one look: more than the grants, for some will be held. */
const MIN_ROUND_SIZE = 20;
const MAX_ROUND_SIZE = 200;

/**
 * Claims contacts for granted slots in one transaction: campaign locked and checked, contacts locked and decided, attempts written.
 *
 * Source: A6 step 3, D5.5, D7.1, D8.6
 */
export function claimDials(db: Database): DialStore['claim'] {
  return request => db.transaction(tx => claim(tx, request));
}

async function claim(tx: Sql, request: ClaimRequest): Promise<ClaimOutcome> {
  const campaign = await lockCampaign(tx, request);
  if (campaign === null) return { kind: 'stale' };
  const verdicts = await decideCandidates(tx, request, campaign.at);
  const { batchId, dials, invalid } = await writeClaim(tx, request, verdicts);
  const remainingPending = campaign.pending - leftPending(verdicts, [...dials, ...invalid]);
  if (batchId === null) return { kind: 'nothing', remainingPending };
  const used = new Set(dials.map(dial => dial.requestId));
  const unusedRequestIds = request.grants.map(grant => grant.requestId).filter(id => !used.has(id));
  return { kind: 'claimed', batchId, dials, invalid, unusedRequestIds, remainingPending };
}

/** How many contacts are pending no more: those that are held, and those whose attempt was written. */
function leftPending({ admitted, held, failed }: Verdicts, written: readonly { contactId: number }[]): number {
  const moved = new Set([...held.map(({ row }) => row.contactId), ...written.map(({ contactId }) => contactId)]);
  const rows = [...admitted, ...held.map(({ row }) => row), ...failed.map(({ row }) => row)];
  return rows.filter(({ contactId, isRetry }) => !isRetry && moved.has(contactId)).length;
}

/** Resolves to null when the campaign or the policies are no longer what the plan saw. `at`: the instant of the claim, UTC ms. */
async function lockCampaign(
  tx: Sql,
  { campaignId, source, policyVersion, ...plan }: ClaimRequest,
): Promise<{ at: number; pending: number } | null> {
  await tx.run(sql`select id from campaign where id = ${campaignId} for no key update`);
  // After the lock, in a statement of its own: waiting for it may have taken long.
  const allowed = await tx.first(sql<{ at: number; pending: number }>`
    select clock_timestamp() as at, ${tallySum(sql`c.id`, WAITING.pending)} as pending from campaign c join rules_version r on r.version = ${policyVersion}
    where c.id = ${campaignId} and epoch_ms(c.updated_at) = ${plan.campaignUpdatedAt} and ${mayDispatch(sql`${source}::text`)}
      and (${plan.validUntil}::float8 is null or ${instant(plan.validUntil)} > clock_timestamp())`);
  return allowed ?? null;
}

async function decideCandidates(tx: Sql, request: ClaimRequest, at: number): Promise<Verdicts> {
  const verdicts: Verdicts = { at, admitted: [], held: [], failed: [] };
  const dials = await openRecentDials(tx, request, at);
  const seen: number[] = [];
  for (let round = 0; round < MAX_ROUNDS && verdicts.admitted.length < request.grants.length; round += 1) {
    const missing = request.grants.length - verdicts.admitted.length;
    const limit = Math.min(MAX_ROUND_SIZE, Math.max(MIN_ROUND_SIZE, missing));
    const rows = await lockCandidates(tx, { campaignId: request.campaignId, at, limit, seen });
    seen.push(...rows.map(row => row.contactId));
    await dials.read(rows.map(row => row.dialKey));
    for (const row of rows) decide(request, verdicts, { row, at, dials });
    if (rows.length < limit) break;
  }
  return verdicts;
}

function decide(
  request: ClaimRequest,
  verdicts: Verdicts,
  { row, at, dials }: { row: CandidateRow; at: number; dials: RecentDials },
): void {
  if (verdicts.admitted.length === request.grants.length) return;
  const verdict = request.admit({ ...row, recentDials: dials.of(row.dialKey) }, at);
  if (verdict.kind === 'hold') verdicts.held.push({ row, reason: verdict.reason, until: verdict.until });
  else if (verdict.kind === 'fail') verdicts.failed.push({ row, callStatus: verdict.callStatus });
  else {
    verdicts.admitted.push(row);
    dials.add(row.dialKey);
  }
}
