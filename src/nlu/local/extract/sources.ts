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

/** An utterance with everything read from it; each part is read once, on first use. */
export class Sources {
  readonly spoken: string;
  readonly text: string;
  readonly call: CallTime;
  readonly heard: Heard;
  #numbers: HeardNumbers | undefined;
  #digitRuns: readonly DigitRun[] | undefined;
  #longRuns: readonly DigitRun[] | undefined;
  #dates: readonly FoundDate[] | undefined;
  #times: readonly FoundTime[] | undefined;
  #moment: Moment | undefined;

  /** `fieldCount` is the number of fields requested of the utterance. */
  constructor(spoken: string, fieldCount: number, call: CallTime) {
    this.spoken = spoken.slice(0, MAX_CHARS).toWellFormed();
    this.text = foldedText(spoken);
    this.call = call;
    this.heard = heardOf(this.text, fieldCount);
  }

  get today(): Day {
    return wallClock(this.call.now, this.call.timeZone);
  }

  get numbers(): HeardNumbers {
    this.#numbers ??= heardNumbers(numbersOutsideName(this.text), this.text);
    return this.#numbers;
  }

  get digitRuns(): readonly DigitRun[] {
    this.#digitRuns ??= MANY_DIGITS.test(this.text) ? findDigitRuns(this.text) : [];
    return this.#digitRuns;
  }

  /** Long digit runs, which are not used for counting. */
  get longRuns(): readonly DigitRun[] {
    this.#longRuns ??= LONG_NUMBER.test(this.text) ? findDigitRuns(this.text).filter(({ digits }) => digits.length >= LONG_RUN) : [];
    return this.#longRuns;
  }

  get dates(): readonly FoundDate[] {
    this.#dates ??= findDates(this.text, this.today);
    return this.#dates;
  }

  get times(): readonly FoundTime[] {
    this.#times ??= findTimes(this.text);
    return this.#times;
  }

  get moment(): Moment {
    this.#moment ??= readMoment(this, this.text, this.call);
    return this.#moment;
  }
}

/** Characters used to read digits out. */
const DIGIT = '\\d零〇洞幺一壹二两贰三叁四肆五伍六陆七柒拐八捌九玖勾';
/** At least two digits, digits by their count, or letters that may spell digits. */
const MANY_DIGITS = new RegExp(`[${DIGIT}][^${DIGIT}]*[${DIGIT}]|[两二三四五]个|[a-z]`);
const LONG_RUN = 7;
const LONG_NUMBER = new RegExp(`^(?:[^${DIGIT}a-z]*[${DIGIT}a-z]){${LONG_RUN}}|[两二三四五]个`);
const NAME_CUE = /叫|姓/;

/** Excludes numerals within a name, such as the 三 of 张三. */
function numbersOutsideName(text: string): readonly FoundNumber[] {
  const numbers = findNumbers(text);
  const name = numbers.length > 0 && NAME_CUE.test(text) ? findName(text) : null;
  return name ? numbers.filter(number => number.end <= name.start || number.start >= name.end) : numbers;
}
