import type { Caller } from './caller.ts';
import type { AccessAuditDeps } from './access-audit.ts';

/** A call whose record somebody reads. */
export interface ReadCall {
  targetType: 'attempt' | 'softphone_call' | 'conference';
  targetId: number;
}

/** What was said on a call. Source: D3.7 */
export function auditTranscriptRead({ accessAudit }: AccessAuditDeps, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'transcript.read', ...call, summary: '查看通话转写' });
}

/** Its sound. Source: D3.7 */
export function auditRecordingPlayed({ accessAudit }: AccessAuditDeps, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'recording.played', ...call, summary: '收听通话录音' });
}

/** The name by which a call's recording is fetched. Source: D3.7, OCS 4.16 */
export function auditRecordingRead({ accessAudit }: AccessAuditDeps, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'recording.read', ...call, summary: '查看通话录音' });
}
