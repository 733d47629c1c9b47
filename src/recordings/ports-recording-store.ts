import type { RequestedRange, ByteRange } from './byte-range.ts';

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
  /** Errors: NOT_FOUND; DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID when another machine stores it and does not deliver it */
  open(file: RecordingFile, asked: RequestedRange | null, signal: AbortSignal): Promise<OpenRecording | BeyondRecording>;
  /** Deletes files stored on this server; skips those on other machines and missing ones. Never rejects. */
  remove(files: readonly RecordingFile[]): Promise<void>;
}

/** Base addresses under which browsers find recordings and emotion audio. Source: OCS 2.13, 4.16 */
export interface MediaConfig {
  baseUrl: string;
  switchRecordingBaseUrl: string;
  switchRecordingBaseUrlsByCell: Record<string, string>;
  emotionAudioBaseUrl: string;
}
