import { describe, expect, test } from '@jest/globals';
import { SCRIPT_NODE_TYPES } from '#protocol/script.ts';
import { chat } from '#scripts/decisions/flow/nodes/chat.ts';
import { collect } from '#scripts/decisions/flow/nodes/collect.ts';
import { end } from '#scripts/decisions/flow/nodes/end.ts';
import { NODE_TABLE } from '#scripts/decisions/flow/nodes/node-table.ts';
import { router } from '#scripts/decisions/flow/nodes/router.ts';
import { send } from '#scripts/decisions/flow/nodes/send.ts';
import { start } from '#scripts/decisions/flow/nodes/start.ts';
import type { Understanding } from '#scripts/decisions/flow/walk-scope.ts';
import { aNode, aScope, aScript, keywordUnderstanding, scriptedConversation } from './builders.ts';

test('every node type of a script has an implementation [OCS 4.3]', () => {
  expect(Object.keys(NODE_TABLE).sort()).toEqual([...SCRIPT_NODE_TYPES].sort());
});

describe('start', () => {
  test('says nothing and continues', async () => {
    const conversation = scriptedConversation();
    expect(await start(aNode('start', 'start'), aScope({ conversation }))).toEqual({ branch: 'default' });
    expect(conversation.said).toEqual([]);
  });
});

describe('send', () => {
  const script = aScript({ phrases: { hello: '您好，{{name}}，这里是{{ shop }}{{missing}}。' } });

  test('speaks its phrase with the variables filled in', async () => {
    const conversation = scriptedConversation();
    const variables = new Map<string, unknown>([
      ['name', '王小明'],
      ['shop', '城南营业厅'],
    ]);
    expect(await send(aNode('a', 'send', { phrase: 'hello' }), aScope({ script, conversation, variables }))).toEqual({ branch: 'default' });
    expect(conversation.said).toEqual(['您好，王小明，这里是城南营业厅。']);
  });

  test('its own text takes precedence over a phrase, and a value is never used as a template', async () => {
    const conversation = scriptedConversation();
    const variables = new Map<string, unknown>([['name', '{{shop}}']]);
    await send(aNode('a', 'send', { phrase: 'hello', text: '{{name}}' }), aScope({ script, conversation, variables }));
    expect(conversation.said).toEqual(['{{shop}}']);
  });

  test('an unknown phrase says nothing', async () => {
    const conversation = scriptedConversation();
    await send(aNode('a', 'send', { phrase: 'constructor' }), aScope({ script, conversation }));
    expect(conversation.said).toEqual([]);
  });
});

describe('collect', () => {
  const script = aScript({ nlu: { profile: null, branches: [], fields: [{ key: 'when', label: '时间', type: 'datetime' }] } });

  test('stores the answer as spoken and the extracted values', async () => {
    const scope = aScope({
      script,
      conversation: scriptedConversation('明天下午三点'),
      understanding: keywordUnderstanding({ when: '2026-10-02T15:00' }),
    });
    const node = aNode('ask', 'collect', { text: '何时？', variable: 'spoken', fields: ['when', 'unknown'] });
    expect(await collect(node, scope)).toEqual({ branch: 'default' });
    expect(scope.heard).toBe('明天下午三点');
    expect(Object.fromEntries(scope.variables)).toEqual({ spoken: '明天下午三点', when: '2026-10-02T15:00' });
  });

  test('repeats its question to a silent customer with the retry phrase, then takes the silence branch', async () => {
    const conversation = scriptedConversation(null, null, null);
    const phrases = { ask: '方便吗？', again: '您还在吗？' };
    const scope = aScope({ script: aScript({ phrases }), conversation, heard: '上一句' });
    const node = aNode('ask', 'collect', { phrase: 'ask', retryPhrase: 'again', retries: 2, listenMs: 3_000 });
    expect(await collect(node, scope)).toEqual({ branch: 'silence' });
    expect(conversation.said).toEqual(['方便吗？', '您还在吗？', '您还在吗？']);
    expect(conversation.waits).toEqual([3_000, 3_000, 3_000]);
    expect(scope.heard).toBe('');
  });

  test.each([
    ['above the maximum', { retries: 99, listenMs: 9_999_999 }, 6, 60_000],
    ['below the minimum', { retries: -1, listenMs: 0 }, 1, 1_000],
    ['not a number', { retries: '3', listenMs: null }, 2, 6_000],
  ])('keeps its waits within limits: %s', async (_, config, asked, waitMs) => {
    const conversation = scriptedConversation();
    await collect(aNode('ask', 'collect', { text: '喂？', ...config }), aScope({ conversation }));
    expect(conversation.waits).toEqual(Array.from({ length: asked }, () => waitMs));
  });
});

describe('router', () => {
  const nlu = {
    profile: 'local',
    fields: [],
    branches: [
      { key: 'yes', desc: '同意、愿意' },
      { key: 'no', desc: '拒绝、不需要' },
      { key: 'elsewhere', desc: '别的节点的分支' },
    ],
  };
  const node = aNode('r', 'router', {}, { yes: 'a', no: 'b', default: 'c' });

  test('offers only its own branches, and one for everything else', async () => {
    const asked: unknown[] = [];
    const understanding: Understanding = {
      decide: request => {
        asked.push(request);
        return Promise.resolve('no');
      },
      extract: () => Promise.resolve({}),
    };
    expect(await router(node, aScope({ script: aScript({ nlu }), understanding, heard: '不用了' }))).toEqual({ branch: 'no' });
    expect(asked).toEqual([
      { profile: 'local', text: '不用了', branches: [nlu.branches[0], nlu.branches[1], { key: 'default', desc: '其他，以上都不符合' }] },
    ]);
  });

  test('takes the default branch on silence, without a request', async () => {
    const understanding: Understanding = { decide: () => Promise.reject(new Error('asked')), extract: () => Promise.resolve({}) };
    expect(await router(node, aScope({ script: aScript({ nlu }), understanding, heard: '' }))).toEqual({ branch: 'default' });
  });
});

describe('chat', () => {
  const answers = [
    { desc: '问价格、费用', text: '每月少二十元。' },
    { desc: '问是谁、哪里打来的', text: '我是{{shop}}。' },
  ];
  const node = aNode('c', 'chat', { text: '您放心。', answers, maxTurns: 3 });

  test('answers each question with the matching text, until the customer asks none', async () => {
    const conversation = scriptedConversation('你是哪个公司的？', '好的，没问题。');
    const scope = aScope({ conversation, heard: '多少钱一个月？', variables: new Map([['shop', '城南营业厅']]) });
    expect(await chat(node, scope)).toEqual({ branch: 'default' });
    expect(conversation.said).toEqual(['每月少二十元。', '我是城南营业厅。']);
    expect(scope.heard).toBe('好的，没问题。');
  });

  test('stops after maxTurns, whatever the customer asks', async () => {
    const conversation = scriptedConversation('多少钱？', '多少钱？', '多少钱？', '多少钱？');
    await chat(node, aScope({ conversation, heard: '嗯？' }));
    expect(conversation.said).toHaveLength(3);
  });

  test('stops at silence', async () => {
    const conversation = scriptedConversation(null);
    const scope = aScope({ conversation, heard: '多少钱？' });
    await chat(node, scope);
    expect(conversation.said).toEqual(['每月少二十元。']);
    expect(scope.heard).toBe('');
  });
});

describe('end', () => {
  test.each([['end', end]] as const)('%s says goodbye and finishes the call', async (kind, walk) => {
    const conversation = scriptedConversation();
    expect(await walk(aNode('x', kind, { text: '再见。' }), aScope({ conversation }))).toEqual({ finish: kind });
    expect(conversation.said).toEqual(['再见。']);
  });
});
