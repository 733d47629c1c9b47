import type { Clock } from '#kernel/clock.ts';
import { conflict, isCalloutError, notFound } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import type { ImportProgress } from './import-progress.ts';
import type { ImportResult } from '#contacts/import-result.ts';
import type { FileImport } from './file-import.ts';

export interface TrackImportDeps {
  imports: ImportProgress;
  clock: Clock;
  log: Log;
}

/** Reports the stage that an import has reached, with `totalRows` once known. */
export type Reached = (stage: FileImport['stage'], totalRows?: number) => void;

/**
 * Runs an import and records its progress under the id that the uploader chose, from the first byte of the file to the result; without an id
 * nothing is recorded.
 *
 * Why:    while the cache is unavailable, files are imported without recorded progress
 * Errors: CONFLICT when the campaign already has an import with this id; those of `work`
 */
export async function trackImport(
  { imports, clock, log }: TrackImportDeps,
  { campaignId, importId }: { campaignId: number; importId: string | undefined },
  work: (reached: Reached) => Promise<ImportResult>,
): Promise<ImportResult> {
  if (importId === undefined) return work(() => undefined);
  let now: FileImport = { importId, campaignId, stage: 'receiving', totalRows: null, result: null, error: null, updatedAt: clock.now() };
  const unheard = (error: unknown) => log.warn({ err: error, campaignId }, 'the progress of an import was not written');
  if ((await imports.begin(now).catch(unheard)) === false) throw conflict('IMPORT_ID_TAKEN', '该活动已有此编号的导入');
  let written = Promise.resolve();
  const put = (change: Partial<FileImport>) => {
    now = { ...now, ...change, updatedAt: clock.now() };
    const progress = now;
    written = written.then(() => imports.put(progress)).catch(unheard);
    return written;
  };
  try {
    const result = await work((stage, totalRows = now.totalRows ?? undefined) => void put({ stage, totalRows: totalRows ?? null }));
    await put({ stage: 'done', totalRows: result.totalRows, result });
    return result;
  } catch (error) {
    await put({ stage: 'failed', error: isCalloutError(error) ? error.message : '服务器内部错误' });
    throw error;
  }
}

/** Errors: NOT_FOUND; CACHE_UNAVAILABLE */
export async function getImport({ imports }: Pick<TrackImportDeps, 'imports'>, campaignId: number, importId: string): Promise<FileImport> {
  const found = await imports.find(campaignId, importId);
  if (found === null) throw notFound('导入');
  return found;
}
