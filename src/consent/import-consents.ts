import { z } from 'zod';
import { audit } from '#audit/audit.ts';
import { cleanNumber } from '#imports/clean-number.ts';
import { planColumns } from '#imports/column-mapping.ts';
import { importFields } from '#imports/file-import.ts';
import type { FileRecord, FileTable } from '#imports/file-table.ts';
import type { ImportQueuePart } from '#imports/import-file.ts';
import { readTable, type SentFile, type SheetsPart } from '#imports/read-table.ts';
import { requestedRegion } from '#imports/requested-region.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidInput, type InputFault, isCalloutError } from '#kernel/errors.ts';
import { toInstantOrNull } from '#kernel/fields.ts';
import { type Region, spelledAt } from '#phone-numbers/dial-key.ts';
import { parseTexts } from '#platform/http/parse.ts';
import { type ConsentEntry, newConsent } from './consent.ts';
import { append, type ConsentApp, faultOf } from './record-consents.ts';

/** Texts that accompany the file: how it is read, and what holds for rows whose columns are missing or empty. Source: D8.10 */
export const consentImportFields = z.object({
  purpose: newConsent.shape.purpose,
  source: newConsent.shape.source.optional(),
  wording: newConsent.shape.wording,
  region: importFields.shape.region,
  sheet: importFields.shape.sheet,
  headerRow: importFields.shape.headerRow,
  includeHidden: importFields.shape.includeHidden,
  dryRun: importFields.shape.dryRun,
});

export const consentImport = z
  .object({
    given: z.int().meta({ description: '登记的同意' }),
    revoked: z.int().meta({ description: '登记的撤回' }),
    dryRun: z.boolean(),
  })
  .meta({ id: 'ConsentImport' });

export type ConsentImport = z.output<typeof consentImport>;

type ImportInput = z.output<typeof consentImportFields> & Pick<SentFile, 'fileName' | 'bytes'>;

type ImportApp = ConsentApp & ImportQueuePart & SheetsPart & { timeZone: string };

/** Headings of the columns beside the number, compared without case and blanks. */
const HEADINGS = {
  kind: ['状态', '类型', 'kind', 'status'],
  purpose: ['用途', '同意用途', 'purpose'],
  source: ['来源', '同意来源', 'source'],
  wording: ['同意内容', '告知内容', '原话', 'wording'],
  at: ['时间', '同意时间', 'at', 'date', 'consentedat'],
  until: ['有效期至', '有效期', '到期时间', 'until', 'expiresat'],
  evidence: ['凭证', '凭证编号', 'evidence'],
} as const satisfies Partial<Record<keyof ConsentEntry, readonly string[]>>;

const MEMBERS = ['kind', 'purpose', 'source', 'wording', 'at', 'until', 'evidence'] as const;

/** Words of a revocation in the column `kind`; any other word is left to validation. */
const KIND_WORDS: Readonly<Record<string, ConsentEntry['kind']>> = { 同意: 'given', 撤回: 'revoked', 撤销: 'revoked', 拒绝: 'revoked' };

/** Most faults named in one refusal. */
const MAX_FAULTS = 20;

/**
 * Appends the consents and revocations of a file; of a file with a fault nothing is written.
 *
 * Errors: INVALID_ARGUMENT naming row and column, or when the file cannot be read; RATE_LIMITED
 * Source: D8.10, D6.3
 */
export function importConsents(app: ImportApp, caller: Caller, input: ImportInput): Promise<ConsentImport> {
  return app.importQueue.inTurn(caller, async () => {
    const entries = await readEntries(app, input);
    const count = (wanted: ConsentEntry['kind']) => entries.filter(({ kind }) => kind === wanted).length;
    const result = { given: count('given'), revoked: count('revoked'), dryRun: input.dryRun };
    if (input.dryRun) return result;
    await append(app, entries, { origin: 'import', createdBy: caller.userId });
    await audit(app, caller, {
      action: 'consent.imported',
      targetType: 'consent',
      targetId: null,
      summary: `导入同意 ${result.given} 条、撤回 ${result.revoked} 条`,
      detail: { given: result.given, revoked: result.revoked },
    });
    return result;
  });
}

async function readEntries(app: ImportApp, input: ImportInput): Promise<ConsentEntry[]> {
  const { fileName, bytes, sheet, includeHidden: includesHidden, headerRow } = input;
  const region = requestedRegion(input.region, app.region);
  const table = await readTable(app, { fileName, bytes, sheet, includesHidden }, { headerRow, region });
  const columns = columnsOf(table, region);
  const read = table.records.map(record => readRow(app, record, { columns, region, input }));
  const [first, ...others] = read.flatMap(({ faults }) => faults);
  if (first !== undefined) throw invalidInput([first, ...others.slice(0, MAX_FAULTS - 1)]);
  return read.flatMap(({ entry }) => entry ?? []);
}

type Columns = Readonly<Record<'phoneNumber' | (typeof MEMBERS)[number], number>>;

function columnsOf(table: FileTable, region: Region): Columns {
  const names = table.header.map(name => name.toLowerCase().replaceAll(/[\s_-]/g, ''));
  const find = (member: (typeof MEMBERS)[number]) => names.findIndex(name => HEADINGS[member].some(heading => heading === name));
  const { phoneNumber } = planColumns(table, null, region);
  const [kind, purpose, source, wording, at, until, evidence] = MEMBERS.map(find);
  const none = -1;
  return {
    phoneNumber,
    kind: kind ?? none,
    purpose: purpose ?? none,
    source: source ?? none,
    wording: wording ?? none,
    at: at ?? none,
    until: until ?? none,
    evidence: evidence ?? none,
  };
}

interface RowReading {
  columns: Columns;
  region: Region;
  input: ImportInput;
}

function readRow(
  { region: home, timeZone, clock }: Pick<ImportApp, 'region' | 'timeZone' | 'clock'>,
  { row, cells }: FileRecord,
  { columns, region, input }: RowReading,
): { entry?: ConsentEntry; faults: InputFault[] } {
  const placed = ({ field, problem }: InputFault): InputFault => ({ field: `rows[${row}].${field}`, problem });
  try {
    const { at, until, ...entry } = parseTexts(newConsent, textsOf(cells, columns, input), 'row');
    const phoneNumber = spelledAt(home, entry.phoneNumber, region);
    const parsed = { ...entry, phoneNumber, at: toInstantOrNull(at, timeZone), until: toInstantOrNull(until, timeZone) };
    const fault = faultOf(parsed, home, clock.now());
    return fault === null ? { entry: parsed, faults: [] } : { faults: [placed(fault)] };
  } catch (error) {
    if (!isCalloutError(error, 'INVALID_ARGUMENT')) throw error;
    return { faults: error.faults.map(placed) };
  }
}

/** The texts of a row; an empty cell takes what was given for the whole file. */
function textsOf(cells: readonly string[], columns: Columns, input: ImportInput): Record<string, string> {
  const cell = (member: keyof Columns) => cells[columns[member]] ?? '';
  return {
    phoneNumber: cleanNumber(cell('phoneNumber')),
    kind: KIND_WORDS[cell('kind')] ?? cell('kind'),
    purpose: cell('purpose') || input.purpose,
    source: cell('source') || (input.source ?? ''),
    wording: cell('wording') || input.wording,
    at: wholeTime(cell('at')),
    until: wholeTime(cell('until')),
    evidence: cell('evidence'),
  };
}

/** A date without a time is the beginning of its day, as in a contract. */
function wholeTime(text: string): string {
  const dashed = text
    .replaceAll('/', '-')
    .replace(/^(\d{4})-(\d)-/, '$1-0$2-')
    .replace(/^(\d{4}-\d{2})-(\d)(?!\d)/, '$1-0$2');
  return /^\d{4}-\d{2}-\d{2}$/.test(dashed) ? `${dashed} 00:00` : dashed;
}
