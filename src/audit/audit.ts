import type { AuditStore, NewAuditRow } from './ports-audit-store.ts';
import type { JsonObject, JsonValue } from '#kernel/json.ts';
import type { AuditedAction } from './audited-actions.ts';
import type { AuditedChange } from './audited-change.ts';
import type { Caller } from '#kernel/caller.ts';

export interface AuditDeps {
  audit: Pick<AuditStore, 'record'>;
}

export interface AuditEntry {
  action: AuditedAction;
  targetType: string;
  targetId: number | string | null;
  /** One line in Chinese. */
  summary: string;
  /** The change, without secrets. */
  detail?: JsonValue;
}

/** Builds the row with its actor, for code that writes it in its own transaction. */
export function newAuditRow(caller: Caller, entry: AuditEntry): NewAuditRow {
  return {
    actorId: caller.userId,
    actorName: caller.name,
    action: entry.action,
    targetType: entry.targetType,
    targetId: entry.targetId === null ? null : String(entry.targetId),
    summary: entry.summary,
    detail: entry.detail ?? null,
    ip: caller.ip,
    requestId: caller.traceId,
  };
}

/**
 * Writes the audit row of a completed change.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: D3.7
 */
export async function audit(deps: AuditDeps, caller: Caller, entry: AuditEntry): Promise<void> {
  await deps.audit.record(newAuditRow(caller, entry));
}

/**
 * Writes the audit row of an edit with its old and new values; an edit that changed nothing (null) writes no row.
 *
 * Errors: DATABASE_UNAVAILABLE
 */
export async function auditChange(
  deps: AuditDeps,
  caller: Caller,
  { detail, ...entry }: Omit<AuditEntry, 'detail'> & { detail?: JsonObject },
  change: AuditedChange | null,
): Promise<void> {
  if (change !== null) await audit(deps, caller, { ...entry, detail: { ...detail, ...change } });
}
