import { describe, expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { createBreaker } from '#tools/runtime/nlu/breaker.ts';
import { routeByKeywords } from '#scripts/decisions/flow/keyword-router.ts';
import type { NluClient } from '#tools/runtime/nlu/nlu-client.ts';
import { createUnderstanding } from '#tools/runtime/nlu/understanding.ts';
import { UTTERANCES } from '#tools/runtime/customer/utterances.ts';
import { exampleScript } from './builders.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const live = new AbortController().signal;
const branches = [
  { key: 'yes', desc: '同意' },
  { key: 'no', desc: '拒绝' },
  { key: 'default', desc: '其他' },
];
const question = { profile: null, text: '不用了', branches };

function rig(answer: () => Promise<{ key: string; confidence: number; reason: string }>) {
  const clock = manualClock();
  let asked = 0;
  const client: NluClient = {
    decide: () => {
      asked += 1;
      return answer();
    },
    extract: () => Promise.reject(new Error('down')),
  };
  const breaker = createBreaker(clock, { failures: 2, pauseMs: 10_000 });
  return { clock, understanding: createUnderstanding({ client, breaker, log: silentLog }), asked: () => asked };
}

describe('the NLU service', () => {
  test('decides while it is available', async () => {
    const { understanding } = rig(() => Promise.resolve({ key: 'yes', confidence: 1, reason: '' }));
    expect(await understanding.decide(question, live)).toBe('yes');
  });

  test('a key that was not offered is ignored', async () => {
    const { understanding } = rig(() => Promise.resolve({ key: 'admin', confidence: 1, reason: '' }));
    expect(await understanding.decide(question, live)).toBe('no');
  });

  test('unavailable: keywords decide, nothing is extracted, and no requests are sent for a while', async () => {
    const { clock, understanding, asked } = rig(() => Promise.reject(new Error('down')));
    for (let call = 0; call < 5; call++) expect(await understanding.decide(question, live)).toBe('no');
    expect(await understanding.extract({ profile: null, text: '三点', fields: [{ key: 'at', label: '', type: 'time' }] }, live)).toEqual(
      {},
    );
    expect(asked()).toBe(2);
    await clock.pass(10_000);
    await understanding.decide(question, live);
    await understanding.decide(question, live);
    expect(asked()).toBe(3);
  });

  test('available again: the first request after the pause resumes it for all calls', async () => {
    let isDown = true;
    const answer = () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve({ key: 'yes', confidence: 1, reason: '' }));
    const { clock, understanding } = rig(answer);
    for (let call = 0; call < 3; call++) await understanding.decide(question, live);
    isDown = false;
    await clock.pass(10_000);
    expect(await understanding.decide(question, live)).toBe('yes');
    expect(await understanding.decide(question, live)).toBe('yes');
  });

  test('an aborted call says nothing about the service', async () => {
    const over = new AbortController();
    const { understanding, asked } = rig(() => {
      over.abort();
      return Promise.reject(new Error('aborted'));
    });
    for (let call = 0; call < 3; call++) await understanding.decide(question, over.signal);
    expect(asked()).toBe(1);
    expect(await rig(() => Promise.resolve({ key: 'yes', confidence: 1, reason: '' })).understanding.decide(question, live)).toBe('yes');
  });
});

describe('keywords', () => {
  const route = (text: string) => routeByKeywords(text, exampleScript().nlu.branches);

  test.each([
    ['可以，你说吧。', 'interested'],
    ['不感兴趣。', 'refuse'],
    ['不可以。', 'refuse'],
    ['现在不方便。', 'busy'],
    ['多少钱一个月？', 'question'],
    ['你们天天打，烦死了，我要投诉。', 'complaint'],
    ['窗外下雨了。', 'default'],
    ['', 'default'],
  ])('%s → %s', (text, key) => {
    expect(route(text)).toBe(key);
  });

  test('most of the corpus matches the right branch of the demo', () => {
    const expected = {
      agree: ['interested'],
      refuse: ['refuse'],
      busy: ['busy'],
      complaint: ['complaint', 'question'],
      askPrice: ['question'],
    };
    for (const [act, keys] of Object.entries(expected)) {
      const lines: readonly string[] = Reflect.get(UTTERANCES, act);
      const right = lines.filter(text => keys.includes(route(text))).length;
      expect({ act, enough: right >= lines.length * 0.7 }).toEqual({ act, enough: true });
    }
  });

  test('without a branch named default the last one is the fallback', () => {
    expect(
      routeByKeywords('窗外下雨了', [
        { key: 'a', desc: '同意' },
        { key: 'b', desc: '兜底' },
      ]),
    ).toBe('b');
  });
});
