import { describe, expect, test } from '@jest/globals';
import { began, changed, redone, undone } from '../../../console/pages/scripts/editor/edit-history.ts';
import { faultsOfNode, placeOf } from '../../../console/pages/scripts/editor/editor-faults.ts';
import {
  addNode,
  branchesOf,
  changeConfig,
  connect,
  drawBranch,
  type EditedScript,
  edgesOf,
  freeKey,
  nodeOf,
  removeNode,
  renameKey,
} from '../../../console/pages/scripts/editor/graph.ts';
import { handlesOf } from '../../../console/pages/scripts/editor/card-handles.ts';
import { branchWords } from '../../../console/pages/scripts/script-words.ts';
import { isInView } from '../../../console/pages/scripts/editor/in-view.ts';
import { layOut, type Place, wayKey } from '../../../console/pages/scripts/editor/layout.ts';
import { readEdited } from '../../../console/pages/scripts/editor/read-edited.ts';
import { readWhen, ruleKindOf, writeWhen } from '../../../console/pages/scripts/editor/rule-when.ts';
import { SCRIPT_TEMPLATES } from '#scripts/decisions/script-templates.ts';
import { scriptFaults } from '#scripts/decisions/script-faults.ts';

const survey = (): EditedScript => readEdited(SCRIPT_TEMPLATES.find(({ key }) => key === 'survey')!.body);
const nextOf = (script: EditedScript, id: string) => nodeOf(script, id)?.next;

describe('edits of a script', () => {
  test('a new node takes over what followed the branch, and the script still runs', () => {
    const { script, id } = addNode(survey(), 'send', false, { id: 'reason', branch: 'default' });
    expect([nextOf(script, 'reason'), nextOf(script, id)]).toEqual(['send', 'thanks']);
    expect(scriptFaults({ ...script, resultRules: [] })).toEqual([]);
  });

  test('a new last node ends the branch alone', () => {
    const { script } = addNode(survey(), 'end', true, { id: 'willing', branch: 'no' });
    expect(nextOf(script, 'willing')).toEqual({ no: 'end', busy: 'bye', person: 'agent', default: 'score' });
    expect(nextOf(script, 'end')).toBeNull();
  });

  test('what led to a deleted node leads to what followed it', () => {
    const script = removeNode(survey(), 'score');
    expect(nextOf(script, 'willing')).toMatchObject({ default: 'reason', no: 'bye' });
    expect(edgesOf(script).some(({ to }) => to === 'score')).toBe(false);
    expect(nextOf(removeNode(survey(), 'thanks'), 'reason')).toBeNull();
  });

  test('a branch is led elsewhere, taken away, and written in the shortest form', () => {
    const script = connect(survey(), 'ask', 'silence', null);
    expect(nextOf(script, 'ask')).toBe('willing');
    expect(nextOf(connect(script, 'ask', 'silence', 'thanks'), 'ask')).toEqual({ default: 'willing', silence: 'thanks' });
    expect(branchesOf({ next: { default: 'a', yes: 'b' } })).toEqual([
      ['yes', 'b'],
      ['default', 'a'],
    ]);
  });

  test('a second edge from an exit of a router is one more branch, and the first stays', () => {
    const drawn = drawBranch(survey(), { from: 'willing', branch: 'default', to: 'thanks' }, '分类');
    expect(nextOf(drawn, 'willing')).toEqual({ no: 'bye', busy: 'bye', person: 'agent', default: 'score', 致谢: 'thanks' });
    expect(drawn.nlu.branches.at(-1)).toEqual({ key: '致谢', desc: '' });
    const again = drawBranch(drawn, { from: 'willing', branch: 'no', to: 'thanks' }, '分类');
    expect(again.nlu.branches.at(-1)?.key).toBe('致谢2');
    expect(drawBranch(survey(), { from: 'willing', branch: 'no', to: 'bye' }, '分类')).toEqual(survey());
  });

  test('a new node has a name of the reader, with a number where another has it', () => {
    const once = addNode(survey(), 'end', true, null, '道别');
    expect(nodeOf(once.script, once.id)?.name).toBe('道别2');
  });

  test('a branch is labelled by its name; a code beside a description by the first clause of it', () => {
    const labelOf = (key: string, desc: string) => branchWords(key, { branches: [{ key, desc }] }, each => each);
    expect(labelOf('没兴趣', '客户拒绝，例如：不需要')).toBe('没兴趣');
    expect(labelOf('no', '客户拒绝、不需要、没兴趣')).toBe('客户拒绝');
    expect(labelOf('not interested', 'does not want it, for example: no')).toBe('not interested');
  });

  test('an emptied setting is no setting', () => {
    const script = changeConfig(survey(), 'ask', 'phrase', '');
    expect(nodeOf(script, 'ask')?.config).toEqual({});
  });

  test('a new key is written wherever nodes name it', () => {
    const phrases = renameKey(survey(), 'phrases', 'scoreAgain', 'again');
    expect(nodeOf(phrases, 'score')?.config).toMatchObject({ retryPhrase: 'again', phrase: 'score' });
    expect(phrases.phrases.map(({ key }) => key)).toContain('again');
    expect(nextOf(renameKey(survey(), 'branches', 'no', 'refuses'), 'willing')).toMatchObject({ refuses: 'bye' });
    expect(nodeOf(renameKey(survey(), 'fields', 'score', 'points'), 'score')?.config).toMatchObject({
      fields: ['points'],
      phrase: 'score',
    });
    expect(freeKey('send', ['send', 'send2'])).toBe('send3');
  });
});

describe('the layout of a script', () => {
  const size = { width: 100, height: 50, gapX: 20, gapY: 30 };
  const layout = (script: EditedScript) =>
    layOut(
      script.nodes.map(({ id }) => id),
      edgesOf(script),
      script.entryNodeId,
      size,
    );
  const at = (found: ReadonlyMap<string, Place>, id: string): Place => found.get(id) ?? { x: Number.NaN, y: Number.NaN };

  test.each(SCRIPT_TEMPLATES.map(({ key, body }) => [key, readEdited(body)] as const))(
    '%s: every node below those that lead to it, none upon another, and no edge behind one',
    (_key, script) => {
      const { places, ways } = layout(script);
      expect(places.size).toBe(script.nodes.length);
      for (const { from, to } of edgesOf(script)) expect(at(places, to).y).toBeGreaterThan(at(places, from).y);
      const rows = Map.groupBy(places.values(), ({ y }) => y);
      for (const row of rows.values()) {
        const xs = row.map(({ x }) => x).sort((a, b) => a - b);
        for (const [index, x] of xs.entries())
          if (index > 0) expect(x - (xs[index - 1] ?? 0)).toBeGreaterThanOrEqual(size.width + size.gapX - 0.001);
      }
      const isUnder = ({ x, y }: Place) =>
        places.values().some(place => x > place.x && x < place.x + size.width && y >= place.y && y <= place.y + size.height);
      expect([...ways.values()].flat().filter(isUnder)).toEqual([]);
    },
  );

  test('an edge over several layers passes each of them', () => {
    const script = readEdited({
      entryNodeId: 'a',
      nodes: [
        { id: 'a', type: 'router', next: { no: 'c', default: 'b' } },
        { id: 'b', type: 'send', next: 'c' },
        { id: 'c', type: 'end' },
      ],
    });
    const { ways } = layout(script);
    expect(ways.get(wayKey({ from: 'a', to: 'c' }))?.map(({ y }) => y)).toEqual([80, 130]);
    expect(ways.has(wayKey({ from: 'a', to: 'b' }))).toBe(false);
  });

  test('a circle is cut, and what nothing leads to stands below', () => {
    const script = readEdited({
      entryNodeId: 'a',
      nodes: [
        { id: 'a', type: 'start', next: 'b' },
        { id: 'b', type: 'collect', next: { silence: 'a', default: 'c' } },
        { id: 'c', type: 'end' },
        { id: 'lost', type: 'send' },
      ],
    });
    const { places } = layout(script);
    expect(['a', 'b', 'c', 'lost'].map(id => at(places, id).y)).toEqual([0, 80, 160, 240]);
  });
});

test('a card says by itself where its edges begin and end, because one made anew would have to be measured first', () => {
  const placesOf = (order: string[], ends = { isFirst: false, isLast: false }) =>
    handlesOf(order, ends).map(({ type, id, x, y, width, height }) => [type, id, x + width / 2, y + height / 2]);
  expect(placesOf(['no', 'default'])).toEqual([
    ['target', null, 110, 0],
    ['source', 'no', 220 / 3, 104],
    ['source', 'default', 440 / 3, 104],
  ]);
  expect(placesOf([], { isFirst: true, isLast: false })).toEqual([['source', 'default', 110, 104]]);
  expect(placesOf([], { isFirst: false, isLast: true })).toEqual([['target', null, 110, 0]]);
});

test.each([
  ['in the middle', { x: 100, y: 100 }, true],
  ['above', { x: 100, y: -300 }, false],
  ['cut off below', { x: 100, y: 700 }, false],
])('a node %s of what is seen is in view: %j, %s', (_where, place, isSeen) => {
  const pane = { width: 800, height: 500, x: 20, y: 100, zoom: 0.5 };
  expect(isInView({ ...place, width: 220, height: 104 }, pane)).toBe(isSeen);
});

describe('the history of edits', () => {
  test('typing in one field is one step; a new change forgets what was undone', () => {
    const typed = ['a', 'ab', 'abc'].reduce((history, text) => changed(history, text, 'name'), began(''));
    const other = changed(typed, 'x', null);
    expect(undone(other).present).toBe('abc');
    expect(undone(undone(other)).present).toBe('');
    expect(redone(undone(other)).present).toBe('x');
    expect(redone(changed(undone(other), 'y', null)).present).toBe('y');
    expect(undone(began('z')).present).toBe('z');
  });
});

test('a fault stands at the node and member that its path names', () => {
  const script = survey();
  const faults = [
    { field: 'nodes[3].config.fields', nodeId: 'score', problem: '?', isBlocking: false },
    { field: 'resultRules[0].when', nodeId: null, problem: '?', isBlocking: true },
    { field: 'entryNodeId', nodeId: null, problem: '?', isBlocking: true },
  ];
  expect(faultsOfNode(faults, script, 'score')).toEqual([{ member: 'config.fields', problem: '?', isBlocking: false }]);
  expect(faults.map(placeOf)).toEqual([{ nodeId: 'score' }, { part: 'resultRules' }, null]);
});

test.each([
  [null, 'always', null],
  [{ node: 'a' }, 'node', { node: 'a' }],
  [{ branch: 'no' }, 'branch', { branch: 'no' }],
  [{ variable: 'score' }, 'variable', { variable: 'score' }],
  [{ atLeast: 9, variable: 'score' }, 'variable', { variable: 'score', atLeast: 9 }],
  [{ variable: 'answer', equals: '好' }, 'variable', { variable: 'answer', equals: '好' }],
] as const)('the condition %j is shown as one of kind %s and written as it was', (when, kind, written) => {
  expect(ruleKindOf(when)).toBe(kind);
  expect(writeWhen(kind, readWhen(when))).toEqual(written);
});

test.each([[{ all: [] }], [{ node: 'a', branch: 'b' }], [{ variable: 'x', exists: false }], [{ variable: 'x', atLeast: 1, atMost: 2 }]])(
  'the condition %j has several parts, which no form shows',
  when => {
    expect(ruleKindOf(when)).toBe('other');
  },
);
