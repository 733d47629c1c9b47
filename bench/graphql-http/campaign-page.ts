import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { campaignAttempts } from '#attempts/attempt-store.ts';
import { readProgress } from '#campaigns/progress.ts';
import { readSlices, rowsById } from '#platform/postgres/listing.ts';
import { CONTACT_TABLE } from '#contacts/contact-store.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import { LINE_TABLE } from '#lines/line-store.ts';

/** Rows of the page. */
export const LAST_ATTEMPTS = 20;

/** Query of a campaign page as a dashboard sends it. */
export const CAMPAIGN_PAGE = `query Page($id: ID!) {
  campaign(id: $id) {
    id name status phase phaseReason maxConcurrency createdAt
    lines { id name maxConcurrency }
    progress { total pending completed failed awaitingRetry held activeCalls fraction }
    attempts(first: ${LAST_ATTEMPTS}) {
      nodes { id status callStatus startedAt answeredAt endedAt durationSeconds line { name } contact { id phoneNumber customerName } }
    }
  }
}`;

/** The statements behind the page with the same driver, each as early as the product issues it; returns the number of rows. */
export async function readPage(db: Database, campaignId: number): Promise<number> {
  const deps = { db };
  const [campaign] = await rowsById(deps, CAMPAIGN_TABLE, [campaignId]);
  if (!campaign) throw new Error('the campaign is gone');
  const [lines, progress, [attempts]] = await Promise.all([
    rowsById(deps, LINE_TABLE, campaign.lineIds),
    readProgress(deps, [campaignId]),
    readSlices(deps, campaignAttempts, [campaignId], { limit: LAST_ATTEMPTS, beyond: null }),
  ]);
  if (!attempts) throw new Error('the campaign has no list of attempts');
  const contacts = await rowsById(deps, CONTACT_TABLE, [...new Set(attempts.rows.map(({ contactId }) => contactId))]);
  return 1 + lines.length + progress.length + attempts.rows.length + contacts.length;
}

/** Two lines for the campaign, one of which its attempts used. */
export async function addLines(database: Database, campaignId: number): Promise<void> {
  const lines = await database.rows(sql<{ id: number }>`
    insert into line (name, code, dial_string_template, max_concurrency, allocation_mode)
    select '线路 ' || n, 'bench-' || n, 'sofia/external/{{destinationNumber}}@127.0.0.1', 10, 'single_shared' from generate_series(1, 2) as n returning id`);
  for (const [position, { id }] of lines.entries()) {
    await database.run(sql`insert into campaign_line (campaign_id, line_id, position) values (${campaignId}, ${id}, ${position})`);
  }
  await database.run(sql`update attempt set line_id = ${lines[0]?.id ?? null} where campaign_id = ${campaignId}`);
}
