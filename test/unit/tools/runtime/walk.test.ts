import { expect, test } from '@jest/globals';
import { MAX_STEPS, walkScript } from '#scripts/decisions/flow/walk.ts';
import type { WalkScope } from '#scripts/decisions/flow/walk-scope.ts';
import { aNode, aScope, aScript, exampleScript, scriptedConversation, scriptedHandOver } from './builders.ts';

test('walks the demo from the greeting to a registered customer', async () => {
  const conversation = scriptedConversation('可以，你介绍一下。', '明天下午三点吧。');
  const variables = new Map<string, unknown>([['shop', '城南营业厅']]);
  const { end, steps } = await walkScript(aScope({ script: exampleScript(), conversation, variables }));
  expect(end).toBe('end');
  expect(steps).toEqual([
    { nodeId: 'start', branch: 'default' },
    { nodeId: 'greet', branch: 'default' },
    { nodeId: 'ask_interest', branch: 'default' },
    { nodeId: 'decide', branch: 'interested' },
    { nodeId: 'explain', branch: 'default' },
    { nodeId: 'ask_time', branch: 'default' },
    { nodeId: 'thank', branch: null },
  ]);
  expect(conversation.said[0]).toContain('城南营业厅');
});

test('a branch missing in `next` falls back to default; only own properties count [D11]', async () => {
  const nodes = {
    start: aNode('start', 'start', {}, 'ask'),
    ask: aNode('ask', 'collect', { text: '喂？', retries: 0 }, { default: 'bye', toString: 'start' }),
    bye: aNode('bye', 'end'),
  };
  const { steps } = await walkScript(aScope({ script: aScript({ nodes }), conversation: scriptedConversation(null) }));
  expect(steps.map(step => step.branch)).toEqual(['default', 'default', null]);
});

test('a script that loops is left after a bounded number of nodes', async () => {
  const nodes = { start: aNode('start', 'start', {}, 'a'), a: aNode('a', 'send', {}, 'b'), b: aNode('b', 'send', {}, 'a') };
  const { end, steps } = await walkScript(aScope({ script: aScript({ nodes }) }));
  expect(end).toBe('too_many_steps');
  expect(steps).toHaveLength(MAX_STEPS);
});

test.each([
  ['a node that does not exist', { start: aNode('start', 'start', {}, 'nowhere') }],
  ['a node of an unknown type', { start: aNode('start', 'start', {}, 'x'), x: aNode('x', 'juggle') }],
  ['a node without next', { start: aNode('start', 'start', {}, null) }],
])('%s ends the walk instead of the runtime', async (_, nodes) => {
  expect((await walkScript(aScope({ script: aScript({ nodes }) }))).end).toBe('dead_end');
});

test('a call that has ended records no branch and visits no further node', async () => {
  const over = new AbortController();
  const listen = () => {
    over.abort();
    return Promise.resolve(null);
  };
  const conversation = { ...scriptedConversation(), listen };
  const { end, steps } = await walkScript(aScope({ script: exampleScript(), conversation, over: over.signal }));
  expect(end).toBe('interrupted');
  expect(steps.at(-1)).toEqual({ nodeId: 'ask_interest', branch: null });
});

test.each([
  ['the named node', 'bye', ['（坐席与客户通话）', '感谢您的等候，我们继续。', '再见，周三上门。']],
  ['the node where it was', 'unknown', ['（坐席与客户通话）', '感谢您的等候，我们继续。', '我们继续介绍。', '再见，周三上门。']],
])('a customer whom the agent gives back goes on at %s, with what was agreed [D9.9]', async (_, nodeId, said) => {
  const nodes = {
    tell: aNode('tell', 'send', { text: '我们继续介绍。' }, 'bye'),
    bye: aNode('bye', 'end', { text: '再见，{{agreed}}。' }),
  };
  const order = { guidanceId: 'b-1', text: '周三上门', nodeId, by: '王主管', conferenceId: 1 };
  const handOver = scriptedHandOver(['joined', { status: 'back', order }]);
  handOver.asked('iv-1', 'boundary');
  const conversation = scriptedConversation();
  const reported: string[] = [];
  const reportIntervention: WalkScope['reportIntervention'] = (_id, status) => void reported.push(status);
  const { end } = await walkScript(aScope({ script: aScript({ nodes, entryNodeId: 'tell' }), conversation, handOver, reportIntervention }));
  expect(end).toBe('end');
  expect(conversation.said.slice(-said.length)).toEqual(said);
  expect(reported).toEqual(['active', 'ended']);
});
