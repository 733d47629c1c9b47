import { type Problem, problem } from '#kernel/problem.ts';
import {
  branchesOf,
  conditionFault,
  DEFAULT_BRANCH,
  MAX_RESULT_RULES,
  MAX_SCRIPT_NODES,
  type ResultRule,
  SCRIPT_NODE_TYPES,
  type ScriptFault,
  type ScriptGraph,
  type ScriptNode,
} from '#protocol/script.ts';

const KNOWN_TYPES: ReadonlySet<string> = new Set(SCRIPT_NODE_TYPES);
const LAST_TYPES: ReadonlySet<string> = new Set(['end', 'transfer']);
/** Most faults of one script that an editor shows. */
const MAX_FAULTS = 200;

type Located = Pick<ScriptGraph, 'entryNodeId' | 'nodes' | 'resultRules'>;

/**
 * The first fault that prevents a script from running, or null: an unknown node type, no or several `start`, a dangling `next`, an
 * unreachable node, a path that never reaches `end` or `transfer`, an invalid `when`.
 *
 * Source: D11
 */
export function scriptFault(script: Located): ScriptFault | null {
  return faultsOf(script).next().value ?? null;
}

/** Everything that prevents a script from running, for an editor; paths are judged only when every branch leads somewhere. */
export function scriptFaults(script: Located): ScriptFault[] {
  return [...faultsOf(script).take(MAX_FAULTS)];
}

function* faultsOf(script: Located): Generator<ScriptFault, undefined> {
  let isWhole = true;
  for (const fault of graphFaults(script)) {
    isWhole = false;
    yield fault;
  }
  if (isWhole) yield* pathFaults(script);
  yield* ruleFaults(script.resultRules);
}

function* graphFaults(script: Located): Generator<ScriptFault, undefined> {
  yield* nodeFaults(script.nodes);
  yield* startFaults(script);
  yield* nextFaults(script.nodes);
}

function* nodeFaults(nodes: readonly ScriptNode[]): Generator<ScriptFault, undefined> {
  if (nodes.length > MAX_SCRIPT_NODES) yield { field: 'nodes', nodeId: null, problem: problem('nodesAtMost', { max: MAX_SCRIPT_NODES }) };
  const seen = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    if (node.id === '') yield { field: `nodes[${index}].id`, nodeId: null, problem: problem('nodeWithoutId') };
    if (seen.has(node.id)) yield nodeFault(index, 'id', node, problem('nodeRepeated', { node: node.id }));
    if (!KNOWN_TYPES.has(node.type)) yield nodeFault(index, 'type', node, problem('nodeType', { node: node.id, type: node.type }));
    seen.add(node.id);
  }
}

function* startFaults({ entryNodeId, nodes }: Located): Generator<ScriptFault, undefined> {
  const [first, ...others] = nodes.filter(node => node.type === 'start');
  if (!first) {
    yield { field: 'nodes', nodeId: null, problem: problem('noStart') };
    return;
  }
  for (const other of others)
    yield nodeFault(nodes.indexOf(other), 'type', other, problem('secondStart', { node: other.id, first: first.id }));
  if (entryNodeId !== first.id)
    yield { field: 'entryNodeId', nodeId: entryNodeId, problem: problem('entryNode', { first: first.id, given: entryNodeId }) };
}

function* nextFaults(nodes: readonly ScriptNode[]): Generator<ScriptFault, undefined> {
  const ids = new Set(nodes.map(node => node.id));
  for (const [index, node] of nodes.entries()) {
    const { next } = node;
    if (typeof next === 'object' && next !== null && !Object.hasOwn(next, DEFAULT_BRANCH))
      yield nodeFault(index, 'next', node, problem('noDefaultBranch', { node: titleOf(node), branch: DEFAULT_BRANCH }));
    for (const [branch, target] of branchesOf(node))
      if (!ids.has(target)) yield nodeFault(index, 'next', node, problem('danglingBranch', { node: titleOf(node), branch, target }));
  }
}

function* pathFaults({ entryNodeId, nodes }: Located): Generator<ScriptFault, undefined> {
  const forward = new Map(nodes.map(node => [node.id, targetsOf(node)]));
  const reachable = walk([entryNodeId], forward);
  const finishing = walk(
    nodes.filter(node => LAST_TYPES.has(node.type)).map(node => node.id),
    reversed(forward),
  );
  for (const [index, node] of nodes.entries()) {
    if (!reachable.has(node.id)) yield nodeFault(index, 'id', node, problem('unreachableNode', { node: titleOf(node) }));
    if (!finishing.has(node.id)) yield nodeFault(index, 'next', node, problem('endlessNode', { node: titleOf(node) }));
  }
}

function* ruleFaults(rules: readonly ResultRule[]): Generator<ScriptFault, undefined> {
  if (rules.length > MAX_RESULT_RULES)
    yield { field: 'resultRules', nodeId: null, problem: problem('rulesAtMost', { max: MAX_RESULT_RULES }) };
  for (const [index, { when }] of rules.entries()) {
    const fault = when === undefined || when === null ? null : conditionFault(when, `resultRules[${index}].when`);
    if (fault) yield { ...fault, nodeId: null };
  }
}

/** A call never leaves `end`, even if it has a `next`. */
function targetsOf(node: ScriptNode): string[] {
  return node.type === 'end' ? [] : branchesOf(node).map(([, target]) => target);
}

function walk(from: readonly string[], edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set(from);
  const queue = [...from];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const target of edges.get(id) ?? []) {
      if (seen.has(target)) continue;
      seen.add(target);
      queue.push(target);
    }
  }
  return seen;
}

function reversed(edges: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const result = new Map<string, string[]>([...edges.keys()].map(id => [id, []]));
  for (const [id, targets] of edges) for (const target of targets) result.get(target)?.push(id);
  return result;
}

function nodeFault(index: number, member: string, node: ScriptNode, problem: Problem): ScriptFault {
  return { field: `nodes[${index}].${member}`, nodeId: node.id, problem };
}

/** Title of a node for people: its id is made by the editor. */
function titleOf({ id, name }: ScriptNode): string {
  return name || id;
}
