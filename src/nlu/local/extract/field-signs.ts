import type { Signs } from './choice-model.ts';
import { speaksOf } from './aspects.ts';
import { type FieldKeys, hashOf, pairHash, type Side } from './field-keys.ts';
import { matchesOf, type Span } from './spoken-text.ts';
import { isUnknown, type ClauseFacts, readClauseFacts } from './clause-facts.ts';

/** A possible value of a field. */
export interface Candidate extends Span {
  /** Properties that distinguish it from others of its kind: its unit, its part of the day, whether a year was said. */
  traits: readonly number[];
  /** Like traits, but independent of the label. */
  marks?: readonly number[];
  /** Whether its own words count as signs. */
  isTold?: boolean;
  /** Side of an opposition, such as yes and no, or past and future: evidence for one side is evidence against the other. 0 without sides. */
  side: 0 | 1 | 2;
  /** Confidence of the rules that it is the answer, 0..1; 0 when they choose another. */
  ruled: number;
}

/** An utterance prepared for signs, once for all of its fields. */
export interface Heard {
  text: string;
  clauses: readonly Span[];
  fieldCount: number;
  /** For each clause with a candidate, what it says about person, tense and the like. */
  knownFacts: { clause: string; facts: ClauseFacts }[];
  isUnknown: boolean;
}

const CLAUSE = /[^\s,，。;；!！?？]+/g;

export function heardOf(text: string, fieldCount: number): Heard {
  const clauses: Span[] = [];
  for (const { index, 0: said } of matchesOf(CLAUSE, text)) clauses.push({ start: index, end: index + said.length });
  return { text, clauses, fieldCount, knownFacts: [], isUnknown: isUnknown(text) };
}

/** Context of a candidate, bounded by the candidates before and after it. */
interface Place {
  clause: string;
  /** The preceding clause. */
  lead: string;
  before: string;
  after: string;
}

/** Index of the first clause that ends at or after `end`, or of the last clause. */
function clauseOf(clauses: readonly Span[], end: number): number {
  let at = 0;
  while (at < clauses.length - 1 && (clauses[at] as Span).end < end) at += 1;
  return at;
}

function placeOf({ start, end }: Span, { text, clauses }: Heard, previous: number, next: number): Place {
  const at = clauseOf(clauses, start + 1);
  const first = clauses[at] ?? { start: 0, end: text.length };
  const last = clauses[clauseOf(clauses, end)];
  const lead = clauses[at - 1];
  const ends = last && last.end >= end ? last.end : Math.max(first.end, end);
  return {
    clause: text.slice(first.start, ends),
    lead: lead ? text.slice(lead.start, lead.end) : '',
    before: text.slice(Math.max(first.start, previous), start),
    after: text.slice(end, Math.min(ends, Math.max(next, end))),
  };
}

/** Proximity of a label's words to a place: from 6, between it and the preceding candidate, to 0, absent. */
function nearness({ pairs, chars }: FieldKeys, { before, after, clause, lead }: Place): number {
  if (pairs.some(pair => before.includes(pair))) return 6;
  if (pairs.some(pair => after.includes(pair))) return 5;
  if (hasOneOf(chars, before.slice(-3))) return 4;
  if (hasOneOf(chars, after.slice(0, 3))) return 3;
  if (pairs.some(pair => clause.includes(pair)) || hasOneOf(chars, before)) return 2;
  return pairs.some(pair => lead.includes(pair)) ? 1 : 0;
}

const NOT_NAMED = 0;

/** How much of a label occurs anywhere: 2 for a character pair, 1 for a distinctive character, 0 for nothing. */
function sharedWith({ pairs, chars }: FieldKeys, text: string): number {
  if (pairs.some(pair => text.includes(pair))) return 2;
  return hasOneOf(chars, text) ? 1 : NOT_NAMED;
}

function hasOneOf(chars: string, text: string): boolean {
  for (let at = 0; at < chars.length; at += 1) if (text.includes(chars.charAt(at))) return true;
  return false;
}

const LIMIT = /最[多少高低迟晚早]|超|以内|以上|以下|至少|起码|顶多|左右|总共|一共|加起来/;

/** Kinds of signs. */
const KIND = {
  any: 1,
  ruled: 2,
  trait: 3,
  near: 4,
  nearest: 5,
  rival: 6,
  order: 7,
  before: 8,
  after: 9,
  lead: 10,
  trail: 11,
  person: 12,
  tense: 13,
  each: 14,
  limit: 15,
  unknown: 16,
  whole: 17,
  length: 18,
  empty: 19,
  count: 20,
  named: 21,
  fields: 22,
  clauses: 23,
  ending: 24,
  inner: 25,
  aspect: 26,
  unsaid: 27,
  agreed: 28,
} as const;

/** Steps of the rules' confidence: a twentieth each. */
const SURE_STEPS = 20;
const BEFORE_CHARS = 8;
const AFTER_CHARS = 6;
/** Characters read of a stretch, whose beginning is sufficient. */
const INNER_CHARS = 32;
const LONGEST = 12;
const FULL = 4;

/** A field, and the others of its type in the same request. */
export interface AskedAmong {
  asked: FieldKeys;
  others: readonly FieldKeys[];
}

/** Adds a group of signs for each candidate, and two groups for an empty field. */
export function addSigns(heard: Heard, { asked, others }: AskedAmong, candidates: readonly Candidate[], signs: Signs): void {
  const places = candidates.map((candidate, at) =>
    placeOf(candidate, heard, before(candidates, at), behind(candidates, at, heard.text.length)),
  );
  const named = sharedWith(asked, heard.text);
  const near = places.map(place => (named === NOT_NAMED ? 0 : nearness(asked, place)));
  const nearest = Math.max(0, ...near);
  const rivals = others.length === 0 ? others : others.filter(other => sharedWith(other, heard.text) !== NOT_NAMED);
  candidates.forEach((candidate, at) => {
    const place = places[at] as Place;
    const rival = rivals.length === 0 ? 0 : Math.max(...rivals.map(other => nearness(other, place)));
    const side = asked.sides[candidate.side];
    signs.startGroup();
    addOwn(candidate, side, signs);
    addNear({ near: near[at] ?? 0, nearest, rival }, candidate, side, signs);
    addOrder(at, candidates.length, side, signs);
    addWords(place, side, signs);
    addCircumstances(place, clauseFactsOf(place.clause, heard), side, signs);
    addExtent(candidate, heard, asked.sides[0], signs);
    addAspects(place, asked, side, signs);
  });
  for (const isMissed of [false, true]) {
    signs.startGroup();
    addEmpty(heard, asked, candidates, named, isMissed, signs);
  }
}

/** Adds which of the label's aspects the candidate's clause mentions. */
function addAspects({ clause }: Place, { aspects }: FieldKeys, { type }: Side, signs: Signs): void {
  let agreed = 0;
  for (const aspect of aspects) {
    const isSaid = speaksOf(clause, aspect);
    if (isSaid) agreed += 1;
    signs.add(isSaid ? KIND.aspect : KIND.unsaid, isSaid ? 2 * aspect + 1 : aspect, type);
  }
  signs.add(KIND.agreed, agreed, aspects.length === 0 ? -1 : aspects.length - agreed);
}

/** Adds the candidate's share of the utterance and, for a text stretch, its words. */
function addExtent(candidate: Candidate, heard: Heard, { type, reading }: Side, signs: Signs): void {
  const { start, end, isTold, ruled } = candidate;
  const covered = wholeness(candidate, heard);
  if (isTold) addPairs(KIND.inner, heard.text.slice(start, Math.min(end, start + INNER_CHARS)), reading, signs);
  signs.add(KIND.whole, covered, type);
  signs.add(KIND.whole, covered, ruled > 0 ? 1 : 0);
  signs.add(KIND.length, Math.min(LONGEST, end - start), type);
}

/** End of the preceding candidate; one that overlaps does not count. */
function before(candidates: readonly Candidate[], at: number): number {
  const { start } = candidates[at] as Candidate;
  let latest = 0;
  for (const { end } of candidates) if (end <= start && end > latest) latest = end;
  return latest;
}

function behind(candidates: readonly Candidate[], at: number, length: number): number {
  const { end } = candidates[at] as Candidate;
  let first = length;
  for (const { start } of candidates) if (start >= end && start < first) first = start;
  return first;
}

export const ALL = 3;

/** Share of the utterance that a candidate covers, from 0 for less than half to ALL. */
export function wholeness({ start, end }: Span, { clauses }: Heard): number {
  let rest = 0;
  for (const clause of clauses)
    rest += Math.max(0, Math.min(clause.end, start) - clause.start) + Math.max(0, clause.end - Math.max(clause.start, end));
  return rest === 0 ? ALL : rest <= 2 ? 2 : rest < end - start ? 1 : 0;
}

function addOwn({ traits, marks = [], ruled, side }: Candidate, { type, reading, pairKeys }: Side, signs: Signs): void {
  const sure = Math.round(ruled * SURE_STEPS);
  signs.add(KIND.any, type);
  signs.add(KIND.any, reading);
  signs.add(KIND.ruled, type, sure > 0 ? 1 : 0);
  signs.add(KIND.ruled, reading, sure);
  for (const trait of traits) {
    signs.add(KIND.trait, trait, side);
    signs.add(KIND.trait, trait, type);
    signs.add(KIND.trait, trait, reading);
    signs.addEach(KIND.trait, trait, pairKeys);
  }
  for (const mark of marks) {
    signs.add(KIND.trait, mark, side);
    signs.add(KIND.trait, mark, type);
    signs.add(KIND.trait, mark, reading);
  }
}

/** Proximity of the label's words to this candidate (`near`), to the nearest candidate, and of another field's words to this one (`rival`). */
interface Nearness {
  near: number;
  nearest: number;
  rival: number;
}

function addNear({ near, nearest, rival }: Nearness, { ruled }: Candidate, { type }: Side, signs: Signs): void {
  signs.add(KIND.near, near, type);
  signs.add(KIND.near, near, ruled > 0 ? 1 : 0);
  signs.add(KIND.nearest, near, nearest);
  signs.add(KIND.rival, Math.sign(rival - near) + 1, Math.min(rival, 3));
}

function addOrder(at: number, count: number, { pairKeys }: Side, signs: Signs): void {
  const place = at === 0 ? 0 : at === count - 1 ? 2 : 1;
  signs.add(KIND.order, place, count === 1 ? 0 : 1);
  if (count > 1) signs.addEach(KIND.order, place, pairKeys);
}

/** Adds the words directly before and after the candidate. */
function addWords({ before, after }: Place, { type, reading }: Side, signs: Signs): void {
  addWord(KIND.before, before.slice(-1), type, reading, signs);
  addWord(KIND.before, before.slice(-2), type, reading, signs);
  addWord(KIND.after, after.slice(0, 1), type, reading, signs);
  addWord(KIND.after, after.slice(0, 2), type, reading, signs);
  addPairs(KIND.lead, before.slice(-BEFORE_CHARS), type, signs);
  addPairs(KIND.trail, after.slice(0, AFTER_CHARS), type, signs);
}

function addWord(kind: number, word: string, type: number, reading: number, signs: Signs): void {
  const hash = hashOf(word);
  signs.add(kind, hash, type);
  if (word.length !== 1) signs.add(kind, hash, reading);
}

function addPairs(kind: number, said: string, type: number, signs: Signs): void {
  for (let at = 0; at + 1 < said.length; at += 1) signs.add(kind, pairHash(said.charCodeAt(at), said.charCodeAt(at + 1)), type);
}

/** Adds person, tense, and whether it is per unit or a limit. */
function addCircumstances(
  { before }: Place,
  { person, tense, isEach, isUnknown }: ClauseFacts,
  { type, reading, pairKeys }: Side,
  signs: Signs,
): void {
  const limit = LIMIT.exec(before)?.[0];
  signs.add(KIND.person, person, type);
  signs.add(KIND.person, person, reading);
  signs.add(KIND.tense, tense, type);
  signs.addEach(KIND.person, person, pairKeys);
  signs.addEach(KIND.tense, tense, pairKeys);
  if (isEach) for (const key of pairKeys) signs.add(KIND.each, key);
  if (limit !== undefined) signs.addEach(KIND.limit, hashOf(limit), pairKeys);
  if (isUnknown) signs.add(KIND.unknown, type);
}

function clauseFactsOf(clause: string, { knownFacts }: Heard): ClauseFacts {
  const known = knownFacts.find(one => one.clause === clause);
  if (known) return known.facts;
  const read = readClauseFacts(clause);
  knownFacts.push({ clause, facts: read });
  return read;
}

/** Adds the signs of an empty field: nothing was said about it, or (`isMissed`) something that is none of the candidates. */
function addEmpty(
  { text, clauses, fieldCount, isUnknown }: Heard,
  asked: FieldKeys,
  candidates: readonly Candidate[],
  named: number,
  isMissed: boolean,
  signs: Signs,
): void {
  const { type, reading, pairKeys } = asked.sides[isMissed ? 1 : 0];
  const ruled = candidates.find(candidate => candidate.ruled > 0)?.ruled ?? 0;
  const count = Math.min(FULL, candidates.length);
  const fields = Math.min(FULL, fieldCount);
  signs.add(KIND.empty, type);
  signs.add(KIND.empty, reading);
  for (const key of pairKeys) signs.add(KIND.empty, key);
  signs.add(KIND.count, count, type);
  signs.add(KIND.count, count, reading);
  signs.add(KIND.ruled, type, ruled > 0 ? 3 : 2);
  signs.add(KIND.ruled, reading, -1 - Math.round(ruled * SURE_STEPS));
  signs.add(KIND.named, named, type);
  signs.add(KIND.named, named, isMissed ? -fields : fields);
  signs.add(KIND.fields, fields, type);
  signs.add(KIND.clauses, Math.min(2 * FULL, clauses.length), type);
  const last = clauses.at(-1);
  if (last) signs.add(KIND.ending, hashOf(text.slice(last.end - 1, last.end)), type);
  if (!isUnknown) return;
  signs.add(KIND.unknown, 1, type);
  signs.addEach(KIND.unknown, 1, pairKeys);
}
