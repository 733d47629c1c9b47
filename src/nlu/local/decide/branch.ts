import type { Branch } from '#protocol/nlu.ts';
import { DIMENSIONS, encode } from '../similarity/encoder.ts';
import { emptyFeatures } from '../text/features.ts';
import { normalize } from '../text/normalize.ts';
import { actsOf, readFeatures } from './act-profile.ts';
import type { Knowledge } from './knowledge.ts';
import { type TermBag, termBag } from './overlap.ts';

/** Words that frame nearly every description and carry no information about the branch. */
const FRAME = /客户|用户|对方|接听人|家长|患者|业主|客人|被叫|明确|表示|表达|回答|进行|情况下?|相关的?|类?问题|意图|方面|的话/g;
const CLAUSES = / |或者?|及|以及|还是|和(?=.{2,})|、/;
const LATIN_KEY = /^(?:[a-z][a-z0-9_.\- ]{2,}|no|ok)$/i;

/** Share below which an act of a description is ignored. */
const FAINT_ACT = 0.04;
const CLAUSE_SHARE = 0.85;
const SPOKEN_SHARE = 0.3;

const features = emptyFeatures();

/** A branch analysed by itself, before it is compared with the others of its set. */
export interface BranchWords {
  key: string;
  plain: string;
  words: string;
  bag: TermBag;
  classes: ReadonlySet<number>;
  /** How far the description names each act. */
  described: Float32Array;
  vectors: readonly Float32Array[];
}

/** Characters read of a description: its purpose is stated at the beginning. */
const MAX_READ_CHARS = 400;

/** Analyses one branch by its key and description alone. */
export function readBranch({ key, desc }: Branch, knowledge: Knowledge): BranchWords {
  const plain = normalize(desc).slice(0, MAX_READ_CHARS);
  const words = `${plain.replace(FRAME, '').trim() || plain} ${keyWords(key)}`.trim();
  return {
    key,
    plain,
    words,
    bag: termBag(words, knowledge),
    classes: distinctiveClasses(words, knowledge),
    ...readParts(words, knowledge),
  };
}

/** Splits a key of Latin words, which names the branch: `callLater` → `call later`. */
function keyWords(key: string): string {
  if (!LATIN_KEY.test(key)) return '';
  return normalize(key.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' '));
}

function distinctiveClasses(text: string, { wordClasses, classWeights }: Knowledge): Set<number> {
  const found = new Uint16Array(64);
  const count = wordClasses.find(text, found);
  return new Set([...found.subarray(0, count)].filter(index => (classWeights[index] ?? 0) > 0));
}

/** Most clauses of a description that are read separately. */
const MAX_PLACED = 8;

function clausesOf(text: string): string[] {
  return text.split(CLAUSES).filter(clause => clause.length >= 2);
}

/** Reads the description and each of its clauses; the strongest act and the nearest vector among them count. */
function readParts(text: string, knowledge: Knowledge): Pick<BranchWords, 'described' | 'vectors'> {
  const clauses = clausesOf(text);
  const parts = clauses.length > 1 ? [text, ...clauses.slice(0, MAX_PLACED)] : [text];
  const described = new Float32Array(knowledge.actCount);
  const vectors = parts.map((part, at) => {
    readFeatures(part, knowledge, features);
    partActs(knowledge).forEach((value, act) => {
      described[act] = Math.max(described[act] ?? 0, at === 0 ? value : CLAUSE_SHARE * value);
    });
    return encode(knowledge.encoder, knowledge.index, features, new Float32Array(DIMENSIONS));
  });
  return { described: described.map(value => (value < FAINT_ACT ? 0 : value)), vectors };
}

/** Returns the acts of the text in `features`: a description is usually written as one, but may quote what customers say. */
function partActs(knowledge: Knowledge): Float32Array {
  const { descriptions, utterances, actCount } = knowledge;
  const written = actsOf(descriptions, knowledge, features, new Float32Array(actCount));
  const spoken = actsOf(utterances, knowledge, features, new Float32Array(actCount));
  return written.map((value, act) => (1 - SPOKEN_SHARE) * value + SPOKEN_SHARE * (spoken[act] ?? 0));
}
