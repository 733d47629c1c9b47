import { type Random, randomPick } from '#kernel/random.ts';
import { reworded, varied } from './augment.ts';
import type { ActCorpus } from './corpus.ts';
import type { EncoderPlan } from './fit-encoder.ts';
import type { Script } from './scripts.ts';

/** An utterance with a description of the same. */
export interface Pair {
  said: string;
  written: string;
  group: number;
}

/** Groups of a script: the narrow branches by number, the wide ones by letter. */
const GROUPS = 128;
/** Above the numbers of acts, matters and synonyms. */
const FIRST_GROUP = 1_000_000;

/** Scripts of one batch: what sets most of its pairs apart is what sets the branches of one script apart. */
const SCRIPTS = 4;
const WIDE_SHARE = 0.25;
/** How often a description is shown whole. */
const WHOLE_SHARE = 0.4;

/** What customers of a few trades say, with what the script writer put. */
export function scriptBatch(scripts: readonly Script[], size: number, random: Random): Pair[] {
  const few = Array.from({ length: SCRIPTS }, () => Math.floor(random.next() * scripts.length));
  return Array.from({ length: size }, () => {
    const number = randomPick(random, few);
    return scriptPair(scripts[number], FIRST_GROUP + number * GROUPS, random);
  });
}

function scriptPair(script: Script | undefined, firstGroup: number, random: Random): Pair {
  const branches = script?.branches ?? [];
  const at = Math.floor(random.next() * branches.length);
  const { letter = '', written = [''], said = [''] } = branches[at] ?? {};
  const wide = random.next() < WIDE_SHARE ? script?.wide.get(letter) : undefined;
  const narrow = random.next() < WHOLE_SHARE ? written.join('；') : randomPick(random, written);
  return {
    said: varied(randomPick(random, said), random),
    written: reworded(wide ?? narrow, random),
    group: firstGroup + (wide === undefined ? at : letter.charCodeAt(0)),
  };
}

/** Where a group of a script stands. */
interface Place {
  script: number;
  letter: number;
  isWide: boolean;
  act: number | undefined;
}

/**
 * Tells which groups are no counter-examples of each other.
 *
 * Shape: acts by their relations; within a script a wide branch and the narrow ones under it; of two scripts the branches of alike acts
 */
export function alikeGroups(alike: ReadonlySet<number>, acts: readonly ActCorpus[], scripts: readonly Script[]): EncoderPlan['areAlike'] {
  const places = new Map(placesOf(acts, scripts));
  const actsAlike = (one: number, other: number) => one === other || alike.has(one * acts.length + other);
  return (one, other) => {
    if (one === other) return true;
    const here = places.get(one);
    const there = places.get(other);
    if (!here || !there) return !here && !there && actsAlike(one, other);
    if (here.script === there.script) return here.isWide !== there.isWide && here.letter === there.letter;
    if (here.isWide || there.isWide) return true;
    return here.act !== undefined && there.act !== undefined && actsAlike(here.act, there.act);
  };
}

function placesOf(acts: readonly ActCorpus[], scripts: readonly Script[]): [number, Place][] {
  const numbers = new Map(acts.map(({ id }, index) => [id, index]));
  return scripts.flatMap(({ wide, branches }, script) => {
    const first = FIRST_GROUP + script * GROUPS;
    const narrow = branches.map(({ letter, act }, at): [number, Place] => [
      first + at,
      { script, letter: letter.charCodeAt(0), isWide: false, act: numbers.get(act) },
    ]);
    const over = [...wide.keys()].map((letter): [number, Place] => [
      first + letter.charCodeAt(0),
      { script, letter: letter.charCodeAt(0), isWide: true, act: undefined },
    ]);
    return [...narrow, ...over];
  });
}
