import { getCountryCallingCode, Metadata } from 'libphonenumber-js/max';
import { bareSpelling, type Region } from './dial-key.ts';

const DIGITS = Array.from('0123456789');

/**
 * How the keys of numbers with this prefix begin, whichever way number and prefix are spelled.
 *
 * Shape:  `138` in China: `+86138`, and `138` of what is no number of any plan; `00` and `+` alone: all numbers of other regions
 * Source: OCS 4.9, D8.7
 */
export function prefixKeys(prefix: string, region: Region): string[] {
  const bare = bareSpelling(prefix);
  const abroad = /^(?:\+|00)(.*)$/s.exec(bare)?.[1];
  if (abroad !== undefined) return internationalKeys(abroad, region);
  const code = getCountryCallingCode(region);
  return [bare, ...homeKeys(bare, region), ...(bare.startsWith(code) ? [`+${bare}`] : [])];
}

/** `rest`: what follows `+` or `00`. */
function internationalKeys(rest: string, region: Region): string[] {
  const code = getCountryCallingCode(region);
  if (rest === '') return othersThan(code);
  return rest.startsWith(code) ? homeKeys(rest.slice(code.length), region) : [`+${rest}`];
}

/** `prefix` may begin as numbers are dialled at home, with the trunk prefix. */
function homeKeys(prefix: string, region: Region): string[] {
  const code = `+${getCountryCallingCode(region)}`;
  const trunk = trunkPrefix(region);
  if (region === 'CN' && (prefix === '0' || prefix === '01')) return prefix === '0' ? CHINA_AREAS : [`${code}10`];
  return trunk !== '' && prefix.startsWith(trunk) ? [code + prefix.slice(trunk.length)] : [code + prefix];
}

/** Fixed lines alone are written with a 0. */
const CHINA_AREAS = ['+8610', ...Array.from('23456789').map(digit => `+86${digit}`)];

/** What people of the region dial before a number of another place; '' = nothing. */
export function trunkPrefix(region: Region): string {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(region);
  // The declaration leaves out what the class has.
  const plan = metadata.numberingPlan as { nationalPrefix(): string | undefined } | undefined;
  return plan?.nationalPrefix() ?? '';
}

/** Beginnings that no number with the country code has, and every other one. */
function othersThan(code: string): string[] {
  return Array.from(code).flatMap((own, index) => DIGITS.filter(digit => digit !== own).map(digit => `+${code.slice(0, index)}${digit}`));
}
