import { type Random, randomPick } from '#kernel/random.ts';
import type { Customer } from './customer.ts';

const GREETINGS = [
  '您好，您拨打的用户暂时无法接听，请在提示音后留言。',
  '您所拨打的电话暂时无人接听，请在嘀声后留言，留言结束请挂机。',
  '对不起，您呼叫的用户正忙，已为您转接到语音信箱，请留言。',
  '您好，这里是来电助理，机主现在不方便接听，有什么事情我可以帮您转告。',
  'Sorry, the subscriber you dialed is not available now. 请在提示音后录制您的留言。',
  '您好，我是机主的智能秘书，请问您找他有什么事？您可以直接留言。',
] as const;

/** Reading speed of an announcement, in ms per character. */
const MS_PER_CHARACTER = 200;
const BEEP_MS = 400;

/** A mailbox: it plays its greeting and then records in silence. */
export function voicemail(random: Random): Customer {
  const text = randomPick(random, GREETINGS);
  return { greet: () => ({ text, thinkMs: BEEP_MS, speechMs: text.length * MS_PER_CHARACTER }), reply: () => null };
}
