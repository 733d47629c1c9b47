import { describe, expect, test } from '@jest/globals';
import { MAX_SCRIPT_NODES, SCRIPT_NODE_TYPES, type ScriptNode } from '#protocol/script.ts';
import { wordsOf } from '#kernel/problem.ts';
import { scriptFault } from '#scripts/decisions/script-faults.ts';
import { node, script } from './builders.ts';

/** The fault as REST words it. */
function faultIn(given: Parameters<typeof scriptFault>[0]) {
  const fault = scriptFault(given);
  return fault && { ...fault, problem: wordsOf(fault.problem, 'zh') };
}
const faultOf = (...nodes: ScriptNode[]) => faultIn(script({ nodes }));
const start = node('start', 'start', 'bye');
const bye = node('bye', 'end');

test('a script that starts, branches and ends is valid [D11]', () => {
  expect(faultIn(script())).toBeNull();
  expect(faultOf(start, bye)).toBeNull();
});

test('the node types are those of the interface [OCS 4.3]', () => {
  expect(SCRIPT_NODE_TYPES).toEqual(['start', 'send', 'collect', 'router', 'chat', 'end', 'transfer']);
});

describe('faults that name their node [D11]', () => {
  test('an unknown type', () => {
    expect(faultOf(start, bye, node('n1', 'toString'))).toEqual({
      field: 'nodes[2].type',
      nodeId: 'n1',
      problem: '节点「n1」的类型 toString 未知',
    });
  });

  test('a missing start, or several', () => {
    expect(faultOf(bye)).toEqual({ field: 'nodes', nodeId: null, problem: '缺少 start 节点' });
    expect(faultOf(start, bye, node('again', 'start', 'bye'))).toMatchObject({
      nodeId: 'again',
      problem: expect.stringContaining('「start」'),
    });
  });

  test('an entry that is not the start', () => {
    expect(faultIn(script({ entryNodeId: 'ask' }))).toMatchObject({ field: 'entryNodeId', nodeId: 'ask' });
    expect(faultIn(script({ entryNodeId: 'nowhere' }))).toMatchObject({ field: 'entryNodeId', nodeId: 'nowhere' });
  });

  test('a dangling next, plain or in a branch', () => {
    expect(faultOf(node('start', 'start', 'gone'), bye)).toMatchObject({
      field: 'nodes[0].next',
      nodeId: 'start',
      problem: expect.stringContaining('「gone」'),
    });
    expect(faultOf(node('start', 'start', { default: 'bye', no: 'gone' }), bye)).toMatchObject({
      nodeId: 'start',
      problem: expect.stringContaining('no'),
    });
  });

  test('a branch map without default', () => {
    expect(faultOf(node('start', 'start', { yes: 'bye' }), bye)).toMatchObject({
      nodeId: 'start',
      problem: expect.stringContaining('default'),
    });
  });

  test('an unreachable node, including one that only follows an end', () => {
    expect(faultOf(start, bye, node('island', 'send', 'bye'))).toEqual({
      field: 'nodes[2].id',
      nodeId: 'island',
      problem: '节点「节点 island」不可到达，没有连线到它：把某个出口连到它，或删除它',
    });
    expect(faultOf(start, { ...bye, next: 'after' }, node('after', 'end'))).toMatchObject({ nodeId: 'after' });
  });

  test('a path that can never reach end or transfer: a loop or a dead end', () => {
    const loop = faultOf(node('start', 'start', { default: 'bye', a: 'x' }), bye, node('x', 'send', 'y'), node('y', 'send', 'x'));
    expect(loop).toEqual({
      field: 'nodes[2].next',
      nodeId: 'x',
      problem: '节点「节点 x」之后永远不能到达结束或转人工（end、transfer）：给它的出口选一个去处',
    });
    expect(faultOf(node('start', 'start', { default: 'bye', a: 'x' }), bye, node('x', 'send'))).toMatchObject({ nodeId: 'x' });
  });

  test('two nodes with the same id, and a node without one', () => {
    expect(faultOf(start, bye, node('bye', 'end'))).toMatchObject({ nodeId: 'bye', problem: expect.stringContaining('重复') });
    expect(faultOf(start, bye, node('', 'end'))).toMatchObject({ field: 'nodes[2].id' });
  });
});

test('a loop with an exit is valid, and a transfer may continue when it fails', () => {
  const nodes = [
    node('start', 'start', 'ask'),
    node('ask', 'collect', { again: 'ask', default: 'human' }),
    node('human', 'transfer', 'bye'),
    bye,
  ];
  expect(faultOf(...nodes)).toBeNull();
});

test('more than 500 nodes', () => {
  const chain = (length: number) => [
    node('start', 'start', 'n1'),
    ...Array.from({ length: length - 2 }, (_, i) => node(`n${i + 1}`, 'send', i === length - 3 ? 'bye' : `n${i + 2}`)),
    bye,
  ];
  expect(faultOf(...chain(MAX_SCRIPT_NODES))).toBeNull();
  expect(faultOf(...chain(MAX_SCRIPT_NODES + 1))).toMatchObject({ field: 'nodes', problem: '最多 500 个节点' });
});

test('ids such as `constructor` are ordinary', () => {
  expect(faultOf(node('start', 'start', 'constructor'), node('constructor', 'send', '__proto__'), node('__proto__', 'end'))).toBeNull();
});

test('an invalid `when` is rejected with its path [D11]', () => {
  const rules = [
    { when: null, classification: 'A', intent: null },
    { when: { nod: 'x' } as object, classification: 'B', intent: null },
  ];
  expect(faultIn(script({ resultRules: rules }))).toEqual({
    field: 'resultRules[1].when.nod',
    nodeId: null,
    problem: '不是已知的条件成员',
  });
});
