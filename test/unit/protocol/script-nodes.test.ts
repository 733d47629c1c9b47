import { describe, expect, test } from '@jest/globals';
import { NODE_TABLE } from '#scripts/decisions/flow/nodes/node-table.ts';
import { SCRIPT_NODES, scriptCondition, scriptNode } from '#protocol/script-nodes.ts';
import { runtimeScript } from '#protocol/runtime-script.ts';
import { scriptBody } from '#scripts/routes.ts';
import { compileRuntime } from '#scripts/decisions/compile.ts';
import { conditionFault, SCRIPT_NODE_TYPES } from '#protocol/script.ts';
import example from '../../../examples/spring-visit.script.json' with { type: 'json' };

// Compares the contract of scripts with the code that reads and checks scripts.

describe('node types', () => {
  test('match those of the rules and of the reference runtime', () => {
    expect(Object.keys(SCRIPT_NODES)).toEqual([...SCRIPT_NODE_TYPES]);
    expect(Object.keys(SCRIPT_NODES).toSorted()).toEqual(Object.keys(NODE_TABLE).toSorted());
  });

  test('cover the nodes and rules of the example script', () => {
    const { nodes, resultRules } = runtimeScript.parse(compileRuntime({ ...scriptBody.parse(example), id: 7, version: 2 }));
    for (const node of Object.values(nodes)) expect(scriptNode.parse(node)).toEqual(node);
    for (const { when } of resultRules) if (when) expect(scriptCondition.parse(when)).toEqual(when);
    expect(Object.keys(nodes).length + resultRules.length).toBeGreaterThan(10);
  });

  test('have exactly the configuration members that the reference runtime reads', () => {
    const members = Object.fromEntries(Object.entries(SCRIPT_NODES).map(([type, node]) => [type, Object.keys(node.shape.config.shape)]));
    expect(members).toEqual({
      start: [],
      send: ['phrase', 'text'],
      collect: ['phrase', 'text', 'listenMs', 'retries', 'retryPhrase', 'variable', 'fields'],
      router: [],
      chat: ['phrase', 'text', 'answers', 'maxTurns', 'listenMs'],
      end: ['phrase', 'text'],
      transfer: ['phrase', 'text', 'busyText', 'groupId', 'reason'],
    });
  });
});

describe('conditions of result rules', () => {
  test.each<unknown>([
    {},
    { node: 'n', branch: 'b' },
    { variable: 'v', equals: 1, in: ['a', true], contains: 'x', atLeast: 1, atMost: 2, exists: false },
    { callStatus: 'busy' },
    { callStatus: ['busy', 'no_answer'] },
    { all: [{ any: [{ not: { node: 'n' } }] }] },
    { node: '' },
    { other: 1 },
    { all: [] },
    { any: [{ node: 5 }] },
    { not: [] },
    { variable: 'v', equals: {} },
    { variable: 'v', atLeast: '1' },
    { callStatus: 5 },
    'x',
  ])('%j is valid for both or for neither', when => {
    expect(scriptCondition.safeParse(when).success).toBe(conditionFault(when, 'when') === null);
  });
});
