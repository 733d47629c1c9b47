import { strToU8, zipSync, type Zippable } from 'fflate';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface WorkbookLook {
  hiddenSheets?: readonly string[];
  /** Custom number formats. Cell style 2 is the first one, because style 0 is general and style 1 a date. */
  formats?: readonly string[];
}

/** A minimal workbook that spreadsheet programs accept; `sheets` maps names to the XML of their cells. */
export function workbook(
  sheets: Record<string, string>,
  more: Zippable = {},
  { hiddenSheets = [], formats = [] }: WorkbookLook = {},
): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets);
  const each = (text: (name: string, id: number) => string) => names.map((name, index) => text(name, index + 1)).join('');
  const entries: Zippable = {
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${each((name, id) => `<sheet name="${name}" sheetId="${id}"${hiddenSheets.includes(name) ? ' state="hidden"' : ''} r:id="r${id}"/>`)}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each((_, id) => `<Relationship Id="r${id}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${id}.xml"/>`)}<Relationship Id="s" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/styles.xml': strToU8(
      `<styleSheet xmlns="${MAIN}"><numFmts>${formats.map((code, index) => `<numFmt numFmtId="${CUSTOM + index}" formatCode="${code}"/>`).join('')}</numFmts><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/>${formats.map((_code, index) => `<xf numFmtId="${CUSTOM + index}" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
    ),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        strToU8(`<worksheet xmlns="${MAIN}"><sheetData>${sheets[name] ?? ''}</sheetData></worksheet>`),
      ]),
    ),
    ...more,
  };
  return new Uint8Array(zipSync(entries));
}

/** Lowest id of a custom number format. */
const CUSTOM = 176;

/** Rows of text cells; an empty string makes no cell. */
export function rowsOf(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], at: number) =>
    row.map((value, index) => (value === '' ? '' : text(`${String.fromCodePoint(65 + index)}${at}`, value))).join('');
  return rows.map((row, index) => `<row r="${index + 1}">${cells(row, index + 1)}</row>`).join('');
}

/** A cell that holds text. */
export const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
export const HEADER = `<row r="1">${text('A1', '手机号')}${text('B1', '姓名')}${text('C1', '日期')}</row>`;
