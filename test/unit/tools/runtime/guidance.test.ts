import { describe, expect, test } from '@jest/globals';
import { aNode, aScript, saying } from './builders.ts';
import { runtimeRig } from './runtime-rig.ts';

const GREETING = '您好，这里是示例营业厅。现在有续约优惠。';
const PRICE = '每月比现在少二十元。';

const script = aScript({
  phrases: { price: PRICE },
  nodes: {
    start: aNode('start', 'start', {}, 'greet'),
    greet: aNode('greet', 'send', { text: GREETING }, 'ask'),
    ask: aNode('ask', 'collect', { text: '您想了解吗？', retries: 0, listenMs: 10_000 }, 'bye'),
    bye: aNode('bye', 'end', { text: '再见。' }),
  },
});

const order = (text: string, guidanceId = text) => ({ guidanceId, text, by: '王主管' });
const texts = (spoken: ReturnType<ReturnType<typeof runtimeRig>['spoken']>) => {
  const bySegment = new Map(spoken.map(({ segment }) => [segment?.segmentId, segment?.text]));
  return [...bySegment.values()];
};

describe('words that a person has the bot speak', () => {
  test('come at the end of the sentence being spoken, and then the rest of it [D9.8]', async () => {
    const { clock, start, command, spoken } = runtimeRig({ script, customer: saying(null) });
    await start();
    // The customer does not greet within 1.5 s; then the first sentence takes 2.6 s.
    await clock.pass(2_500);
    expect(await command('say', order('我们今天有现货。'))).toEqual([{ ok: true, runtimeId: 'runtime-1' }]);
    await clock.pass(60_000);
    expect(texts(spoken()).slice(0, 4)).toEqual(['您好，这里是示例营业厅。', '我们今天有现货。', '现在有续约优惠。', '您想了解吗？']);
  });

  test('come at once while the bot listens, and the customer answers them [D9.8]', async () => {
    const { clock, start, command, spoken } = runtimeRig({ script, customer: saying(null, '好的。') });
    await start();
    await clock.pass(9_500);
    await command('say', order('您在听吗？'));
    await clock.pass(60_000);
    expect(texts(spoken())).toEqual([GREETING, '您想了解吗？', '您在听吗？', '好的。', '再见。']);
  });

  test('are spoken once, however often the command comes [D9.8]', async () => {
    const { clock, start, command, spoken } = runtimeRig({ script, customer: saying(null) });
    await start();
    await clock.pass(2_500);
    for (const _ of [1, 2]) expect(await command('say', order('我们今天有现货。'))).toMatchObject([{ ok: true }]);
    await clock.pass(60_000);
    expect(texts(spoken()).filter(text => text === '我们今天有现货。')).toHaveLength(1);
  });

  test('are refused when they are no command', async () => {
    const { clock, start, command } = runtimeRig({ script });
    await start();
    await clock.pass(100);
    expect(await command('say', { text: '' })).toMatchObject([{ ok: false, code: 'INVALID' }]);
  });
});

describe('a hint', () => {
  test('brings the sentence of the script that it asks for before the next one, and is not read out [D9.8]', async () => {
    const { clock, start, command, spoken } = runtimeRig({ script, customer: saying('好的。') });
    await start();
    await clock.pass(2_500);
    expect(await command('hint', order('告诉他每月比现在少二十元'))).toMatchObject([{ ok: true }]);
    await clock.pass(60_000);
    expect(texts(spoken()).slice(0, 4)).toEqual([GREETING, PRICE, '您想了解吗？', '好的。']);
  });

  test('that asks for no sentence selects the next branch with the words of the customer [D9.8]', async () => {
    const nodes = {
      start: aNode('start', 'start', {}, 'ask'),
      ask: aNode('ask', 'collect', { text: '您想了解吗？', retries: 0 }, 'decide'),
      decide: aNode('decide', 'router', {}, { refuse: 'sorry', default: 'more' }),
      sorry: aNode('sorry', 'end', { text: '打扰了。' }),
      more: aNode('more', 'end', { text: '我给您介绍。' }),
    };
    const nlu = { profile: null, branches: [{ key: 'refuse', desc: '客户拒绝、不需要' }], fields: [] };
    const { clock, start, command, spoken } = runtimeRig({ script: aScript({ nodes, nlu }), customer: saying('嗯。') });
    await start();
    await clock.pass(100);
    await command('hint', order('他不需要，礼貌结束'));
    await clock.pass(60_000);
    expect(texts(spoken()).at(-1)).toBe('打扰了。');
  });
});
