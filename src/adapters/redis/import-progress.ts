import { z } from 'zod';
import { type FileImport, fileImport } from '#contract/rest/importing.ts';
import type { ImportProgress } from '#ports/import-progress.ts';
import type { RedisLink } from './client.ts';
import { gatheredTexts } from './gathered-eval.ts';
import { importKey } from './keys.ts';

const LIFE_MS = 60 * 60_000;

export function redisImportProgress(link: RedisLink): ImportProgress {
  const read = gatheredTexts(link);
  const textOf = (progress: FileImport) => JSON.stringify(z.encode(fileImport, progress));
  const keyOf = ({ campaignId, importId }: FileImport) => importKey(campaignId, importId);
  return {
    begin: async progress => (await link.run(redis => redis.set(keyOf(progress), textOf(progress), 'PX', LIFE_MS, 'NX'))) === 'OK',
    put: async progress => void (await link.run(redis => redis.set(keyOf(progress), textOf(progress), 'PX', LIFE_MS))),
    async find(campaignId, importId) {
      const text = await read(importKey(campaignId, importId));
      return text === null ? null : fileImport.parse(JSON.parse(text));
    },
  };
}
