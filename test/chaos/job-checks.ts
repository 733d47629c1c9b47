import { afterFaults, type Span } from './checks.ts';

/** Rows by their number and a digest of what is in them. */
export interface RowsDigest {
  rows: number;
  digest: string;
}

/** What an import had to bring about, and what it has. */
export interface ImportFinding {
  jobId: number | null;
  campaignId: number;
  state: string;
  /** Text of the error of a failed job. */
  error: string | null;
  expected: RowsDigest & { refused: readonly number[]; repeated: number };
  /** `ids`: external ids, each counted once; `refused`: rows of the file, as the file of refusals names them. */
  found: RowsDigest & { ids: number; refused: readonly number[]; counts: ImportFigures | null };
}

/** The counts that the job tells. */
export interface ImportFigures {
  totalRows: number;
  createdRows: number;
  failedRows: number;
  leftOut: { repeated: number };
}

/** An export, and the rows that its filter has found when it began. */
export interface ExportFinding {
  jobId: number;
  state: string;
  error: string | null;
  format: string;
  /** Rows that the job tells. */
  reported: number;
  expected: RowsDigest;
  /** Rows of its file. */
  found: RowsDigest;
}

export interface JobEvidence {
  imports: readonly ImportFinding[];
  exports: readonly ExportFinding[];
  /** Exports whose start was confirmed and that are not there. */
  missed: readonly number[];
  /** Why turns failed, which some do while services are away. */
  refusals: readonly string[];
  /** Spans in which an open job had no owner, though nothing made it wait. */
  unowned: readonly Span[];
}

/** One line for each broken promise of an import: no row lost, none doubled, each refusal reported. */
export function importFaults({ jobId, campaignId, state, error, expected, found }: ImportFinding): string[] {
  const name = `import ${jobId ?? ''} into campaign ${campaignId}`;
  if (jobId === null) return [`${name} was confirmed and is not there`];
  if (state !== 'done') return [`${name} is ${state}: ${error ?? 'no error'}`];
  return [
    ...(found.ids < found.rows ? [`${name}: ${found.rows - found.ids} contacts are doubled`] : []),
    ...(found.rows !== expected.rows ? [`${name}: ${found.rows} contacts, expected ${expected.rows}`] : []),
    ...(found.rows === expected.rows && found.digest !== expected.digest ? [`${name}: the contacts are others than the file's`] : []),
    ...(found.refused.join() === expected.refused.join()
      ? []
      : [`${name}: the file of refusals has ${found.refused.length} rows, expected ${expected.refused.length}`]),
    ...(figuresOf(found.counts) === figuresExpected(expected) ? [] : [`${name}: reports ${figuresOf(found.counts)}`]),
  ];
}

function figuresOf(counts: ImportFigures | null): string {
  return counts === null ? 'nothing' : `${counts.totalRows}/${counts.createdRows}/${counts.failedRows}/${counts.leftOut.repeated}`;
}

function figuresExpected({ rows, refused, repeated }: ImportFinding['expected']): string {
  return `${rows + refused.length + repeated}/${rows}/${refused.length}/${repeated}`;
}

/** One line for each broken promise of an export: its file has every row, once. */
export function exportFaults({ jobId, state, error, format, reported, expected, found }: ExportFinding): string[] {
  const name = `export ${jobId} (${format})`;
  if (state !== 'done') return [`${name} is ${state}: ${error ?? 'no error'}`];
  return [
    ...(found.rows !== expected.rows ? [`${name}: ${found.rows} rows, expected ${expected.rows}`] : []),
    ...(found.rows === expected.rows && found.digest !== expected.digest ? [`${name}: the rows are others than the database's`] : []),
    ...(reported !== found.rows ? [`${name}: reports ${reported} rows, has ${found.rows}`] : []),
  ];
}

/**
 * How long an open job may have no owner, ms: a look for jobs comes each second, and the lanes of a server may be busy.
 *
 * Why: the 15 s of the lease are not among them; a job counts as without an owner from its end
 */
export const UNOWNED_LIMIT_MS = 10_000;

/** The longest time that an open job had no owner without a fault meanwhile, ms. */
export function longestUnownedMs(unowned: readonly Span[], faults: readonly Span[]): number {
  const rests = unowned.map(span => afterFaults(span, faults));
  return Math.max(0, ...rests.map(({ startedAt, endedAt }) => endedAt - startedAt));
}
