/** One number of a list, as it was entered. */
export interface ListedNumber {
  /** Counted from 1. */
  line: number;
  /** The whole line. */
  text: string;
  phoneNumber: string;
  /** Text after the number; empty: the reason of the whole list applies. */
  reason: string;
}

const HEADER = /^[^\d]*$/;

/** Parses one number per line, followed by its reason after a comma, a semicolon or a tab: what a spreadsheet copies or saves as CSV. */
export function readNumbers(text: string): ListedNumber[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.flatMap((whole, index) => {
    const [first = '', ...rest] = cellsOf(whole);
    // A header row has no digit.
    if (first === '' || (index === 0 && HEADER.test(first))) return [];
    return [{ line: index + 1, text: whole, phoneNumber: first, reason: rest.filter(Boolean).join(' ') }];
  });
}

function cellsOf(line: string): string[] {
  return line.split(/[,;\t，；]/).map(cell => cell.trim().replace(/^"(.*)"$/, '$1'));
}

/** A cell that could be a phone number. */
const NUMBER = /^'?\+?(?:[\s()-]*\d){7,}[\s()-]*$/;

/** Whether the numbers are in another column than the first, for instance after row numbers: the text is then read like a file. */
export function hasOtherColumns(text: string): boolean {
  return text.split(/\r?\n/).some(line => {
    const [first = '', ...rest] = cellsOf(line);
    return !NUMBER.test(first) && rest.some(cell => NUMBER.test(cell));
  });
}

/** Numbers in the form that `readNumbers` parses, one per line. */
export function textOf(numbers: readonly { phoneNumber: string; reason: string }[]): string {
  return numbers.map(({ phoneNumber, reason }) => (reason ? `${phoneNumber}\t${reason.replaceAll(/\s+/g, ' ')}` : phoneNumber)).join('\n');
}
