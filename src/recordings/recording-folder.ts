import { constants, type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestedRange, placeRange } from './byte-range.ts';
import { notFound } from '#kernel/errors.ts';
import type { BeyondRecording, OpenRecording } from './ports-recording-store.ts';
import { recordingName } from '#protocol/result.ts';

/** Do not follow links, which could leave the folder, and do not block on a pipe without a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** File system errors for a name that is no readable file: missing, a link, too long, a path through a file, a pipe. */
const ABSENT = ['ENOENT', 'ELOOP', 'ENAMETOOLONG', 'ENOTDIR', 'ENXIO'];

/** Opens a file directly inside the folder. Errors: NOT_FOUND */
export async function openInFolder(folder: string, name: string, asked: RequestedRange | null): Promise<OpenRecording | BeyondRecording> {
  const handle = await openFile(pathIn(folder, name));
  try {
    const facts = await handle.stat();
    if (!facts.isFile() || facts.size === 0) throw notFound('录音');
    const part = asked === null ? null : (placeRange(asked, facts.size) ?? 'beyond');
    if (part !== 'beyond') return opened(handle, facts.size, part);
    await handle.close();
    return { totalBytes: facts.size, part };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Deletes the file; a missing file is no error. Errors: those of the file system */
export async function removeFromFolder(folder: string, name: string): Promise<void> {
  await unlink(pathIn(folder, name)).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
}

/** A stored name is untrusted: only a short file name is accepted. */
function pathIn(folder: string, name: string): string {
  if (recordingName(name) !== name) throw notFound('录音');
  return join(folder, name);
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, FLAGS);
  } catch (error) {
    if (isAbsent(error)) throw notFound('录音');
    throw error;
  }
}

function opened(handle: FileHandle, totalBytes: number, part: OpenRecording['part']): OpenRecording {
  const [start, end] = part === null ? [0, totalBytes - 1] : [part.first, part.last];
  return {
    totalBytes,
    part,
    // Data appended meanwhile is not read, because the length has been sent already.
    read: () => handle.createReadStream({ start, end, autoClose: false }),
    close: () => handle.close(),
  };
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ABSENT.includes(String(error.code));
}
