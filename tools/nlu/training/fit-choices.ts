import { type Random, seededRandom } from '#kernel/random.ts';
import { CHOICE_PLACES, type ChoiceModel, Signs } from '#nlu/local/extract/choice-model.ts';
import { chosen, openFields, type OpenField } from '#nlu/local/extract/extract-fields.ts';
import type { FieldValue } from '#protocol/nlu.ts';
import type { Answer } from '../evaluation/measure.ts';
import { sameValue } from '../evaluation/extract-set.ts';
import type { FieldAuthor } from './field-corpus.ts';
import { shuffled } from './fit-linear.ts';

/** A field of an utterance with its correct value. */
interface AskedField {
  open: OpenField;
  expected: FieldValue;
}

/** Features of a field by candidate group (see `choose`), with the correct groups: a value may occur twice. */
interface FieldExample {
  groups: Uint16Array[];
  right: ReadonlySet<number>;
}

const TIME_ZONE = 'Asia/Shanghai';
const EPOCHS = 16;
/** The model is the mean over the last epochs. */
const AVERAGED_EPOCHS = 8;
const RATE = 0.04;
/** Share of a field's features hidden at each visit. */
const DROPOUT = 0.4;
const DECAY = 1e-3;
const STARTING_SQUARE = 0.05;
const NEGLIGIBLE = 1e-4;
const SEED = 3;
const LARGEST = 127;
const CHOICE_FOLDS = 6;

/** Learns from the authors' cases which candidate fills a field. */
export function learnChoices(authors: readonly FieldAuthor[]): ChoiceModel {
  return quantized(fitChoices(authors.flatMap(fieldsOf).map(exampleOf), seededRandom(SEED)));
}

/** Answers of the model on authors that were held out, a few at a time, by kind of author. */
export function crossValidateChoices(authors: readonly FieldAuthor[]): Map<FieldAuthor['kind'], Answer[]> {
  const unknown = authors.filter(({ kind }) => kind === 'common' || kind === 'rare');
  const answers = Array.from({ length: CHOICE_FOLDS }, (_, fold) => {
    const left = new Set(unknown.filter((_author, at) => at % CHOICE_FOLDS === fold));
    const model = learnChoices(authors.filter(author => !left.has(author)));
    return [...left].flatMap(author => fieldsOf(author).map(field => ({ kind: author.kind, answer: answerOf(field, model) })));
  }).flat();
  return new Map([...Map.groupBy(answers, ({ kind }) => kind)].map(([kind, group]) => [kind, group.map(({ answer }) => answer)]));
}

function fieldsOf({ cases }: FieldAuthor): AskedField[] {
  return cases.flatMap(({ text, fields, expected, now }) =>
    openFields(text, fields, { now: Date.parse(now ?? ''), timeZone: TIME_ZONE }).map((open, at) => ({
      open: open(),
      expected: expected[fields[at]?.key ?? ''] ?? null,
    })),
  );
}

function answerOf({ open, expected }: AskedField, model: ChoiceModel): Answer {
  const { at, probability } = chosen(open, model);
  return { right: sameValue(open.candidates[at]?.value ?? null, expected), confidence: probability };
}

const signs = new Signs();

function exampleOf({ open, expected }: AskedField): FieldExample {
  signs.clear();
  open.addSigns(signs);
  const count = open.candidates.length;
  const hits = expected === null ? [] : [...open.candidates.keys()].filter(at => sameValue(open.candidates[at]?.value ?? null, expected));
  return {
    groups: Array.from({ length: signs.groupCount }, (_, at) => signs.group(at).slice()),
    right: new Set(hits.length > 0 ? hits : [expected === null ? count : count + 1]),
  };
}

/** Fits the choice with a softmax over the sums of the groups, by AdaGrad with feature dropout. */
function fitChoices(examples: readonly FieldExample[], random: Random): Float32Array {
  const weights = new Float32Array(CHOICE_PLACES);
  const squares = new Float32Array(CHOICE_PLACES).fill(STARTING_SQUARE);
  const averaged = new Float32Array(CHOICE_PLACES);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    const rate = RATE / (1 + epoch / 4);
    for (const example of shuffled(examples, random)) visit(example, { weights, squares, rate }, random);
    if (epoch >= EPOCHS - AVERAGED_EPOCHS)
      for (let at = 0; at < CHOICE_PLACES; at += 1) averaged[at] = (averaged[at] as number) + (weights[at] as number) / AVERAGED_EPOCHS;
  }
  return averaged;
}

interface State {
  weights: Float32Array;
  squares: Float32Array;
  rate: number;
}

function visit({ groups, right }: FieldExample, { weights, squares, rate }: State, random: Random): void {
  const seen = groups.map(places => places.filter(() => random.next() >= DROPOUT));
  const scores = seen.map(places => places.reduce((sum, place) => sum + (weights[place] as number), 0) / (1 - DROPOUT));
  const top = Math.max(...scores);
  const odds = scores.map(score => Math.exp(score - top));
  const all = odds.reduce((sum, value) => sum + value, 0);
  const good = odds.reduce((sum, value, at) => (right.has(at) ? sum + value : sum), 0);
  seen.forEach((places, at) => {
    const share = odds[at] as number;
    const error = share / all - (right.has(at) ? share / good : 0);
    if (Math.abs(error) < NEGLIGIBLE) return;
    for (const place of places) {
      const gradient = error + DECAY * (weights[place] as number);
      squares[place] = (squares[place] as number) + gradient * gradient;
      weights[place] = (weights[place] as number) - (rate * gradient) / Math.sqrt(squares[place]);
    }
  });
}

function quantized(weights: Float32Array): ChoiceModel {
  const scale = Math.fround(weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / LARGEST) || 1;
  return { weights: Int8Array.from(weights, weight => Math.round(weight / scale)), scale };
}
