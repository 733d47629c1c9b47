import { constants, type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CalloutError, isCalloutError, notFound } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import { recordingName } from '#protocol/result.ts';
import {
  type BeyondRecording,
  type ByteRange,
  type OpenRecording,
  placeRange,
  type RecordingStore,
  type RequestedRange,
} from './recording.ts';

/** Do not follow links, which could leave the folder, and do not block on a pipe without a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** File system errors for a name that is no readable file: missing, a link, too long, a path through a file, a pipe. */
const ABSENT = ['ENOENT', 'ELOOP', 'ENAMETOOLONG', 'ENOTDIR', 'ENXIO'];

/** Opens a file directly inside the folder. Errors: NOT_FOUND */
async function openInFolder(folder: string, name: string, asked: RequestedRange | null): Promise<OpenRecording | BeyondRecording> {
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
async function removeFromFolder(folder: string, name: string): Promise<void> {
  await unlink(pathIn(folder, name)).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}

/** Leaves alone what a web server keeps that is not to be asked. Errors: those of the file system; DOWNSTREAM_TIMEOUT; DOWNSTREAM_INVALID */
function removeFrom(place: RecordingPlace, name: string): Promise<void> {
  if ('folder' in place) return removeFromFolder(place.folder, name);
  return place.isAskedToDelete === true ? removeAtServer(place.baseUrl, name) : Promise.resolve();
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

/** Time-out until the web server's response begins, ms. */
const HEAD_TIMEOUT_MS = 5_000;

/**
 * Requests a recording from the web server of a cell.
 *
 * Errors: NOT_FOUND; DOWNSTREAM_TIMEOUT; DOWNSTREAM_INVALID when the response is not a file
 */
async function openAtServer(
  baseUrl: string,
  name: string,
  { asked, signal }: { asked: RequestedRange | null; signal: AbortSignal },
): Promise<OpenRecording | BeyondRecording> {
  const over = new AbortController();
  const headers = { 'Accept-Encoding': 'identity', ...(asked === null ? {} : { Range: headerOf(asked) }) };
  const answer = await ask(addressOf(baseUrl, name), { headers, signal: AbortSignal.any([signal, over.signal]) });
  const close = () => Promise.resolve(over.abort());
  const found = readHead(answer);
  if (found === null || found.part === 'beyond') await close();
  if (found === null)
    throw answer.status === 404 ? notFound('录音') : invalid(new Error(`the recording's server answered ${answer.status}`));
  return found.part === 'beyond' ? { ...found, part: 'beyond' } : { ...found, part: found.part, read: () => bodyOf(answer), close };
}

/** Asks for the deletion of a recording; a missing one is no error. */
async function removeAtServer(baseUrl: string, name: string): Promise<void> {
  const answer = await ask(addressOf(baseUrl, name), { method: 'DELETE', signal: new AbortController().signal });
  await answer.body?.cancel();
  if (!answer.ok && answer.status !== 404 && answer.status !== 410)
    throw invalid(new Error(`the recording's server answered ${answer.status}`));
}

function addressOf(baseUrl: string, name: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/${encodeURIComponent(name)}`;
}

async function ask(url: string, { signal, ...request }: RequestInit & { signal: AbortSignal }): Promise<Response> {
  const head = new AbortController();
  const timer = setTimeout(() => head.abort(), HEAD_TIMEOUT_MS);
  try {
    return await fetch(url, {
      ...request,
      // The configuration defines where recordings are; no other host is contacted.
      redirect: 'error',
      signal: AbortSignal.any([signal, head.signal]),
    });
  } catch (error) {
    if (head.signal.aborted) throw new CalloutError('DOWNSTREAM_TIMEOUT', '录音服务器响应超时', { cause: error });
    throw invalid(error);
  } finally {
    clearTimeout(timer);
  }
}

function headerOf(asked: RequestedRange): string {
  return 'lastBytes' in asked ? `bytes=-${asked.lastBytes}` : `bytes=${asked.first}-${asked.last ?? ''}`;
}

/** Null when the response is not a recording. */
function readHead({ status, headers }: Response): { totalBytes: number; part: ByteRange | 'beyond' | null } | null {
  const [, first = '', last = '', total = ''] =
    /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(headers.get('content-range') ?? '') ?? [];
  const length = Number(headers.get('content-length') ?? 'none');
  if (status === 200 && length > 0) return { totalBytes: length, part: null };
  if (status === 206 && first !== '') {
    const part = { first: Number(first), last: Number(last) };
    return part.first <= part.last && part.last < Number(total) ? { totalBytes: Number(total), part } : null;
  }
  return status === 416 && total !== '' ? { totalBytes: Number(total), part: 'beyond' } : null;
}

async function* bodyOf({ body }: Response): AsyncIterable<Uint8Array> {
  for await (const chunk of body ?? []) yield chunk;
}

function invalid(cause: unknown): CalloutError {
  return new CalloutError('DOWNSTREAM_INVALID', '录音服务器不可用或返回异常', { cause });
}

/** Location of a cell's recordings: a web server at the cell, or a folder on this machine. */
export type RecordingPlace = { baseUrl: string; isAskedToDelete?: boolean } | { folder: string };

export interface RecordingStoreOptions {
  /** Locations by cell; recordings of other cells are not accessible. */
  cells: ReadonlyMap<string, RecordingPlace>;
  /** Location for calls from before cells were recorded; null: none. */
  withoutCell: RecordingPlace | null;
  log: Log;
}

/** Recordings of all cells; reads and deletes only in configured locations. */
export function recordingStore({ cells, withoutCell, log }: RecordingStoreOptions): RecordingStore {
  const placeOf = (cellId: string | null) => (cellId ? cells.get(cellId) : withoutCell) ?? null;
  return {
    keeps: cellId => placeOf(cellId) !== null,
    async isInReach(cellId) {
      const place = placeOf(cellId);
      return place !== null && (!('folder' in place) || (await isFolder(place.folder)));
    },
    async open({ cellId, name }, asked, signal) {
      const place = placeOf(cellId);
      if (place === null) throw notFound('录音');
      return 'folder' in place ? openInFolder(place.folder, name, asked) : openAtServer(place.baseUrl, name, { asked, signal });
    },
    async remove(files) {
      let kept: unknown = null;
      const silent = new Set<RecordingPlace>();
      for (const { cellId, name } of files) {
        const place = placeOf(cellId);
        if (place === null || silent.has(place)) continue;
        await removeFrom(place, name).catch((error: unknown) => {
          kept ??= error;
          if (isCalloutError(error, 'DOWNSTREAM_TIMEOUT')) silent.add(place);
        });
      }
      if (kept !== null) log.error({ err: kept }, 'recordings past their retention period could not be deleted; their files remain');
    },
  };
}
