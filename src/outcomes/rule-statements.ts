import { type RawBuilder, sql } from 'kysely';
import { scopeOf } from '#do-not-call/entry-conditions.ts';
import type { Database } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';

/**
 * The newest version of the rules of each campaign that the condition on `campaign_id` selects, as JSON, without campaigns that follow the
 * rules of all; `rules` null: it wants none.
 */
export function currentRules(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'campaignId', r.campaign_id, 'rules', r.rules)), '[]')
     from (select distinct on (coalesce(campaign_id, 0)) id, campaign_id, rules, inherits from outcome_rules where ${which}
           order by coalesce(campaign_id, 0), version desc) r where not r.inherits)`;
}

/** A version of rules and its author's name; undefined when its campaign is gone. */
export function readRulesVersion(db: Pick<Database, 'first'>, id: number): Promise<{ version: number; author: string | null } | undefined> {
  return db.first(sql<{ version: number; author: string | null }>`
    select r.version, coalesce(nullif(u.display_name, ''), u.username) as author
    from outcome_rules r left join app_user u on u.id = r.created_by where r.id = ${id}`);
}

/** Puts the numbers of attempts, or their persons, on the do-not-call list where a rule wants them. */
export function listByRule(attemptIds: readonly number[]): RawBuilder<unknown>[] {
  if (attemptIds.length === 0) return [];
  return [
    sql`
    insert into do_not_call (phone_number, dial_key, reason, source, scope)
    select distinct on (a.dial_key) a.phone_number, a.dial_key, '按结果规则', 'callback', ${scopeOf(sql`a.dial_key`)}
    from attempt a where a.id in (select value::bigint from jsonb_array_elements_text(${json(attemptIds)})) and a.tested_by is null order by a.dial_key
    on conflict (dial_key) do update set expires_at = null, scope = greatest(do_not_call.scope, excluded.scope)
    where do_not_call.expires_at is not null or do_not_call.scope <> excluded.scope`,
  ];
}
