import { notFound } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import type { RecordingStore } from './ports-recording-store.ts';
import { openInFolder, removeFromFolder } from './recording-folder.ts';
import { openAtServer } from './recording-server.ts';

/** Location of a cell's recordings: a web server at the cell, or a folder on this machine. */
export type RecordingPlace = { baseUrl: string } | { folder: string };

export interface RecordingStoreOptions {
  /** Locations by cell; recordings of other cells are not accessible. */
  cells: ReadonlyMap<string, RecordingPlace>;
  /** Location for calls from before cells were recorded; null: none. */
  withoutCell: RecordingPlace | null;
  log: Log;
}

/** Recordings of all cells; reads and deletes only in configured locations. */
export function recordingStore({ cells, withoutCell, log }: RecordingStoreOptions): RecordingStore {
  const placeOf = (cellId: string | null) => (cellId ? cells.get(cellId) : withoutCell) ?? null;
  return {
    keeps: cellId => placeOf(cellId) !== null,
    async open({ cellId, name }, asked, signal) {
      const place = placeOf(cellId);
      if (place === null) throw notFound('录音');
      return 'folder' in place ? openInFolder(place.folder, name, asked) : openAtServer(place.baseUrl, name, { asked, signal });
    },
    async remove(files) {
      let kept: unknown = null;
      for (const { cellId, name } of files) {
        const place = placeOf(cellId);
        if (place === null || !('folder' in place)) continue;
        await removeFromFolder(place.folder, name).catch((error: unknown) => (kept ??= error));
      }
      if (kept !== null) log.error({ err: kept }, 'recordings past their retention period could not be deleted; their files remain');
    },
  };
}
