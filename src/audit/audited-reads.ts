import type { Caller } from '#kernel/caller.ts';
import type { AccessAuditDeps } from './access-audit.ts';

/** A call whose transcript or recording a user reads. */
export interface ReadCall {
  targetType: 'attempt' | 'softphone_call' | 'conference';
  targetId: number;
}

/** Audits that the caller read the transcript of a call. Source: D3.7 */
export function auditTranscriptRead({ accessAudit }: AccessAuditDeps, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'transcript.read', ...call, summary: '查看通话转写' });
}

/** Audits that the caller listened to the recording of a call. Source: D3.7 */
export function auditRecordingPlayed({ accessAudit }: AccessAuditDeps, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'recording.played', ...call, summary: '收听通话录音' });
}

/** Audits that the caller read the file name under which the recording of a call is fetched. Source: D3.7, OCS 4.16 */
export function auditRecordingRead({ accessAudit }: AccessAuditDeps, caller: Caller, call: ReadCall): Promise<void> {
  return accessAudit.read(caller, { action: 'recording.read', ...call, summary: '查看通话录音' });
}
