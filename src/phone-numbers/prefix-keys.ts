import { getCountryCallingCode, Metadata } from 'libphonenumber-js/max';
import { bareSpelling, type Region } from './dial-key.ts';

const DIGITS = Array.from('0123456789');

/**
 * The dial-key prefixes that cover all numbers with this prefix, in whichever spelling.
 *
 * Shape:  `138` in China: `+86138`, and `138` for texts that no numbering plan knows; `00` or `+` alone: all numbers of other regions
 * Source: OCS 4.9, D8.7
 */
export function prefixKeys(prefix: string, region: Region): string[] {
  const bare = bareSpelling(prefix);
  const abroad = /^(?:\+|00)(.*)$/s.exec(bare)?.[1];
  if (abroad !== undefined) return internationalKeys(abroad, region);
  const code = getCountryCallingCode(region);
  return [bare, ...homeKeys(bare, region), ...(bare.startsWith(code) ? [`+${bare}`] : [])];
}

/** `rest` is the text after `+` or `00`. */
function internationalKeys(rest: string, region: Region): string[] {
  const code = getCountryCallingCode(region);
  if (rest === '') return othersThan(code);
  return rest.startsWith(code) ? homeKeys(rest.slice(code.length), region) : [`+${rest}`];
}

/** `prefix` may start with the trunk prefix, as in national dialling. */
function homeKeys(prefix: string, region: Region): string[] {
  const code = `+${getCountryCallingCode(region)}`;
  const trunk = trunkPrefix(region);
  if (region === 'CN' && (prefix === '0' || prefix === '01')) return prefix === '0' ? CHINA_AREAS : [`${code}10`];
  return trunk !== '' && prefix.startsWith(trunk) ? [code + prefix.slice(trunk.length)] : [code + prefix];
}

/** In China only fixed lines are written with a leading 0. */
const CHINA_AREAS = ['+8610', ...Array.from('23456789').map(digit => `+86${digit}`)];

/** Trunk prefix for national calls of a region; '' when it has none. */
export function trunkPrefix(region: Region): string {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(region);
  // The library's type declaration omits this method.
  const plan = metadata.numberingPlan as { nationalPrefix(): string | undefined } | undefined;
  return plan?.nationalPrefix() ?? '';
}

/** The shortest prefixes that together match every number except those with this country code. */
function othersThan(code: string): string[] {
  return Array.from(code).flatMap((own, index) => DIGITS.filter(digit => digit !== own).map(digit => `+${code.slice(0, index)}${digit}`));
}
