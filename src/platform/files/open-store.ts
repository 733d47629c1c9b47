import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/shape.ts';
import type { FileStore } from './file-store.ts';
import { folderStore } from './folder-store.ts';
import { s3Store } from './s3-store.ts';

/** The store that the configuration names. */
export function fileStoreOf({ folder, s3 }: Config['files']): FileStore {
  return s3 === undefined ? folderStore(folder === '' ? join(tmpdir(), 'callout-files') : folder) : s3Store(s3);
}
