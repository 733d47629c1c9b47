import type { JsonObject } from '#kernel/json.ts';
import type { AuditRow } from '#model/audit-row.ts';

/**
 * Who did what to what; rows are only ever added, but for the end of what lasts. Their age and the erasure of a person are
 * others' business.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: D3.7
 */
export interface AuditStore {
  record(row: NewAuditRow): Promise<void>;
  /** As `record`, unless the actor has a row of the same action and target that is younger than five minutes; of a target that is named. */
  recordOnce(row: NewAuditRow): Promise<void>;
  /** As `record`, of what has begun; resolves to the row's id. */
  open(row: NewAuditRow): Promise<number>;
  /** Puts members over those of the row's detail. */
  close(rowId: number, detail: JsonObject): Promise<void>;
}

export type NewAuditRow = Omit<AuditRow, 'id' | 'createdAt' | 'updatedAt'>;
