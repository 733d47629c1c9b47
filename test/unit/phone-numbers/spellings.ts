import * as fc from 'fast-check';
import type { Region } from '#phone-numbers/dial-key.ts';

export const REGIONS = ['CN', 'US', 'HK', 'GB'] as const satisfies readonly Region[];
type Home = (typeof REGIONS)[number];

/** A number as it might be written in `region`. */
export interface Spelling {
  region: Home;
  key: string;
  text: string;
}

const digits = (length: number) => fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: length, maxLength: length });
const after = (heads: readonly string[], length: number) =>
  fc.tuple(fc.constantFrom(...heads), digits(length)).map(parts => parts.join(''));

/** National numbers by numbering plan. */
const NUMBERS: Readonly<Record<Home, fc.Arbitrary<string>>> = {
  CN: fc.oneof(
    after(['130', '138', '139', '150', '158', '166', '177', '186', '189', '199'], 8),
    after(['106', '216', '208', '286', '7552', '5712', '5326'], 7),
  ),
  US: after(['212555', '415222', '202456', '646333'], 4),
  HK: after(['23', '25', '61', '91', '95'], 6),
  GB: after(['2079460', '1614960', '7700900', '7800123'], 3),
};
const CODES: Readonly<Record<Home, string>> = { CN: '86', US: '1', HK: '852', GB: '44' };
const TRUNKS: Readonly<Record<Home, string>> = { CN: '0', US: '1', HK: '', GB: '0' };
/** International dialling prefixes used in each region. */
const ABROAD: Readonly<Record<Home, readonly string[]>> = { CN: ['00'], US: ['00', '011'], HK: ['00', '001'], GB: ['00'] };

type Prefix = (home: Home, of: Home) => string[];

/** Prefixes of a number within its own region. */
const atHome: Prefix = home => ['', TRUNKS[home], ...(home === 'CN' ? ['17951', '17909', '12593', '179510', '11808'] : [])];
/** International prefixes of a number of any region. */
const abroad: Prefix = (home, of) => {
  const codes = ['+', ...ABROAD[home]].flatMap(prefix => [prefix + CODES[of], `${prefix}${CODES[of]} `, `(${prefix}${CODES[of]})`]);
  const doubled = home === of && of !== 'US' ? [`+${CODES[of]}+${CODES[of]}`] : [];
  const withTrunk = TRUNKS[of] === '0' ? [`+${CODES[of]}(0)`, `+${CODES[of]} 0`, `00${CODES[of]}0`] : [];
  return [...codes, ...withTrunk, ...doubled, ...(home === of && home !== 'US' ? [CODES[of]] : [])];
};

const SEPARATORS = [' ', '-', '\u00a0', '\u2013', '\u200b', '(', ')', ' - '];
const EXTENSIONS = ['', '', '', '转101', ' ext. 12', 'x7', '#8', ' 分机 302', ';ext=99', ',,5'];

const separated = (number: string): fc.Arbitrary<string> =>
  fc.array(fc.tuple(fc.nat(number.length), fc.constantFrom(...SEPARATORS)), { maxLength: 3 }).map(places => {
    const parts = Array.from(number);
    for (const [at, separator] of places) parts.splice(at, 0, separator);
    return parts.join('');
  });

const fullWidth = (text: string) => text.replaceAll(/[0-9+]/g, character => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

export const ALL_SPELLINGS = REGIONS.flatMap(home =>
  REGIONS.flatMap(of => [...abroad(home, of), ...(home === of ? atHome(home, of) : [])].map(prefix => ({ home, of, prefix }))),
);

export const spellings: fc.Arbitrary<Spelling> = fc.constantFrom(...ALL_SPELLINGS).chain(({ home, of, prefix }) =>
  NUMBERS[of].chain(number =>
    fc
      .record({ body: separated(number), extension: fc.constantFrom(...EXTENSIONS), isWide: fc.boolean() })
      .map(({ body, extension, isWide }) => {
        const text = prefix + body;
        return { region: home, key: `+${CODES[of]}${number}`, text: (isWide ? fullWidth(text) : text) + extension };
      }),
  ),
);
