import type { RequestedRange } from './byte-range.ts';
import { notFound } from '#kernel/errors.ts';
import type { BeyondRecording, OpenRecording, RecordingStore } from './ports-recording-store.ts';
import { type AccessAuditDeps, auditRecordingPlayed } from '#audit/access-audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { getAttempt } from '#attempts/attempt-store.ts';
import type { ListDeps } from '#platform/postgres/listing.ts';

export interface OpenRecordingDeps extends ListDeps, AccessAuditDeps {
  recordings: Pick<RecordingStore, 'open'>;
}

/** Identifies a call's recording and the requested range of it. */
export interface RecordingRequest {
  attemptId: number;
  range: RequestedRange | null;
  signal: AbortSignal;
}

/**
 * Opens a call's recording for sending, and audits the access.
 *
 * Errors: NOT_FOUND when the call does not exist, was not recorded, or its file is gone; DOWNSTREAM_TIMEOUT; DOWNSTREAM_INVALID
 * Source: OCS 4.16, D3.7
 */
export async function openRecording(
  deps: OpenRecordingDeps,
  caller: Caller,
  { attemptId, range, signal }: RecordingRequest,
): Promise<{ name: string; recording: OpenRecording | BeyondRecording }> {
  const { cellId, recordingUrl: name } = await getAttempt(deps, attemptId);
  if (name === null) throw notFound('录音');
  const recording = await deps.recordings.open({ cellId, name }, range, signal);
  await auditRecordingPlayed(deps, caller, { targetType: 'attempt', targetId: attemptId });
  return { name, recording };
}
