import { z } from 'zod';
import { featureTable } from './acts/feature-table.ts';
import { type LinearModel, MAX_ACTS } from './acts/linear-model.ts';
import type { ActLink, Knowledge } from './decide/knowledge.ts';
import { compileWordClasses } from './text/word-classes.ts';

/** Raised when the meaning of the file changes; an engine reads its own version only. */
export const WEIGHTS_VERSION = 2;

const linear = z.object({
  /** Little-endian in base64: feature hashes (u32), how many entries each row has (u8), entries (u16, see LinearModel). */
  features: z.string(),
  rowLengths: z.string(),
  entries: z.string(),
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
  fallback: z.number(),
  fallbackUnknown: z.number(),
});

const calibration = z.object({ bias: z.number(), logit: z.number(), margin: z.number(), branches: z.number(), evidence: z.number() });

/** The weights file: all that was learned, and the digest of the corpus that it was learned from. */
export const weightsFile = z.object({
  version: z.literal(WEIGHTS_VERSION),
  corpusSha256: z.string(),
  acts: z.array(z.string()).max(MAX_ACTS),
  relations: z.array(z.tuple([z.number(), z.number(), z.number()])),
  wordClasses: z.array(z.object({ id: z.string(), weight: z.number(), words: z.array(z.string()) })),
  /** Little-endian in base64: units (u32), their weights in hundredths (u8). */
  unitWeights: z.object({ units: z.string(), hundredths: z.string() }),
  utterances: linear,
  descriptions: linear,
  combination,
  calibration,
});

export type WeightsFile = z.output<typeof weightsFile>;

/** The general act that every question belongs to. */
export const QUESTION_ACT = '+question';
/** The act of saying nothing. */
export const SILENCE_ACT = 'silence';

/**
 * Builds the knowledge from a parsed weights file.
 *
 * Errors: throws when the file is not of this engine's version and shape
 */
export function knowledgeOf(content: unknown): Knowledge {
  const file = weightsFile.parse(content);
  return {
    acts: file.acts,
    actCount: file.acts.length,
    questionAct: file.acts.indexOf(QUESTION_ACT),
    silenceAct: file.acts.indexOf(SILENCE_ACT),
    utterances: decodeLinear(file.utterances),
    descriptions: decodeLinear(file.descriptions),
    relations: linksOf(file),
    wordClasses: compileWordClasses(file.wordClasses),
    classWeights: Float32Array.from(file.wordClasses, entry => entry.weight),
    unitWeights: decodeUnits(file.unitWeights),
    combination: file.combination,
    calibration: file.calibration,
  };
}

function linksOf({ acts, relations }: WeightsFile): ActLink[][] {
  const links = acts.map((): ActLink[] => []);
  for (const [from, act, weight] of relations) links[from]?.push({ act, weight });
  return links;
}

function decodeUnits({ units, hundredths }: WeightsFile['unitWeights']): Map<number, number> {
  const packed = Buffer.from(units, 'base64');
  const weights = Buffer.from(hundredths, 'base64');
  return new Map(Array.from(weights, (weight, at) => [packed.readUInt32LE(at * 4), weight / 100]));
}

function decodeLinear({ features, rowLengths, entries, scale, bias }: WeightsFile['utterances']): LinearModel {
  const hashes = Buffer.from(features, 'base64');
  const lengths = Buffer.from(rowLengths, 'base64');
  const hashesOfRows = Uint32Array.from(lengths, (_, row) => hashes.readUInt32LE(row * 4));
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, row) => {
    starts[row + 1] = (starts[row] ?? 0) + length;
  });
  const packed = Buffer.from(entries, 'base64');
  return {
    rows: featureTable(hashesOfRows),
    starts,
    entries: Uint16Array.from({ length: packed.length / 2 }, (_, at) => packed.readUInt16LE(2 * at)),
    scale,
    bias: Float32Array.from(bias),
  };
}
