import { z } from 'zod';
import type { RedisLink } from '#platform/redis/client.ts';
import { gatheredTexts } from '#platform/redis/gathered-eval.ts';
import { importKey } from '#platform/redis/keys.ts';
import { fileImport, type FileImport } from './file-import.ts';

const LIFE_MS = 60 * 60_000;

export type ImportProgress = ReturnType<typeof redisImportProgress>;

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
