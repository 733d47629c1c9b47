import { type RawBuilder, sql } from 'kysely';
import type { CampaignProgress, GraphStore } from '#ports/graph-store.ts';
import type { Attempt, Campaign, Contact, Line, TranscriptSegment } from '#ports/records.ts';
import { ATTEMPT_COLUMNS } from './attempt-columns.ts';
import { leadingFilter } from './attempt-filter.ts';
import { countAttempts } from './attempt-repository.ts';
import { CAMPAIGN_COLUMNS, campaignMatches } from './campaign-columns.ts';
import { CONTACT_COLUMNS } from './contact-columns.ts';
import type { Database, Sql } from './database.ts';
import { graphAgents } from './graph-agents.ts';
import { attemptSlice, graphCampaignLists } from './graph-campaign-lists.ts';
import { graphManagement } from './graph-management.ts';
import { before, cut } from './graph-slice.ts';
import { readTimelines } from './graph-timeline.ts';
import { OPEN } from './open-attempt.ts';
import { ids } from './values.ts';

/** Segments of one attempt, as for the REST list. */
const MAX_SEGMENTS = 5_000;

export function graphRepository(db: Database): GraphStore {
  return {
    ...graphAgents(db),
    ...graphManagement(db),
    ...graphCampaignLists(db),
    sliceCampaigns: slice =>
      cut(slice, limit =>
        db.rows(sql<Campaign>`
          select ${CAMPAIGN_COLUMNS} from campaign c where c.deleted_at is null and ${campaignMatches(slice.q)} and ${before(sql`c.id`, slice)}
          order by c.id desc limit ${limit}`),
      ),
    sliceAttempts: slice =>
      cut(slice, limit => db.rows(sql<Attempt>`${attemptSlice(slice, { ...leadingFilter(slice), limit })} order by a.id desc`)),
    countCampaigns: ({ q }) =>
      count(db, sql<Total>`select count(*) as total from campaign c where c.deleted_at is null and ${campaignMatches(q)}`),
    countAttempts: query => countAttempts(db, query),
    campaigns: campaignIds =>
      db.rows(sql<Campaign>`select ${CAMPAIGN_COLUMNS} from campaign c where c.id = any(${ids(campaignIds)}) and c.deleted_at is null`),
    lines: lineIds => db.rows(sql<Line>`select ${LINE_COLUMNS} from line l where l.id = any(${ids(lineIds)}) and l.deleted_at is null`),
    contacts: contactIds =>
      db.rows(sql<Contact>`select ${CONTACT_COLUMNS} from contact k where k.id = any(${ids(contactIds)}) and k.deleted_at is null`),
    attempts: attemptIds =>
      db.rows(sql<Attempt>`select ${ATTEMPT_COLUMNS} from attempt a where a.id = any(${ids(attemptIds)}) and a.deleted_at is null`),
    transcripts: attemptIds => readTranscripts(db, attemptIds),
    timelines: attemptIds => readTimelines(db, attemptIds),
    progress: campaignIds => readProgress(db, campaignIds),
  };
}

interface Total {
  total: number;
}

async function count(db: Sql, statement: RawBuilder<Total>): Promise<number> {
  return (await db.first(statement))?.total ?? 0;
}

const LINE_COLUMNS = sql`
  l.id, l.name, l.code, l.dial_string_template as "dialStringTemplate", l.caller_id_number as "callerIdNumber", l.caller_id_name as "callerIdName",
  l.max_concurrency as "maxConcurrency", l.allocation_mode as "allocationMode", l.caller_id_header_mode as "callerIdHeaderMode",
  l.is_enabled as "isEnabled", l.description, l.created_at as "createdAt", l.updated_at as "updatedAt",
  (select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'number', n.number, 'weight', n.weight, 'maxConcurrency', n.max_concurrency,
     'isEnabled', n.is_enabled) order by n.position, n.id), '[]') from line_number n where n.line_id = l.id) as numbers`;

function readTranscripts(db: Sql, attemptIds: readonly number[]): Promise<TranscriptSegment[]> {
  return db.rows(sql<TranscriptSegment>`
    select t.id, t.attempt_id as "attemptId", t.segment_id as "segmentId", t.speaker, t.text, t.start_ms as "startMs", t.end_ms as "endMs",
           t.node_id as "nodeId", t.created_at as "createdAt", t.updated_at as "updatedAt"
    from unnest(${ids(attemptIds)}) as asked (id)
    cross join lateral (select * from transcript_segment where attempt_id = asked.id order by position, id limit ${MAX_SEGMENTS}) as t
    order by t.attempt_id, t.position, t.id`);
}

/** Contacts from their tally, open attempts from their partial index: nothing is scanned. */
function readProgress(db: Sql, campaignIds: readonly number[]): Promise<CampaignProgress[]> {
  return db.rows(sql<CampaignProgress>`
    select c.id as "campaignId", c.status, c.phase, c.phase_reason as "phaseReason", c.next_wake_at as "nextWakeAt", t.*,
           (select count(*) from attempt a where a.campaign_id = c.id and ${OPEN}) as "activeCalls"
    from campaign c
    cross join lateral (
      select coalesce(sum(delta), 0) as total, ${tally(sql`status = 'pending'`)} as pending, ${tally(sql`status = 'submitted'`)} as submitted,
             ${tally(sql`status = 'completed'`)} as completed, ${tally(sql`status = 'failed'`)} as failed, ${tally(sql`status = 'paused'`)} as paused,
             ${tally(sql`status = 'failed' and retryable`)} as "awaitingRetry", ${tally(sql`held`)} as held
      from contact_tally where campaign_id = c.id) as t
    where c.id = any(${ids(campaignIds)}) and c.deleted_at is null`);
}

function tally(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce(sum(delta) filter (where ${condition}), 0)`;
}
