import { crc32, constants, deflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { offsetMsAt } from '#kernel/calendar.ts';
import type { JsonValue } from '#kernel/json.ts';
import { neutralized } from '../spreadsheet-text.ts';
import type { Table, TableFormat, TableRow } from './table-format.ts';
import { plainCell } from './text-formats.ts';
import { descriptor, directory, localHeader, type ZipEntry } from './zip-stream.ts';

/** Most rows of a sheet that spreadsheet programs open, the heading among them. */
const MAX_SHEET_ROWS = 1_048_576;
/** A sheet ends before its size no longer fits into 32 bits, in bytes. */
const MAX_SHEET_BYTES = 2 ** 31;
/** Most characters of a cell. */
const MAX_CELL_LENGTH = 32_767;

const entry = z.object({ name: z.string(), offset: z.int(), crc: z.int(), compressed: z.int(), size: z.int(), rows: z.int() });
const state = z.object({ offset: z.int(), entries: z.array(entry) });
type State = z.output<typeof state>;

/**
 * An Excel workbook. Rows go into sheets one after the other, each as full as programs can open.
 *
 * Why:    a sheet is compressed in pieces that end on a byte, so that another process goes on with its next piece
 * Source: ECMA-376, Part 1; RFC 1951
 */
export const workbookFormat: TableFormat = {
  extension: 'xlsx',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  isForPeople: true,
  rowsAtOnce: 1_000,
  open: (table, saved) => writerOf(table, saved === null ? { offset: 0, entries: [] } : state.parse(saved)),
};

function writerOf(table: Table, now: State) {
  const archive = archiveOf(now);
  const heading = () => archive.add(`${SHEET_BEGIN}${rowXml(headingCells(table), 1)}`, 1);
  const beginSheet = () => {
    archive.begin(`xl/worksheets/sheet${now.entries.length + 1}.xml`);
    heading();
  };
  return {
    header() {
      beginSheet();
      return archive.take();
    },
    rows(rows: readonly TableRow[]) {
      for (const part of intoSheets(rows, () => roomIn(archive.open()))) {
        if (part.isNewSheet) {
          archive.finish(SHEET_END);
          beginSheet();
        }
        const first = archive.open().rows + 1;
        archive.add(part.rows.map((row, index) => rowXml(cellsOf(table, row), first + index)).join(''), part.rows.length);
      }
      return archive.take();
    },
    end() {
      archive.finish(SHEET_END);
      for (const [name, text] of partsOf(now.entries.length)) archive.whole(name, text);
      archive.append(directory(now.entries, now.offset));
      return archive.take();
    },
    save: (): JsonValue => structuredClone(now),
  };
}

function roomIn({ rows, size }: ZipEntry & { rows: number }): number {
  return size > MAX_SHEET_BYTES ? 0 : MAX_SHEET_ROWS - rows;
}

/** Cuts rows where a sheet is full. */
function* intoSheets(rows: readonly TableRow[], room: () => number): Generator<{ rows: readonly TableRow[]; isNewSheet: boolean }> {
  for (let from = 0; from < rows.length; ) {
    const left = room();
    const count = left > 0 ? left : MAX_SHEET_ROWS - 1;
    yield { rows: rows.slice(from, from + count), isNewSheet: left <= 0 };
    from += count;
  }
}

/** The archive so far: `now` moves with what is added to it. */
function archiveOf(now: State) {
  let pieces: Uint8Array[] = [];
  const append = (bytes: Uint8Array) => {
    pieces.push(bytes);
    now.offset += bytes.length;
  };
  const open = () => {
    const last = now.entries.at(-1);
    if (last === undefined) throw new Error('no part of the workbook is open');
    return last;
  };
  const put = (text: string, flush: number) => {
    const [part, bytes] = [open(), Buffer.from(text)];
    const packed = deflateRawSync(bytes, { finishFlush: flush });
    part.crc = crc32(bytes, part.crc);
    part.size += bytes.length;
    part.compressed += packed.length;
    append(packed);
  };
  const begin = (name: string) => {
    now.entries.push({ name, offset: now.offset, crc: 0, compressed: 0, size: 0, rows: 0 });
    append(localHeader(name));
  };
  const finish = (text: string) => {
    put(text, constants.Z_FINISH);
    append(descriptor(open()));
  };
  return {
    begin,
    append,
    open,
    finish,
    add(text: string, rows: number) {
      put(text, constants.Z_SYNC_FLUSH);
      open().rows += rows;
    },
    whole(name: string, text: string) {
      begin(name);
      finish(text);
    },
    take() {
      const bytes = Buffer.concat(pieces);
      pieces = [];
      return bytes;
    },
  };
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** The heading stays in sight. */
const SHEET_BEGIN = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
const SHEET_END = '</sheetData></worksheet>';
/** Style of an instant; style 0 is general. */
const TIME_STYLE = 1;

/** The parts beside the sheets. */
function partsOf(sheets: number): [name: string, text: string][] {
  const each = (text: (id: number) => string) => Array.from({ length: sheets }, (_, index) => text(index + 1)).join('');
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return [
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${each(id => `<Override PartName="/xl/worksheets/sheet${id}.xml" ContentType="${type}.worksheet+xml"/>`)}</Types>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${each(id => `<sheet name="${id}" sheetId="${id}" r:id="r${id}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each(id => `<Relationship Id="r${id}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${id}.xml"/>`)}<Relationship Id="s" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      'xl/styles.xml',
      `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="176" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="176" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ],
  ];
}

function headingCells({ columns }: Table): string[] {
  return columns.map(({ title }) => textXml(title));
}

function cellsOf({ columns, zone }: Table, row: TableRow): string[] {
  return columns.map(({ type }, place) => {
    const value = row[place] ?? null;
    return typeof value === 'number' && type === 'instant' ? timeXml(value, zone) : cellXml(plainCell(value));
  });
}

function rowXml(cells: readonly string[], at: number): string {
  return `<row r="${at}">${cells.map((cell, place) => (cell === '' ? '' : cell.replace('<c', `<c r="${columnName(place)}${at}"`))).join('')}</row>`;
}

function cellXml(value: string | number | null): string {
  if (value === null || value === '') return '';
  return typeof value === 'number' ? `<c><v>${value}</v></c>` : textXml(value);
}

function textXml(text: string): string {
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(neutralized(text).slice(0, MAX_CELL_LENGTH).toWellFormed())}</t></is></c>`;
}

/** Days since the beginning of 1900 as spreadsheets count them. */
function timeXml(at: number, zone: string): string {
  const days = Math.round((at + offsetMsAt(zone, at)) / 1_000) / 86_400 + 25_569;
  return `<c s="${TIME_STYLE}"><v>${days}</v></c>`;
}

const MARKUP = /[&<>]/;
/** Characters that XML cannot hold. */
// oxlint-disable-next-line no-control-regex
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escaped(text: string): string {
  const fit = text.replace(UNFIT, '');
  return MARKUP.test(fit) ? fit.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : fit;
}

const NAMES: string[] = [];

/** `A`, …, `Z`, `AA`, … */
function columnName(place: number): string {
  return (NAMES[place] ??= place < 26 ? String.fromCodePoint(65 + place) : columnName(Math.floor(place / 26) - 1) + columnName(place % 26));
}
