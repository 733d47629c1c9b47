import { describe, expect, test } from '@jest/globals';
import { NODE_TYPE_FORMS } from '#protocol/script-nodes.ts';
import { SCRIPT_NODE_TYPES } from '#protocol/script.ts';
import { scriptFaults } from '#scripts/decisions/script-faults.ts';
import { scriptNotes } from '#scripts/decisions/script-notes.ts';
import { SCRIPT_TEMPLATES } from '#scripts/decisions/script-templates.ts';

const survey = () => structuredClone(SCRIPT_TEMPLATES.find(({ key }) => key === 'survey')!.body);
type Graph = ReturnType<typeof survey>;
const withNode = (id: string, change: object): Graph => {
  const graph = survey();
  return { ...graph, nodes: graph.nodes.map(node => (node.id === id ? { ...node, ...change } : node)) };
};
const shown = (faults: readonly { field: string; nodeId: string | null; problem: { code: string } }[]) =>
  faults.map(({ field, nodeId, problem }) => [field, nodeId, problem.code]);

describe('templates', () => {
  test.each(SCRIPT_TEMPLATES.map(({ key, body }) => [key, body] as const))('%s runs as it is and says nothing in vain', (_key, body) => {
    expect(scriptFaults(body)).toEqual([]);
    expect(shown(scriptNotes(body))).toEqual([]);
  });
});

describe('faults of a draft [D11]', () => {
  test('every problem is listed, each at its node and member', () => {
    const graph = withNode('score', { next: 'nowhere' });
    const faulty = { ...graph, nodes: [...graph.nodes, { id: 'odd', type: 'dance', name: '', config: {}, next: { yes: 'bye' } }] };
    expect(shown(scriptFaults(faulty))).toEqual([
      ['nodes[8].type', 'odd', 'nodeType'],
      ['nodes[3].next', 'score', 'danglingBranch'],
      ['nodes[8].next', 'odd', 'noDefaultBranch'],
    ]);
  });

  test('paths are judged when every branch leads somewhere', () => {
    expect(shown(scriptFaults(withNode('reason', { next: null })))).toEqual([
      ['nodes[3].next', 'score', 'endlessNode'],
      ['nodes[4].next', 'reason', 'endlessNode'],
      ['nodes[5].id', 'thanks', 'unreachableNode'],
    ]);
  });

  test('the fault of a result rule has its path and no node', () => {
    const graph = { ...survey(), resultRules: [{ when: { node: '' }, classification: null, intent: null }] };
    expect(shown(scriptFaults(graph))).toEqual([['resultRules[0].when.node', null, 'filledText']]);
  });
});

describe('what a draft says in vain', () => {
  test.each([
    ['ask', { config: { phrase: 'gone' } }, 'nodes[1].config.phrase', 'unknownPhrase'],
    ['ask', { config: { text: ' ' } }, 'nodes[1].config.text', 'saysNothing'],
    ['ask', { config: { text: '您好 {{nobody}}' } }, 'nodes[1].config.text', 'unknownVariable'],
    ['score', { config: { phrase: 'score', fields: ['height'] } }, 'nodes[3].config.fields', 'unknownField'],
    ['score', { config: { phrase: 'score', listenMs: 5 } }, 'nodes[3].config.listenMs', 'integerBetween'],
    ['willing', { next: { maybe: 'bye', default: 'score' } }, 'nodes[2].next', 'unknownBranch'],
  ])('%s with %j', (id, change, field, code) => {
    expect(shown(scriptNotes(withNode(id, change))).filter(([, node]) => node === id)).toEqual([[field, id, code]]);
  });
});

describe('the table of node types', () => {
  test('has a form of every type, made of its schema', () => {
    expect(NODE_TYPE_FORMS.map(({ type }) => type)).toEqual([...SCRIPT_NODE_TYPES]);
    const collect = NODE_TYPE_FORMS.find(({ type }) => type === 'collect');
    expect(collect?.branches).toBe('silence');
    expect(collect?.fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['phrase', 'phrase'],
      ['text', 'text'],
      ['listenMs', 'number'],
      ['retries', 'number'],
      ['retryPhrase', 'phrase'],
      ['variable', 'variable'],
      ['fields', 'fields'],
    ]);
    expect(collect?.fields.find(({ name }) => name === 'retries')).toMatchObject({ min: 0, max: 5, fallback: 1 });
  });
});
