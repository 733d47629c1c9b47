import { type Problem, problem } from '#kernel/problem.ts';
import { createHash } from 'node:crypto';
import {
  branchesOf,
  conditionFault,
  DEFAULT_BRANCH,
  MAX_RESULT_RULES,
  MAX_SCRIPT_NODES,
  type NluPlan,
  type ResultRule,
  SCRIPT_NODE_TYPES,
  type ScriptFault,
  type ScriptGraph,
  type ScriptNode,
} from '#protocol/script.ts';

/** The script as the call-flow runtime executes it, without labels and descriptions. Source: OCS 4.3, D11 */
export interface RuntimeScript {
  id: number;
  version: number;
  /** SHA-256 (hex) of the canonical JSON of all other members; used as ETag. */
  hash: string;
  entryNodeId: string;
  nodes: Readonly<Record<string, RuntimeNode>>;
  /** Default value by variable key. */
  variables: Readonly<Record<string, unknown>>;
  /** Text by phrase key. */
  phrases: Readonly<Record<string, string>>;
  nlu: NluPlan;
  resultRules: readonly ResultRule[];
}

type RuntimeNode = Omit<ScriptNode, 'next'> & { next: string | Readonly<Record<string, string>> | null };

/** Compiles a valid script; equal content gives the same hash whatever the order of members. */
export function compileRuntime(script: ScriptGraph & { id: number; version: number }): RuntimeScript {
  const content = {
    id: script.id,
    version: script.version,
    entryNodeId: script.entryNodeId,
    nodes: Object.fromEntries(script.nodes.map(node => [node.id, runtimeNode(node)])),
    variables: Object.fromEntries(script.variables.map(({ key, defaultValue }) => [key, defaultValue ?? null])),
    phrases: Object.fromEntries(script.phrases.map(({ key, text }) => [key, text])),
    nlu: script.nlu,
    resultRules: script.resultRules,
  };
  const { id, version, ...rest } = content;
  return { id, version, hash: createHash('sha256').update(canonicalJson(content)).digest('hex'), ...rest };
}

/** JSON with members sorted by name at every level. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (isPlainObject(member) ? sortedMembers(member) : member));
}

function runtimeNode({ id, type, name, config, next }: ScriptNode): RuntimeNode {
  return { id, type, name, config, next: next ?? null };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Integer-like names always come first in an object; that order is stable, too. */
function sortedMembers(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(SCRIPT_NODE_TYPES);
const LAST_TYPES: ReadonlySet<string> = new Set(['end', 'transfer']);

type Located = Pick<ScriptGraph, 'entryNodeId' | 'nodes' | 'resultRules'>;

/**
 * The first fault that prevents a script from running, or null: an unknown node type, no or several `start`, a dangling `next`, an
 * unreachable node, a path that never reaches `end` or `transfer`, an invalid `when`.
 *
 * Source: D11
 */
export function scriptFault(script: Located): ScriptFault | null {
  return nodesFault(script.nodes) ?? startFault(script) ?? nextFault(script.nodes) ?? pathFault(script) ?? rulesFault(script.resultRules);
}

function nodesFault(nodes: readonly ScriptNode[]): ScriptFault | null {
  if (nodes.length > MAX_SCRIPT_NODES) return { field: 'nodes', nodeId: null, problem: problem('nodesAtMost', { max: MAX_SCRIPT_NODES }) };
  const seen = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    if (node.id === '') return { field: `nodes[${index}].id`, nodeId: null, problem: problem('nodeWithoutId') };
    if (seen.has(node.id)) return nodeFault(index, 'id', node, problem('nodeRepeated', { node: node.id }));
    if (!KNOWN_TYPES.has(node.type)) return nodeFault(index, 'type', node, problem('nodeType', { node: node.id, type: node.type }));
    seen.add(node.id);
  }
  return null;
}

function startFault({ entryNodeId, nodes }: Located): ScriptFault | null {
  const [first, second] = nodes.filter(node => node.type === 'start');
  if (!first) return { field: 'nodes', nodeId: null, problem: problem('noStart') };
  if (second) return nodeFault(nodes.indexOf(second), 'type', second, problem('secondStart', { node: second.id, first: first.id }));
  if (entryNodeId === first.id) return null;
  return { field: 'entryNodeId', nodeId: entryNodeId, problem: problem('entryNode', { first: first.id, given: entryNodeId }) };
}

function nextFault(nodes: readonly ScriptNode[]): ScriptFault | null {
  const ids = new Set(nodes.map(node => node.id));
  for (const [index, node] of nodes.entries()) {
    const { next } = node;
    if (typeof next === 'object' && next !== null && !Object.hasOwn(next, DEFAULT_BRANCH)) {
      return nodeFault(index, 'next', node, problem('noDefaultBranch', { node: node.id, branch: DEFAULT_BRANCH }));
    }
    const dangling = branchesOf(node).find(([, target]) => !ids.has(target));
    if (dangling) {
      const [branch, target] = dangling;
      return nodeFault(index, 'next', node, problem('danglingBranch', { node: node.id, branch, target }));
    }
  }
  return null;
}

function pathFault({ entryNodeId, nodes }: Located): ScriptFault | null {
  const forward = new Map(nodes.map(node => [node.id, targetsOf(node)]));
  const reachable = walk([entryNodeId], forward);
  const finishing = walk(
    nodes.filter(node => LAST_TYPES.has(node.type)).map(node => node.id),
    reversed(forward),
  );
  for (const [index, node] of nodes.entries()) {
    if (!reachable.has(node.id)) return nodeFault(index, 'id', node, problem('unreachableNode', { node: node.id }));
    if (!finishing.has(node.id)) return nodeFault(index, 'next', node, problem('endlessNode', { node: node.id }));
  }
  return null;
}

function rulesFault(rules: readonly ResultRule[]): ScriptFault | null {
  if (rules.length > MAX_RESULT_RULES)
    return { field: 'resultRules', nodeId: null, problem: problem('rulesAtMost', { max: MAX_RESULT_RULES }) };
  for (const [index, { when }] of rules.entries()) {
    const fault = when === undefined || when === null ? null : conditionFault(when, `resultRules[${index}].when`);
    if (fault) return { ...fault, nodeId: null };
  }
  return null;
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
