import type { FieldType } from '#protocol/nlu.ts';
import { PLAIN_CHARS } from './number-units.ts';
import type { Reading } from './readings.ts';
import { aspectsAsked } from './aspects.ts';

/** Hashes of a field for one side of a sign. */
export interface Side {
  type: number;
  reading: number;
  pairKeys: readonly number[];
}

/** A field in the form that its signs use. */
export interface FieldKeys {
  /** Hashes without a side, then for each of the two sides. */
  sides: readonly [Side, Side, Side];
  /** Adjacent character pairs of the label, without text in brackets. */
  pairs: readonly string[];
  /** Characters that distinguish the label from others. */
  chars: string;
  aspects: readonly number[];
}

const MAX_PAIRS = 7;
const HAN = /\p{Script=Han}/u;

export function fieldKeysOf(type: FieldType, reading: Reading, label: string): FieldKeys {
  const plain = label
    .toLowerCase()
    .replace(/[（(][^（()）]*[)）]/g, '')
    .replace(/[\s:：]/g, '');
  const pairs = Array.from({ length: Math.min(MAX_PAIRS, Math.max(1, plain.length - 1)) }, (_, at) => plain.slice(at, at + 2));
  // A yes or no does not depend on whose it is.
  const aspects = type === 'boolean' ? [] : aspectsAsked(plain);
  const whole = {
    type: hashOf(type),
    reading: hashOf(reading),
    pairKeys: [...pairs.map(hashOf), ...aspects.map(aspect => ASPECT_KEY + aspect)],
  };
  return {
    sides: [whole, sideOf(whole, 1), sideOf(whole, 2)],
    pairs: plain === '' ? [] : pairs.filter(pair => !OF_ITS_KIND.has(pair)),
    aspects,
    chars: Array.from(plain)
      .filter(char => HAN.test(char) && !PLAIN_CHARS.has(char))
      .join(''),
  };
}

/** Character pairs that all labels of a kind share, and that therefore identify none of them. */
const OF_ITS_KIND = new Set(['电话', '话号', '手机', '机号', '号码', '联系', '系电', '时间', '日期', '方式']);
const ASPECT_KEY = 1 << 20;
/** Larger than the hash of any two characters, so that the sides' keys never collide. */
const SIDE = 1 << 23;

function sideOf({ type, reading, pairKeys }: Side, side: 1 | 2): Side {
  const shift = side * SIDE;
  return { type: (type + shift) | 0, reading: (reading + shift) | 0, pairKeys: pairKeys.map(key => (key + shift) | 0) };
}

const HASH_SEED = 7;

/** Hash of a text for use in signs. */
export function hashOf(text: string): number {
  let hash = HASH_SEED;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/** Hash of a text of two characters. */
export function pairHash(first: number, second: number): number {
  return (Math.imul((Math.imul(HASH_SEED, 31) + first) | 0, 31) + second) | 0;
}
