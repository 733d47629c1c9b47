import { sql } from 'kysely';
import { intIds } from '#platform/postgres/values.ts';
import type { JsonObject, JsonValue } from '#kernel/json.ts';
import type { Platform } from '#platform/platform.ts';

/** Moments of a campaign: users' actions on it and on its lines, from audit rows, and its own changes, from runtime events. */
const BY_PEOPLE = {
  'campaign.created': 'created',
  'campaign.updated': 'updated',
  'campaign.started': 'started',
  'campaign.paused': 'paused',
  'campaign.archived': 'archived',
  'contact.imported': 'imported',
  'contact.added': 'added',
} as const;
const OF_LINES = { true: 'line_enabled', false: 'line_disabled' } as const;
const BY_ITSELF = { 'campaign.completed': 'completed', 'campaign.blocked': 'blocked' } as const;
const KINDS = { ...BY_PEOPLE, ...OF_LINES, ...BY_ITSELF } as const;

export const MOMENT_KINDS = Object.values(KINDS);

/** A setting that an edit changed. */
export interface SettingChange {
  field: string;
  before: JsonValue;
  after: JsonValue;
}

export interface CampaignMoment {
  campaignId: number;
  kind: (typeof MOMENT_KINDS)[number];
  /** UTC ms. */
  at: number;
  /** Name of the user as pages show it; null for the campaign itself. */
  by: string | null;
  /** Chinese text. */
  message: string;
  /** Row counts of an import, or of contacts that were added. */
  rows: { totalRows: number; createdRows: number; duplicateRows: number; failedRows?: number } | null;
  /** Name of the line that was enabled or disabled. */
  line: string | null;
  /** Settings that an edit changed: lines by name, each member of `businessConfig` separately. */
  changes: SettingChange[];
}

/** Most moments of one campaign. */
const MAX_MOMENTS = 100;

type MomentRow = Omit<CampaignMoment, 'kind' | 'changes'> & { name: keyof typeof KINDS; detail: JsonValue };

/** Returns the newest 100 moments of each campaign, newest first. */
export async function readHistories(app: Pick<Platform, 'db'>, campaignIds: readonly number[]): Promise<Map<number, CampaignMoment[]>> {
  const [actions, types] = [Object.keys(BY_PEOPLE), Object.keys(BY_ITSELF)];
  const newest = sql`order by id desc limit ${MAX_MOMENTS}`;
  const rows = await app.db.rows(sql<MomentRow>`
    select asked.id as campaign_id, moment.at, moment.name, coalesce(nullif(u.display_name, ''), moment.by) as by, moment.message, moment.line,
      case when moment.name like 'contact.%' then moment.detail end as rows, case when moment.name like 'campaign.%' then moment.detail end as detail
    from unnest(${intIds(campaignIds)}) as asked (id) cross join lateral (
      select * from (
        (select created_at as at, action as name, actor_id, actor_name as by, summary as message, null as line, detail
         from audit_log where target_type = 'campaign' and target_id = asked.id::text and action = any(${actions}) ${newest})
        union all
        (select l.created_at, l.enabled, l.actor_id, l.actor_name, l.summary, l.line, null from (
           select a.*, line.name as line, coalesce((a.detail->'after'->>'isEnabled')::boolean, true)::text as enabled
           from campaign_line bound join line on line.id = bound.line_id join audit_log a on a.target_type = 'line' and a.target_id = line.id::text
           where bound.campaign_id = asked.id and a.action = 'line.updated' and a.detail->'after' ? 'isEnabled'
             and a.created_at > (select created_at from campaign where id = asked.id)) l ${newest})
        union all
        (select created_at, type, null, null, message, null, null from runtime_event
         where campaign_id = asked.id and type = any(${types}) and type in ('campaign.completed', 'campaign.blocked') ${newest})
      ) as each_kind order by at desc limit ${MAX_MOMENTS}) as moment
    left join app_user u on u.id = moment.actor_id
    order by moment.at desc`);
  const lineNames = await readLineNames(app, rows);
  const moments = rows.map(({ name, detail, ...moment }) => ({ ...moment, kind: KINDS[name], changes: changesOf(detail, lineNames) }));
  return Map.groupBy(moments, ({ campaignId }) => campaignId);
}

/** Extracts the changed settings from the audited detail of an edit; a move is not a setting. */
function changesOf(detail: JsonValue, lineNames: ReadonlyMap<number, string>): SettingChange[] {
  const [before, after] = [settingsOf(detail, 'before', lineNames), settingsOf(detail, 'after', lineNames)];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(field => !MOVES.has(field));
  const changes = fields.map(field => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
  return changes.filter(change => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

const MOVES: ReadonlySet<string> = new Set(['status', 'phaseReason']);

function settingsOf(detail: JsonValue, side: 'before' | 'after', lineNames: ReadonlyMap<number, string>): JsonObject {
  const { lineIds, businessConfig, ...settings } = objectOf(objectOf(detail)[side] ?? null);
  const lines = Array.isArray(lineIds) ? { lineIds: lineIds.map(id => lineNames.get(Number(id)) ?? `#${JSON.stringify(id)}`) } : {};
  return { ...settings, ...lines, ...objectOf(businessConfig ?? null) };
}

function objectOf(value: JsonValue): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** Reads the names of all lines that an edit added or removed, deleted ones included. */
async function readLineNames({ db }: Pick<Platform, 'db'>, rows: readonly MomentRow[]): Promise<ReadonlyMap<number, string>> {
  const named = rows.flatMap(({ detail }) =>
    (['before', 'after'] as const).flatMap(side => objectOf(objectOf(detail)[side] ?? null)['lineIds'] ?? []),
  );
  const lineIds = [...new Set(named.map(Number))];
  if (lineIds.length === 0) return new Map();
  const lines = await db.rows(sql<{ id: number; name: string }>`select id, name from line where id = any(${intIds(lineIds)})`);
  return new Map(lines.map(({ id, name }) => [id, name]));
}
