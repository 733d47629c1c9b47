import { type Day, wallClock } from './calendar.ts';
import { type FoundDate, findDates } from './dates.ts';
import { type DigitRun, findDigitRuns } from './digit-runs.ts';
import { type Heard, heardOf } from './field-signs.ts';
import { type FoundNumber, findNumbers } from './find-numbers.ts';
import { type CallTime, type Moment, readMoment } from './moment.ts';
import { findName } from './names.ts';
import { type HeardNumbers, heardNumbers } from './number-field.ts';
import { foldedText, MAX_CHARS } from './spoken-text.ts';
import { type FoundTime, findTimes } from './times.ts';

/** The utterance with everything that was read from it, each at most once. */
export interface Sources {
  spoken: string;
  text: string;
  call: CallTime;
  today: () => Day;
  heard: Heard;
  numbers: () => HeardNumbers;
  digitRuns: () => readonly DigitRun[];
  /** Digits that nobody counts with. */
  longRuns: () => readonly DigitRun[];
  dates: () => readonly FoundDate[];
  times: () => readonly FoundTime[];
  moment: () => Moment;
}

/** Lists what may be read from an utterance of which so many fields are asked. */
export function sourcesOf(spoken: string, fieldCount: number, call: CallTime): Sources {
  const text = foldedText(spoken);
  const today = once(() => wallClock(call.now, call.timeZone));
  const dates = once(() => findDates(text, today()));
  const times = once(() => findTimes(text));
  return {
    spoken: spoken.slice(0, MAX_CHARS).toWellFormed(),
    text,
    call,
    today,
    dates,
    times,
    heard: heardOf(text, fieldCount),
    numbers: once(() => heardNumbers(numbersOutsideName(text), text)),
    longRuns: once(() => (LONG_NUMBER.test(text) ? findDigitRuns(text).filter(({ digits }) => digits.length >= LONG_RUN) : [])),
    digitRuns: once(() => (MANY_DIGITS.test(text) ? findDigitRuns(text) : [])),
    moment: once(() => readMoment({ dates: dates(), times: times() }, text, call)),
  };
}

/** What digits are read out with. */
const DIGIT = '\\d零〇洞幺一壹二两贰三叁四肆五伍六陆七柒拐八捌九玖勾';
/** Two digits at least, digits by their count, or letters that may spell them. */
const MANY_DIGITS = new RegExp(`[${DIGIT}][^${DIGIT}]*[${DIGIT}]|[两二三四五]个|[a-z]`);
const LONG_RUN = 7;
const LONG_NUMBER = new RegExp(`^(?:[^${DIGIT}a-z]*[${DIGIT}a-z]){${LONG_RUN}}|[两二三四五]个`);
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
