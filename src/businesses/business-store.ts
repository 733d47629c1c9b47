import { sql } from 'kysely';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import type { Business } from './business.ts';
import { defineEntity, p } from '@mikro-orm/core';
import { stampColumns } from '#platform/postgres/entity-columns.ts';

/** Most businesses in one response. */
const MAX_LISTED = 10_000;

/** Lists businesses by code; disabled ones only with `isEveryOne`. Source: OCS 4.3 */
export function listBusinesses({ db }: { db: Database }, { isEveryOne = false } = {}): Promise<Business[]> {
  return db.read(em =>
    em.find(BusinessEntity, isEveryOne ? {} : { isEnabled: true }, { orderBy: { businessCode: 'asc' }, limit: MAX_LISTED }),
  );
}

/** Returns the businesses that have one of the codes. */
export function readBusinesses({ db }: { db: Database }, codes: readonly string[]): Promise<Business[]> {
  return db.read(em => em.find(BusinessEntity, { businessCode: { $in: [...codes] } }));
}

/** Counts the campaigns of each business, without archived ones; a business without campaigns has no row. */
export function countCampaigns({ db }: { db: Sql }, codes: readonly string[]): Promise<{ businessCode: string; campaigns: number }[]> {
  return db.rows(sql<{ businessCode: string; campaigns: number }>`
    select business_code, count(*)::int as campaigns from campaign
    where business_code = any(${[...codes]}::text[]) and deleted_at is null and status <> 'archived' group by business_code`);
}

/** A business as the configuration declares it. Source: D1.3 */
export interface ConfiguredBusiness {
  businessCode: string;
  businessName: string;
  isEnabled?: boolean | undefined;
  remark?: string | undefined;
  /** When absent, the stored value stays; false for a new business. */
  runtimeBringsFlow?: boolean | undefined;
}

/**
 * Writes the businesses of the configuration to the database at start; returns the number of rows that changed.
 *
 * Why:    a business that the configuration no longer declares stays, because campaigns may still refer to it, and people may change it from
 *         then on; servers that start at the same time write the same rows, so this is one statement that is safe to repeat
 * Source: D1.3
 */
export function seedBusinesses(db: Database, configured: readonly ConfiguredBusiness[]): Promise<number> {
  const rows = configured.map(({ isEnabled = true, remark = '', ...business }) => ({ ...business, isEnabled, remark }));
  return db.run(sql`
    with released as (
      update business set is_configured = false where is_configured and business_code <> all(${rows.map(row => row.businessCode)}::text[])
      returning 1)
    insert into business as b (business_code, business_name, is_enabled, remark, runtime_brings_flow, is_configured)
    select s."businessCode", s."businessName", s."isEnabled", s.remark, coalesce(s."runtimeBringsFlow", known.runtime_brings_flow, false), true
    from jsonb_to_recordset(${json(rows)}) as s
      ("businessCode" text, "businessName" text, "isEnabled" boolean, remark text, "runtimeBringsFlow" boolean)
    left join business known on known.business_code = s."businessCode"
    order by s."businessCode"
    on conflict (business_code) do update
      set business_name = excluded.business_name, is_enabled = excluded.is_enabled, remark = excluded.remark,
          runtime_brings_flow = excluded.runtime_brings_flow, is_configured = true
      where (b.business_name, b.is_enabled, b.remark, b.runtime_brings_flow, b.is_configured)
        is distinct from (excluded.business_name, excluded.is_enabled, excluded.remark, excluded.runtime_brings_flow, true)`);
}

const schema = defineEntity({
  name: 'BusinessEntity',
  tableName: 'business',
  properties: {
    id: p.integer().primary().autoincrement(),
    businessCode: p.text(),
    businessName: p.text(),
    isEnabled: p.boolean(),
    remark: p.text(),
    /** The runtime of this business brings its own call flow; no script of ours is used. Source: D5.6 */
    runtimeBringsFlow: p.boolean(),
    isConfigured: p.boolean(),
    ...stampColumns(),
  },
});

export class BusinessEntity extends schema.class {}

schema.setClass(BusinessEntity);
