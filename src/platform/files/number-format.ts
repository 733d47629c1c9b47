import { attributeOf } from './markup.ts';

/** Formats the digits of a number as stored in the file. */
export type ShowDigits = (digits: string) => string;

/** Longest format that is evaluated, characters: dialled numbers are shorter, and a sheet full of longer texts would exhaust memory. */
const MAX_FORMAT_LENGTH = 64;
/** Literal text of a format that only arranges digits. */
const LITERAL = /^(?:"([^"]*)"|\\(.)|([-+() ]))/;

/**
 * Cell styles, by index, whose number format shows digits that the number does not have: `00000000000` shows 13800 as eleven digits.
 *
 * Shape: input is styles.xml; empty when there is no such format
 */
export function digitStylesOf(styles: string): ReadonlyMap<string, ShowDigits> {
  const formats = new Map<string, ShowDigits>();
  for (const [, attributes = ''] of styles.matchAll(/<(?:\w+:)?numFmt\s([^<>]*)>/g)) {
    const show = showDigitsOf(attributeOf(attributes, 'formatCode') ?? '');
    if (show) formats.set(attributeOf(attributes, 'numFmtId') ?? '', show);
  }
  if (formats.size === 0) return new Map();
  const [, cellFormats = ''] = styles.split(/<\/?(?:\w+:)?cellXfs\b[^<>]*>/, 2);
  const byStyle = [...cellFormats.matchAll(/<(?:\w+:)?xf\b([^<>]*)>/g)].map(
    ([, attributes = ''], index) => [String(index), formats.get(attributeOf(attributes, 'numFmtId') ?? '')] as const,
  );
  return new Map(byStyle.flatMap(([index, show]) => (show ? [[index, show] as const] : [])));
}

/** Null when a format does more than arrange digits, or adds no digits. */
export function showDigitsOf(format: string): ShowDigits | null {
  const [section = ''] = format.split(';', 1);
  const tokens = section.length > MAX_FORMAT_LENGTH ? null : tokensOf(section);
  if (tokens === null) return null;
  const places = tokens.filter(token => typeof token !== 'string');
  const firstZero = places.findIndex(({ isZero }) => isZero);
  const least = firstZero < 0 ? 0 : places.length - firstZero;
  const addsDigits = tokens.some(token => typeof token === 'string' && /\d/.test(token));
  if (least < 2 && !addsDigits) return null;
  return digits => laidOut(tokens, digits.padStart(least, '0'), places.length);
}

interface Place {
  isZero: boolean;
}

function tokensOf(format: string): (string | Place)[] | null {
  const tokens: (string | Place)[] = [];
  let rest = format.replace(/\[[^\]]*\]/g, '');
  while (rest !== '') {
    const [whole, quoted, escaped, plain] = LITERAL.exec(rest) ?? [];
    if (whole !== undefined) tokens.push(quoted ?? escaped ?? plain ?? '');
    else if (rest.startsWith('0') || rest.startsWith('#')) tokens.push({ isZero: rest.startsWith('0') });
    else return null;
    rest = rest.slice(whole?.length ?? 1);
  }
  return tokens.some(token => typeof token !== 'string') ? tokens : null;
}

/** Fills the places with digits from the right; surplus digits go to the first place. */
function laidOut(tokens: readonly (string | Place)[], digits: string, places: number): string {
  let place = 0;
  return tokens
    .map(token => {
      if (typeof token === 'string') return token;
      place += 1;
      const end = digits.length - places + place;
      return digits.slice(place === 1 ? 0 : Math.max(end - 1, 0), Math.max(end, 0));
    })
    .join('');
}
