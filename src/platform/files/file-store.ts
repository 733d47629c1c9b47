/** A file that is being written part by part; `uploadId` is the store's own name of the attempt. */
export interface Upload {
  key: string;
  uploadId: string;
}

export interface StoredFile {
  totalBytes: number;
  /** Reads the bytes once, from `from` to the end; the caller consumes or closes them. */
  read(from?: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Storage for the files of jobs, which every server can read: a shared folder, or an S3-compatible store.
 *
 * Why:    parts are kept at once, so that another server goes on with a file after the part that was kept last. A key consists of letters,
 *         digits, `-`, `_`, `.` and `/`, and never comes from a client
 * Errors: NOT_FOUND when there is no such file; DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID when the store does not answer as it should
 */
export interface FileStore {
  /** Smallest size of a part that is not the last, in bytes. */
  readonly partBytes: number;
  begin(key: string): Promise<Upload>;
  /** Keeps a part; `number` counts from 1, and the same number replaces. Returns the part's tag. */
  putPart(upload: Upload, number: number, bytes: Uint8Array): Promise<string>;
  /** Makes the file of the parts, in their order. Repeating it is harmless. */
  complete(upload: Upload, tags: readonly string[]): Promise<void>;
  /** Removes what was written of a file that is not completed; what is not there is no error. */
  abort(upload: Upload): Promise<void>;
  open(key: string): Promise<StoredFile>;
  /** Removes a file; a missing one is no error. */
  remove(key: string): Promise<void>;
}

export interface FileStorePart {
  files: FileStore;
}

const KEY = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;

/** Errors: Error for a key that could leave the store, which is a bug */
export function requireKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`not a key of a file: ${key}`);
  return key;
}

/**
 * Stores all bytes under a key, in parts.
 *
 * Shape:  the number of bytes
 * Errors: those of the source, after what was written has been removed
 */
export async function storeFile(files: FileStore, key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const upload = await files.begin(key);
  try {
    const tags: string[] = [];
    let total = 0;
    for await (const part of inParts(bytes, files.partBytes)) {
      tags.push(await files.putPart(upload, tags.length + 1, part));
      total += part.length;
    }
    await files.complete(upload, tags);
    return total;
  } catch (error) {
    await files.abort(upload);
    throw error;
  }
}

/** Joins chunks to parts of at least the size, but for the last. */
async function* inParts(bytes: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    held.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}
