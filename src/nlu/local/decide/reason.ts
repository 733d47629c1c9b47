import type { Choice } from './choose.ts';
import type { ReadUtterance } from './evidence.ts';

const MAX_QUOTED_CHARS = 40;
/** Evidence from this level on is mentioned. */
const NOTEWORTHY = 0.15;
const NEAR = 0.6;
const SURE = 0.8;
const UNSURE = 0.5;

/** States in Chinese what the choice is based on. Source: D13.2 */
export function reasonOf(utterance: ReadUtterance, { evidence, confidence }: Choice, desc: string): string {
  if (evidence.isFallback) return '没有分支与客户的话相符，选择兜底分支';
  let grounds = '';
  if (evidence.act >= NOTEWORTHY) grounds += '、语义相符';
  if (evidence.overlap >= NOTEWORTHY) grounds += '、用词相同';
  if (evidence.topic >= NOTEWORTHY) grounds += '、话题相同';
  if (evidence.similarity >= NEAR) grounds += '、说法相近';
  if (utterance.negates && evidence.polarity > 0) grounds += '、都含否定';
  const said = utterance.text === '' ? '客户没有说话' : `客户说“${quoted(utterance.text)}”`;
  const several = utterance.intents > 1 ? '，话里不止一个意思，取有分支可走的一个' : '';
  const twisted = utterance.isTwisted ? '，可能是反话或双重否定' : '';
  return `${said}，与“${quoted(desc)}”${grounds.slice(1) || '略有相关'}${several}${twisted}，${certainty(confidence)}`;
}

/** States that there was no evidence. */
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
