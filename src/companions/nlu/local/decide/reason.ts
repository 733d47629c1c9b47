import type { Choice } from './choose.ts';
import type { ReadUtterance } from './evidence.ts';
import { negates } from './mood.ts';

const MAX_QUOTED_CHARS = 40;
/** Evidence that is worth naming. */
const NOTEWORTHY = 0.15;
const SURE = 0.8;
const UNSURE = 0.5;

/** Says in Chinese what the choice rests on. Source: D13.2 */
export function reasonOf(utterance: ReadUtterance, { evidence, confidence }: Choice, desc: string): string {
  if (evidence.isFallback) return '没有分支与客户的话相符，选择兜底分支';
  const grounds = [
    evidence.act >= NOTEWORTHY ? '语义相符' : '',
    evidence.overlap >= NOTEWORTHY ? '用词相同' : '',
    evidence.topic >= NOTEWORTHY ? '话题相同' : '',
    negates(utterance.text) && evidence.polarity > 0 ? '含否定' : '',
  ].filter(ground => ground !== '');
  const said = utterance.text === '' ? '客户没有说话' : `客户说“${quoted(utterance.text)}”`;
  return `${said}，与“${quoted(desc)}”${grounds.join('、') || '略有相关'}，${certainty(confidence)}`;
}

/** Says that there was nothing to go by. */
export function nothingToChooseBy(text: string, marked: boolean): string {
  const said = text === '' ? '客户没有说话' : '没有可据以判断的内容';
  return marked ? `${said}，选择兜底分支` : `${said}，仅为猜测`;
}

function certainty(confidence: number): string {
  if (confidence >= SURE) return '把握较大';
  return confidence >= UNSURE ? '把握一般' : '把握较小';
}

function quoted(text: string): string {
  return text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS).toWellFormed()}…` : text.toWellFormed();
}
