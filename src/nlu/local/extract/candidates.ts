import type { FieldValue } from '#protocol/nlu.ts';
import type { BooleanReading } from './boolean-field.ts';
import { isoTime } from './calendar.ts';
import type { DigitRun } from './digit-runs.ts';
import { hashOf } from './field-keys.ts';
import type { FoundNumber } from './find-numbers.ts';
import type { Candidate } from './field-signs.ts';
import type { NamedTimes } from './moment.ts';
import { type NumberReading, type RankedNumber, valueAsked } from './number-field.ts';
import { measureOf, type NumberAsked } from './number-units.ts';
import type { FoundPhone } from './phones.ts';
import type { TextCandidate } from './text-candidates.ts';
import { type Span, standing } from './spoken-text.ts';

/** A candidate with the value that it would give the field. */
export interface ValueCandidate extends Candidate {
  value: FieldValue;
}

/** Kinds of traits. */
const TRAIT = {
  fit: 1,
  measure: 2,
  labelled: 3,
  inTime: 4,
  inDate: 5,
  inNumber: 6,
  size: 7,
  latin: 8,
  aside: 9,
  rank: 10,
  written: 11,
  extreme: 12,
  fitElsewhere: 13,
  kindOfDay: 14,
  told: 15,
  otherDay: 16,
  farness: 17,
  period: 18,
  hour: 19,
  minute: 20,
  kindOfPhone: 21,
  agreement: 22,
  polarity: 23,
  polarityNamed: 24,
  agreementPolarity: 25,
  way: 26,
  clause: 27,
  length: 28,
  stance: 29,
  complaint: 30,
  toldKind: 31,
  lead: 32,
  numerals: 33,
  timeLength: 34,
  takenBack: 35,
  deflected: 36,
  ofAnother: 37,
  trail: 38,
} as const;
const TRAIT_ROOM = 1_000_003;

/** Returns a 32-bit number that is specific to the trait and its value. */
export function trait(name: keyof typeof TRAIT, value: number | boolean): number {
  return (Math.imul(TRAIT[name], TRAIT_ROOM) + Number(value)) | 0;
}

/** Candidates of a kind that a single rule finds. */
export function onlyCandidate(value: FieldValue, span: Span, ruled: number): ValueCandidate[] {
  return value === null ? [] : [{ start: span.start, end: span.end, value, side: 0, traits: [], ruled }];
}

/** Puts a value that the rules read first when it is not among the candidates: two hours from now names no time of day. */
export function withRuled(candidates: ValueCandidate[], value: FieldValue, span: Span, ruled: number): ValueCandidate[] {
  return candidates.some(candidate => candidate.value === value) ? candidates : [...onlyCandidate(value, span, ruled), ...candidates];
}

/** Candidates for a text field: the stretches, with the one that the rules take among them. */
export function spanCandidates(
  spans: readonly TextCandidate[],
  { spoken, clauses, ruled }: { spoken: string; clauses: readonly Span[]; ruled: (Span & { confidence: number }) | null },
): ValueCandidate[] {
  const isRuled = ({ start, end }: Span) => ruled?.start === start && ruled.end === end;
  const all = ruled && !spans.some(isRuled) ? [{ start: ruled.start, end: ruled.end, way: 0 }, ...spans] : spans;
  return all.map(span => ({
    start: span.start,
    end: span.end,
    value: spoken.slice(span.start, span.end).trim(),
    isTold: true,
    side: 0,
    ruled: ruled && isRuled(span) ? ruled.confidence : 0,
    traits: spanTraits(span, spoken, clauses),
  }));
}

function spanTraits({ start, end, way }: TextCandidate, spoken: string, clauses: readonly Span[]): number[] {
  const said = spoken.slice(start, end).trim();
  const clause = clauses.findIndex(one => start < one.end);
  return [
    trait('way', way),
    trait('lead', hashOf(spoken.slice(Math.max(0, start - LEAD_CHARS), start))),
    trait('trail', hashOf(spoken.slice(end, end + LEAD_CHARS))),
    trait('clause', clause === 0 ? 0 : clause === clauses.length - 1 ? 2 : 1),
    trait('length', Math.min(said.length, LONGEST_TOLD)),
    trait('stance', STANCE.test(said)),
    trait('complaint', COMPLAINT.test(said)),
    trait('numerals', /[\d一二三四五六七八九十]{2}/.test(said)),
  ];
}

const LEAD_CHARS = 2;
const LONGEST_TOLD = 16;
/** A request or decision of the customer, rather than the reason for it. */
const STANCE =
  /^(?:我)?(?:不要|不用|不想|不办|不买|不去|不来|不装|退|换|取消|改|拒)|给我|你们|师傅|帮我|麻烦|[吗么]$|多少|啥时候|什么时候|能不能|行不/;
/** A fault or an obstacle. */
const COMPLAINT = /太|没|不|坏|漏|断|错|贵|慢|差|远|忙|病|烂|裂|掉|响|痛|疼|嫌|怕|要(?:带|上|照)|有事|出差|加班/;

/** Parts of an utterance whose numbers are no amounts. */
interface Around extends NamedTimes {
  /** Long digit runs, which are not used for counting. */
  longRuns: readonly DigitRun[];
}

const LOWEST_RANK = -3;
const HIGHEST_RANK = 8;

/** How the unit of a number fits a label. */
const FIT = { none: 0, distinctive: 1, any: 2, convertible: 3, exact: 4, ofAnother: 5, other: 6 } as const;

function fitOf(unit: string, asked: NumberAsked): number {
  if (unit === '') return FIT.none;
  const { isOwn, isDistinctive, isConverted } = measureOf(unit, asked);
  if (asked.own === undefined) return isDistinctive ? FIT.distinctive : FIT.any;
  if (!isOwn) return isDistinctive ? FIT.ofAnother : FIT.other;
  return isConverted ? FIT.convertible : FIT.exact;
}

/** A candidate for every number in the utterance, converted to the unit of the label. */
export function numberCandidates(
  ranked: readonly RankedNumber[],
  { text, asked, ruled }: { text: string; asked: NumberAsked; ruled: NumberReading | null },
  around: Around,
): ValueCandidate[] {
  const fits = ranked.map(({ number }) => fitOf(number.unit, asked));
  const values = ranked.map(({ number }) => valueAsked(number, text, asked));
  const hasExact = fits.includes(FIT.exact);
  const least = Math.min(...values);
  const most = Math.max(...values);
  return ranked.map(({ number, rank, aside }, at) => {
    const { start, end, unit, value } = number;
    const isFitElsewhere = hasExact && fits.some((fit, other) => other !== at && fit === FIT.exact);
    return {
      start,
      end: text.startsWith(unit, end) ? end + unit.length : end,
      value: values[at] ?? 0,
      side: 0,
      ruled: ruled?.span.start === start ? ruled.confidence : 0,
      traits: [
        trait('fit', fits[at] ?? 0),
        trait('measure', hashOf(unit)),
        trait('size', value < 1 ? 0 : 1 + Math.floor(2 * Math.log10(value))),
        trait('aside', aside),
        trait('rank', Math.round(Math.max(LOWEST_RANK, Math.min(HIGHEST_RANK, rank)))),
        trait('extreme', least === most ? 0 : values[at] === most ? 1 : values[at] === least ? 2 : 3),
        trait('fitElsewhere', (isFitElsewhere ? 1 : 0) + (fits[at] === FIT.exact ? 2 : 0)),
      ],
      marks: numberMarks(number, { text, label: asked.label }, around),
    };
  });
}

function numberMarks(
  { start, end, unit }: FoundNumber,
  { text, label }: { text: string; label: string },
  { dates, times, longRuns }: Around,
): number[] {
  return [
    trait('labelled', unit !== '' && label.includes(unit)),
    trait('inTime', isIn(times, start)),
    trait('inDate', isIn(dates, start)),
    trait('inNumber', isIn(longRuns, start)),
    trait('latin', isLatin(text.charAt(start - 1))),
    trait('written', writingOf(text.slice(start, end))),
  ];
}

const isIn = (spans: readonly Span[], at: number) => spans.some(({ start, end }) => start <= at && at < end);

/** How a number is written: 2 in digits, 1 with tens or hundreds, 3 digit by digit, 0 as a single character. */
function writingOf(said: string): number {
  let isInTens = false;
  for (let at = 0; at < said.length; at += 1) {
    const char = said.charAt(at);
    if (char >= '0' && char <= '9') return 2;
    if (TENS.has(char)) isInTens = true;
  }
  return isInTens ? 1 : said.length > 2 ? 3 : 0;
}

const TENS = new Set('十百千万');
const isLatin = (char: string) => char >= 'a' && char <= 'z';

const HOURS_OF_A_PART = 3;

/** A candidate for every time of day in the utterance. */
export function timeCandidates(
  times: NamedTimes['times'],
  text: string,
  ruled: { value: string | null; confidence: number },
): ValueCandidate[] {
  const values = times.map(({ hour, minute }) => isoTime(hour, minute));
  const current = new Set(standing(times, text));
  return times.map((time, at) => {
    const { start, end, hour, minute, period } = time;
    return {
      start,
      end,
      value: values[at] ?? null,
      side: 0,
      ruled: values.indexOf(ruled.value ?? '') === at ? ruled.confidence : 0,
      traits: [
        trait('period', hashOf(period ?? '')),
        trait('hour', Math.floor(hour / HOURS_OF_A_PART)),
        trait('minute', minute === 0 ? 0 : minute === 30 ? 1 : 2),
        trait('timeLength', end - start),
        trait('takenBack', !current.has(time)),
      ],
    };
  });
}

/** A candidate for every phone number in the utterance. */
export function phoneCandidates(phones: readonly FoundPhone[], ruled: FoundPhone | null): ValueCandidate[] {
  return phones.map(phone => ({
    start: phone.run.start,
    end: phone.run.end,
    value: phone.number,
    side: 0,
    ruled: phone === ruled ? phone.confidence : 0,
    traits: [trait('kindOfPhone', Math.round(100 * phone.confidence))],
  }));
}

/** Candidates for yes and no, judged by the clause that names the label, if there is one. */
export function booleanCandidates(
  { clause, polarity, isNamed, isDeflected }: { clause: Span; polarity: number; isNamed: boolean; isDeflected: boolean },
  ruled: BooleanReading | null,
): ValueCandidate[] {
  const agreement = (value: boolean) => (ruled === null ? 0 : ruled.value === value ? 1 : 2);
  return [true, false].map(value => ({
    ...clause,
    value,
    side: value ? 1 : 2,
    ruled: ruled?.value === value ? ruled.confidence : 0,
    traits: [
      trait('agreement', agreement(value)),
      trait('polarity', polarity),
      trait('polarityNamed', 2 * polarity + Number(isNamed)),
      trait('agreementPolarity', 4 * agreement(value) + polarity),
      trait('deflected', isDeflected),
    ],
  }));
}
