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
    const [first = '', ...rest] = whole.split(/[,;\t，；]/).map(cell => cell.trim().replace(/^"(.*)"$/, '$1'));
    // A title row has no digit.
    if (first === '' || (index === 0 && HEADER.test(first))) return [];
    return [{ line: index + 1, text: whole, phoneNumber: first, reason: rest.filter(Boolean).join(' ') }];
  });
}

/** Numbers as `readNumbers` reads them, a line each. */
export function textOf(numbers: readonly { phoneNumber: string; reason: string }[]): string {
  return numbers.map(({ phoneNumber, reason }) => (reason ? `${phoneNumber}\t${reason.replaceAll(/\s+/g, ' ')}` : phoneNumber)).join('\n');
}
