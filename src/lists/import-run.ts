import type { ContactsPart } from '#contacts/contact.ts';
import { distinctRows, type ImportError, type ImportRow } from '#contacts/import-result.ts';
import { withoutKnownPersons } from '#imports/known-persons.ts';
import { readContacts } from '#imports/read-contacts.ts';
import { FILE_START, type TextBlock, type TextPlace } from '#imports/text-block.ts';
import { type ImportCounts, NO_ROWS } from './import-counts.ts';
import type { ImportOptions } from './import-input.ts';
import { blockReader, type OpenFile, type SourceApp } from './source-file.ts';

type RunApp = SourceApp & ContactsPart;
type RowOptions = Parameters<typeof readContacts>[3];

/** Rows of a file that are checked and wait to be written. */
export interface PreparedRows {
  place: TextPlace;
  next: TextPlace;
  rows: readonly ImportRow[];
  failed: readonly ImportError[];
  /** Counts of the rows that are not written. */
  counts: ImportCounts;
}

export interface RunInput {
  file: OpenFile;
  /** Null: into a list. */
  campaignId: number | null;
  options: ImportOptions;
  rowOptions: RowOptions;
}

export type ImportRun = ReturnType<typeof importRun>;

/**
 * Reads and checks the rows of a file in order, those behind while the ones in front are being written.
 *
 * Why: an external id that comes twice is written once, so the ids that have come are remembered: a second one would undo the first, and
 *      the same file would change rows each time
 */
export function importRun(app: RunApp, input: RunInput) {
  const read = blockReader(app, input.file);
  const seen = new Set<string>();
  let ahead: { offset: number; block: Promise<PreparedRows> } | null = null;
  const prepare = async (place: TextPlace) => unseen(seen, await check(app, input, await read(place)), place);
  const begin = (place: TextPlace) => {
    const block = prepare(place);
    // `take` awaits the same promise and reports its failure; this handler only prevents an unhandled rejection until then.
    block.catch(() => undefined);
    ahead = { offset: place.offset, block };
    return block;
  };
  return {
    /** Whether the run goes on from this place. */
    isAt: (place: TextPlace) => ahead?.offset === place.offset,
    begin,
    /** Takes the rows at the place where the run is, and begins with those behind. */
    async take(): Promise<PreparedRows> {
      if (ahead === null) throw new Error('the run has not begun');
      const block = await ahead.block;
      if (block.next.offset < input.file.size) void begin(block.next);
      else ahead = { offset: block.next.offset, block: Promise.resolve(block) };
      return block;
    },
    /** Reads again what an earlier server has read, to know the external ids that have come. */
    async catchUp(place: TextPlace, signal: AbortSignal): Promise<void> {
      if (input.file.plan.externalId < 0) return;
      for (let at = FILE_START; at.offset < place.offset && !signal.aborted; ) at = (await prepare(at)).next;
    },
  };
}

interface Checked extends Pick<PreparedRows, 'rows' | 'failed' | 'next'> {
  leftOut: ImportCounts['leftOut'];
}

async function check(app: RunApp, { file, campaignId, options, rowOptions }: RunInput, block: TextBlock): Promise<Checked> {
  const records = block.rows.filter(({ row }) => row > file.above).map(each => ({ ...each, rowNumber: each.row - file.above }));
  const { valid, failed } = await readContacts(app.clock, { ...file.table, records }, file.plan, rowOptions);
  const distinct = distinctRows(valid);
  const scope = { duplicates: options.duplicates ?? undefined, contactedWithinDays: options.contactedWithinDays ?? undefined };
  const kept = campaignId === null ? distinct : await withoutKnownPersons(app, campaignId, distinct, scope);
  const leftOut = { ...NO_ROWS.leftOut };
  for (const { because } of kept.leftOut) leftOut[because === 'campaign' ? 'known' : because] += 1;
  return { rows: kept.distinct, failed, next: block.next, leftOut };
}

function unseen(seen: Set<string>, { rows, failed, next, leftOut }: Checked, place: TextPlace): PreparedRows {
  const fresh = rows.filter(({ contact: { externalId } }) => externalId === '' || !seen.has(externalId));
  for (const { contact } of fresh) if (contact.externalId !== '') seen.add(contact.externalId);
  const repeated = leftOut.repeated + rows.length - fresh.length;
  const all = { ...leftOut, repeated };
  const notWritten = failed.length + Object.values(all).reduce((sum, count) => sum + count, 0);
  return { place, next, rows: fresh, failed, counts: { ...NO_ROWS, totalRows: notWritten, failedRows: failed.length, leftOut: all } };
}
