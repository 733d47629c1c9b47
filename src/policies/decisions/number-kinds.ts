import { problem } from '#kernel/problem.ts';
import { dialKey, type Region } from '#phone-numbers/dial-key.ts';
import { listedNumberFault, listedPrefixFault } from '#phone-numbers/listed-number.ts';
import { numberKey } from '#phone-numbers/phone-number.ts';
import { prefixKeys } from '#phone-numbers/prefix-keys.ts';
import { faultyItem, MAX_NUMBERS, type PolicyKind, readList } from './policy-kind.ts';

/** Longest number or prefix in a list, characters. */
const MAX_NUMBER_LENGTH = 64;

const NUMBER_ITEMS = { parse: numberItem, expected: problem('listedNumber', { max: MAX_NUMBER_LENGTH }), maxItems: MAX_NUMBERS };

function numberItem(item: unknown): string | null {
  return typeof item === 'string' && item.length <= MAX_NUMBER_LENGTH && numberKey(item.trim()) !== '' ? item.trim() : null;
}

/** Costs one set look-up per distinct prefix length, regardless of the number of prefixes. */
function prefixMatcher(prefixes: readonly string[], region: Region): (dialKey: string) => boolean {
  const known = new Set(prefixes.flatMap(prefix => prefixKeys(prefix, region)));
  const lengths = [...new Set([...known].map(prefix => prefix.length))];
  return key => lengths.some(length => length <= key.length && known.has(key.slice(0, length)));
}

/** Policy types of numbers. */
export const NUMBER_KINDS = {
  /** Forbids dialling the listed numbers, which are compared like do-not-call entries. Source: OCS 4.9, D8.7 */
  phone_blacklist: {
    action: 'block',
    settings: 'PhoneBlacklistSettings',
    read(config, region) {
      const numbers = readList(config, 'numbers', NUMBER_ITEMS);
      if (!numbers.ok) return numbers;
      const keys = new Set(numbers.value.map(number => dialKey(number, region)));
      return { ok: true, value: { kind: 'number', blocksNumber: key => keys.has(key) } };
    },
    refuse: (config, region) => faultyItem(config, 'numbers', number => listedNumberFault(number, region)),
  },
  /**
   * Forbids dialling numbers with a listed prefix. The comparison uses dial keys, so the spelling of prefix and number does not matter.
   *
   * Source: OCS 4.9, D8.7
   */
  phone_prefix_blocklist: {
    action: 'block',
    settings: 'PhonePrefixSettings',
    read(config, region) {
      const prefixes = readList(config, 'prefixes', NUMBER_ITEMS);
      if (!prefixes.ok) return prefixes;
      return { ok: true, value: { kind: 'number', blocksNumber: prefixMatcher(prefixes.value, region) } };
    },
    refuse: (config, region) => faultyItem(config, 'prefixes', prefix => listedPrefixFault(prefix, region)),
  },
} as const satisfies Record<string, PolicyKind>;
