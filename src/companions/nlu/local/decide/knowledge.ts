import type { LinearModel } from '../acts/linear-model.ts';
import type { TwistModel } from '../acts/twist-model.ts';
import type { ChoiceModel } from '../extract/choice-model.ts';
import type { Encoder } from '../similarity/encoder.ts';
import type { FeatureIndex } from '../text/feature-index.ts';
import type { WordClasses } from '../text/word-classes.ts';

/** Everything that the decision rules learned from the corpus; built once from the weights. */
export interface Knowledge {
  acts: readonly string[];
  actCount: number;
  /** The act of asking anything at all. */
  questionAct: number;
  silenceAct: number;
  /** Where the three models below keep what they know of a feature. */
  index: FeatureIndex;
  utterances: LinearModel;
  descriptions: LinearModel;
  /** Tells irony and what is said in a roundabout way, where no construction does. */
  twists: TwistModel;
  /** Places utterances and descriptions in one space, for what no act names. */
  encoder: Encoder;
  /** `relations[a]` lists the acts that an utterance of act `a` also counts as, and how far. */
  relations: readonly (readonly ActLink[])[];
  wordClasses: WordClasses;
  /** How telling a word class is, by class number; 0 for words of grammar. */
  classWeights: Float32Array;
  /** How telling a unit of text is; units outside the table are rare, thus telling. */
  unitWeights: ReadonlyMap<number, number>;
  /** Chooses what fills a field. */
  choices: ChoiceModel;
  combination: Combination;
  calibration: Calibration;
}

export interface ActLink {
  act: number;
  weight: number;
}

/** What each kind of evidence adds to a branch's score. */
export interface Combination {
  actLog: number;
  act: number;
  overlap: number;
  topic: number;
  mood: number;
  polarity: number;
  similarity: number;
  /** Of the similarity, what counts more the less the acts can tell. */
  similarityAlone: number;
  /** What counts more the nearer the branch lies. */
  close: number;
  /** Act and similarity speaking for the same branch. */
  agreed: number;
  fallback: number;
  fallbackUnknown: number;
  /** What a branch that accepts much of all that may be said counts less. */
  breadth: number;
  /** What a description of many parts counts less, of which the nearest speaks for it. */
  parts: number;
}

/** Platt scaling: confidence = sigmoid of a linear function of these. */
export interface Calibration {
  bias: number;
  logit: number;
  margin: number;
  branches: number;
  evidence: number;
  nearness: number;
}
