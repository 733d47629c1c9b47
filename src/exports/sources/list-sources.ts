import { sql } from 'kysely';
import { auditList, type AuditSearch } from '#audit/audit-store.ts';
import { doNotCallList, type DoNotCallSearch } from '#do-not-call/do-not-call-store.ts';
import { epoch, type ExportSource, idsOfList, type SourceColumn } from './export-source.ts';

const ENTRY: readonly SourceColumn[] = [
  { key: 'id', title: ['编号', 'Id'], type: 'integer', value: sql`d.id` },
  { key: 'phoneNumber', title: ['号码', 'Number'], type: 'text', value: sql`d.phone_number`, isNumber: true },
  { key: 'reason', title: ['原因', 'Reason'], type: 'text', value: sql`d.reason` },
  { key: 'source', title: ['来源', 'Source'], type: 'text', value: sql`d.source` },
  { key: 'scope', title: ['范围', 'Scope'], type: 'text', value: sql`d.scope` },
  { key: 'expiresAt', title: ['到期时间', 'Expires at'], type: 'instant', value: epoch(sql`d.expires_at`) },
  { key: 'createdBy', title: ['添加人', 'Added by'], type: 'text', value: sql`coalesce(nullif(u.display_name, ''), u.username)` },
  { key: 'createdAt', title: ['添加时间', 'Added at'], type: 'instant', value: epoch(sql`d.created_at`) },
];

/** A row for each entry of the do-not-call list. */
export function doNotCallSource(search: DoNotCallSearch): ExportSource {
  return {
    columns: ENTRY,
    table: sql`do_not_call`,
    chosen: range => idsOfList(doNotCallList, search, range),
    from: sql`chosen join do_not_call d on d.id = chosen.id left join app_user u on u.id = d.created_by`,
    order: sql`d.id`,
    total: doNotCallList.total(search),
    createdFrom: undefined,
  };
}

const AUDITED: readonly SourceColumn[] = [
  { key: 'id', title: ['编号', 'Id'], type: 'integer', value: sql`g.id` },
  { key: 'createdAt', title: ['时间', 'At'], type: 'instant', value: epoch(sql`g.created_at`) },
  { key: 'actorName', title: ['操作人', 'Who'], type: 'text', value: sql`g.actor_name` },
  { key: 'action', title: ['动作', 'Action'], type: 'text', value: sql`g.action` },
  { key: 'targetType', title: ['对象种类', 'Target type'], type: 'text', value: sql`g.target_type` },
  { key: 'targetId', title: ['对象编号', 'Target id'], type: 'text', value: sql`g.target_id` },
  { key: 'summary', title: ['摘要', 'Summary'], type: 'text', value: sql`g.summary` },
  { key: 'detail', title: ['详情', 'Detail'], type: 'json', value: sql`g.detail` },
  { key: 'ip', title: ['网络地址', 'Address'], type: 'text', value: sql`g.ip` },
  { key: 'requestId', title: ['请求编号', 'Request id'], type: 'text', value: sql`g.request_id` },
];

/** A row for each row of the audit log. */
export function auditSource(search: AuditSearch): ExportSource {
  return {
    columns: AUDITED,
    table: sql`audit_log`,
    chosen: range => idsOfList(auditList, search, range),
    from: sql`chosen join audit_log g on g.id = chosen.id`,
    order: sql`g.id`,
    total: auditList.total(search),
    createdFrom: search.from,
  };
}
