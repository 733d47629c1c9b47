import { FIELD_TYPES, type ExtractResult, type FieldDefinition, type FieldType, type FieldValue } from '#contract/nlu/extract.ts';
import { readBoolean } from './boolean-field.ts';
import { type DigitRun, findDigitRuns } from './digit-runs.ts';
import { type FoundNumber, findNumbers } from './find-numbers.ts';
import { type CallTime, type Moment, presentDate, presentDateTime, presentTime, readMoment } from './moment.ts';
import { readNumberField, readYear } from './number-field.ts';
import { saysOfAnother } from './persons.ts';
import { findName } from './names.ts';
import { findPhone } from './phones.ts';
import { readingOf } from './readings.ts';
import { foldedText } from './spoken-text.ts';
import { readTextField } from './text-field.ts';

/** The utterance with everything that was read from it, each at most once. */
interface Sources {
  spoken: string;
  text: string;
  call: CallTime;
  fieldCount: number;
  numbers: () => readonly FoundNumber[];
  digitRuns: () => readonly DigitRun[];
  moment: () => Moment;
}

interface FieldReading {
  value: FieldValue;
  /** 0..1: of a value that it is right, of null that it was not said. */
  confidence: number;
}

const MOMENT_CONFIDENCE = 0.94;
/** Nothing of the kind was said; something was said but not understood. */
const ABSENT_CONFIDENCE = 0.8;
const ABSENT: FieldReading = { value: null, confidence: ABSENT_CONFIDENCE };

/**
 * Reads every field from the utterance.
 *
 * Shape:  every requested key, null where nothing was said; `__proto__` is a key like any other
 * Source: D13.3
 */
export function extractFields({ text, fields }: { text: string; fields: readonly FieldDefinition[] }, call: CallTime): ExtractResult {
  const sources = sourcesOf(text, fields.length, call);
  const readings = fields.map(field => ({ field, reading: READERS[typeOf(field.type)](sources, field) }));
  const confidence = readings.reduce((sum, { reading }) => sum + reading.confidence, 0) / Math.max(1, readings.length);
  return {
    fields: Object.fromEntries(readings.map(({ field, reading }) => [field.key, reading.value])),
    confidence: Math.round(confidence * 1000) / 1000,
    reason: reasonOf(readings.map(({ field, reading }) => ({ name: field.label || field.key, found: reading.value !== null }))),
  };
}

function typeOf(type: string): FieldType {
  return FIELD_TYPES.find(known => known === type) ?? 'text';
}

const READERS: Record<FieldType, (sources: Sources, field: FieldDefinition) => FieldReading> = {
  number: (sources, { label, key }) => numberReading(sources, label, key),
  phone: ({ digitRuns }) => {
    const found = findPhone(digitRuns());
    return found ? { value: found.number, confidence: found.confidence } : ABSENT;
  },
  date: ({ moment, text }, { label }) => (isBirthOfAnother(text, label) ? ABSENT : momentReading(presentDate(moment()))),
  time: ({ moment }) => momentReading(presentTime(moment())),
  datetime: ({ moment, call }) => momentReading(presentDateTime(moment(), call)),
  boolean: ({ text }, { label }) => readBoolean(text, label) ?? ABSENT,
  text: (sources, { label, key }) => {
    const found = readTextField(readingOf(label, key), { ...sources, label, isOnly: sources.fieldCount === 1 });
    return found ? { value: sources.spoken.slice(found.start, found.end).trim(), confidence: found.confidence } : ABSENT;
  },
};

const BIRTH = /出生|生日/;

/** `我闺女是一五年五月二号生的`: the day of somebody else. */
function isBirthOfAnother(text: string, label: string): boolean {
  return BIRTH.test(label) && saysOfAnother(text, label);
}

function momentReading(value: string | null): FieldReading {
  return value === null ? ABSENT : { value, confidence: MOMENT_CONFIDENCE };
}

function numberReading({ numbers, digitRuns, text }: Sources, label: string, key: string): FieldReading {
  const reading = readingOf(label, key);
  if (reading === 'digits' || reading === 'phone') {
    const run = digitRuns().find(({ digits, denied }) => !denied && /^\d{2,15}$/.test(digits));
    if (run) return { value: Number(run.digits), confidence: MOMENT_CONFIDENCE };
  }
  const found = (reading === 'year' ? readYear(text) : null) ?? readNumberField(numbers(), text, { label, reading });
  return found && Number.isFinite(found.value) ? { value: found.value, confidence: found.confidence } : ABSENT;
}

function sourcesOf(spoken: string, fieldCount: number, call: CallTime): Sources {
  const text = foldedText(spoken);
  return {
    spoken: spoken.toWellFormed(),
    text,
    call,
    fieldCount,
    numbers: once(() => numbersOutsideName(text)),
    digitRuns: once(() => findDigitRuns(text)),
    moment: once(() => readMoment(text, call)),
  };
}

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

function reasonOf(fields: readonly { name: string; found: boolean }[]): string {
  const names = (found: boolean) =>
    fields
      .filter(field => field.found === found)
      .slice(0, MAX_NAMED_FIELDS)
      .map(field => field.name.slice(0, MAX_LABEL_CHARS).toWellFormed())
      .join('、');
  const said = names(true);
  const missing = names(false);
  return [said && `提取到：${said}`, missing && `未提到：${missing}`].filter(part => part !== '').join('；');
}
