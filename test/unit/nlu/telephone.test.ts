import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DecisionResult } from '#protocol/nlu.ts';
import { CompiledBranches } from '#nlu/local/decide/compiled-cache.ts';
import { ExampleSets } from '#nlu/local/examples/example-sets.ts';
import { decide as decideWith } from '#nlu/local/decide/decide.ts';
import { readUtterance } from '#nlu/local/decide/evidence.ts';
import type { Knowledge } from '#nlu/local/decide/knowledge.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';

let knowledge: Knowledge;
let compiled: CompiledBranches;
let exampleSets: ExampleSets;
beforeAll(async () => {
  knowledge = await readKnowledge();
  compiled = new CompiledBranches(knowledge);
  exampleSets = new ExampleSets(knowledge);
});

async function decide(text: string, descriptions: readonly string[]): Promise<DecisionResult & { desc: string }> {
  const branches = descriptions.map((desc, index) => ({ key: desc === '其他' ? 'default' : `k${index}`, desc }));
  const utterance = readUtterance(text, knowledge, new Float32Array(knowledge.actCount));
  const result = await decideWith({ branches }, { knowledge, compiled, exampleSets, utterance });
  return { ...result, desc: branches.find(branch => branch.key === result.key)?.desc ?? '' };
}

const TELEPHONE = [
  '询问联系方式',
  '要求说重点',
  '问对方是否还在',
  '问号码从哪来',
  '问是否录音',
  '家属接听，本人不在',
  '第三方称与此事无关',
  '语音信箱或留言',
  '请稍等',
  '与旁人说话',
  '要求对方证明身份',
  '辱骂',
  '投诉',
  '致谢',
  '打招呼',
  '稍后联系',
  '要优惠',
  '客户同意',
  '客户拒绝',
  '其他',
];

describe('common utterances on the telephone [issue 21]', () => {
  test.each([
    ['那以后有事我打哪个号码找你', '询问联系方式'],
    ['捡要紧的讲 我赶时间', '要求说重点'],
    ['简短点', '要求说重点'],
    ['喂 你还在听没', '问对方是否还在'],
    ['在吗', '问对方是否还在'],
    ['我这号是哪个给你们的', '问号码从哪来'],
    ['我们现在讲话有没有在录音', '问是否录音'],
    ['他去接孩子了 我是他妈', '家属接听，本人不在'],
    ['我就是他以前工友 他的账别找我', '第三方称与此事无关'],
    ['您好 机主暂时无法接听 请在滴声后留言', '语音信箱或留言'],
    ['别挂别挂 我拿支笔', '请稍等'],
    ['老张 你先把车挪一下 我接个电话', '与旁人说话'],
    ['那你说说我身份证尾号是几', '要求对方证明身份'],
    ['你报一下我卡号后四位', '要求对方证明身份'],
    ['你个王八羔子', '辱骂'],
    ['再这样我上消协告你们', '投诉'],
    ['有心了 谢谢啊', '致谢'],
    ['哎 您好', '打招呼'],
    ['我在炒菜呢 过一个钟头再打', '稍后联系'],
    ['老客户了 再让一点嘛', '要优惠'],
    ['好哇好哇', '客户同意'],
    ['不不不不', '客户拒绝'],
  ])('%s: %s', async (text, wanted) => {
    expect((await decide(text, TELEPHONE)).desc).toBe(wanted);
  });
});

test.each(['你们那边今天下雪没有', '我家猫又把花盆打翻了', '哎你听 外面放烟花呢'])(
  'an off-topic utterance goes to the fallback branch: %s',
  async text => {
    expect((await decide(text, ['客户同意办理', '客户拒绝', '询问价格', '其他'])).desc).toBe('其他');
  },
);

describe('secondary remarks yield to the topic [issue 21]', () => {
  test.each([
    ['courtesy', '好的谢谢 那个发票怎么开', '询问发票', ['客户致谢', '客户同意']],
    ['courtesy at the end', '不用了 谢谢你啊', '客户拒绝', ['客户致谢', '打招呼']],
    ['a question before a reason', '你们几点关门 我怕赶不上', '询问营业时间', ['客户来不了', '客户同意']],
    ['a misheard word', '多少前一个月', '询问价格', ['询问时间', '询问地址']],
    ['a repeated syllable', '有有有', '有此事', ['没有此事', '打错电话']],
  ])('%s: %s', async (_, text, wanted, others) => {
    expect((await decide(text, [...others, wanted])).desc).toBe(wanted);
  });
});

describe('double negations are not taken as refusals, and their confidence is low [issue 21]', () => {
  const STANCES = ['客户拒绝', '客户答应', '客户没时间', '询问费用'];
  test.each(['哪能不交啊', '不会不去的', '难道我还能不还', '没有不同意', '我没说不办', '巴不得你们早点来装', '又不是不交', '谁说我不要了'])(
    '%s',
    async text => {
      const result = await decide(text, STANCES);
      expect(result.desc).toBe('客户答应');
      expect(result.confidence).toBeLessThan(0.8);
    },
  );

  test.each(['有那闲钱我还上班', '傻子才办', '下辈子吧', '当我家开银行的啊', '谁稀罕你那东西'])('%s is a refusal', async text => {
    const result = await decide(text, ['客户拒绝', '客户答应', '询问费用']);
    expect(result.desc).toBe('客户拒绝');
    expect(result.confidence).toBeLessThan(0.8);
  });
});
