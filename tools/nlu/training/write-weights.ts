import { type LinearModel, MAX_ACTS } from '#nlu/local/acts/linear-model.ts';
import type { Knowledge } from '#nlu/local/decide/knowledge.ts';
import { type Block, WEIGHTS_VERSION, type WeightsFile } from '#nlu/local/weights.ts';
import type { WordClass } from '#nlu/local/text/word-classes.ts';

/** The weights file and the binary data beside it. */
export interface WrittenWeights {
  file: WeightsFile;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Serialises the knowledge; the same knowledge gives the same bytes. */
export function weightsOf(
  knowledge: Knowledge,
  wordClasses: readonly WordClass[],
  { corpusSha256, crossValidated }: Pick<WeightsFile, 'corpusSha256' | 'crossValidated'>,
): WrittenWeights {
  if (knowledge.acts.length > MAX_ACTS)
    throw new Error(`${knowledge.acts.length} acts do not fit an entry, which has room for ${MAX_ACTS}`);
  const blocks = new Blocks();
  const file: WeightsFile = {
    version: WEIGHTS_VERSION,
    corpusSha256,
    acts: [...knowledge.acts],
    relations: knowledge.relations.flatMap((links, from) => links.map(({ act, weight }): [number, number, number] => [from, act, weight])),
    wordClasses: wordClasses.map(({ id, words }, index) => ({
      id,
      weight: rounded(knowledge.classWeights[index] ?? 0),
      words: [...words],
    })),
    unitWeights: layUnits(knowledge.unitWeights, blocks),
    index: blocks.lay(knowledge.index),
    utterances: layLinear(knowledge.utterances, blocks),
    descriptions: layLinear(knowledge.descriptions, blocks),
    twists: { ...knowledge.twists, weights: blocks.lay(knowledge.twists.weights) },
    choices: { ...knowledge.choices, weights: blocks.lay(knowledge.choices.weights) },
    encoder: blocks.lay(knowledge.encoder.words),
    combination: knowledge.combination,
    calibration: knowledge.calibration,
    crossValidated,
  };
  return { file, bytes: blocks.bytes() };
}

const ALIGNED_TO = 4;

/** Appends lists of numbers to one buffer. */
class Blocks {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  lay({ buffer, byteOffset, byteLength }: ArrayBufferView): Block {
    const offset = this.#length;
    this.#add(new Uint8Array(buffer, byteOffset, byteLength));
    this.#add(new Uint8Array((ALIGNED_TO - (byteLength % ALIGNED_TO)) % ALIGNED_TO));
    return [offset, byteLength];
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(Buffer.concat(this.#parts));
  }

  #add(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}

function layUnits(unitWeights: Knowledge['unitWeights'], blocks: Blocks): WeightsFile['unitWeights'] {
  const sorted = [...unitWeights].sort(([one], [other]) => one - other);
  return {
    units: blocks.lay(Uint32Array.from(sorted, ([unit]) => unit)),
    hundredths: blocks.lay(Uint8Array.from(sorted, ([, weight]) => Math.round(weight * 100))),
  };
}

function layLinear({ full, entries, scale, bias }: LinearModel, blocks: Blocks): WeightsFile['utterances'] {
  return { full: blocks.lay(full.words), entries: blocks.lay(entries), scale, bias: Array.from(bias, rounded) };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
