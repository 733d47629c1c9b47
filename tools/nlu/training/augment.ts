import { type Random, randomPick } from '#kernel/random.ts';
import { readSounds, type Sounds } from './sounds.ts';

const OPENERS = [
  '嗯',
  '嗯嗯',
  '啊',
  '哦',
  '喂',
  '那个',
  '哎呀',
  '就是',
  '我跟你讲',
  '喂 你好',
  '你好',
  '不好意思',
  '这个',
  '呃',
  '然后',
  '哎',
  '那',
  '诶',
  '你听我说',
];
/** Openings that customers say before they come to the point. */
const APPROACHES = [
  '哎呀我跟你说啊',
  '我跟你讲实话',
  '怎么说呢',
  '是这样的啊',
  '那个什么',
  '你听我讲啊',
  '我这个人吧',
  '你看啊',
  '不瞒你说',
  '说句不好听的',
  '我是这么想的',
  '你先听我说',
  '小姑娘我跟你讲',
  '你打电话来得正好',
  '我刚才也在想',
  '你说的这个事情',
  '你讲的我都听到了',
  '反正我是觉得',
  '说实话啊',
  '老实跟你说',
  '我也不是第一次接这种电话了',
  '那照你这么说',
  '你别怪我说话直',
  '我想一下啊',
  '对 那个',
  '嗯 你说的这个',
  '哦 原来是这个事',
  '哎 你好 那个',
  '这个事情吧',
  '我就想说一句',
];
const CLOSERS = ['啊', '呀', '哈', '嘛', '吧', '呢', '咯', '啦', '好吧', '行不', '谢谢', '的', '哦', '了', '好不好', '是吧'];
/** Loaded when the first phrase is varied. */
let sounds: Sounds | undefined;

/** Longest reply that is often repeated two or three times, such as 不要不要, in characters. */
const LONGEST_REPEATED = 3;

/** Varies a phrase as another customer would say it and a recogniser would return it: fillers, particles, a lost or misheard character. */
export function varied(phrase: string, random: Random): string {
  let text = phrase.length <= LONGEST_REPEATED && random.next() < 0.1 ? phrase.repeat(random.next() < 0.5 ? 2 : 3) : phrase;
  if (random.next() < 0.12) text = misheard(text, random);
  if (text.length > 4 && random.next() < 0.1) text = shortened(text, random);
  if (random.next() < 0.08) text = `${randomPick(random, APPROACHES)}${random.next() < 0.6 ? ' ' : ''}${text}`;
  else if (random.next() < 0.3) text = `${randomPick(random, OPENERS)}${random.next() < 0.4 ? ' ' : ''}${text}`;
  if (random.next() < 0.25) text = `${text}${random.next() < 0.3 ? ' ' : ''}${randomPick(random, CLOSERS)}`;
  return text;
}

function shortened(text: string, random: Random): string {
  const at = Math.floor(random.next() * text.length);
  return text.slice(0, at) + text.slice(at + 1);
}

function misheard(text: string, random: Random): string {
  const at = Math.floor(random.next() * text.length);
  const alike = (sounds ??= readSounds()).get(text.charAt(at)) ?? [];
  return alike.length === 0 ? text : text.slice(0, at) + randomPick(random, alike) + text.slice(at + 1);
}

const SPEAKERS = [
  '客户',
  '用户',
  '对方',
  '客人',
  '',
  '',
  '',
  '客户表示',
  '用户表示',
  '客户说',
  '接听人',
  '用户说自己',
  '对方表示',
  '当用户',
];
const ENDINGS = ['', '', '', '', '的意图', '等情况', '时', '的情况', '类', '相关'];

/** Varies a description as another script author would write it. */
export function reworded(description: string, random: Random): string {
  return `${randomPick(random, SPEAKERS)}${description}${randomPick(random, ENDINGS)}`;
}
