import { parseJsonObject } from './json-cell.ts';
import type { ColumnPlan } from './column-plan.ts';
import type { FileTable } from './file-table.ts';
import { CONTACT_TITLES, eachText } from '#contacts/contact.ts';
import { isMemberTitle } from '#contacts/decisions/column-titles.ts';
import { isOneOf } from '#kernel/typed.ts';

/** Titles that an export of an earlier version lacks. */
const LATER_TITLES: readonly string[] = [CONTACT_TITLES.timeZone, CONTACT_TITLES.externalId, CONTACT_TITLES.otherNumbers].flat();

/** Indexes of the two languages of an export. */
const LANGUAGES = [0, 1] as const;

/**
 * Recognises the columns of the product's own export, so that contacts are imported as they were exported; call times and results are ignored.
 *
 * Why:   exports of earlier versions lack the titles that were added later
 * Shape: null for any other file
 */
export function exportedColumns({ header, names }: FileTable): ColumnPlan | null {
  const titles = LANGUAGES.map(language => Object.values(CONTACT_TITLES).map((title): string => title[language]));
  const needed = LANGUAGES.map(each => titles[each]?.filter(title => !LATER_TITLES.includes(title)));
  const language = LANGUAGES.find(each => needed[each]?.every(title => header.includes(title)));
  if (language === undefined) return null;
  const at = (field: keyof typeof CONTACT_TITLES) => header.indexOf(CONTACT_TITLES[field][language]);
  const added = names
    .map((name, index) => ({ name, index }))
    .filter(({ index }) => isOwnColumn(header[index] ?? '', titles[language] ?? []));
  return {
    phoneNumber: at('phoneNumber'),
    otherNumbers: [at('otherNumbers')].filter(index => index >= 0),
    ...eachText(name => at(name)),
    // An export names no promise: an import of it promises nothing.
    callbackAt: -1,
    callbackNote: -1,
    variables: at('metadata'),
    metadata: added,
  };
}

/** Whether a person has added the column, not an export. */
function isOwnColumn(title: string, known: readonly string[]): boolean {
  return !known.includes(title) && !isMemberTitle(title);
}

/** Finds a column that has the export's title of variables and holds only JSON objects; -1 when there is none. */
export function variablesColumn({ header, records }: FileTable): number {
  const index = header.findIndex(name => isOneOf(CONTACT_TITLES.metadata, name));
  const cells = index < 0 ? [] : records.map(({ cells: row }) => row[index] ?? '').filter(cell => cell !== '');
  return cells.length > 0 && cells.every(cell => parseJsonObject(cell) !== null) ? index : -1;
}
