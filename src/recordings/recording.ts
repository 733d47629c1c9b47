import { getAttempt } from '#attempts/attempt-store.ts';
import type { Attempt } from '#attempts/attempt.ts';
import { type AccessAuditPart, auditRecordingDownloaded, auditRecordingPlayed } from '#audit/access-audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { notFound } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';

/** Bytes of a file, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

/** A requested range before the file size is known: from `first` to `last` (null: the end), or the last `lastBytes` bytes. */
export type RequestedRange = { first: number; last: number | null } | { lastBytes: number };

/**
 * Parses a `Range` header. Returns null, which means the whole file, when it is absent, malformed, in another unit or a list of ranges.
 *
 * Source: RFC 9110 §14.1.2, §14.2
 */
export function parseRange(header: string | undefined): RequestedRange | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (from === '') return to === '' ? null : { lastBytes: Number(to) };
  if (to !== '' && Number(to) < Number(from)) return null;
  return { first: Number(from), last: to === '' ? null : Number(to) };
}

/** Resolves a requested range against the file size; null when the range cannot be satisfied. */
export function placeRange(asked: RequestedRange, size: number): ByteRange | null {
  const first = 'lastBytes' in asked ? Math.max(0, size - asked.lastBytes) : asked.first;
  const last = 'lastBytes' in asked ? size - 1 : Math.min(asked.last ?? size - 1, size - 1);
  return first > last ? null : { first, last };
}

/** A recording's file; `cellId` is null for calls from before cells were recorded. */
export interface RecordingFile {
  cellId: string | null;
  /** The short file name stored with the call. */
  name: string;
}

/** An opened recording; the caller must close it. */
export interface OpenRecording {
  totalBytes: number;
  /** Null: the whole file. */
  part: ByteRange | null;
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The requested range lies beyond the end of the file. */
export interface BeyondRecording {
  totalBytes: number;
  part: 'beyond';
}

/**
 * Recordings of calls, at whichever place their switch cell stores them.
 *
 * Source: OCS 4.16
 */
export interface RecordingStore {
  /** Whether recordings of the cell are accessible at all. */
  keeps(cellId: string | null): boolean;
  /** Whether this server can look where the cell stores its recordings; a folder may be on another machine. Never rejects. */
  isInReach(cellId: string | null): Promise<boolean>;
  /** Errors: NOT_FOUND; DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID when another machine stores it and does not deliver it */
  open(file: RecordingFile, asked: RequestedRange | null, signal: AbortSignal): Promise<OpenRecording | BeyondRecording>;
  /** Deletes files in folders of this server, and at web servers that are to be asked; skips all others and missing ones. Never rejects. */
  remove(files: readonly RecordingFile[]): Promise<void>;
}

export interface RecordingsPart {
  recordings: RecordingStore;
}

/** Base addresses under which browsers find recordings and emotion audio. Source: OCS 2.13, 4.16 */
export interface MediaConfig {
  baseUrl: string;
  switchRecordingBaseUrl: string;
  switchRecordingBaseUrlsByCell: Record<string, string>;
  emotionAudioBaseUrl: string;
}

export interface MediaPart {
  media: MediaConfig;
}

/** Identifies a call's recording and the requested range of it. */
interface RecordingRequest {
  attemptId: number;
  range: RequestedRange | null;
  /** Whether it is fetched as a file to be kept. */
  isDownload: boolean;
  signal: AbortSignal;
}

/**
 * Opens a call's recording for sending, and audits the access.
 *
 * Errors: NOT_FOUND when the call does not exist, was not recorded, or its file is gone; DOWNSTREAM_TIMEOUT; DOWNSTREAM_INVALID
 * Source: OCS 4.16, D3.7
 */
export async function openRecording(
  app: RecordingsPart & AccessAuditPart & Pick<Platform, 'db'>,
  caller: Caller,
  { attemptId, range, isDownload, signal }: RecordingRequest,
): Promise<{ call: Attempt; name: string; recording: OpenRecording | BeyondRecording }> {
  const call = await getAttempt(app, attemptId);
  const { cellId, recordingUrl: name } = call;
  if (name === null) throw notFound('录音');
  const recording = await app.recordings.open({ cellId, name }, range, signal);
  const audit = isDownload ? auditRecordingDownloaded : auditRecordingPlayed;
  await audit(app, caller, { targetType: 'attempt', targetId: attemptId });
  return { call, name, recording };
}
