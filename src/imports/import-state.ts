import type { ImportProgress } from './import-progress.ts';
import type { Platform } from '#platform/platform.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';
import type { FileImport } from './file-import.ts';

/** Poll interval, in ms: an import passes through all its stages within seconds. */
const POLL_MS = 500;

export interface ImportStateDeps extends Pick<Platform, 'clock' | 'log'> {
  imports: Pick<ImportProgress, 'find'>;
}

/** Progress of one file import; the last change is its end. */
export function importSource(deps: ImportStateDeps, campaignId: number, importId: string): Source<FileImport, FileImport> {
  return polledSource(deps, {
    what: 'an import',
    read: () => deps.imports.find(campaignId, importId),
    changes: wholeWhenOther,
    isLast: ({ stage }) => stage === 'done' || stage === 'failed',
    pollMs: POLL_MS,
    spacingMs: POLL_MS,
  });
}
