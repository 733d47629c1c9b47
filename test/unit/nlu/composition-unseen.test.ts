import { beforeAll, expect, test } from '@jest/globals';
import { CompiledBranches } from '#companions/nlu/local/decide/compiled-cache.ts';
import { decide } from '#companions/nlu/local/decide/decide.ts';
import { readUtterance } from '#companions/nlu/local/decide/evidence.ts';
import type { Knowledge } from '#companions/nlu/local/decide/knowledge.ts';
import { readKnowledge } from '#companions/nlu/read-knowledge.ts';
import { SURE } from '#tools/nlu/evaluation/measure.ts';

let knowledge: Knowledge;
beforeAll(async () => {
  knowledge = await readKnowledge();
});

/**
 * Kinds of double negation, rhetorical question, counterfactual and irony, crossed with verbs of trades that no rule and no phrase speaks of.
 *
 * Why: written after the rules and never tuned on: the engine is not mended by what it misses here
 */
const TRADES: readonly (readonly [branches: Readonly<Record<string, string>>, cases: readonly (readonly [key: string, text: string])[]])[] =
  [
    [
      { will: '愿意来献血', wont: '不愿意献血', cannot: '身体或时间不允许', bad: '对献血站不满', ask: '询问献血事宜' },
      [
        ['will', '我可没讲过不献'],
        ['will', '这种事哪有不献的道理'],
        ['will', '不捐心里过意不去'],
        ['will', '你以为我不敢献啊'],
        ['wont', '献什么献'],
        ['wont', '谁愿意让人白白抽一管'],
        ['wont', '你看我像愿意献的样子吗'],
        ['cannot', '不是怕疼 是血压真的高'],
        ['cannot', '要不是刚动完手术我就献了'],
        ['bad', '你们可真体贴 抽完连口水都没有'],
      ],
    ],
    [
      { will: '答应把车挪走', wont: '拒绝挪车', cannot: '暂时没法挪车', bad: '抱怨停车管理', ask: '询问为什么要挪车' },
      [
        ['will', '我又没说赖着不挪'],
        ['will', '堵着人家能不挪吗'],
        ['will', '总不能不让人家出去吧'],
        ['will', '挪就挪吧'],
        ['wont', '凭什么要我挪'],
        ['wont', '爱挪不挪 谁管你们'],
        ['wont', '我挪了又能怎么样'],
        ['cannot', '我倒是想挪 人在外省'],
        ['cannot', '要是钥匙在手上早挪了'],
        ['bad', '交了钱没地方停 你们管得真好'],
      ],
    ],
    [
      { will: '同意加装电梯', wont: '不同意加装电梯', cannot: '拿不出加装的钱', bad: '不满施工扰民', ask: '询问加装方案' },
      [
        ['will', '我压根没想过反对'],
        ['will', '装了谁还爬楼 傻子才不签'],
        ['will', '有什么不能签的'],
        ['will', '我怎么可能不签呢'],
        ['wont', '除非一楼不掏钱 不然免谈'],
        ['wont', '我住一楼装它干嘛用'],
        ['wont', '宁可爬楼也不让你们动墙'],
        ['cannot', '不是不支持 是退休金就那么点'],
        ['cannot', '我拿什么凑这几万'],
        ['bad', '天不亮就开钻 你们可太勤快了'],
      ],
    ],
    [
      { will: '会参加马拉松', wont: '放弃比赛', cannot: '受伤或没空跑', good: '对赛事满意', bad: '对赛事不满' },
      [
        ['will', '练了半年还能不跑吗'],
        ['will', '不跑对得起这双鞋吗'],
        ['will', '谁说我退赛了'],
        ['wont', '跑啥跑 下这么大雨'],
        ['wont', '难道要我拖着病腿上去'],
        ['cannot', '不是不想跑 膝盖实在受不了'],
        ['cannot', '要不是崴了脚我肯定在起点'],
        ['good', '没什么不好的'],
        ['good', '我还真挑不出你们的错'],
        ['bad', '水站空的 奖牌是坏的 真专业啊'],
      ],
    ],
    [
      { will: '会来年审', wont: '不来年审', cannot: '没空来年审', done: '已经审过', doubt: '怀疑是骗局' },
      [
        ['will', '证都要作废了还敢不审'],
        ['will', '不审不行啊'],
        ['will', '我没有不审的意思'],
        ['wont', '审它有什么用'],
        ['wont', '何必多此一举再审'],
        ['cannot', '哪抽得开身去审啊'],
        ['cannot', '我要是闲着早去审了'],
        ['done', '我不是上礼拜刚审过吗'],
        ['doubt', '骗鬼呢 谁会信'],
        ['doubt', '说得跟真的一样 你接着演'],
      ],
    ],
    [
      { will: '续认养菜地', wont: '不再认养', cannot: '没时间打理', good: '对农场满意', bad: '对农场不满' },
      [
        ['will', '今年收成这么好 不续才亏呢'],
        ['will', '我哪舍得不种'],
        ['will', '没理由不接着种'],
        ['wont', '与其种这个不如去菜场'],
        ['wont', '种个鬼'],
        ['wont', '再便宜也不种了'],
        ['cannot', '不是嫌累 是周末全在加班'],
        ['cannot', '我倒想种 哪来的工夫'],
        ['good', '比我想的可一点不差'],
        ['bad', '黄瓜全枯了 你们浇得可真用心'],
      ],
    ],
  ];

/** So many of the sixty were missed at 0.8 and more when they were asked for the first time; the goal is none. */
const MOST_SURE_MISSES = 3;

test('of sixty unseen denials of denials, rhetorical questions and taunts hardly one is missed and claimed to be sure [issue 21]', async () => {
  const compiled = new CompiledBranches(knowledge);
  const sure: string[] = [];
  for (const [descriptions, cases] of TRADES) {
    const branches = Object.entries(descriptions).map(([key, desc]) => ({ key, desc }));
    for (const [wanted, text] of cases) {
      const utterance = readUtterance(text, knowledge, new Float32Array(knowledge.actCount));
      const { key, confidence } = await decide({ branches }, { knowledge, compiled, utterance });
      if (key !== wanted && confidence >= SURE) sure.push(text);
    }
  }
  expect(sure.length).toBeLessThanOrEqual(MOST_SURE_MISSES);
});
