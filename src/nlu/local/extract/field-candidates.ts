import type { FieldType } from '#protocol/nlu.ts';
import type { FieldKeys } from './field-keys.ts';
import { isDeflected, polarityOf, readBoolean } from './boolean-field.ts';
import {
  booleanCandidates,
  numberCandidates,
  onlyCandidate,
  phoneCandidates,
  spanCandidates,
  timeCandidates,
  type ValueCandidate,
  withRuled,
} from './candidates.ts';
import { dateCandidates, dateTimeCandidates } from './day-candidates.ts';
import type { Field } from './field.ts';
import { presentDate, presentDateTime, presentTime } from './moment.ts';
import { pickNumber, rankNumbers, readYear } from './number-field.ts';
import { saysOfAnother } from './persons.ts';
import { findPhones, firstPhone } from './phones.ts';
import type { Sources } from './sources.ts';
import type { Span } from './spoken-text.ts';
import { textCandidates } from './text-candidates.ts';
import { readTextField } from './text-field.ts';

/** Most candidates of a field that are weighed; a customer says no more in one utterance. */
const MAX_CANDIDATES = 16;

/** Lists the candidates for a field. */
export function candidatesFor(sources: Sources, field: Field): readonly ValueCandidate[] {
  return firstOf(CANDIDATES[field.type](sources, field));
}

/** Limits the candidates, but keeps the choice of the rules. */
function firstOf(candidates: readonly ValueCandidate[]): readonly ValueCandidate[] {
  if (candidates.length <= MAX_CANDIDATES) return candidates;
  const ruled = candidates.find((candidate, at) => at >= MAX_CANDIDATES && candidate.ruled > 0);
  return ruled ? [...candidates.slice(0, MAX_CANDIDATES - 1), ruled] : candidates.slice(0, MAX_CANDIDATES);
}

/** Confidence of the rules in a date or time. */
const MOMENT_CONFIDENCE = 0.94;

const CANDIDATES: Record<FieldType, (sources: Sources, field: Field) => ValueCandidate[]> = {
  number: numbersOf,
  phone: ({ digitRuns }) => {
    const phones = findPhones(digitRuns);
    return phoneCandidates(phones, firstPhone(phones));
  },
  date: (sources, { label }) => {
    const ruled = { value: isBirthOfAnother(sources.text, label) ? null : presentDate(sources.moment), confidence: MOMENT_CONFIDENCE };
    return withRuled(daysOf(sources, label, ruled), ruled.value, sources.moment.span ?? whole(sources.text), ruled.confidence);
  },
  time: ({ moment, times, text }) => {
    const ruled = { value: presentTime(moment), confidence: MOMENT_CONFIDENCE };
    return withRuled(timeCandidates(times, text, ruled), ruled.value, moment.span ?? whole(text), ruled.confidence);
  },
  datetime: (sources, { label }) => {
    const { moment, times, call, text } = sources;
    const confidence = MOMENT_CONFIDENCE;
    const days = daysOf(sources, label, { value: presentDate(moment), confidence });
    const hours = timeCandidates(times, text, { value: presentTime(moment), confidence });
    const named = dateTimeCandidates(days, hours, { times, timeZone: call.timeZone });
    return withRuled(named, presentDateTime(moment, call), moment.span ?? whole(text), confidence);
  },
  boolean: booleansOf,
  text: (sources, field) => {
    const { spoken, text, heard } = sources;
    const found = readTextField(field.reading, { text, values: sources, label: field.label, isOnly: heard.fieldCount === 1 });
    return spanCandidates(textCandidates(field, text, heard.clauses), { spoken, clauses: heard.clauses, ruled: found });
  },
};

function daysOf({ dates, text, today }: Sources, label: string, ruled: { value: string | null; confidence: number }): ValueCandidate[] {
  return dateCandidates(dates, { text, today, isOfAnother: isBirthOfAnother(text, label), ruled });
}

/** Most clauses examined for a yes or no. */
const MAX_CLAUSES = 32;

function booleansOf({ text, heard }: Sources, { label, asked }: Field): ValueCandidate[] {
  if (heard.clauses.length === 0) return [];
  const named = clauseNaming(asked, text, heard.clauses);
  const clause = named ?? whole(text);
  const said = named && named.end - named.start > SHORTEST_ANSWER ? text.slice(named.start, named.end) : text;
  const polarity = polarityOf(text.slice(clause.start, clause.end));
  return booleanCandidates({ clause, polarity, isNamed: named !== null, isDeflected: isDeflected(said, label) }, readBoolean(said, label));
}

/** A clause up to this length is read together with all others. Characters. */
const SHORTEST_ANSWER = 2;

/** Returns the clause that shares most with the label; null when none shares anything. */
function clauseNaming({ pairs, chars }: FieldKeys, text: string, clauses: readonly Span[]): Span | null {
  let best: Span | null = null;
  let most = 0;
  for (const clause of clauses.slice(0, MAX_CLAUSES)) {
    const said = text.slice(clause.start, clause.end);
    let shared = 0;
    for (const pair of pairs) if (said.includes(pair)) shared += 2;
    for (const char of chars) if (said.includes(char)) shared += 1;
    if (shared <= most) continue;
    best = clause;
    most = shared;
  }
  return best;
}

const whole = (text: string): Span => ({ start: 0, end: text.length });

const BIRTH = /出生|生日/;

/** `我闺女是一五年五月二号生的`: the birthday of another person. */
function isBirthOfAnother(text: string, label: string): boolean {
  return BIRTH.test(label) && saysOfAnother(text, label);
}

function numbersOf(sources: Sources, { reading, measured: asked }: Field): ValueCandidate[] {
  const { text } = sources;
  if (reading === 'digits' || reading === 'phone') {
    const run = sources.digitRuns.find(({ digits, denied }) => !denied && /^\d{2,15}$/.test(digits));
    if (run) return onlyCandidate(Number(run.digits), run, MOMENT_CONFIDENCE);
  }
  const year = reading === 'year' ? readYear(text) : null;
  if (year) return onlyCandidate(year.value, year.span, year.confidence);
  if (sources.numbers.numbers.length === 0) return [];
  const ranked = rankNumbers(sources.numbers, text, asked);
  const named = numberCandidates(ranked, { text, asked, ruled: pickNumber(ranked, text, asked) }, sources);
  return named.filter(({ value }) => Number.isFinite(value));
}
