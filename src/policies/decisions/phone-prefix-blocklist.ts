import type { Region } from '#phone-numbers/dial-key.ts';
import { listedPrefixFault } from '#phone-numbers/listed-number.ts';
import { prefixKeys } from '#phone-numbers/prefix-keys.ts';
import { faultyItem, readList } from './config-members.ts';
import { NUMBER_ITEMS } from './phone-blacklist.ts';
import type { PolicyKind } from './policy.ts';

/**
 * Forbids dialling numbers with a listed prefix. The comparison uses dial keys, so the spelling of prefix and number does not matter.
 *
 * Source: OCS 4.9, D8.7
 */
export const phonePrefixBlocklist: PolicyKind = {
  action: 'block',
  label: '号段黑名单',
  read(config, region) {
    const prefixes = readList(config, 'prefixes', NUMBER_ITEMS);
    if (!prefixes.ok) return prefixes;
    return { ok: true, value: { kind: 'number', blocksNumber: prefixMatcher(prefixes.value, region) } };
  },
  refuse: (config, region) => faultyItem(config, 'prefixes', prefix => listedPrefixFault(prefix, region)),
};

/** Costs one set look-up per distinct prefix length, regardless of the number of prefixes. */
function prefixMatcher(prefixes: readonly string[], region: Region): (dialKey: string) => boolean {
  const known = new Set(prefixes.flatMap(prefix => prefixKeys(prefix, region)));
  const lengths = [...new Set([...known].map(prefix => prefix.length))];
  return key => lengths.some(length => length <= key.length && known.has(key.slice(0, length)));
}
