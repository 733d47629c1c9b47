import type { ExportJobFragment } from './exports.generated.ts';

/** Kind and format of an export, from the job's `about`. */
interface About {
  kind: string;
  format: string;
}

/** The file of an export that is done. */
export interface ExportedFile {
  fileName: string;
  bytes: number;
  rows: number;
}

export function aboutOf({ about }: Pick<ExportJobFragment, 'about'>): About | null {
  return isAbout(about) ? about : null;
}

export function fileOf({ result }: Pick<ExportJobFragment, 'result'>): ExportedFile | null {
  return isFile(result) ? result : null;
}

/** Share that is done, 0 to 100; null while the end is not known. */
export function percentOf({ done, total, state }: Pick<ExportJobFragment, 'done' | 'total' | 'state'>): number | null {
  if (state === 'DONE') return 100;
  return total === null || total === 0 ? null : Math.min(100, Math.floor((done / total) * 100));
}

export function isOpen({ state }: Pick<ExportJobFragment, 'state'>): boolean {
  return state === 'QUEUED' || state === 'RUNNING';
}

function isAbout(value: unknown): value is About {
  return typeof value === 'object' && value !== null && 'kind' in value && 'format' in value;
}

function isFile(value: unknown): value is ExportedFile {
  return typeof value === 'object' && value !== null && 'fileName' in value && 'bytes' in value && 'rows' in value;
}
