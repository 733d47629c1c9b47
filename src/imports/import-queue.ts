import type { Caller } from '#kernel/caller.ts';
import { createTurns } from '#kernel/turns.ts';
import { createUserPlaces } from '#access/user-places.ts';
import type { ImportResult } from '#contacts/import-result.ts';
import { importFile, type ImportFileDeps, type ImportFileInput } from './import-file.ts';
import { trackImport, type TrackImportDeps } from './track-import.ts';

/** Files processed at once by one instance, each held in memory a few times over; the others queue, one queue per user. */
const FILE_TURNS = { running: 4, waiting: 60, waitingOfKey: 20, refusal: '排队的导入过多，请稍后重试' };
/** Files being received: a slow upload blocks no turn, and takes no place from other users. */
const UPLOADS = { all: 60, ofUser: 20, refusal: '正在上传的文件过多，请稍后重试', retryAfterSeconds: 2 };

type User = Pick<Caller, 'userId'>;

export type ImportQueue = ReturnType<typeof createImportQueue>;

/** Queue of imports from all edges. Errors: RATE_LIMITED when too many are waiting */
export function createImportQueue() {
  const turns = createTurns(FILE_TURNS);
  const uploads = createUserPlaces(UPLOADS);
  return {
    receive: <T>(user: User, read: () => Promise<T>): Promise<T> => uploads(user, read),
    inTurn: <T>({ userId }: User, work: () => Promise<T>): Promise<T> => turns(String(userId), work),
  };
}

export interface RunImportDeps extends ImportFileDeps, TrackImportDeps {
  importQueue: ImportQueue;
}

/**
 * Receives a file and imports it in its turn; clients can follow the import by the id that the uploader chose.
 *
 * Errors: those of `receive`, `trackImport` and `importFile`; RATE_LIMITED
 */
export function runImport(
  deps: RunImportDeps,
  caller: Caller,
  { campaignId, importId }: { campaignId: number; importId: string | undefined },
  receive: () => Promise<Omit<ImportFileInput, 'reached'>>,
): Promise<ImportResult> {
  return trackImport(deps, { campaignId, importId }, async reached => {
    const file = await receive();
    reached('queued');
    return deps.importQueue.inTurn(caller, () => importFile(deps, caller, campaignId, { ...file, reached }));
  });
}
