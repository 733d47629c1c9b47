import { isIP, isIPv6 } from 'node:net';
import { z } from 'zod';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { isTimeZone } from '#kernel/calendar.ts';

// Each field's message states the allowed values; a fault line appends it to the value found.

export function text(words: string, bounds: { min?: number; max?: number; pattern?: RegExp } = {}) {
  return z
    .string(words)
    .min(bounds.min ?? 0, words)
    .max(bounds.max ?? 500, words)
    .regex(bounds.pattern ?? /^/, words);
}

/** A secret for an HTTP header, limited to characters that headers transport unchanged. Empty: none. */
export function headerToken() {
  return text('printable ASCII without a space at either end', { pattern: /^(?:[!-~](?:[ -~]*[!-~])?)?$/ });
}

export function integer(min: number, max: number, unit = '') {
  const words = `an integer from ${min} to ${max}${unit === '' ? '' : ` (${unit})`}`;
  return z.int(words).min(min, words).max(max, words);
}

export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `one of ${values.join(', ')}`);
}

/** true or false; also 1 and 0, the notation of flags in the contract. */
export const flag = z.union([z.boolean(), z.literal(0), z.literal(1)], 'true or false').transform(value => value === true || value === 1);

/** A URL with one of the schemes; `example` is shown in messages. */
export function url(schemes: readonly string[], example: string) {
  const words = `a URL such as ${example}`;
  return z.string(words).refine(value => isUrl(value, schemes), words);
}

/** Like `url`, or empty for none. */
export function optionalUrl(schemes: readonly string[], example: string) {
  const words = `a URL such as ${example}, or empty`;
  return z.string(words).refine(value => value === '' || isUrl(value, schemes), words);
}

/** One or several URLs, separated by commas. */
export function urls(schemes: readonly string[], example: string) {
  const words = `one or several URLs such as ${example}, separated by commas`;
  return z.string(words).refine(value => value.split(',').every(part => isUrl(part.trim(), schemes)), words);
}

function isUrl(value: string, schemes: readonly string[]): boolean {
  return schemes.some(scheme => value.startsWith(`${scheme}://`)) && URL.canParse(value);
}

export const timeZone = z.string('an IANA time zone such as Asia/Shanghai').refine(isTimeZone, 'an IANA time zone such as Asia/Shanghai');

const REGION_WORDS = 'a country or region with a numbering plan, ISO 3166-1 alpha-2, such as CN';

export const region = z.string(REGION_WORDS).refine(isSupportedCountry, REGION_WORDS);

const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);
const NETWORK_WORDS = 'an address, a network such as 10.0.0.0/8, loopback, linklocal or uniquelocal';

/** Address or network of a trusted proxy. */
export const network = z.string(NETWORK_WORDS).refine(isNetwork, NETWORK_WORDS);

function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/');
  if (NAMED_NETWORKS.has(text)) return true;
  return more.length === 0 && isIP(address) > 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv6(address) ? 128 : 32);
}

/** A list whose elements have distinct values of `key`. */
export function distinct<Element extends z.ZodType>(element: Element, key: string) {
  return z
    .array(element, 'a list')
    .max(1_000, 'at most 1000 entries')
    .check(context => {
      const seen = new Set<unknown>();
      for (const [index, item] of context.value.entries()) {
        const value: unknown = Object(item)[key];
        if (seen.has(value)) context.issues.push({ code: 'custom', input: value, path: [index, key], message: `no ${key} twice` });
        seen.add(value);
      }
    })
    .default([]);
}

/** An object that rejects unknown keys. */
export function section<const Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, `an object with the keys ${Object.keys(shape).join(', ')}`);
}
