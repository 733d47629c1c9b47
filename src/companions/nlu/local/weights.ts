import { z } from 'zod';
import { featureTable } from './acts/feature-table.ts';
import { type LinearModel, MAX_ACTS } from './acts/linear-model.ts';
import type { Encoder } from './similarity/encoder.ts';
import type { ActLink, Knowledge } from './decide/knowledge.ts';
import { compileWordClasses } from './text/word-classes.ts';

/** Raised when the meaning of the file changes; an engine reads its own version only. */
export const WEIGHTS_VERSION = 5;

/** Where a list of numbers lies in the bytes beside the file: offset and length in bytes, the offset a multiple of 4. */
const block = z.tuple([z.number(), z.number()]);

export type Block = z.output<typeof block>;

const linear = z.object({
  /** Feature hashes (u32), how many entries each row has (u8), entries (u16, see LinearModel). */
  features: block,
  rowLengths: block,
  entries: block,
  scale: z.number(),
  bias: z.array(z.number()),
});

const combination = z.object({
  actLog: z.number(),
  act: z.number(),
  overlap: z.number(),
  topic: z.number(),
  mood: z.number(),
  polarity: z.number(),
  similarity: z.number(),
  similarityAlone: z.number(),
  close: z.number(),
  agreed: z.number(),
  fallback: z.number(),
  fallbackUnknown: z.number(),
});

const calibration = z.object({
  bias: z.number(),
  logit: z.number(),
  margin: z.number(),
  branches: z.number(),
  evidence: z.number(),
  nearness: z.number(),
});

/** How an engine did on a list of questions. Shares are 0..1; null where no set has that size. */
const figures = z.object({
  count: z.number(),
  among5: z.number().nullable(),
  among10: z.number().nullable(),
  among36: z.number().nullable(),
  keptShare: z.number(),
  keptAccuracy: z.number(),
  ece: z.number(),
});

export type Figures = z.output<typeof figures>;

/** The weights file: all that was learned, its long lists in the bytes beside it, and the digest of the corpus that it was learned from. */
export const weightsFile = z.object({
  version: z.literal(WEIGHTS_VERSION),
  corpusSha256: z.string(),
  acts: z.array(z.string()).max(MAX_ACTS),
  relations: z.array(z.tuple([z.number(), z.number(), z.number()])),
  wordClasses: z.array(z.object({ id: z.string(), weight: z.number(), words: z.array(z.string()) })),
  /** Units (u32), their weights in hundredths (u8). */
  unitWeights: z.object({ units: block, hundredths: block }),
  utterances: linear,
  descriptions: linear,
  /** Feature hashes (u32), vectors (i8, `dimensions` a feature). */
  encoder: z.object({ features: block, vectors: block, dimensions: z.number() }),
  combination,
  calibration,
  /** How the engine did on what it had not seen: phrases and descriptions of known acts; whole trades with their branches. */
  crossValidated: z.object({ phrases: figures, trades: figures }),
});

export type WeightsFile = z.output<typeof weightsFile>;

/** The general act that every question belongs to. */
export const QUESTION_ACT = '+question';
/** The act of saying nothing. */
export const SILENCE_ACT = 'silence';

/**
 * Builds the knowledge from a parsed weights file and the bytes beside it, of which nothing is kept.
 *
 * Why:    bytes that are read as they are take neither time nor memory to parse
 * Shape:  little-endian, as the machines are that the locked Node is made for
 * Errors: throws when the file is not of this engine's version and shape
 */
export function knowledgeOf(content: unknown, bytes: Uint8Array): Knowledge {
  const file = weightsFile.parse(content);
  const copyOf = ([offset, length]: Block) => new Uint8Array(bytes.subarray(offset, offset + length)).buffer;
  return {
    acts: file.acts,
    actCount: file.acts.length,
    questionAct: file.acts.indexOf(QUESTION_ACT),
    silenceAct: file.acts.indexOf(SILENCE_ACT),
    utterances: linearOf(file.utterances, copyOf),
    descriptions: linearOf(file.descriptions, copyOf),
    encoder: encoderOf(file.encoder, copyOf),
    relations: linksOf(file),
    wordClasses: compileWordClasses(file.wordClasses),
    classWeights: Float32Array.from(file.wordClasses, entry => entry.weight),
    unitWeights: unitWeightsOf(file.unitWeights, copyOf),
    combination: file.combination,
    calibration: file.calibration,
  };
}

type CopyOf = (block: Block) => ArrayBuffer;

function linksOf({ acts, relations }: WeightsFile): ActLink[][] {
  const links = acts.map((): ActLink[] => []);
  for (const [from, act, weight] of relations) links[from]?.push({ act, weight });
  return links;
}

function unitWeightsOf({ units, hundredths }: WeightsFile['unitWeights'], copyOf: CopyOf): Map<number, number> {
  const weights = new Uint8Array(copyOf(hundredths));
  return new Map(Array.from(new Uint32Array(copyOf(units)), (unit, at) => [unit, (weights[at] ?? 0) / 100]));
}

function encoderOf({ features, vectors, dimensions }: WeightsFile['encoder'], copyOf: CopyOf): Encoder {
  return { rows: featureTable(new Uint32Array(copyOf(features))), table: new Int8Array(copyOf(vectors)), dimensions };
}

function linearOf({ features, rowLengths, entries, scale, bias }: WeightsFile['utterances'], copyOf: CopyOf): LinearModel {
  const lengths = new Uint8Array(copyOf(rowLengths));
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, row) => {
    starts[row + 1] = (starts[row] ?? 0) + length;
  });
  return {
    rows: featureTable(new Uint32Array(copyOf(features))),
    starts,
    entries: new Uint16Array(copyOf(entries)),
    scale,
    bias: Float32Array.from(bias),
  };
}
