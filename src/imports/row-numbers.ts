import { MAX_NUMBER_LABEL_LENGTH, MAX_NUMBERS } from '#contacts/decisions/numbers.ts';
import { numberFault, type NumberOptions } from '#phone-numbers/carriers.ts';
import { type CellNumber, cellNumbers } from '#phone-numbers/cell-numbers.ts';
import type { Region } from '#phone-numbers/dial-key.ts';
import { cleanNumber } from './clean-number.ts';
import type { ColumnPlan } from './column-plan.ts';

/** A number of a row. */
export interface RowNumber extends CellNumber {
  /** Heading of the column of further numbers; empty for the first column. */
  label: string;
  /** Index of its column. */
  column: number;
}

/** Why the numbers of a row make no contact. */
export interface NumbersFault {
  /** Chinese text. */
  reason: string;
  column: number;
}

type Row = { cells: readonly string[] };
type NamedRow = { names: readonly string[] };

/** A cell without any digit says that there is no number: 无, `-`, `n/a`. */
const HAS_DIGIT = /\p{Nd}/u;

/** All numbers of a row in order: those of the column of numbers, then those of the further columns. */
export function rowNumbers({ cells }: Row, plan: ColumnPlan, { names }: NamedRow, region: Region): RowNumber[] {
  const own = numbersAt(cells, plan.phoneNumber, region).map(number => ({ ...number, label: '', column: plan.phoneNumber }));
  const others = plan.otherNumbers.flatMap(column => {
    const label = (names[column] ?? '').slice(0, MAX_NUMBER_LABEL_LENGTH).toWellFormed();
    return HAS_DIGIT.test(cells[column] ?? '') ? numbersAt(cells, column, region).map(number => ({ ...number, label, column })) : [];
  });
  return [...own, ...others];
}

function numbersAt(cells: readonly string[], column: number, region: Region): CellNumber[] {
  const cell = cleanNumber(cells[column] ?? '');
  return cell === '' ? [] : cellNumbers(cell, region);
}

const EMPTY = '号码为空';
const ANY_KIND = { carriers: [], landline: 'allow' } as const;

/**
 * The numbers by which the person of a row is called, or why there are none.
 *
 * Why:    a number that is none fails its row, so that nobody looks for it in vain; one that the import's options exclude is left out, while
 *         another of the person remains
 * Source: D6.3, D6.4, D6.7
 */
export function usableNumbers(numbers: readonly RowNumber[], plan: ColumnPlan, options: NumberOptions): RowNumber[] | NumbersFault {
  const [first] = numbers;
  if (first === undefined) return { reason: EMPTY, column: plan.phoneNumber };
  const usable: RowNumber[] = [];
  for (const number of numbers) {
    const reason = numberFault(number.phoneNumber, { ...ANY_KIND, region: options.region });
    if (reason !== null) return { reason, column: number.column };
    if (numberFault(number.phoneNumber, options) === null) usable.push(number);
  }
  if (usable.length > MAX_NUMBERS)
    return { reason: `一个联系人最多 ${MAX_NUMBERS} 个号码，该行有 ${usable.length} 个`, column: first.column };
  return usable.length > 0 ? usable : { reason: numberFault(first.phoneNumber, options) ?? EMPTY, column: first.column };
}
