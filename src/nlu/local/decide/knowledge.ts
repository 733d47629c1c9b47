import type { LinearModel } from '../acts/linear-model.ts';
import type { TwistModel } from '../acts/twist-model.ts';
import type { ChoiceModel } from '../extract/choice-model.ts';
import type { Encoder } from '../similarity/encoder.ts';
import type { FeatureIndex } from '../text/feature-index.ts';
import type { WordClasses } from '../text/word-classes.ts';

/** Everything learned from the corpus; built once from the weights. */
export interface Knowledge {
  acts: readonly string[];
  actCount: number;
  /** The act of asking anything. */
  questionAct: number;
  silenceAct: number;
  /** Index of features for the three models below. */
  index: FeatureIndex;
  utterances: LinearModel;
  descriptions: LinearModel;
  /** Detects irony and roundabout phrasing that no construction covers. */
  twists: TwistModel;
  /** Maps utterances and descriptions into one vector space, for meanings that no act covers. */
  encoder: Encoder;
  /** `relations[a]` lists the acts that an utterance of act `a` also counts as, with weights. */
  relations: readonly (readonly ActLink[])[];
  wordClasses: WordClasses;
  /** How distinctive a word class is, by class number; 0 for function words. */
  classWeights: Float32Array;
  /** How distinctive a unit of text is; units that are not listed are rare and therefore distinctive. */
  unitWeights: ReadonlyMap<number, number>;
  /** Chooses the value of a field. */
  choices: ChoiceModel;
  combination: Combination;
  calibration: Calibration;
}

export interface ActLink {
  act: number;
  weight: number;
}

/** Weight of each kind of evidence in a branch's score. */
export interface Combination {
  actLog: number;
  act: number;
  overlap: number;
  topic: number;
  mood: number;
  polarity: number;
  similarity: number;
  /** The part of the similarity that counts more the less the acts decide. */
  similarityAlone: number;
  /** Additional weight of a near branch. */
  close: number;
  /** Weight when act and similarity both favour the branch. */
  agreed: number;
  fallback: number;
  fallbackUnknown: number;
  /** Penalty of a branch that accepts many acts. */
  breadth: number;
  /** Penalty of a description with many parts, only the nearest of which counts. */
  parts: number;
}

/** Platt scaling: confidence = sigmoid of a linear function of these terms. */
export interface Calibration {
  bias: number;
  logit: number;
  margin: number;
  branches: number;
  evidence: number;
  nearness: number;
}
