import { type AccessAuditPart, auditTranscriptRead } from '#audit/access-audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { notFound } from '#kernel/errors.ts';
import type { JsonValue } from '#kernel/json.ts';
import { maySeeNumbers, type ShownNumbersPart } from '#phone-numbers/shown-number.ts';
import type { Platform } from '#platform/platform.ts';
import { readVcon } from './sources/vcon-source.ts';

/**
 * Reads one call as a vCon, and audits the access as to a transcript.
 *
 * Errors: NOT_FOUND when the attempt does not exist or was deleted
 * Source: D2.11
 */
export async function getVcon(
  app: AccessAuditPart & ShownNumbersPart & Pick<Platform, 'db'>,
  caller: Caller,
  attemptId: number,
): Promise<JsonValue> {
  const vcon = await readVcon(app.db, attemptId, { isMasked: !maySeeNumbers(app, caller) });
  if (vcon === null) throw notFound('通话记录');
  await auditTranscriptRead(app, caller, { targetType: 'attempt', targetId: attemptId });
  return vcon;
}
