import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { notFound } from '#kernel/errors.ts';
import { type FileStore, requireKey, type StoredFile, type Upload } from './file-store.ts';

/** Size of a part, in bytes: small, so that little work is lost with a server. */
const PART_BYTES = 1024 * 1024;
/** Bytes that are copied at once. */
const COPY_BYTES = 256 * 1024;
/** Suffix of the folder of a file that is being written. */
const PARTS = '.parts';

/**
 * Files in a folder; several servers must share it.
 *
 * Why: each part is a file of its own under a name that nobody else chooses, so that a server that was given up and still writes harms nothing
 */
export function folderStore(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, requireKey(key));
  const partsOf = ({ key, uploadId }: Upload) => `${pathOf(key)}.${requireKey(uploadId)}${PARTS}`;
  return {
    partBytes: PART_BYTES,
    async begin(key) {
      const upload = { key, uploadId: randomUUID() };
      await mkdir(partsOf(upload), { recursive: true });
      return upload;
    },
    async putPart(upload, number, bytes) {
      const tag = `${number}-${randomUUID()}`;
      await writeFile(join(partsOf(upload), tag), bytes, { flush: true });
      return tag;
    },
    async complete(upload, tags) {
      const parts = partsOf(upload);
      if (await isThere(pathOf(upload.key), parts)) return;
      const whole = join(parts, 'whole');
      await joinParts(
        whole,
        tags.map(tag => join(parts, requireKey(tag))),
      );
      await rename(whole, pathOf(upload.key));
      await rm(parts, { recursive: true, force: true });
    },
    abort: async upload => rm(partsOf(upload), { recursive: true, force: true }),
    open: key => openFile(pathOf(key)),
    remove: async key => rm(pathOf(key), { force: true }),
  };
}

/** Whether an earlier call has made the file: the parts are gone then. */
async function isThere(path: string, parts: string): Promise<boolean> {
  return (await sizeOf(parts)) === null && (await sizeOf(path)) !== null;
}

async function joinParts(path: string, parts: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const whole = await open(path, 'w');
  // One buffer for all: many large ones would wait beside the heap for a collection.
  const buffer = Buffer.allocUnsafeSlow(COPY_BYTES);
  try {
    for (const part of parts) await append(whole, part, buffer);
    await whole.sync();
  } finally {
    await whole.close();
  }
}

async function append(whole: FileHandle, path: string, buffer: Buffer): Promise<void> {
  const part = await open(path, 'r');
  try {
    for (let read = await part.read(buffer); read.bytesRead > 0; read = await part.read(buffer))
      await whole.writeFile(buffer.subarray(0, read.bytesRead));
  } finally {
    await part.close();
  }
}

async function openFile(path: string): Promise<StoredFile> {
  const totalBytes = await sizeOf(path);
  if (totalBytes === null) throw notFound('文件');
  return {
    totalBytes,
    read: (from = 0) => createReadStream(path, { start: from }),
    close: () => Promise.resolve(),
  };
}

/** Null when there is nothing. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
