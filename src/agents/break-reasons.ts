import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, invalidArgument } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import type { AgentStatus, BreakReasonList, BreakReasonsChange } from './agent.ts';

/** The reasons that agents choose from while nobody has stored others. */
const DEFAULT_REASONS: BreakReasonList = {
  reasons: [
    { code: 'meal', label: '用餐', isEnabled: true },
    { code: 'rest', label: '休息', isEnabled: true },
    { code: 'training', label: '培训', isEnabled: true },
    { code: 'meeting', label: '会议', isEnabled: true },
    { code: 'other', label: '其他', isEnabled: true },
  ],
  version: 0,
};

/** The reasons for which agents may be busy, in their order. Source: D12.9 */
export async function listBreakReasons({ db }: { db: Sql }): Promise<BreakReasonList> {
  return (await db.first(sql<BreakReasonList>`select reasons, version from break_reasons`)) ?? DEFAULT_REASONS;
}

/**
 * Replaces the reasons; what agents chose before stays in their history.
 *
 * Errors: CONFLICT (CHANGED_MEANWHILE) when `version` is not the stored one
 * Source: D12.9
 */
export async function setBreakReasons(
  app: AuditPart & Pick<Platform, 'db'>,
  caller: Caller,
  { reasons, version }: BreakReasonsChange,
): Promise<BreakReasonList> {
  const before = await listBreakReasons(app);
  const expected = version ?? before.version;
  if (expected === before.version && isDeepStrictEqual(reasons, before.reasons)) return before;
  const after = await app.db.first(sql<BreakReasonList>`
    insert into break_reasons as r (id, reasons) select 1, ${json(reasons)} where ${expected} = ${before.version}
    on conflict (id) do update set reasons = excluded.reasons, version = r.version + 1 where r.version = ${expected}
    returning reasons, version`);
  if (!after) throw conflict('CHANGED_MEANWHILE', '忙碌原因已被他人修改，请核对后重试');
  const entry = { action: 'break_reasons.changed', targetType: 'break_reasons', targetId: null, summary: '修改忙碌原因' } as const;
  await auditChange(app, caller, entry, changeOf({ reasons: before.reasons }, { reasons: after.reasons }));
  return after;
}

/** Errors: INVALID_ARGUMENT for a reason of another status than busy, or one that the list has not */
export async function requireReason(app: { db: Sql }, status: AgentStatus, reason: string | null): Promise<void> {
  if (reason === null) return;
  if (status !== 'busy') throw invalidArgument('reason', 'onlyTogether', { other: 'status busy' });
  const { reasons } = await listBreakReasons(app);
  if (!reasons.some(({ code, isEnabled }) => isEnabled && code === reason)) throw invalidArgument('reason', 'unknownReason');
}
