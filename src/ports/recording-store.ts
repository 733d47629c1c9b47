import type { AskedRange, ByteRange } from '#kernel/byte-range.ts';

/** A recording's file; `cellId` null: of a call from before cells were kept. */
export interface RecordingFile {
  cellId: string | null;
  /** The short name, as it is kept with the call. */
  name: string;
}

/** A recording that was found; whoever has it closes it. */
export interface OpenRecording {
  totalBytes: number;
  /** Null: the whole. */
  part: ByteRange | null;
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The file ends before what was asked for. */
export interface BeyondRecording {
  totalBytes: number;
  part: 'beyond';
}

/**
 * Recordings of calls, wherever their switch cell keeps them.
 *
 * Source: OCS 4.16
 */
export interface RecordingStore {
  /** Whether recordings of that cell can be had at all. */
  keeps(cellId: string | null): boolean;
  /** Errors: NOT_FOUND; DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID when another machine keeps it and does not give it */
  open(file: RecordingFile, asked: AskedRange | null, signal: AbortSignal): Promise<OpenRecording | BeyondRecording>;
  /** Deletes files that this server keeps; those of other machines, and those that are gone, are left out. Never rejects. */
  remove(files: readonly RecordingFile[]): Promise<void>;
}
