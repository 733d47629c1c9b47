import { type Random, randomPick } from '#kernel/random.ts';
import { reworded, varied } from './augment.ts';
import type { ActCorpus } from './corpus.ts';
import type { EncoderPlan } from './fit-encoder.ts';
import type { Script } from './scripts.ts';

/** An utterance with a description of the same meaning. */
export interface Pair {
  said: string;
  written: string;
  group: number;
}

/** Group numbers per script: narrow branches by index, wide ones by the code of their letter. */
const GROUPS = 128;
/** Above the group numbers of acts, matters and synonyms. */
const FIRST_GROUP = 1_000_000;

/** Scripts per batch: few, so that most pairs of a batch differ as branches of one script differ. */
const SCRIPTS = 4;
const WIDE_SHARE = 0.25;
/** Share of narrow branches whose description is used in full. */
const WHOLE_SHARE = 0.4;

/** Phrases of customers from a few scripts, paired with the descriptions of their branches. */
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

/** Origin of a group. */
interface Place {
  script: number;
  letter: number;
  isWide: boolean;
  act: number | undefined;
}

/**
 * Whether two groups must not serve as counter-examples of each other.
 *
 * Shape: acts by their relations; within a script a wide branch and its narrow ones; across scripts any wide branch, and narrow branches of
 *        related acts
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
