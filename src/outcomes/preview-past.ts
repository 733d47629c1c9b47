import { sql } from 'kysely';
import { zonesOfContact } from '#contacts/contact.ts';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import { type Clock, sleep } from '#kernel/clock.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { instant } from '#platform/postgres/values.ts';
import { attemptsAllowed } from './decisions/contact-outcome.ts';
import type { OutcomeRules } from './decisions/outcome-rules.ts';
import { answerRates, type History, NO_ROW, previewRules, type Setting, sumOfPreviews } from './decisions/preview-rules.ts';
import type { RulePreview } from './decisions/rule-versions.ts';
import { hoursOf, limitsQuery, limitsUnder } from './retry-limits.ts';
import { readRules, requireFit } from './rule-store.ts';

const DAYS = 7;
/** Newest attempts that a preview reads. */
const MAX_ATTEMPTS = 20_000;
/** Contacts that are replayed before other work of the process has its turn. */
const CHUNK = 500;

/**
 * Replays the campaign's attempts of the last seven days through rules that are not stored yet. Counts begin anew with these days; of more
 * than 20,000 attempts the newest are replayed.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT naming row and reason
 * Source: D7.14
 */
export async function previewOnPast(app: Pick<Platform, 'db' | 'clock'>, campaignId: number, rules: OutcomeRules): Promise<RulePreview> {
  await readRules(app, campaignId);
  await requireFit(app.db, campaignId, rules);
  const to = app.clock.now();
  const { setting, zone } = await readSetting(app.db, campaignId, rules);
  const histories = await readHistories(app.db, campaignId, { zone, since: to - DAYS * MS_PER_DAY });
  const starts = histories.flatMap(({ attempts }) => attempts.slice(0, 1).map(({ startedAt }) => startedAt));
  return {
    from: starts.length === 0 ? null : starts.reduce((a, b) => Math.min(a, b)),
    to,
    ...(await replayAll(app.clock, rules, { histories, setting })),
  };
}

async function readSetting(db: Sql, campaignId: number, rules: OutcomeRules): Promise<{ setting: Setting; zone: string }> {
  const [row] = await db.rows(limitsQuery(sql`select ${campaignId}::int`));
  if (row === undefined) throw new Error('a statement without a condition has a row');
  const { maxRetries, retryIntervalSeconds, retryUnknown, zone } = limitsUnder(row, campaignId, rules);
  const setting = { attemptsAllowed: attemptsAllowed(maxRetries), intervalSeconds: retryIntervalSeconds, retryUnknown, open: hoursOf(row) };
  return { setting, zone };
}

/** Attempts that cost the contact nothing are left out, because no rule decided after them. */
async function readHistories(db: Sql, campaignId: number, { zone, since }: { zone: string; since: number }): Promise<History[]> {
  const rows = await db.rows(sql<Omit<History, 'zones'> & { zones: string | null }>`
    with newest as (
      select * from attempt where campaign_id = ${campaignId} and deleted_at is null order by id desc limit ${MAX_ATTEMPTS})
    select c.zones, jsonb_agg(jsonb_build_object('id', a.id, 'outcome', a.outcome, 'isUnknown', a.call_status is null,
      'startedAt', epoch_ms(coalesce(a.started_at, a.claimed_at)), 'endedAt', epoch_ms(a.ended_at)) order by a.id) as attempts
    from newest a join contact c on c.id = a.contact_id
    where a.claimed_at >= ${instant(since)} and a.outcome is not null and a.ended_at is not null
      and a.evidence ->> 'basis' is distinct from 'own_failure'
    group by c.id`);
  return rows.map(({ zones, attempts }) => ({ zones: zonesOfContact(zones, zone), attempts }));
}

interface Past {
  histories: readonly History[];
  setting: Setting;
}

async function replayAll(clock: Clock, rules: OutcomeRules, { histories, setting }: Past): Promise<Omit<RulePreview, 'from' | 'to'>> {
  const rates = answerRates(histories);
  const previews = [];
  for (let from = 0; from < histories.length; from += CHUNK) {
    previews.push(previewRules(rules, histories.slice(from, from + CHUNK), setting, rates));
    await sleep(clock, 0);
  }
  const { applied, reachedMore, ...counts } = sumOfPreviews(previews);
  const rows = [...rules.rules.keys(), NO_ROW].map(row => ({ row: row === NO_ROW ? null : row, applied: applied[row] ?? 0 }));
  return { ...counts, reachedMore: Math.round(reachedMore), rows };
}
