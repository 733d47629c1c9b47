import { sql } from 'kysely';
import type { Database } from '#adapters/postgres/database.ts';
import { json } from '#adapters/postgres/values.ts';
import { type Business, BusinessEntity } from '#model/business.ts';

/** Enabled ones, in the order of their codes. Source: OCS 4.3 */
export function listBusinesses({ db }: { db: Database }): Promise<Business[]> {
  return db.read(em => em.find(BusinessEntity, { isEnabled: true }, { orderBy: { businessCode: 'asc' } }));
}

/** A business as the configuration names it. Source: D1.3 */
export interface ConfiguredBusiness {
  businessCode: string;
  businessName: string;
  isEnabled?: boolean | undefined;
  remark?: string | undefined;
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
    insert into business as b (business_code, business_name, is_enabled, remark)
    select s."businessCode", s."businessName", s."isEnabled", s.remark
    from jsonb_to_recordset(${json(rows)}) as s ("businessCode" text, "businessName" text, "isEnabled" boolean, remark text)
    order by s."businessCode"
    on conflict (business_code) do update
      set business_name = excluded.business_name, is_enabled = excluded.is_enabled, remark = excluded.remark
      where (b.business_name, b.is_enabled, b.remark) is distinct from (excluded.business_name, excluded.is_enabled, excluded.remark)`);
}
