import { constants, type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type AskedRange, placeRange } from '#kernel/byte-range.ts';
import { notFound } from '#kernel/errors.ts';
import type { BeyondRecording, OpenRecording } from '#ports/recording-store.ts';
import { recordingName } from '#rules/recording-name.ts';

/** A link that leads out of the folder is not followed, and whoever reads a pipe does not wait for its writer. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** What the file system says of a name that is no file to read: there is none, a link, too long a name, a folder's part that is none. */
const ABSENT = ['ENOENT', 'ELOOP', 'ENAMETOOLONG', 'ENOTDIR', 'ENXIO'];

/** Opens a file that lies in the folder itself. Errors: NOT_FOUND */
export async function openInFolder(folder: string, name: string, asked: AskedRange | null): Promise<OpenRecording | BeyondRecording> {
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

/** Whether it is gone now. Errors: those of the file system */
export async function removeFromFolder(folder: string, name: string): Promise<void> {
  await unlink(pathIn(folder, name)).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
}

/** A row may say whatever somebody wrote into it: only what is a short name leads anywhere. */
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
    // What is written to its end meanwhile is not read: the length has been told.
    read: () => handle.createReadStream({ start, end, autoClose: false }),
    close: () => handle.close(),
  };
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ABSENT.includes(String(error.code));
}
