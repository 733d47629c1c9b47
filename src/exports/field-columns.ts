import type { ContactField } from '#attempts/contact-fields.ts';
import { resultTitle } from '#contacts/decisions/column-titles.ts';
import { offsetMsAt } from '#kernel/calendar.ts';
import { type ResultField, type ResultValue, typeOfField } from '#scripts/decisions/result-field.ts';

type Cell = string | number;

/** Language and time zone of a file. */
interface Style {
  language: 'zh' | 'en';
  zone: string;
}

interface FieldColumn<Row> {
  title: readonly [zh: string, en: string];
  cell: (row: Row, style: Style) => Cell;
}

/** A column for each result field. */
export function fieldColumns<Row>(
  fields: readonly ResultField[],
  valueOf: (row: Row, key: string) => ResultValue | null,
): FieldColumn<Row>[] {
  return fields.map(field => ({
    title: resultTitle(field.label === '' ? field.key : field.label),
    cell: (row, style) => cellOf(field, valueOf(row, field.key), style),
  }));
}

export function fieldOfContact(found: readonly ContactField[], key: string): ResultValue | null {
  return found.find(field => field.key === key)?.value ?? null;
}

/** A value as a spreadsheet reads it: an instant in the business time zone. */
function cellOf(field: ResultField, value: ResultValue | null, { language, zone }: Style): Cell {
  if (value === null) return '';
  if (typeof value === 'boolean') return YES_NO[language][Number(value)] ?? '';
  return typeOfField(field) === 'datetime' && typeof value === 'string' ? localText(Date.parse(value), zone) : value;
}

const YES_NO = { zh: ['否', '是'], en: ['No', 'Yes'] } as const;

function localText(at: number, zone: string): string {
  return Number.isNaN(at) ? '' : new Date(at + offsetMsAt(zone, at)).toISOString().slice(0, 19).replace('T', ' ');
}
