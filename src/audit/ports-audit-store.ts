import type { JsonObject } from '#kernel/json.ts';
import type { AuditRow } from './audit-row.ts';

/**
 * The audit log; rows are only added, except that `close` completes the row of a lasting action. Retention and the erasure of a person are
 * handled elsewhere.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: D3.7
 */
export interface AuditStore {
  record(row: NewAuditRow): Promise<void>;
  /** Like `record`, unless the actor has a row of the same action and named target that is younger than five minutes. */
  recordOnce(row: NewAuditRow): Promise<void>;
  /** Like `record`, for an action that has just begun; returns the row's id. */
  open(row: NewAuditRow): Promise<number>;
  /** Merges members into the row's detail. */
  close(rowId: number, detail: JsonObject): Promise<void>;
}

export type NewAuditRow = Omit<AuditRow, 'id' | 'createdAt' | 'updatedAt'>;
