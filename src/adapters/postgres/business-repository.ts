import { sql } from 'kysely';
import type { BusinessStore } from '#ports/business-store.ts';
import type { Business } from '#ports/records.ts';
import type { Database } from './database.ts';
import { BusinessEntity } from './entities/business-entity.ts';
import { json } from './values.ts';

export function businessRepository(db: Database): BusinessStore {
  return {
    async listEnabled() {
      const rows = await db.read(em => em.find(BusinessEntity, { isEnabled: true }, { orderBy: { businessCode: 'asc' } }));
      return rows.map(business);
    },
    // Servers that start at once seed the same rows: one statement that repeats without harm.
    seed: rows =>
      db.run(sql`
        insert into business as b (business_code, business_name, is_enabled, remark)
        select s."businessCode", s."businessName", s."isEnabled", s.remark
        from jsonb_to_recordset(${json(rows)}) as s ("businessCode" text, "businessName" text, "isEnabled" boolean, remark text)
        order by s."businessCode"
        on conflict (business_code) do update
          set business_name = excluded.business_name, is_enabled = excluded.is_enabled, remark = excluded.remark
          where (b.business_name, b.is_enabled, b.remark) is distinct from (excluded.business_name, excluded.is_enabled, excluded.remark)`),
  };
}

function business({ id, businessCode, businessName, isEnabled, remark, createdAt, updatedAt }: BusinessEntity): Business {
  return { id, businessCode, businessName, isEnabled, remark, createdAt, updatedAt };
}
