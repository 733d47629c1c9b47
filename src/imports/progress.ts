import { z } from 'zod';
import type { ImportResult } from '#contacts/import-result.ts';
import { conflict, isCalloutError, notFound } from '#kernel/errors.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';
import type { Platform } from '#platform/platform.ts';
import type { RedisLink } from '#platform/redis/client.ts';
import { gatheredTexts } from '#platform/redis/gathered-eval.ts';
import { importKey } from '#platform/redis/keys.ts';
import { fileImport, type FileImport } from './file-import.ts';

const LIFE_MS = 60 * 60_000;

type ImportProgress = ReturnType<typeof redisImportProgress>;

/**
 * Progress of file imports, readable at every instance; deleted an hour after the last step.
 *
 * Errors: CACHE_UNAVAILABLE
 */
export function redisImportProgress(link: RedisLink) {
  const read = gatheredTexts(link);
  const textOf = (progress: FileImport) => JSON.stringify(z.encode(fileImport, progress));
  const keyOf = ({ campaignId, importId }: FileImport) => importKey(campaignId, importId);
  return {
    /** False when the campaign already has an import with this id. */
    begin: async (progress: FileImport) =>
      (await link.run(redis => redis.set(keyOf(progress), textOf(progress), 'PX', LIFE_MS, 'NX'))) === 'OK',
    put: async (progress: FileImport) => void (await link.run(redis => redis.set(keyOf(progress), textOf(progress), 'PX', LIFE_MS))),
    async find(campaignId: number, importId: string) {
      const text = await read(importKey(campaignId, importId));
      return text === null ? null : fileImport.parse(JSON.parse(text));
    },
  };
}

/** Poll interval, in ms: an import passes through all its stages within seconds. */
const POLL_MS = 500;

/** Progress of one file import; the last change is its end. */
export function importSource(
  app: ImportProgressPart & Pick<Platform, 'clock' | 'log'>,
  campaignId: number,
  importId: string,
): Source<FileImport, FileImport> {
  return polledSource(app, {
    what: 'an import',
    read: () => app.imports.find(campaignId, importId),
    changes: wholeWhenOther,
    isLast: ({ stage }) => stage === 'done' || stage === 'failed',
    pollMs: POLL_MS,
    spacingMs: POLL_MS,
  });
}

export interface ImportProgressPart {
  imports: ImportProgress;
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
  { imports, clock, log }: ImportProgressPart & Pick<Platform, 'clock' | 'log'>,
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
export async function getImport(
  { imports }: Pick<ImportProgressPart & Pick<Platform, 'clock' | 'log'>, 'imports'>,
  campaignId: number,
  importId: string,
): Promise<FileImport> {
  const found = await imports.find(campaignId, importId);
  if (found === null) throw notFound('导入');
  return found;
}
