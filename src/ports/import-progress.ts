import type { FileImport } from '#contract/rest/importing.ts';

/**
 * How far file imports are, for whoever asks at any instance; forgotten an hour after the last step.
 *
 * Errors: CACHE_UNAVAILABLE
 */
export interface ImportProgress {
  /** False: the campaign has an import of this id. */
  begin(progress: FileImport): Promise<boolean>;
  put(progress: FileImport): Promise<void>;
  find(campaignId: number, importId: string): Promise<FileImport | null>;
}
