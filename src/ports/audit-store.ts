import type { AuditRow, JsonValue, Page, PageRequest } from './records.ts';

/**
 * Who did what to what; rows are only ever added.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: D3.7
 */
export interface AuditStore {
  record(row: NewAuditRow): Promise<void>;
  /** Newest first; `q` matches anywhere in actor, action, target and summary, '' matches all. */
  list(request: PageRequest & { q: string }): Promise<Page<AuditRow>>;
}

export interface NewAuditRow {
  actorId: number | null;
  actorName: string;
  /** `line.updated`: noun, then what happened. */
  action: string;
  targetType: string;
  targetId: string | null;
  /** Chinese, one line. */
  summary: string;
  detail: JsonValue;
  ip: string | null;
  requestId: string | null;
}
