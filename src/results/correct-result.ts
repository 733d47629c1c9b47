import { sql } from 'kysely';
import { getAttempt } from '#attempts/attempt-store.ts';
import type { Attempt } from '#attempts/attempt.ts';
import { findingsThatCount } from '#attempts/decisions/result-layers.ts';
import { lockFindings, type LockedFindings, writeSaid } from '#attempts/say-findings.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidInput, notFound } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';
import type { ResultField } from '#scripts/decisions/result-field.ts';
import { resultFields } from '#scripts/result-fields.ts';
import { changesBetween, corrected, correctionFaults } from './decisions/correct.ts';
import type { ResultChange, ResultCorrection } from './result.ts';

type CorrectionApp = AuditPart & Pick<Platform, 'db' | 'clock'> & { timeZone: string };

/**
 * Corrects what came of a call: class, intent and values of the script's fields. What was reported is kept beside it. The outcome of the
 * attempt and what was decided by it stay: they followed from what was known then.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT for a field that the script does not have, or a value of another type
 * Source: D7.17
 */
export async function correctResult(app: CorrectionApp, caller: Caller, attemptId: number, correction: ResultCorrection): Promise<Attempt> {
  const made = await app.db.transaction(tx => write(app, tx, caller, attemptId, correction));
  if (made.changes.length > 0) await tell(app, caller, made, correction.reason);
  return getAttempt(app, attemptId);
}

interface Made {
  call: LockedFindings;
  changes: ResultChange[];
}

async function write(app: CorrectionApp, tx: Sql, caller: Caller, attemptId: number, correction: ResultCorrection): Promise<Made> {
  const call = await lockFindings(tx, attemptId);
  if (call === undefined) throw notFound('通话记录');
  const declared = await resultFields(tx, call);
  requireFitting(correction, declared, app.timeZone);
  const corrector = { userId: caller.userId, at: app.clock.now(), zone: app.timeZone };
  const before = findingsThatCount(call.layers);
  const after = await writeSaid(tx, call, corrected(call.layers, correction, declared, corrector));
  const changes = changesBetween(before, after);
  if (changes.length > 0) await keep(tx, { attemptId, userId: caller.userId, reason: correction.reason, changes });
  return { call, changes };
}

function requireFitting(correction: ResultCorrection, declared: readonly ResultField[], zone: string): void {
  const [first, ...others] = correctionFaults(correction, declared, zone);
  if (first) throw invalidInput([first, ...others]);
}

interface Kept {
  attemptId: number;
  userId: number | null;
  reason: string;
  changes: readonly ResultChange[];
}

async function keep(tx: Sql, { attemptId, userId, reason, changes }: Kept): Promise<void> {
  await tx.run(sql`
    insert into result_correction (attempt_id, user_id, reason, changes) values (${attemptId}, ${userId}, ${reason}, ${json(changes)})`);
}

/** The values of a customer stand in the correction alone, which is erased with the call. */
async function tell(app: CorrectionApp, caller: Caller, { call, changes }: Made, reason: string): Promise<void> {
  const members = changes.map(({ member }) => member);
  await audit(app, caller, {
    action: 'attempt.corrected',
    targetType: 'attempt',
    targetId: call.id,
    summary: `更正通话结果：${members.join('、')}`,
    detail: { requestId: call.requestId, campaignId: call.campaignId, members, reason },
  });
}
