import { CalloutError } from '#kernel/errors.ts';
import type { Caller } from '../access/caller.ts';
import { createTurns } from '../access/turns.ts';
import type { ImportResult } from '../contacts/import-result.ts';
import { importFile, type ImportFileDeps, type ImportFileInput } from './import-file.ts';
import { trackImport, type TrackImportDeps } from './track-import.ts';

/** Files that one instance works on at once, each held a few times over; the others wait as they came, a user's own behind each other. */
const FILE_TURNS = { running: 4, waiting: 60, waitingOfKey: 20, refusal: '排队的导入过多，请稍后重试' };
/** Files that are being received: whoever sends slowly takes nobody's turn, and no other user's place. */
const MAX_UPLOADS = 60;
const MAX_UPLOADS_OF_USER = 20;
const RETRY_AFTER_SECONDS = 2;

type User = Pick<Caller, 'userId'>;

export type ImportQueue = ReturnType<typeof createImportQueue>;

/** Where files wait, by whichever edge they came. Errors: RATE_LIMITED when too many are there */
export function createImportQueue() {
  const turns = createTurns(FILE_TURNS);
  const open: User['userId'][] = [];
  return {
    async receive<T>({ userId }: User, read: () => Promise<T>): Promise<T> {
      if (open.length >= MAX_UPLOADS || open.filter(other => other === userId).length >= MAX_UPLOADS_OF_USER) throw busy();
      open.push(userId);
      try {
        return await read();
      } finally {
        open.splice(open.indexOf(userId), 1);
      }
    },
    inTurn: <T>({ userId }: User, work: () => Promise<T>): Promise<T> => turns(String(userId), work),
  };
}

function busy(): CalloutError {
  return new CalloutError('RATE_LIMITED', '正在上传的文件过多，请稍后重试', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

export interface RunImportDeps extends ImportFileDeps, TrackImportDeps {
  importQueue: ImportQueue;
}

/**
 * Imports the file that `receive` reads when its turn has come; others follow it by the id that it chose.
 *
 * Errors: as `receive`, `trackImport` and `importFile`; RATE_LIMITED
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
