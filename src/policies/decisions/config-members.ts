import type { ConfigFault, ConfigMembers, Read } from './policy.ts';

/** Longest list of dates or weekdays in a policy. */
export const MAX_DATES = 4_000;
/** Longest list of numbers or prefixes in a policy. */
export const MAX_NUMBERS = 100_000;

/** Readers of config members: each returns the typed value, or the faulty member with a problem in Chinese. */
export function readInteger(config: ConfigMembers, member: string, min: number, max: number): Read<number> {
  const value = config[member];
  if (typeof value !== 'number' || !Number.isInteger(value)) return fault(member, '必须是整数');
  if (value < min || value > max) return fault(member, `必须在 ${min} 到 ${max} 之间`);
  return { ok: true, value };
}

/** Reads an array and parses each item; `expected` (Chinese) describes a valid item. */
export function readList<T>(
  config: ConfigMembers,
  member: string,
  rule: { parse: (item: unknown) => T | null; expected: string; maxItems: number },
): Read<T[]> {
  const items = config[member];
  if (!Array.isArray(items)) return fault(member, '必须是数组');
  if (items.length > rule.maxItems) return fault(member, `最多 ${rule.maxItems} 项`);
  const values: T[] = [];
  for (const [index, item] of items.entries()) {
    const value = rule.parse(item);
    if (value === null) return fault(`${member}[${index}]`, `必须是${rule.expected}`);
    values.push(value);
  }
  return { ok: true, value: values };
}

/** Like `readList`, but an absent or null member is an empty list. */
export function readOptionalList<T>(config: ConfigMembers, member: string, rule: Parameters<typeof readList<T>>[2]): Read<T[]> {
  return config[member] === undefined || config[member] === null ? { ok: true, value: [] } : readList(config, member, rule);
}

/** The fault of the first item for which `faultOf` returns a problem, in Chinese. */
export function faultyItem(config: ConfigMembers, member: string, faultOf: (item: string) => string | null): ConfigFault | null {
  const items = (config[member] ?? []) as readonly string[];
  for (const [index, item] of items.entries()) {
    const problem = faultOf(item.trim());
    if (problem !== null) return { field: `${member}[${index}]`, problem };
  }
  return null;
}

export function fault(field: string, problem: string): { ok: false; fault: ConfigFault } {
  return { ok: false, fault: { field, problem } };
}

/** Adapts a text parser to items of unknown type. */
export function textItem<T>(parse: (text: string) => T | null): (item: unknown) => T | null {
  return item => (typeof item === 'string' ? parse(item) : null);
}
