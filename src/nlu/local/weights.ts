import type { LinearModel } from './acts/linear-model.ts';
import { type PackedRows, rowWidth } from './acts/packed-rows.ts';
import { DIMENSIONS } from './similarity/encoder.ts';
import { PLACE, type PlaceOf } from './text/feature-index.ts';
import type { ActLink, Knowledge } from './decide/knowledge.ts';
import { compileWordClasses } from './text/word-classes.ts';

/** Raised when the meaning of the file changes; an engine reads only its own version. */
export const WEIGHTS_VERSION = 10;

/** Position of an array in the binary file: offset and length in bytes; the offset is a multiple of 4. */
export type Block = [offset: number, length: number];

interface LinearWeights {
  /** Arrays of full rows (i32) and entries (u16), see LinearModel. */
  full: Block;
  entries: Block;
  scale: number;
  bias: number[];
}

/** Results of an engine on a set of questions. Shares are 0..1; null when the set has no question of that size. */
export interface Figures {
  count: number;
  among5: number | null;
  among10: number | null;
  among36: number | null;
  keptShare: number;
  keptAccuracy: number;
  ece: number;
}

/** Results of the engine on a set of fields. Shares are 0..1. */
export type FieldFigures = Pick<Figures, 'count' | 'keptShare' | 'keptAccuracy' | 'ece'> & { accuracy: number };

/** Weights file: everything that was learned, with the large arrays in the binary file, and the digest of its corpus. */
export interface WeightsFile extends Pick<Knowledge, 'combination' | 'calibration'> {
  version: typeof WEIGHTS_VERSION;
  corpusSha256: string;
  acts: string[];
  relations: [from: number, act: number, weight: number][];
  wordClasses: { id: string; weight: number; words: string[] }[];
  /** Units (u32), their weights in hundredths (u8). */
  unitWeights: { units: Block; hundredths: Block };
  /** Words (i32), see FeatureIndex. */
  index: Block;
  utterances: LinearWeights;
  descriptions: LinearWeights;
  /** Weights (i8), see TwistModel. */
  twists: { weights: Block; scale: number; bias: number };
  /** Weights (i8), see ChoiceModel. */
  choices: { weights: Block; scale: number };
  /** Rows (i32), see Encoder. */
  encoder: Block;
  /**
   * Results on unseen data: phrases and descriptions of known acts; whole trades with their branches; fields by other authors, and fields whose
   * label no rule knows.
   */
  crossValidated: { phrases: Figures; trades: Figures; fields: FieldFigures; rareFields: FieldFigures };
}

/** Parses the weights file. Errors: throws when it is for another version of the engine */
export function weightsFileOf(text: string): WeightsFile {
  const file = JSON.parse(text) as WeightsFile;
  if (file.version !== WEIGHTS_VERSION)
    throw new Error(`the weights are of version ${String(file.version)}, not ${String(WEIGHTS_VERSION)}: npm run nlu:train`);
  return file;
}

/** The general act to which every question belongs. */
export const QUESTION_ACT = '+question';
/** The act of saying nothing. */
export const SILENCE_ACT = 'silence';

/**
 * Builds the knowledge from the weights file and the binary file; its large arrays are views of the binary data.
 *
 * Why:   views need neither time nor memory for parsing
 * Shape: little-endian, like every platform that the locked Node version runs on
 */
export function knowledgeOf(file: WeightsFile, bytes: ArrayBuffer): Knowledge {
  return {
    acts: file.acts,
    actCount: file.acts.length,
    questionAct: file.acts.indexOf(QUESTION_ACT),
    silenceAct: file.acts.indexOf(SILENCE_ACT),
    index: i32Of(bytes, file.index),
    utterances: linearOf(file.utterances, bytes, PLACE.utterances),
    descriptions: linearOf(file.descriptions, bytes, PLACE.descriptions),
    twists: { ...file.twists, weights: new Int8Array(bytes, ...file.twists.weights) },
    choices: { ...file.choices, weights: new Int8Array(bytes, ...file.choices.weights) },
    encoder: rowsOf(bytes, file.encoder, DIMENSIONS),
    relations: linksOf(file),
    wordClasses: compileWordClasses(file.wordClasses),
    classWeights: Float32Array.from(file.wordClasses, entry => entry.weight),
    unitWeights: unitWeightsOf(file.unitWeights, bytes),
    combination: file.combination,
    calibration: file.calibration,
  };
}

const bytesOf = (bytes: ArrayBuffer, [offset, length]: Block) => new Uint8Array(bytes, offset, length);
const u16Of = (bytes: ArrayBuffer, [offset, length]: Block) => new Uint16Array(bytes, offset, length / 2);
const u32Of = (bytes: ArrayBuffer, [offset, length]: Block) => new Uint32Array(bytes, offset, length / 4);

const i32Of = (bytes: ArrayBuffer, [offset, length]: Block) => new Int32Array(bytes, offset, length / 4);

const rowsOf = (bytes: ArrayBuffer, block: Block, columns: number): PackedRows => ({
  words: i32Of(bytes, block),
  width: rowWidth(columns),
});

function linksOf({ acts, relations }: WeightsFile): ActLink[][] {
  const links = acts.map((): ActLink[] => []);
  for (const [from, act, weight] of relations) links[from]?.push({ act, weight });
  return links;
}

function unitWeightsOf({ units, hundredths }: WeightsFile['unitWeights'], bytes: ArrayBuffer): Map<number, number> {
  const weights = bytesOf(bytes, hundredths);
  return new Map(Array.from(u32Of(bytes, units), (unit, at) => [unit, (weights[at] ?? 0) / 100]));
}

function linearOf({ full, entries, scale, bias }: LinearWeights, bytes: ArrayBuffer, places: PlaceOf): LinearModel {
  return { places, full: rowsOf(bytes, full, bias.length), entries: u16Of(bytes, entries), scale, bias: Float32Array.from(bias) };
}
