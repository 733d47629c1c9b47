import { dialKey } from '#phone-numbers/dial-key.ts';
import { numberKey } from '#phone-numbers/phone-number.ts';
import { listedNumberFault } from '#phone-numbers/listed-number.ts';
import { faultyItem, MAX_NUMBERS, readList } from './config-members.ts';
import type { PolicyKind } from './policy.ts';

/** Longest number or prefix in a list, characters. */
const MAX_NUMBER_LENGTH = 64;

export const NUMBER_ITEMS = { parse: numberItem, expected: `不超过 ${MAX_NUMBER_LENGTH} 个字符的非空号码`, maxItems: MAX_NUMBERS };

/** Forbids dialling the listed numbers, which are compared like do-not-call entries. Source: OCS 4.9, D8.7 */
export const phoneBlacklist: PolicyKind = {
  action: 'block',
  label: '号码黑名单',
  read(config, region) {
    const numbers = readList(config, 'numbers', NUMBER_ITEMS);
    if (!numbers.ok) return numbers;
    const keys = new Set(numbers.value.map(number => dialKey(number, region)));
    return { ok: true, value: { kind: 'number', blocksNumber: key => keys.has(key) } };
  },
  refuse: (config, region) => faultyItem(config, 'numbers', number => listedNumberFault(number, region)),
};

function numberItem(item: unknown): string | null {
  return typeof item === 'string' && item.length <= MAX_NUMBER_LENGTH && numberKey(item.trim()) !== '' ? item.trim() : null;
}
