import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { keyed } from '#bench/support/numbered-contacts.ts';
import { indexContacts } from '#contacts/contact-counts.ts';
import { insertCampaign } from '#test/support/rows.ts';

/** Rows per statement, so that its transition tables and its memory stay small. */
const CHUNK = 50_000;
/** The first campaign has half of all contacts, the others share the rest. */
const CAMPAIGNS = 10;
/** Contacts arrive in files of this size, each for one campaign. */
const FILE = sql.lit(10_000);
const SURNAMES = '王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗';
const GIVEN = '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平';
const PREFIXES = ['138', '139', '135', '136', '137', '150', '151', '159', '186', '188'];

export interface LoadedRows {
  /** The campaign with half of all contacts. */
  campaignId: number;
  contacts: number;
  attempts: number;
}

/** Loads contacts and closed attempts as after a year of campaigns, with every trigger that maintains totals and search entries. */
export async function loadRows(
  db: Database,
  wanted: { contacts: number; attempts: number; print: (line: string) => void },
): Promise<LoadedRows> {
  const campaigns: number[] = [];
  for (let index = 0; index < CAMPAIGNS; index++) campaigns.push(await insertCampaign(db, { status: 'paused', name: `活动 ${index + 1}` }));
  const [campaignId = 0] = campaigns;
  for (let start = 0; start < wanted.contacts; start += CHUNK) {
    await insertContacts(db, campaignId, start, Math.min(CHUNK, wanted.contacts - start));
  }
  wanted.print(`  ${wanted.contacts} contacts loaded`);
  // The server indexes after every import too: contacts outside the index are searched row by row.
  while ((await indexContacts(db, CHUNK)) > 0);
  wanted.print(`  ${wanted.contacts} contacts indexed for the search`);
  for (let start = 0; start < wanted.attempts; start += CHUNK) {
    await insertAttempts(db, { start, count: Math.min(CHUNK, wanted.attempts - start), contacts: wanted.contacts });
  }
  wanted.print(`  ${wanted.attempts} attempts loaded`);
  await db.run(sql`vacuum analyze`);
  return { campaignId, contacts: wanted.contacts, attempts: wanted.attempts };
}

function insertContacts(db: Database, campaignId: number, start: number, count: number): Promise<unknown> {
  const { numbers, keys } = keyed(Array.from({ length: count }, (_, index) => numberOf(start + index)));
  return db.run(sql`
    insert into contact (campaign_id, phone_number, dial_key, customer_name, remark, status)
    select case when g / ${FILE} % 2 = 0 then ${campaignId}::int else ${campaignId}::int + 1 + (g / ${FILE} / 2 % ${CAMPAIGNS - 1}) end, phone, key,
      substr(${SURNAMES}, 1 + g % 20, 1) || substr(${GIVEN}, 1 + (g / 20) % 20, 1) || substr(${GIVEN}, 1 + (g / 400) % 20, 1),
      case when g % 50 = 0 then '重点客户' else '' end, (array['pending', 'completed', 'failed', 'completed'])[1 + (g / 2) % 4]
    from generate_series(${start}::int, ${start + count - 1}::int) as g
    join unnest(${numbers}::text[], ${keys}::text[]) with ordinality as made (phone, key, place) on place = g - ${start}::int + 1`);
}

const numberOf = (index: number) => `${PREFIXES[(index * 7) % PREFIXES.length]}${String((index * 48_271) % 100_000_000).padStart(8, '0')}`;

function insertAttempts(db: Database, { start, count, contacts }: { start: number; count: number; contacts: number }): Promise<unknown> {
  return db.run(sql`
    insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, call_status, emotion_status, claimed_at, dialing_at,
                         answered_at, ended_at, duration_seconds, created_at)
    select gen_random_uuid(), k.campaign_id, k.id, k.phone_number, k.dial_key, made.status, case when made.status = 'completed' then 'completed' else 'busy' end,
      case when g % 100 = 0 then 'done' else 'none' end, at, at, case when made.status = 'completed' then at end, at + interval '1 minute', 60, at
    from generate_series(${start}::int, ${start + count - 1}::int) as g
    cross join lateral (select case when g % 3 = 0 then 'failed' else 'completed' end as status, now() - (g % 525600) * interval '1 minute' as at) as made
    join contact k on k.id = 1 + g % ${contacts}::int`);
}
