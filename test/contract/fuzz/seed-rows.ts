import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import { RULE_TEMPLATES } from '#outcomes/decisions/rule-templates.ts';
import { json } from '#platform/postgres/values.ts';
import { insertAttempt, insertBatch, insertCampaign, insertContact } from '#test/support/rows.ts';

/** Inserts rows under the first ids of every kind, so that most requests find something to work on. */
export async function seedRows(db: Sql): Promise<void> {
  for (const status of ['draft', 'paused', 'completed', 'archived'] as const) {
    const campaignId = await insertCampaign(db, { status, name: `活动 ${status}` });
    await insertBatch(db, { campaignId, status: 'completed', finishedAgoMs: 1_000 });
    for (const contact of ['pending', 'failed', 'completed'] as const) {
      const contactId = await insertContact(db, { campaignId, status: contact });
      await insertAttempt(db, { campaignId, contactId, status: 'completed', callStatus: 'completed', recordingUrl: 'a.wav' });
    }
  }
  await db.run(sql`
    insert into line (name, code, dial_string_template, max_concurrency, allocation_mode)
    select '线路' || n, 'L' || n, 'sofia/gateway/x/{{destinationNumber}}', 10, 'single_shared' from generate_series(1, 3) as n`);
  await db.run(sql`insert into line_number (line_id, number, position) select id, '0216666000' || id, 0 from line`);
  await db.run(sql`
    insert into line_price (line_id, valid_from, currency, per_minute, unit_seconds, connection_fee) select id, '2026-11-01', 'CNY', 0.12, 60, 0 from line`);
  await db.run(sql`insert into campaign_line (campaign_id, line_id, position) select id, 1, 0 from campaign`);
  await db.run(sql`
    insert into policy (name, scope, type, action, config) values
      ('夜间', 'global', 'daily_window', 'allow_window', '{"start":"00:00","end":"23:59"}'),
      ('黑名单', 'global', 'phone_blacklist', 'block', '{"numbers":["10086"]}')`);
  await db.run(sql`
    insert into do_not_call (phone_number, dial_key, source) select n::text, n::text, 'manual' from generate_series(95500, 95502) as n`);
  await db.run(sql`update contact set external_id = 'order-1' where id in (select min(id) from contact group by campaign_id)`);
  await db.run(sql`
    insert into callback (campaign_id, contact_id, due_at, source)
    select campaign_id, id, now() + interval '1 day', 'console' from contact order by id limit 3`);
  await db.run(sql`
    insert into outcome_rules (campaign_id, version, rules)
    select scope, 1, ${json(RULE_TEMPLATES.sales)}::jsonb from (values (null::int), (1), (2)) as s(scope)`);
  await db.run(sql`
    insert into consent (subject, phone_number, kind, purpose, source, at, origin)
    select '+861380013800' || n, '1380013800' || n, 'given', 'marketing', '官网表单', now(), 'console' from generate_series(0, 2) as n`);
  await db.run(sql`
    insert into disposition_settings (campaign_id, dispositions, wrap_up_seconds)
    select id, '[{"code":"sold","label":"成交","category":"sale","needsNote":false,"needsCallback":false,"isEnabled":true}]', 30
    from campaign order by id limit 2`);
  // No server runs this kind of job, so that the rows stay as they are.
  await db.run(sql`
    insert into job (kind, title, input, owner_name, owner) select 'held', '保留的任务', '{}', 'admin', '{}' from generate_series(1, 3)`);
  await db.run(sql`
    insert into follow_up_list (name, calls, contacts, is_shared) values
      ('通话', '{"campaignId":1}', null, true), ('联系人', null, '{"status":"failed"}', true), ('全部', null, '{}', true)`);
  await db.run(sql`
    insert into saved_report (name, question, is_shared) select '报表' || n, 'm=dials', true from generate_series(1, 3) as n`);
  // Switched off, so that no run comes in between.
  await db.run(sql`
    insert into report_schedule (name, report_id, cron, time_zone, span, language, channel_id, is_enabled)
    select '计划' || n, n, '0 8 * * *', 'Asia/Shanghai', 'yesterday', 'zh', n, false from generate_series(1, 3) as n`);
  await db.run(sql`
    insert into contact_list (name, kind, version, row_count) values ('春季名单', 'contacts', 1, 1), ('黑名单', 'do_not_call', 0, 0)`);
  await db.run(sql`
    insert into contact_list_row (list_id, since_version, phone_number, dial_key, customer_name, remark, time_zone, external_id, metadata, numbers)
    values (1, 1, '13800138000', '13800138000', '张三', '', '', 'order-1', '{}', '[]')`);
  // Nobody answers there, and nothing is due for it.
  await db.run(sql`
    insert into webhook_endpoint (name, kind, url, types, status)
    select '端点' || n, 'webhook', 'https://hooks.invalid/' || n, '{webhook.test}', 'paused' from generate_series(1, 3) as n`);
  await db.run(sql`insert into runtime_event (level, type, title) values ('warning', 'call.stuck', '通话卡住')`);
}
