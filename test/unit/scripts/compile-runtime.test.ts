import { describe, expect, test } from '@jest/globals';
import { canonicalJson, compileRuntime } from '#scripts/decisions/compile.ts';
import { node, script } from './builders.ts';

const compiled = compileRuntime({ ...script(), id: 3, version: 2 });

test('the runtime JSON contains nodes, variables and phrases by key, and no labels [D11]', () => {
  const { hash, ...content } = compiled;
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(content).toEqual({
    id: 3,
    version: 2,
    entryNodeId: 'start',
    nodes: {
      start: { id: 'start', type: 'start', name: '节点 start', config: {}, next: 'ask' },
      ask: { id: 'ask', type: 'collect', name: '节点 ask', config: {}, next: { yes: 'human', default: 'bye' } },
      human: { id: 'human', type: 'transfer', name: '节点 human', config: {}, next: null },
      bye: { id: 'bye', type: 'end', name: '节点 bye', config: {}, next: null },
    },
    variables: { product: '贷款' },
    phrases: { hello: '您好' },
    nlu: { profile: null, branches: [{ key: 'yes', desc: '同意' }], fields: [] },
    resultRules: [],
  });
});

describe('hash [D11]', () => {
  test('does not depend on the order of members or nodes', () => {
    const { nodes } = script();
    const turned = nodes.toReversed().map(({ id, type, name, config, next }) => ({ next: next ?? null, config, name, type, id }));
    expect(compileRuntime({ ...script({ nodes: turned }), id: 3, version: 2 }).hash).toBe(compiled.hash);
  });

  test('changes with every executed part', () => {
    const changed = [
      compileRuntime({ ...script(), id: 3, version: 3 }),
      compileRuntime({ ...script(), id: 4, version: 2 }),
      compileRuntime({ ...script({ phrases: [{ key: 'hello', text: '喂' }] }), id: 3, version: 2 }),
      compileRuntime({ ...script({ variables: [] }), id: 3, version: 2 }),
      compileRuntime({ ...script({ nodes: [node('start', 'start', 'bye'), node('bye', 'end')] }), id: 3, version: 2 }),
      compileRuntime({ ...script({ resultRules: [{ classification: 'A', intent: null }] }), id: 3, version: 2 }),
    ].map(({ hash }) => hash);
    expect(new Set([compiled.hash, ...changed]).size).toBe(changed.length + 1);
  });

  test('is the same on every machine', () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: '字' })).toBe('{"a":"字","b":[{"c":null,"d":1}]}');
  });
});

test('a node id such as `constructor` is ordinary', () => {
  const runtime = compileRuntime({
    ...script({ nodes: [node('start', 'start', '__proto__'), node('__proto__', 'end')] }),
    id: 1,
    version: 1,
  });
  expect(Object.keys(runtime.nodes)).toEqual(['start', '__proto__']);
  expect(JSON.stringify(runtime.nodes)).toContain('"__proto__":{');
});
