import { beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { DecisionResult } from '#protocol/nlu.ts';
import { CompiledBranches, MAX_KEPT_UNITS } from '#nlu/local/decide/compiled-cache.ts';
import { decide as decideWith } from '#nlu/local/decide/decide.ts';
import { readUtterance } from '#nlu/local/decide/evidence.ts';
import type { Knowledge } from '#nlu/local/decide/knowledge.ts';
import { MAX_HEARD, MAX_READINGS, ReadingCache } from '#nlu/local/decide/reading-cache.ts';
import { ExampleSets } from '#nlu/local/examples/example-sets.ts';
import { distinctiveness } from '#nlu/local/decide/distinctiveness.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';

let knowledge: Knowledge;
let compiled: CompiledBranches;
let exampleSets: ExampleSets;
beforeAll(async () => {
  knowledge = await readKnowledge();
  compiled = new CompiledBranches(knowledge);
  exampleSets = new ExampleSets(knowledge);
});

const read = (text: string) => readUtterance(text, knowledge, new Float32Array(knowledge.actCount));

async function decide(text: string, ...descriptions: string[]): Promise<DecisionResult & { desc: string }> {
  const branches = descriptions.map((desc, index) => ({ key: `k${index}`, desc }));
  const result = await decideWith({ branches }, { knowledge, compiled, exampleSets, utterance: read(text) });
  return { ...result, desc: branches.find(branch => branch.key === result.key)?.desc ?? '' };
}

describe('what the decision depends on [issue 4]', () => {
  test.each([
    ['negation inverts the meaning', '我不太愿意参加', ['拒绝参加', '愿意参加']],
    ['the part after "but" counts', '好的好的 但是我现在没空', ['客户在忙', '客户同意']],
    ['the part after a concession counts', '行是行 不过太贵了', ['嫌价格高', '客户同意']],
    ['an A-not-A question asks', '去不去黄山', ['询问行程', '客户不去']],
    ['a question about an unknown topic', '带不带倒车影像', ['客户咨询问题', '客户拒绝']],
    ["the speaker's identity", '他不在 我是他老婆', ['不是本人', '是本人']],
    ['words shared with the description', '那个蓝牙耳机坏了', ['咨询蓝牙耳机', '咨询充电宝']],
    ['whole Latin words', '我要办 vip', ['办理 VIP 会员', '办理 SVIP 会员']],
    ['silence', '', ['客户没有说话', '客户同意']],
    ['English', 'stop calling me', ['要求不要再打电话', '客户同意']],
    ['traditional characters', '我現在沒空 遲點再打電話給我', ['没时间，稍后联系', '同意']],
  ])('%s: %s', async (_, text, [wanted = '', other = '']) => {
    expect((await decide(text, other, wanted)).desc).toBe(wanted);
  });

  test('related acts fall back to each other', async () => {
    expect((await decide('我在开车', '客户没时间', '客户同意', '客户投诉')).desc).toBe('客户没时间');
    expect((await decide('我在开车', '客户没时间', '客户正在开车', '客户投诉')).desc).toBe('客户正在开车');
  });

  test('a branch yields a related act to the branch that matches it better', async () => {
    const outsiders = ['接电话的不是本人', '联系人称与此事无关', '打错电话', '客户同意'];
    expect((await decide('我跟他早就没来往了 别找我', ...outsiders)).desc).toBe('联系人称与此事无关');
    expect((await decide('我跟他早就没来往了 别找我', '接电话的不是本人', '客户同意', '客户正在开车')).desc).toBe('接电话的不是本人');
  });

  test('a word shared by all branches of a set carries no weight', async () => {
    const descriptions = ['答应交物业费', '拒绝交物业费', '称物业费已经交过', '询问物业费金额', '抱怨物业服务差'];
    expect((await decide('电梯天天坏 物业也没人修', ...descriptions)).desc).toBe('抱怨物业服务差');
    expect(distinctiveness([[1, 2], [1], [1, 3]])(1)).toBe(0);
    expect(distinctiveness([[1, 2], [1], [1, 3]])(2)).toBe(1);
    expect(distinctiveness([[1], [1]])(1)).toBe(1);
  });

  test('the order of the branches does not matter', async () => {
    const descriptions = ['同意', '拒绝', '询问价格', '要求转人工', '打错电话'];
    for (const text of ['多少钱', '给我转人工', '你打错了', '好啊', '不要']) {
      const turned = await decide(text, ...descriptions.toReversed());
      expect((await decide(text, ...descriptions)).desc).toBe(turned.desc);
    }
  });
});

describe('double negation, rhetorical questions and irony [issue 21]', () => {
  test.each([
    ['没说不去', '会去'],
    ['谁说我不去了', '会去'],
    ['不能不去啊', '一定去'],
    ['不去白不去', '要去'],
    ['不是不想去，是真没空', '真没空'],
    ['也不是不行', '也可以'],
    ['我敢不去吗', '我一定去'],
    ['我不来谁来', '一定来'],
    ['我什么时候说过不交了', '我会交'],
    ['谁爱去谁去', '不去'],
    ['不去才怪', '一定去'],
    ['我什么时候赖过账', '不会赖 会付款'],
    ['我拿什么交', '没有钱交'],
    ['我倒是想交 钱呢', '我没有钱交'],
    ['喝西北风都快了 交什么', '没有钱'],
    ['金子做的啊', '太贵了'],
    ['说得比唱得好听', '不相信'],
    ['买回来当摆设啊', '不需要'],
    ['好个屁', '不好'],
    ['不要太好哦', '非常好哦'],
    ['也就那样吧 谈不上好', '也就那样吧 不好'],
    ['没那么糟', '还可以'],
    ['交 怎么不交', '会交'],
    ['去什么去', '不去'],
    ['鬼才去', '不去'],
    ['我闲得慌才去', '不去'],
    ['除非天上下红雨', '不可能 不办'],
    ['我要有空我能不去吗', '没有空'],
    ['要不是加班我早去了', '加班'],
    ['我不去像话吗', '我一定去'],
    ['去啊 干嘛不去', '去啊 会去'],
    ['你当我不想去啊', '我想去'],
    ['我倒想去 脱不开身啊', '脱不开身啊'],
    ['哪抽得出时间啊', '没有时间啊'],
    ['谁还能赖你这点钱', '不会赖 会付款'],
    ['交个鬼', '不交'],
    ['吹 接着吹', '不相信'],
    ['你就编吧', '不相信'],
    ['满意才有鬼了', '不满意了'],
    ['不比别家差', '还不错'],
    ['还真没让我失望', '还真很满意'],
    ['谁敢说不满意', '都说满意'],
    ['这叫好啊', '不好啊'],
    ['用都没用过 谈什么满意', '用都没用过'],
    ['傻子才不要', '要'],
    ['我还能跑了不成', '我不会跑'],
    ['我还能不信你吗', '我一定信你'],
    ['你看我像有空的人吗', '你看我没有空'],
    ['你觉得我会满意吗', '不满意'],
    ['哪里谈得上满意', '不满意'],
    ['也不算差', '也还可以'],
    ['没什么可抱怨的', '很满意'],
    ['一点毛病没有', '很满意'],
    ['我倒是想去', '没办法去'],
    ['你觉得我会去吗', '不去'],
    ['要不是孩子病了早就去了', '孩子病了'],
    ['除非便宜点否则不办', '如果便宜点才可以'],
    ['没人说不去', '会去'],
    ['不至于不来', '一定来'],
    ['不来可不行', '一定来'],
    ['不想还也得还', '只能还'],
    ['没打算反对', '同意'],
    ['绝不会爽约', '一定会'],
    ['哪舍得不来', '一定来'],
    ['哪走得开啊', '走不开'],
    ['怎么好意思不去', '一定去'],
    ['你以为我不会交吗', '一定交'],
    ['凭什么要我交', '不交'],
    ['凭什么扣我钱', '凭什么扣我钱'],
    ['签啥签', '不签'],
    ['爱签不签', '不签'],
    ['去就去呗', '可以去'],
    ['我要是走得开早来了', '我走不开'],
    ['本来想去谁知要加班', '要加班'],
    ['宁可扔了也不卖给你们', '不卖给你们'],
    ['与其续费不如换一家', '换一家'],
    ['再便宜也不买', '不买'],
    ['虽然便宜 我也不需要', '我也不需要'],
    ['不是早交过了吗', '已经交了'],
    ['以后用得着再找你们', '以后用得着再找你们'],
    ['为什么不发货', '为什么不发货'],
    ['药叫什么', '药叫什么'],
    ['不要太晚', '不要太晚'],
    ['为什么', '为什么'],
    ['有什么有用的', '有什么有用的'],
    ['我要是有钱还用你催', '没有钱'],
    ['信你个鬼', '不相信'],
    ['好是好 就是没钱', '没钱'],
    ['不去不去', '不去不去'],
    ['你们满不满意', '你们满意吗'],
    ['能不能便宜点', '能不能便宜点'],
    ['好的谢谢 那个卡怎么激活', '那个卡怎么激活'],
    ['好的谢谢', '好的谢谢'],
  ])('%s means %s', (text, meant) => {
    expect(read(text).text).toBe(meant);
  });

  test.each([
    ['没说不去', '客户会参加'],
    ['谁说我不去了', '客户会参加'],
    ['不能不去啊', '客户会参加'],
    ['不是不想去，是真没空', '客户没时间'],
  ])('%s is not taken as a refusal, and the confidence is low', async (text, wanted) => {
    const result = await decide(text, '客户拒绝参加', '客户会参加', '客户没时间', '询问时间地点');
    expect(result.desc).toBe(wanted);
    expect(result.confidence).toBeLessThan(0.8);
  });

  test.each(['不去行吗', '我能不去吗'])('%s may be a question or a promise, so the confidence is low', async text => {
    expect((await decide(text, '客户拒绝参加', '客户会参加', '询问时间地点')).confidence).toBeLessThan(0.8);
  });

  test('irony lowers the confidence', async () => {
    const result = await decide('你们服务可真好 等了三天没人来', '对服务满意', '对服务不满意');
    expect(result.confidence).toBeLessThan(0.8);
  });
});

describe('several things in one utterance [issue 21]', () => {
  test('the meaning that has a branch wins, and the reason mentions it', async () => {
    const result = await decide('多少钱啊 我现在没空', '客户没时间', '打错电话', '客户投诉');
    expect(result.desc).toBe('客户没时间');
    expect(result.reason).toContain('不止一个意思');
  });

  test('courtesy phrases yield to content', async () => {
    expect((await decide('好的谢谢 那个卡怎么激活', '客户致谢', '咨询怎么激活', '客户同意')).desc).toBe('咨询怎么激活');
  });
});

describe('synonyms [issue 21]', () => {
  test.each([
    ['我那张卡找不着了', '银行卡丢失', '银行卡到期'],
    ['这个月的我缴过了', '称已经交了费', '询问费用'],
    ['号帮我销了吧', '要求注销账户', '要求查询账户'],
    ['师傅给修修', '申请维修', '申请安装'],
    ['件一直没见着', '没收到包裹', '退回包裹'],
  ])('%s is closest to %s', async (text, wanted, other) => {
    expect((await decide(text, other, wanted)).desc).toBe(wanted);
  });
});

describe('every result fulfils the contract [D13.2]', () => {
  test('an offered key, a confidence in 0..1 and a Chinese reason', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(text, fc.array(text, { minLength: 1, maxLength: 64 }), async (said, descriptions) => {
        const result = await decide(said, ...descriptions);
        expect(result.key).toMatch(/^k\d+$/);
        expect(result.confidence).toBeGreaterThanOrEqual(0);
        expect(result.confidence).toBeLessThanOrEqual(1);
        expect(result.reason).toMatch(/\p{Script=Han}/u);
        expect(result.reason.isWellFormed()).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('without a fallback branch the best guess has a low confidence, and the reason says that it is a guess', async () => {
    const result = await decide('嘤嘤嘤嘤', '客户同意', '客户拒绝');
    expect(result.confidence).toBeLessThanOrEqual(0.3);
    expect(result.reason).toContain('猜测');
  });
});

describe('caches are bounded', () => {
  test('compiled branches', async () => {
    const cache = new CompiledBranches(knowledge);
    for (let index = 0; index < MAX_KEPT_UNITS + 10; index += 1) await cache.get([{ key: 'k', desc: `描述${index}` }]);
    expect(cache.size).toBe(10);
    await cache.get([{ key: 'k', desc: '长'.repeat(1_000) }]);
    expect(cache.size).toBeGreaterThan(20);
  });

  test('a set of long descriptions is cached, and compiling it lets other work run in between [issue 21]', async () => {
    const cache = new CompiledBranches(knowledge);
    const long = Array.from({ length: 8 }, (_, index) => ({ key: `k${index}`, desc: `客户询问第${index}项的价格和办理时间`.repeat(60) }));
    const first = cache.get(long);
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    const compiledOnce = await first;
    clearInterval(count);
    expect(turns).toBeGreaterThan(0);
    expect(cache.get(structuredClone(long))).toBe(compiledOnce);
  });

  test('a compiled set is reused; another key or order is another set', async () => {
    const cache = new CompiledBranches(knowledge);
    const set = [
      { key: 'a', desc: '同意' },
      { key: 'b', desc: '拒绝' },
    ];
    const first = await cache.get(set);
    expect(cache.get(structuredClone(set))).toBe(first);
    expect(
      cache.get([
        { key: 'a2', desc: '同意' },
        { key: 'b', desc: '拒绝' },
      ]),
    ).not.toBe(first);
    expect((await cache.get(set.toReversed())).branches.map(branch => branch.key)).toEqual(['b', 'a']);
  });

  test('readings of utterances', () => {
    const cache = new ReadingCache();
    const sayAll = () => {
      for (let index = 0; index < MAX_READINGS + 5; index += 1) cache.get(`第${index}句`, read);
    };
    sayAll();
    expect(cache.size).toBe(0);
    sayAll();
    expect(cache.size).toBe(5);
    for (let time = 0; time < 3; time += 1) cache.get('长'.repeat(100), read);
    expect(cache.size).toBe(5);
    expect(cache.get('第0句', read)).toEqual(read('第0句'));
  });

  test('a reading is cached from the second time on', () => {
    const cache = new ReadingCache();
    let readings = 0;
    const counted = (text: string) => {
      readings += 1;
      return read(text);
    };
    for (let time = 0; time < 5; time += 1) cache.get('好的', counted);
    expect(readings).toBe(2);
  });

  test('an utterance heard once is forgotten after too many others', () => {
    const cache = new ReadingCache();
    for (let index = 0; index <= MAX_HEARD; index += 1) cache.get(String(index), () => read(''));
    cache.get('0', read);
    expect(cache.size).toBe(0);
  });
});
