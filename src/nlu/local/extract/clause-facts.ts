import { patternFilter } from '../acts/pattern-filter.ts';
import { OWN, SOMEBODY } from './persons.ts';
import { FORMERLY, NOW } from './spoken-text.ts';

/** Questions in return, or statements that something is unknown. */
const UNKNOWN = /不(?:晓得|知道|清楚)|忘了|没(?:数|量|算|称|看|定|想)|再说|多少|几(?!乎)|啥/;
const EACH = /每|一(?:天|个月|年|次|趟|回|人|桌|平|斤|亩|节|只|件)/;
const PAST =
  /[了过]|的$|[上去昨前]|原来|[入离出办打开做买交收寄签装报生发拿领下建盖毕到住摔撞修定订约付转借贷投考结翻追查验]的|[收拿]到|[收见拿]着/;

/** Person, tense and modality of a clause. */
export interface ClauseFacts {
  /** Bit mask: 1 another person, 2 the speaker. */
  person: number;
  /** Bit mask: 1 former times, 2 the present, 4 completed. */
  tense: number;
  isEach: boolean;
  isUnknown: boolean;
}

/** One bit per pattern: the first two are the person, the next three the tense. */
const CUES = [SOMEBODY, OWN, FORMERLY, NOW, PAST, EACH, UNKNOWN];
const PERSON_BITS = 0b11;
const TENSE_BITS = 0b111;
const FILTER = patternFilter(CUES);
const candidates = new Uint8Array(CUES.length);

/** Reads what a clause says. */
export function readClauseFacts(clause: string): ClauseFacts {
  let said = 0;
  const count = FILTER.candidates(clause, candidates);
  for (let at = 0; at < count; at += 1) {
    const cue = candidates[at] as number;
    if ((CUES[cue] as RegExp).test(clause)) said |= 1 << cue;
  }
  return {
    person: said & PERSON_BITS,
    tense: (said >> CUES.indexOf(FORMERLY)) & TENSE_BITS,
    isEach: ((said >> CUES.indexOf(EACH)) & 1) === 1,
    isUnknown: ((said >> CUES.indexOf(UNKNOWN)) & 1) === 1,
  };
}

/** Whether the text asks in return, or says that something is unknown. */
export function isUnknown(text: string): boolean {
  return UNKNOWN.test(text);
}
