import type { LearnedKnowledge } from './knowledge.ts';
import type { LearnedModel } from './quantize.ts';
import { WEIGHTS_VERSION, type WeightsFile } from '../local/weights.ts';
import type { WordClass } from '../local/text/word-classes.ts';

/** Lays the knowledge out as the weights file; the same knowledge gives the same bytes. */
export function weightsOf(knowledge: LearnedKnowledge, wordClasses: readonly WordClass[], corpusSha256: string): WeightsFile {
  return {
    version: WEIGHTS_VERSION,
    corpusSha256,
    acts: [...knowledge.acts],
    relations: knowledge.relations.flatMap((links, from) => links.map(({ act, weight }): [number, number, number] => [from, act, weight])),
    wordClasses: wordClasses.map(({ id, words }, index) => ({
      id,
      weight: rounded(knowledge.classWeights[index] ?? 0),
      words: [...words],
    })),
    unitWeights: encodeUnits(knowledge.unitWeights),
    utterances: encodeLinear(knowledge.utterances),
    descriptions: encodeLinear(knowledge.descriptions),
    combination: knowledge.combination,
    calibration: knowledge.calibration,
  };
}

function encodeUnits(unitWeights: LearnedKnowledge['unitWeights']): WeightsFile['unitWeights'] {
  const sorted = [...unitWeights].sort(([one], [other]) => one - other);
  const units = Buffer.alloc(sorted.length * 4);
  sorted.forEach(([unit], at) => units.writeUInt32LE(unit, at * 4));
  return {
    units: units.toString('base64'),
    hundredths: Buffer.from(sorted.map(([, weight]) => Math.round(weight * 100))).toString('base64'),
  };
}

function encodeLinear({ features, starts, entries, scale, bias }: LearnedModel): WeightsFile['utterances'] {
  const hashes = Buffer.alloc(features.length * 4);
  features.forEach((feature, row) => hashes.writeUInt32LE(feature, row * 4));
  const rowLengths = Buffer.from(Uint8Array.from(features, (_, row) => (starts[row + 1] ?? 0) - (starts[row] ?? 0)));
  const packed = Buffer.alloc(entries.length * 2);
  entries.forEach((entry, at) => packed.writeUInt16LE(entry, 2 * at));
  return {
    features: hashes.toString('base64'),
    rowLengths: rowLengths.toString('base64'),
    entries: packed.toString('base64'),
    scale,
    bias: Array.from(bias, rounded),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
