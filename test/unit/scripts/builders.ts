import type { ScriptGraph, ScriptNode } from '#protocol/script.ts';

export function node(id: string, type: string, next: ScriptNode['next'] = null): ScriptNode {
  return { id, type, name: `节点 ${id}`, config: {}, next };
}

/** A script: start → ask → (yes: human | default: bye). */
export function script(changes: Partial<ScriptGraph> = {}): ScriptGraph {
  return {
    entryNodeId: 'start',
    nodes: [
      node('start', 'start', 'ask'),
      node('ask', 'collect', { yes: 'human', default: 'bye' }),
      node('human', 'transfer'),
      node('bye', 'end'),
    ],
    variables: [{ key: 'product', label: '产品', defaultValue: '贷款' }],
    phrases: [{ key: 'hello', text: '您好' }],
    nlu: { profile: null, branches: [{ key: 'yes', desc: '同意' }], fields: [] },
    resultRules: [],
    ...changes,
  };
}
