import { sql } from 'kysely';
import type { Database, Sql } from '#adapters/postgres/database.ts';
import { json } from '#adapters/postgres/values.ts';
import { type Business, BusinessEntity } from '#model/business.ts';

/** Businesses in one answer; they are written by hand, in the configuration. */
const MAX_LISTED = 10_000;

/** In the order of their codes; those that are not enabled only when they are asked for. Source: OCS 4.3 */
export function listBusinesses({ db }: { db: Database }, { isEveryOne = false } = {}): Promise<Business[]> {
  return db.read(em =>
    em.find(BusinessEntity, isEveryOne ? {} : { isEnabled: true }, { orderBy: { businessCode: 'asc' }, limit: MAX_LISTED }),
  );
}

/** Those that have one of the codes. */
export function readBusinesses({ db }: { db: Database }, codes: readonly string[]): Promise<Business[]> {
  return db.read(em => em.find(BusinessEntity, { businessCode: { $in: [...codes] } }));
}

/** How many campaigns each of the businesses has, archived ones aside; those without one are not named. */
export function countCampaigns({ db }: { db: Sql }, codes: readonly string[]): Promise<{ businessCode: string; campaigns: number }[]> {
  return db.rows(sql<{ businessCode: string; campaigns: number }>`
    select business_code, count(*)::int as campaigns from campaign
    where business_code = any(${[...codes]}::text[]) and deleted_at is null and status <> 'archived' group by business_code`);
}

/** A business as the configuration names it. Source: D1.3 */
export interface ConfiguredBusiness {
  businessCode: string;
  businessName: string;
  isEnabled?: boolean | undefined;
  remark?: string | undefined;
  /** Absent: it stays as it is, off for a new business. */
  runtimeBringsFlow?: boolean | undefined;
}

/**
 * Brings the businesses up to the configuration at start; returns how many rows changed.
 *
 * Why:    a business that left the configuration stays as it is, campaigns may still refer to it; servers that start at once write the same rows:
 *         one statement that repeats without harm
 * Source: D1.3
 */
export function seedBusinesses(db: Database, configured: readonly ConfiguredBusiness[]): Promise<number> {
  const rows = configured.map(({ isEnabled = true, remark = '', ...business }) => ({ ...business, isEnabled, remark }));
  return db.run(sql`
    insert into business as b (business_code, business_name, is_enabled, remark, runtime_brings_flow)
    select s."businessCode", s."businessName", s."isEnabled", s.remark, coalesce(s."runtimeBringsFlow", known.runtime_brings_flow, false)
    from jsonb_to_recordset(${json(rows)}) as s
      ("businessCode" text, "businessName" text, "isEnabled" boolean, remark text, "runtimeBringsFlow" boolean)
    left join business known on known.business_code = s."businessCode"
    order by s."businessCode"
    on conflict (business_code) do update
      set business_name = excluded.business_name, is_enabled = excluded.is_enabled, remark = excluded.remark,
          runtime_brings_flow = excluded.runtime_brings_flow
      where (b.business_name, b.is_enabled, b.remark, b.runtime_brings_flow)
        is distinct from (excluded.business_name, excluded.is_enabled, excluded.remark, excluded.runtime_brings_flow)`);
}
