import { sql } from 'kysely';
import type { Consent } from '#consent/consent.ts';
import { CONSENT_TABLE } from '#consent/consent-store.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { columnsOf, instant, texts } from '#platform/postgres/values.ts';
import { policy, type Policy } from '#policies/policy.ts';
import type { PastDial } from './decisions/preview-pack.ts';

/** Most dials that a preview replays; of more, the latest. */
export const MAX_DIALS = 50_000;
/** Most entries of the ledger that a preview reads. */
const MAX_CONSENTS = 200_000;
/** Most policies compared with a pack. */
const MAX_POLICIES = 10_000;

/** The latest dials since `since` (UTC ms), of one campaign or of all, oldest first; calls that never left are none. */
export async function readDials(db: Pick<Sql, 'rows'>, campaignId: number | null, since: number): Promise<PastDial[]> {
  const rows = await db.rows(sql<PastDial>`
    select a.id, a.campaign_id, a.dial_key, a.dialing_at as dialled_at, a.ended_at, a.outcome, coalesce(k.zones, c.time_zone) as zones
    from attempt a join campaign c on c.id = a.campaign_id left join contact k on k.id = a.contact_id
    where a.created_at > ${instant(since)} and a.dialing_at is not null and a.deleted_at is null and not a.is_line_fault
      and (${campaignId}::int is null or a.campaign_id = ${campaignId}::int)
    order by a.id desc limit ${MAX_DIALS}`);
  return rows.toSorted((one, other) => one.dialledAt - other.dialledAt || one.id - other.id);
}

/** The ledger's entries of these numbers, by number. */
export async function readLedgers(db: Pick<Sql, 'rows'>, dialKeys: readonly string[]): Promise<Map<string, Consent[]>> {
  const rows = await db.rows(sql<Consent & { subject: string }>`
    select l.subject, ${CONSENT_TABLE.columns} from consent l where l.subject = any(${texts(dialKeys)}) limit ${MAX_CONSENTS}`);
  return Map.groupBy(rows, ({ subject }) => subject);
}

/** Policies that bind the campaign, or with null any campaign. */
export function readRivals(db: Pick<Sql, 'rows'>, campaignId: number | null): Promise<Policy[]> {
  const which = campaignId === null ? sql`true` : sql`p.campaign_id is null or p.campaign_id = ${campaignId}`;
  return db.rows(sql<Policy>`
    select ${columnsOf(policy, 'p')} from policy p where p.is_enabled and p.rule_id is null and (${which}) order by p.id limit ${MAX_POLICIES}`);
}

/** Policies that carry out rules. */
export function readRulePolicies(db: Pick<Sql, 'rows'>): Promise<Policy[]> {
  return db.rows(sql<Policy>`
    select ${columnsOf(policy, 'p')} from policy p where p.rule_id is not null order by p.campaign_id nulls first, p.id limit ${MAX_POLICIES}`);
}
