import { setImmediate as nextTurn } from 'node:timers/promises';
import { FIELD_TYPES, type ExtractResult, type FieldDefinition, type FieldType, type FieldValue } from '#contract/nlu/extract.ts';
import type { ExtractTask } from '../../engine.ts';
import { isDeflected, polarityOf, readBoolean } from './boolean-field.ts';
import { type Day, wallClock } from './calendar.ts';
import {
  booleanCandidates,
  dateCandidates,
  numberCandidates,
  onlyCandidate,
  phoneCandidates,
  spanCandidates,
  timeCandidates,
  type ValueCandidate,
  withRuled,
} from './candidates.ts';
import { type Choice, choose, type ChoiceModel, Signs } from './choice-model.ts';
import { type DigitRun, findDigitRuns } from './digit-runs.ts';
import { addSigns, ALL, type Asked, askedOf, type Heard, heardOf, wholeness } from './field-signs.ts';
import { type FoundNumber, findNumbers } from './find-numbers.ts';
import { type CallTime, type Moment, presentDate, presentDateTime, presentTime, readMoment } from './moment.ts';
import { type HeardNumbers, heardNumbers, pickNumber, rankNumbers, readYear } from './number-field.ts';
import { saysOfAnother } from './persons.ts';
import { findName } from './names.ts';
import { findPhones, firstPhone } from './phones.ts';
import { type Reading, readingOf } from './readings.ts';
import { foldedText, MAX_CHARS, type Span } from './spoken-text.ts';
import { textCandidates } from './text-candidates.ts';
import { readTextField } from './text-field.ts';

/** The utterance with everything that was read from it, each at most once. */
interface Sources {
  spoken: string;
  text: string;
  call: CallTime;
  today: () => Day;
  heard: Heard;
  numbers: () => HeardNumbers;
  digitRuns: () => readonly DigitRun[];
  /** Digits that nobody counts with. */
  longRuns: () => readonly DigitRun[];
  moment: () => Moment;
}

/** A field with what it asks for. */
interface Field {
  type: FieldType;
  label: string;
  reading: Reading;
  asked: Asked;
}

/** A field of an utterance with what could fill it, for the model to choose from. */
export interface OpenField {
  type: FieldType;
  candidates: readonly ValueCandidate[];
  /** The only field of an utterance that is nothing but a value: it is not left empty. */
  isAnswered: boolean;
  /** Adds the signs of the candidates and of an empty field, a group each. */
  addSigns: (signs: Signs) => void;
}

/** How sure the rules are of a day or a time. */
const MOMENT_CONFIDENCE = 0.94;
const signs = new Signs();

/** What is asked of an utterance, and with what it is answered. */
interface ExtractContext {
  call: CallTime;
  model: ChoiceModel;
}

/** Up to so many characters, the utterance's counted once for each field, everything is read at once. */
const AT_ONCE_CHARS = 2_000;
/** What is read before other work has its turn: about a millisecond. */
const SLICE_CHARS = 800;

/**
 * Reads every field from the utterance; very many or long ones in turns with other work, so that nobody waits for them.
 *
 * Shape:  every requested key, null where nothing was said; `__proto__` is a key like any other; `confidence` is the mean of the fields', each of
 *         them how likely its value, or that it was not said, is right
 * Source: D13.3
 */
export function extractFields({ text, fields }: ExtractTask, context: ExtractContext): ExtractResult | Promise<ExtractResult> {
  return fields.length * Math.min(text.length, MAX_CHARS) > AT_ONCE_CHARS
    ? extractInTurns({ text, fields }, context)
    : extractAtOnce({ text, fields }, context);
}

/** As `extractFields`, however long it takes. */
export function extractAtOnce({ text, fields }: ExtractTask, { call, model }: ExtractContext): ExtractResult {
  return resultOf(
    fields,
    openFields(text, fields, call).map(open => fill(open(), model)),
  );
}

async function extractInTurns({ text, fields }: ExtractTask, { call, model }: ExtractContext): Promise<ExtractResult> {
  const filled: FilledField[] = [];
  let chars = 0;
  for (const open of openFields(text, fields, call)) {
    chars += Math.min(text.length, MAX_CHARS);
    if (chars > SLICE_CHARS) {
      await nextTurn();
      chars = 0;
    }
    filled.push(fill(open(), model));
  }
  return resultOf(fields, filled);
}

interface FilledField {
  value: FieldValue;
  probability: number;
}

function fill(open: OpenField, model: ChoiceModel): FilledField {
  const { at, probability } = chosen(open, model);
  return { value: open.candidates[at]?.value ?? null, probability };
}

function resultOf(fields: readonly FieldDefinition[], filled: readonly FilledField[]): ExtractResult {
  const confidence = filled.reduce((sum, { probability }) => sum + probability, 0) / Math.max(1, filled.length);
  return {
    fields: Object.fromEntries(fields.map(({ key }, at) => [key, filled[at]?.value ?? null])),
    confidence: Math.round(confidence * 1000) / 1000,
    reason: reasonOf(fields, filled),
  };
}

/** Chooses what fills the field, after its signs were added. */
export function chosen({ type, candidates, isAnswered, addSigns: add }: OpenField, model: ChoiceModel): Choice {
  signs.clear();
  add(signs);
  return choose(signs, model, {
    isSameValue: (one, other) => candidates[one]?.value === candidates[other]?.value,
    isAnswered,
    isSameStretch: (one, other) => type === 'text' && overlap(candidates[one], candidates[other]),
  });
}

const overlap = (one: ValueCandidate | undefined, other: ValueCandidate | undefined) =>
  one !== undefined && other !== undefined && one.start < other.end && other.start < one.end;

/** Every value that the utterance has for a field, what the rules take first. */
export function candidateValues(text: string, field: FieldDefinition, call: CallTime): FieldValue[] {
  const candidates = openFields(text, [field], call).flatMap(open => open().candidates);
  return candidates.toSorted((one, other) => other.ruled - one.ruled).map(({ value }) => value);
}

/** Nobody says more of a kind in one breath; a field of so many is not weighed further. */
const MAX_CANDIDATES = 16;
/** Other fields of the same type that are weighed against one. */
const MAX_RIVALS = 8;

/** For each field, a way to list what could fill it. */
export function openFields(text: string, fields: readonly FieldDefinition[], call: CallTime): (() => OpenField)[] {
  const sources = sourcesOf(text, fields.length, call);
  const asked = fields.map(fieldOf);
  return asked.map(field => () => {
    const candidates = firstOf(CANDIDATES[field.type](sources, field));
    const others = asked
      .filter(other => other !== field && other.type === field.type)
      .slice(0, MAX_RIVALS)
      .map(other => other.asked);
    const isAnswered =
      fields.length === 1 &&
      field.type !== 'text' &&
      candidates.some(candidate => candidate.ruled > 0 && wholeness(candidate, sources.heard) === ALL);
    return {
      type: field.type,
      candidates,
      isAnswered,
      addSigns: into => addSigns(sources.heard, { asked: field.asked, others }, candidates, into),
    };
  });
}

/** The first of very many, and what the rules take. */
function firstOf(candidates: readonly ValueCandidate[]): readonly ValueCandidate[] {
  if (candidates.length <= MAX_CANDIDATES) return candidates;
  const ruled = candidates.find((candidate, at) => at >= MAX_CANDIDATES && candidate.ruled > 0);
  return ruled ? [...candidates.slice(0, MAX_CANDIDATES - 1), ruled] : candidates.slice(0, MAX_CANDIDATES);
}

/** Most fields that are remembered. */
const MAX_FIELDS = 1_024;
/** What the fields of the same few forms ask for. */
const knownFields = new Map<string, Field>();

function fieldOf(definition: FieldDefinition): Field {
  const { type, label, key } = {
    ...definition,
    label: definition.label.slice(0, MAX_READ_CHARS),
    key: definition.key.slice(0, MAX_READ_CHARS),
  };
  const name = JSON.stringify([type, key, label]);
  const known = knownFields.get(name);
  if (known) return known;
  const kind = FIELD_TYPES.find(one => one === type) ?? 'text';
  const reading = readingOf(label, key);
  const field = { type: kind, label, reading, asked: askedOf(kind, reading, label) };
  // When full, everything is forgotten: cheaper than an order of use.
  if (knownFields.size >= MAX_FIELDS) knownFields.clear();
  if (type === kind) knownFields.set(name, field);
  return field;
}

/** Of a longer label or key only the start is read. Characters. */
const MAX_READ_CHARS = 100;

const CANDIDATES: Record<FieldType, (sources: Sources, field: Field) => ValueCandidate[]> = {
  number: numbersOf,
  phone: ({ digitRuns }) => {
    const phones = findPhones(digitRuns());
    return phoneCandidates(phones, firstPhone(phones));
  },
  date: ({ moment, text, today }, { label }) => {
    const isOfAnother = isBirthOfAnother(text, label);
    const ruled = { value: isOfAnother ? null : presentDate(moment()), confidence: MOMENT_CONFIDENCE };
    const named = dateCandidates(moment().dates, { text, today: today(), isOfAnother, ruled });
    return withRuled(named, ruled.value, moment().span ?? whole(text), ruled.confidence);
  },
  time: ({ moment, text }) => {
    const ruled = { value: presentTime(moment()), confidence: MOMENT_CONFIDENCE };
    const named = timeCandidates(moment().times, text, ruled);
    return withRuled(named, ruled.value, moment().span ?? whole(text), ruled.confidence);
  },
  datetime: ({ moment, call, text }) => onlyCandidate(presentDateTime(moment(), call), moment().span ?? whole(text), MOMENT_CONFIDENCE),
  boolean: booleansOf,
  text: (sources, { reading, label }) => {
    const found = readTextField(reading, { ...sources, label, isOnly: sources.heard.fieldCount === 1 });
    const { spoken, text, heard } = sources;
    return spanCandidates(textCandidates(reading, label, text, heard.clauses), { spoken, clauses: heard.clauses, ruled: found });
  },
};

/** Nobody answers yes or no in more clauses. */
const MAX_CLAUSES = 32;

function booleansOf({ text, heard }: Sources, { label, asked }: Field): ValueCandidate[] {
  if (heard.clauses.length === 0) return [];
  const said = heard.clauses.slice(0, MAX_CLAUSES).map(({ start, end }) => text.slice(start, end));
  const shared = said.map(clause => asked.pairs.filter(pair => clause.includes(pair)).length * 2 + countShared(asked.chars, clause));
  const most = Math.max(...shared);
  const at = shared.indexOf(most);
  const isNamed = most > 0;
  const clause = (isNamed ? heard.clauses[at] : undefined) ?? whole(text);
  const polarity = polarityOf(text.slice(clause.start, clause.end));
  return booleanCandidates({ clause, polarity, isNamed, isDeflected: isDeflected(text, label) }, readBoolean(text, label));
}

function countShared(chars: string, clause: string): number {
  return Array.from(chars).filter(char => clause.includes(char)).length;
}

const whole = (text: string): Span => ({ start: 0, end: text.length });

const BIRTH = /出生|生日/;

/** `我闺女是一五年五月二号生的`: the day of somebody else. */
function isBirthOfAnother(text: string, label: string): boolean {
  return BIRTH.test(label) && saysOfAnother(text, label);
}

function numbersOf({ numbers, digitRuns, longRuns, moment, text }: Sources, { label, reading }: Field): ValueCandidate[] {
  if (reading === 'digits' || reading === 'phone') {
    const run = digitRuns().find(({ digits, denied }) => !denied && /^\d{2,15}$/.test(digits));
    if (run) return onlyCandidate(Number(run.digits), run, MOMENT_CONFIDENCE);
  }
  const year = reading === 'year' ? readYear(text) : null;
  if (year) return onlyCandidate(year.value, year.span, year.confidence);
  if (numbers().numbers.length === 0) return [];
  const asked = { label, reading };
  const ranked = rankNumbers(numbers(), text, asked);
  return numberCandidates(
    ranked,
    { text, asked, ruled: pickNumber(ranked, text, asked) },
    { moment: moment(), longRuns: longRuns() },
  ).filter(({ value }) => Number.isFinite(value));
}

function sourcesOf(spoken: string, fieldCount: number, call: CallTime): Sources {
  const text = foldedText(spoken);
  return {
    spoken: spoken.slice(0, MAX_CHARS).toWellFormed(),
    text,
    call,
    today: once(() => wallClock(call.now, call.timeZone)),
    heard: heardOf(text, fieldCount),
    numbers: once(() => heardNumbers(numbersOutsideName(text), text)),
    longRuns: once(() => (LONG_NUMBER.test(text) ? findDigitRuns(text).filter(({ digits }) => digits.length >= LONG_RUN) : [])),
    digitRuns: once(() => (MANY_DIGITS.test(text) ? findDigitRuns(text) : [])),
    moment: once(() => readMoment(text, call)),
  };
}

/** What digits are read out with. */
const DIGIT = '\\d零〇洞幺一壹二两贰三叁四肆五伍六陆七柒拐八捌九玖勾';
/** Two digits at least, digits by their count, or letters that may spell them. */
const MANY_DIGITS = new RegExp(`[${DIGIT}][^${DIGIT}]*[${DIGIT}]|[两二三四五]个|[a-z]`);
const LONG_RUN = 7;
const LONG_NUMBER = new RegExp(`(?:[${DIGIT}a-z][^${DIGIT}a-z]*){${LONG_RUN}}|[两二三四五]个`);
const NAME_CUE = /叫|姓/;

/** The 三 of 张三 is no number. */
function numbersOutsideName(text: string): readonly FoundNumber[] {
  const numbers = findNumbers(text);
  const name = numbers.length > 0 && NAME_CUE.test(text) ? findName(text) : null;
  return name ? numbers.filter(number => number.end <= name.start || number.start >= name.end) : numbers;
}

function once<T>(read: () => T): () => T {
  let kept: { value: T } | undefined;
  return () => {
    kept ??= { value: read() };
    return kept.value;
  };
}

const MAX_NAMED_FIELDS = 8;
const MAX_LABEL_CHARS = 20;
/** Below this, right and wrong are as likely. */
const UNSURE = 0.5;

/** Which fields were found, which were not, and of which of both nobody is sure. */
function reasonOf(fields: readonly FieldDefinition[], filled: readonly FilledField[]): string {
  const namesOf = (holds: (field: FilledField) => boolean) =>
    fields
      .filter((_field, at) => holds(filled[at] ?? NOTHING))
      .slice(0, MAX_NAMED_FIELDS)
      .map(({ key, label }) => (label || key).slice(0, MAX_LABEL_CHARS).toWellFormed())
      .join('、');
  const parts = [
    ['提取到', namesOf(({ value }) => value !== null)],
    ['未提到', namesOf(({ value }) => value === null)],
    ['没有把握', namesOf(({ probability }) => probability < UNSURE)],
  ];
  return parts
    .filter(([, names]) => names !== '')
    .map(([what, names]) => `${what}：${names}`)
    .join('；');
}

const NOTHING: FilledField = { value: null, probability: 0 };
