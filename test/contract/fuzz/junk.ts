import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

const LONG_TEXT = 12_000;
const MANY = 1_200;
const DEEP = 150;

function nested(depth: number, asArray: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = asArray ? [value] : { a: value };
  return value;
}

/** Own members whose names mean something to a careless program. */
function prototypeKeys(): unknown {
  return JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":null,"length":-1}');
}

const NUMBERS = [0, -1, -0, 0.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 31 - 1, 2 ** 53, -(2 ** 53), 2 ** 63, 1e21, 99_999_999_999_999];

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  'null',
  'true',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\ufeff',
  '\u202eabc',
  '\u2028',
  '😀'.repeat(70),
  '汉'.repeat(300),
  "'; drop table campaign; --",
  String.raw`%_\%`,
  '{{destinationNumber}}{{destinationNumber}}',
  '\r\nX: 1',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '2026-02-30T00:00:00Z',
  '0000-01-01 00:00',
  '99999-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '24:00',
  '１３８００１３８０００',
  'x'.repeat(LONG_TEXT),
];

/** Texts of every kind that may break a program. */
export const junkText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.integer().map(String),
);

/** Values of every wrong type, size and depth that JSON can carry. */
export const junkValue: Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, {}, [], [[]], [null], { '': '' }) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
  { weight: 4, arbitrary: junkText },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constant(0).map(prototypeKeys) },
  { weight: 1, arbitrary: fc.boolean().map(asArray => nested(DEEP, asArray)) },
  { weight: 1, arbitrary: junkText.map(text => Array.from({ length: MANY }, () => text.slice(0, 20))) },
  { weight: 1, arbitrary: fc.constant(0).map(() => Array.from({ length: MANY }, (_, index) => index)) },
);

type Path = readonly (string | number)[];

export interface Damage {
  /** Index of the damaged place, modulo the number of places. */
  at: number;
  kind: 'replace' | 'remove' | 'add';
  key: string;
  junk: unknown;
}

export const damage: Arbitrary<Damage> = fc.record({
  at: fc.nat(10_000),
  kind: fc.constantFrom('replace', 'replace', 'remove', 'add'),
  key: fc.constantFrom('__proto__', 'constructor', 'extra', '', 'id', 'isAdmin', 'variables', 'intentKeywords', '\ud800'),
  junk: junkValue,
});

/** The value with one place replaced, removed or extended. */
export function damaged(value: unknown, { at, kind, key, junk }: Damage): unknown {
  const places = placesOf(value, []);
  return change(value, places[at % places.length] ?? [], { kind, key, junk });
}

function placesOf(value: unknown, path: Path): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => placesOf(item, [...path, Array.isArray(value) ? Number(key) : key]))];
}

function change(value: unknown, path: Path, how: Omit<Damage, 'at'>): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return atPlace(value, how);
  if (Array.isArray(value)) {
    const isGone = rest.length === 0 && how.kind === 'remove';
    return isGone
      ? value.filter((_, index) => index !== first)
      : value.map((item, index) => (index === first ? change(item, rest, how) : item));
  }
  const entries = Object.entries(Object(value)).filter(([key]) => !(key === first && rest.length === 0 && how.kind === 'remove'));
  return Object.fromEntries(entries.map(([key, item]) => [key, key === first ? change(item, rest, how) : item]));
}

function atPlace(value: unknown, { kind, key, junk }: Omit<Damage, 'at'>): unknown {
  if (kind !== 'add' || typeof value !== 'object' || value === null) return junk;
  // `Object.fromEntries` makes `__proto__` an ordinary member.
  return Array.isArray(value) ? [...(value as unknown[]), junk] : Object.fromEntries([...Object.entries(value), [key, junk]]);
}
