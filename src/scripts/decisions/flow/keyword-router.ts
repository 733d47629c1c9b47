import type { Branch } from '#protocol/nlu.ts';
import { DEFAULT_BRANCH } from './nodes/branch.ts';

interface Sense {
  /** Descriptions with this meaning. */
  described: RegExp;
  /** Typical words of customers; the longest match counts, so that 不感兴趣 beats 感兴趣. */
  cues: readonly string[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Common meanings of branches in phone scripts. */
const SENSES: readonly Sense[] = [
  {
    described: /(?<!不)(同意|愿意|可以|接受|肯定|确认)|(?<!不|没|无)(感兴趣|兴趣|意向)/,
    cues: words('可以 好的 好啊 好呀 行啊 行吧 愿意 感兴趣 想了解 了解一下 介绍一下 说说看 那你说 没问题 给我留 办一个 是的 对的 嗯好'),
  },
  {
    described: /不需要|拒绝|没兴趣|不感兴趣|无意向|否定|不要/,
    cues: words(
      '不需要 不用了 不用 不要 没兴趣 不感兴趣 不办 不换 用得挺好 已经有了 已经办过 不考虑 算了 别打 别再 不要再 请勿 不可以 不行 没必要 用不着 不想',
    ),
  },
  {
    described: /没空|没时间|忙|开会|开车|改天|稍后|不方便|回头/,
    cues: words('没空 没时间 在忙 有点忙 开会 在开车 开着车 不方便 改天 回头 晚点 晚些 待会 一会儿 再打 过几天 在上班'),
  },
  {
    described: /询问|提问|疑问|咨询|问题|价格|了解/,
    cues: words('多少钱 怎么 什么 哪里 哪位 哪个 你是谁 谁啊 为什么 收费 费用 价格 贵不贵 是不是 有没有 会不会 能不能 靠谱吗 ？ ?'),
  },
  { described: /投诉|抱怨|生气|不满|骚扰/, cues: words('投诉 骚扰 烦死 太差 生气 怎么老 老是打 天天打 举报 什么态度 没人管 一直没解决') },
  { described: /价格|费用|多少钱/, cues: words('多少钱 贵 收费 费用 价格 便宜 扣钱 免费 违约金') },
  { described: /是谁|哪里打|身份/, cues: words('你是谁 你谁啊 谁啊 哪里的 哪个公司 哪位 机器人 骗子 官方 哪家 我电话 我的号码 干什么的') },
  { described: /怎么办|如何办|流程/, cues: words('怎么办理 怎么弄 证件 营业厅 去哪里 要多久') },
  { described: /不是本人|打错|别人|转告/, cues: words('打错 不是本人 不是我 不认识 找错人 没这个人') },
];

/** Words of a description without meaning of their own. */
const EMPTY_WORDS = new Set(words('客户 用户 其他 或者 以及 表示 等等 等问题 问题 以上 符合 没有'));

/** Selects the branch that shares the most meaning or words with the utterance; without any, the marked default, else the last one. */
export function routeByKeywords(text: string, branches: readonly Branch[]): string {
  const candidates = branches.filter(({ key }) => key !== DEFAULT_BRANCH);
  let best = { key: branches.find(({ key }) => key === DEFAULT_BRANCH)?.key ?? branches.at(-1)?.key ?? DEFAULT_BRANCH, score: 0 };
  for (const { key, desc } of candidates) {
    const score = Math.max(senseScore(text, desc), wordScore(text, desc));
    if (score > best.score) best = { key, score };
  }
  return best.key;
}

function senseScore(text: string, desc: string): number {
  const cues = SENSES.filter(sense => sense.described.test(desc)).flatMap(sense => sense.cues);
  return longestIn(text, cues);
}

/** Half a character more than a cue of the same length: the script's own words take precedence. */
function wordScore(text: string, desc: string): number {
  const own = desc.split(/[\s、，,；;。：:（）()/或和与及]+/).filter(word => word.length >= 2 && !EMPTY_WORDS.has(word));
  const longest = longestIn(text, own);
  return longest === 0 ? 0 : longest + 0.5;
}

function longestIn(text: string, candidates: readonly string[]): number {
  return candidates.reduce((longest, word) => (text.includes(word) ? Math.max(longest, word.length) : longest), 0);
}
