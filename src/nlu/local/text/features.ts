import type { PatternFilter } from '../acts/pattern-filter.ts';
import { EDGE, MAX_UNITS, textUnits } from './units.ts';
import type { WordClasses } from './word-classes.ts';

/** Most features of one text. */
export const MAX_FEATURES = 4 * MAX_UNITS;
const SEED_CLASS = 0x5bd1e995;
const SEED_PAIR = 0x1b873593;
const SEED_PATTERN = 0x27d4eb2f;

/** The features of a text for the linear models; reused for each call. */
export interface FeatureSet {
  /** Feature hashes; only the first `count` are valid. */
  ids: Uint32Array;
  count: number;
  /** Slots of the features that a feature index knows, `found` of them; written by findFeatures. */
  slots: Int32Array;
  found: number;
  /** Word classes in text order, `classCount` of them. */
  classes: Uint16Array;
  classCount: number;
}

export function emptyFeatures(): FeatureSet {
  return {
    ids: new Uint32Array(MAX_FEATURES),
    count: 0,
    slots: new Int32Array(MAX_FEATURES),
    found: 0,
    classes: new Uint16Array(MAX_UNITS),
    classCount: 0,
  };
}

const units = new Uint32Array(MAX_UNITS + 2);

/**
 * Lists the features of a normalised text: 1–3-grams of units, word classes, pairs of adjacent classes, and patterns.
 *
 * Why: a class lets a word that is not in the corpus count like its synonyms; a pattern counts for its act
 */
export function listFeatures(text: string, wordClasses: WordClasses, filter: PatternFilter, into: FeatureSet): FeatureSet {
  into.count = 0;
  into.classCount = wordClasses.find(text, into.classes);
  addGrams(textUnits(text, units), into);
  addClasses(into);
  addPatterns(text, filter, into);
  return into;
}

function addGrams(length: number, into: FeatureSet): void {
  for (let at = 0; at < length; at += 1) {
    const first = units[at] ?? 0;
    const second = at + 1 < length ? (units[at + 1] ?? 0) : 0;
    const third = at + 2 < length ? (units[at + 2] ?? 0) : 0;
    if (first !== EDGE) add(into, mix(first));
    if (second === 0 || (first === EDGE && second === EDGE)) continue;
    const pair = mix(Math.imul(first, 31) ^ Math.imul(second, 0x9e3779b1));
    add(into, pair);
    if (third !== 0 && second !== EDGE) add(into, mix(pair ^ Math.imul(third, 0x85ebca6b)));
  }
}

function addClasses(into: FeatureSet): void {
  const { classes, classCount } = into;
  for (let at = 0; at < classCount; at += 1) {
    const here = classes[at] ?? 0;
    add(into, mix(SEED_CLASS + here));
    const next = at + 1 < classCount ? classes[at + 1] : undefined;
    if (next !== undefined && next !== here) add(into, mix(SEED_PAIR ^ (here * 1009 + next)));
  }
}

const candidates = new Uint8Array(256);

function addPatterns(text: string, filter: PatternFilter, into: FeatureSet): void {
  const count = filter.candidates(text, candidates);
  for (let at = 0; at < count; at += 1) {
    const index = candidates[at] ?? 0;
    if (filter.patterns[index]?.test(text)) add(into, mix(SEED_PATTERN + index));
  }
}

function add(into: FeatureSet, id: number): void {
  if (into.count >= MAX_FEATURES) return;
  into.ids[into.count] = id;
  into.count += 1;
}

/** Distributes similar inputs over 32 bits (finaliser of murmur3). */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
