import { dialKey, numberKey } from '../phone-number.ts';
import { readList } from './config-members.ts';
import { NUMBER_ITEMS } from './phone-blacklist.ts';
import type { PolicyKind } from './policy.ts';

const SPELLINGS: readonly ((raw: string) => string)[] = [numberKey, raw => numberKey(raw).replace(/^00/, '+'), dialKey];

/**
 * No dialling of numbers that begin with a listed prefix.
 *
 * Why:    prefix and number are compared as written, with `00` as `+`, and without China's country prefix, so no spelling slips through
 * Source: OCS 4.9, D8.7
 */
export const phonePrefixBlocklist: PolicyKind = {
  action: 'block',
  label: '号段黑名单',
  read(config) {
    const prefixes = readList(config, 'prefixes', NUMBER_ITEMS);
    if (!prefixes.ok) return prefixes;
    const matchers = SPELLINGS.map(spell => ({ spell, matches: prefixMatcher(prefixes.value.map(spell)) }));
    return { ok: true, value: { kind: 'number', blocksNumber: number => matchers.some(({ spell, matches }) => matches(spell(number))) } };
  },
};

/** One set look-up per distinct prefix length, however many prefixes. */
function prefixMatcher(prefixes: readonly string[]): (number: string) => boolean {
  const known = new Set(prefixes);
  const lengths = [...new Set(prefixes.map(prefix => prefix.length))];
  return number => lengths.some(length => length <= number.length && known.has(number.slice(0, length)));
}
