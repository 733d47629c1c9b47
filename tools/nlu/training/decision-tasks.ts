import { type Random, randomInt, randomPick } from '#kernel/random.ts';
import type { Branch } from '#protocol/nlu.ts';
import type { ActCorpus, ActRelation, Trade } from './corpus.ts';
import { filled } from './frames.ts';

/** A decision case built from held-out phrases and descriptions. */
export interface DecisionTask {
  text: string;
  branches: readonly Branch[];
  key: string;
}

const MEDIUM = 10;
/** A set of this size uses general acts only: no real script mixes branches of many trades. */
const LARGE = 36;
const SIZES = [5, 5, MEDIUM, MEDIUM, MEDIUM, LARGE, LARGE];
/** Relation at which two acts rarely occur in the same set of branches. */
const CLOSE = 0.65;
const KEEP_CLOSE_SHARE = 0.1;
/** Shortest description, in characters: a shorter one is a keyword, which script authors rarely use on its own. */
const SHORTEST_DESCRIPTION = 3;
const FALLBACK_SHARE = 0.25;
const UNANSWERED_SHARE = 0.06;
const FALLBACKS = ['其他', '其他情况', '以上都不是', '无法判断', '听不懂用户在说什么', '其它'];

export function closeActs(relations: readonly ActRelation[]): (one: string, other: string) => boolean {
  const close = new Set(relations.filter(({ weight }) => weight >= CLOSE).flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]));
  return (one, other) => close.has(`${one} ${other}`);
}

/** Corpus that a fold's knowledge was learned without. */
export interface HeldOut {
  acts: readonly ActCorpus[];
  trades: readonly Trade[];
}

type AreClose = (one: string, other: string) => boolean;

/** Makes one task for each held-out phrase: its act's description among those of other acts; all frames of a task use one trade. */
export function makeTasks({ acts, trades }: HeldOut, isClose: AreClose, random: Random): DecisionTask[] {
  return acts.flatMap(act =>
    act.phrases.map(phrase => {
      const trade = randomPick(random, trades);
      const task = makeTask({ phrase, act }, acts, isClose, random);
      const branches = task.branches.map(({ key, desc }) => ({ key, desc: filled(desc, trade, random) }));
      return { ...task, text: filled(task.text, trade, random), branches };
    }),
  );
}

function makeTask(
  { phrase, act }: { phrase: string; act: ActCorpus },
  acts: readonly ActCorpus[],
  isClose: AreClose,
  random: Random,
): DecisionTask {
  const asked = randomPick(random, SIZES);
  const size = asked === LARGE && !act.isGeneral ? MEDIUM : asked;
  const others = size === LARGE ? acts.filter(other => other.isGeneral) : acts;
  const fallback = random.next() < FALLBACK_SHARE;
  const unanswered = fallback && random.next() < UNANSWERED_SHARE / FALLBACK_SHARE;
  const chosen = new Map<string, string>();
  if (!unanswered) chosen.set(act.id, describe(act, random));
  while (chosen.size < size - (fallback ? 1 : 0)) {
    const other = others[randomInt(random, 0, others.length - 1)];
    if (!other || other.id === act.id || chosen.has(other.id)) continue;
    if (unanswered ? isClose(act.id, other.id) : isClose(act.id, other.id) && random.next() > KEEP_CLOSE_SHARE) continue;
    chosen.set(other.id, describe(other, random));
  }
  const branches = [...chosen].map(([id, desc], index) => ({ id, key: `k${index}`, desc }));
  if (fallback) branches.push({ id: 'fallback', key: 'default', desc: randomPick(random, FALLBACKS) });
  const answer = branches.find(({ id }) => id === (unanswered ? 'fallback' : act.id));
  return { text: phrase, branches: branches.map(({ key, desc }) => ({ key, desc })), key: answer?.key ?? 'default' };
}

function describe({ descriptions }: ActCorpus, random: Random): string {
  const long = descriptions.filter(description => description.length >= SHORTEST_DESCRIPTION);
  return randomPick(random, long.length > 0 ? long : descriptions);
}
