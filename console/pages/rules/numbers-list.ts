/** One number of a list, as it stands in it. */
export interface ListedNumber {
  /** From 1. */
  line: number;
  /** The whole line. */
  text: string;
  phoneNumber: string;
  /** What stands behind the number; empty: the reason of the whole list. */
  reason: string;
}

const HEADER = /^[^\d]*$/;

/** A number a line, with its reason behind a comma, a semicolon or a tab: what a sheet gives when it is copied or saved as CSV. */
export function readNumbers(text: string): ListedNumber[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.flatMap((whole, index) => {
    const [first = '', ...rest] = cellsOf(whole);
    // A title row has no digit.
    if (first === '' || (index === 0 && HEADER.test(first))) return [];
    return [{ line: index + 1, text: whole, phoneNumber: first, reason: rest.filter(Boolean).join(' ') }];
  });
}

function cellsOf(line: string): string[] {
  return line.split(/[,;\t，；]/).map(cell => cell.trim().replace(/^"(.*)"$/, '$1'));
}

/** A cell that could be a number of a person. */
const NUMBER = /^'?\+?(?:[\s()-]*\d){7,}[\s()-]*$/;

/** Whether lines hold numbers elsewhere than in front, as rows that are counted do: where they stand is then read as of a file. */
export function hasOtherColumns(text: string): boolean {
  return text.split(/\r?\n/).some(line => {
    const [first = '', ...rest] = cellsOf(line);
    return !NUMBER.test(first) && rest.some(cell => NUMBER.test(cell));
  });
}

/** Numbers as `readNumbers` reads them, a line each. */
export function textOf(numbers: readonly { phoneNumber: string; reason: string }[]): string {
  return numbers.map(({ phoneNumber, reason }) => (reason ? `${phoneNumber}\t${reason.replaceAll(/\s+/g, ' ')}` : phoneNumber)).join('\n');
}
