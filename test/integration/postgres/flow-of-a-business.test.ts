import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { migrationRig } from './migration-rig.ts';

const { db, migrate } = migrationRig('20261128160000-flow-of-a-business');

/** A business, whether it has a script, and how a call without one ended. */
const BUSINESSES = [
  { code: 'leads-itself', hasScript: false, ended: 'completed' },
  { code: 'never-led', hasScript: false, ended: 'failed' },
  { code: 'scripted', hasScript: true, ended: 'completed' },
] as const;

test('an upgrade lets businesses go on whose runtime completed calls without a script, and no other [D5.6]', async () => {
  await db().run(sql`alter table business drop column runtime_brings_flow`);
  for (const { code, hasScript, ended } of BUSINESSES) {
    await db().run(sql`insert into business (business_code, business_name) values (${code}, ${code})`);
    if (hasScript) await db().run(sql`insert into script (name, business_code) values (${code}, ${code})`);
    await db().run(sql`
      with made as (insert into campaign (name, business_code) values (${code}, ${code}) returning id),
           called as (insert into contact (campaign_id, phone_number, dial_key) select id, '13800138000', '13800138000' from made returning id, campaign_id)
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status)
      select gen_random_uuid(), campaign_id, id, '13800138000', '13800138000', ${ended} from called`);
  }
  await migrate();
  const rows = await db().rows(sql<{ businessCode: string }>`select business_code from business where runtime_brings_flow order by 1`);
  expect(rows.map(({ businessCode }) => businessCode)).toEqual(['leads-itself']);
});
