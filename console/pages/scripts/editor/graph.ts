/** One node as scripts store it. */
export interface EditedNode {
  id: string;
  type: string;
  name: string;
  config: Readonly<Record<string, unknown>>;
  next: string | Readonly<Record<string, string>> | null;
}

/** A script as an editor holds it, in the form in which it is saved. */
export interface EditedScript {
  entryNodeId: string;
  nodes: readonly EditedNode[];
  variables: readonly { key: string; label: string; defaultValue: unknown }[];
  phrases: readonly { key: string; text: string }[];
  nlu: {
    profile: string | null;
    branches: readonly { key: string; desc: string; examples?: readonly string[] }[];
    fields: readonly { key: string; label: string; type: string }[];
  };
  resultRules: readonly EditedRule[];
}

export interface EditedRule {
  when: unknown;
  classification: string | null;
  intent: string | null;
}

export const DEFAULT_BRANCH = 'default';

/** A way from one node to another. */
export interface Edge {
  from: string;
  branch: string;
  to: string;
}

/** Targets of a node by branch, the default last. */
export function branchesOf({ next }: Pick<EditedNode, 'next'>): readonly (readonly [branch: string, to: string])[] {
  if (next === null) return [];
  if (typeof next === 'string') return [[DEFAULT_BRANCH, next]];
  const entries = Object.entries(next);
  return [...entries.filter(([branch]) => branch !== DEFAULT_BRANCH), ...entries.filter(([branch]) => branch === DEFAULT_BRANCH)];
}

/** Edges between nodes that exist. */
export function edgesOf({ nodes }: Pick<EditedScript, 'nodes'>): Edge[] {
  const ids = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap(node => branchesOf(node).flatMap(([branch, to]) => (ids.has(to) ? [{ from: node.id, branch, to }] : [])));
}

export function nodeOf({ nodes }: Pick<EditedScript, 'nodes'>, id: string | null): EditedNode | null {
  return nodes.find(node => node.id === id) ?? null;
}

export function changeNode(script: EditedScript, id: string, change: Partial<EditedNode>): EditedScript {
  return { ...script, nodes: script.nodes.map(node => (node.id === id ? { ...node, ...change } : node)) };
}

/** Sets a member of a node's configuration; undefined and the empty text remove it. */
export function changeConfig(script: EditedScript, id: string, name: string, value: unknown): EditedScript {
  const { [name]: _before, ...others } = nodeOf(script, id)?.config ?? {};
  return changeNode(script, id, { config: value === undefined || value === '' ? others : { ...others, [name]: value } });
}

/** Leads a branch of a node to another node; null takes the branch away. */
export function connect(script: EditedScript, from: string, branch: string, to: string | null): EditedScript {
  const node = nodeOf(script, from);
  if (node === null) return script;
  const others = branchesOf(node).filter(([name]) => name !== branch);
  return changeNode(script, from, { next: nextOf(to === null ? others : [...others, [branch, to]]) });
}

/** The shortest form: one default branch is a plain id. */
function nextOf(branches: readonly (readonly [string, string])[]): EditedNode['next'] {
  const [first] = branches;
  if (first === undefined) return null;
  return branches.length === 1 && first[0] === DEFAULT_BRANCH ? first[1] : Object.fromEntries(branches);
}

export interface Added {
  script: EditedScript;
  id: string;
}

/**
 * Puts a new node behind a branch of another: what followed the branch follows the new node, unless a call ends there.
 *
 * Shape: `after` null puts it beside everything
 */
export function addNode(
  script: EditedScript,
  type: string,
  isLast: boolean,
  after: { id: string; branch: string } | null,
  /** Its name, which gets a number where another node has it. */
  word = '',
): Added {
  const id = freeKey(
    type,
    script.nodes.map(node => node.id),
  );
  const from = nodeOf(script, after?.id ?? null);
  const followed = from === null ? undefined : branchesOf(from).find(([branch]) => branch === after?.branch)?.[1];
  const names = script.nodes.map(each => each.name);
  const node: EditedNode = { id, type, name: word && freeKey(word, names), config: {}, next: isLast ? null : (followed ?? null) };
  const added = { ...script, nodes: [...script.nodes, node] };
  return { id, script: after === null ? added : connect(added, after.id, after.branch, id) };
}

export interface NewBranch {
  /** Gets a number where another branch has it. */
  name: string;
  /** Answers of customers, in words and examples. */
  desc: string;
  to: string | null;
}

/** Names of branches that every script has. */
const OWN_BRANCHES = [DEFAULT_BRANCH, 'silence'];

/** Makes a class of answers and leads it from a router to another node. */
export function addBranch(script: EditedScript, routerId: string, { name, desc, to }: NewBranch): EditedScript {
  const { branches } = script.nlu;
  const key = freeKey(name, [...OWN_BRANCHES, ...branches.map(branch => branch.key)]);
  return connect({ ...script, nlu: { ...script.nlu, branches: [...branches, { key, desc }] } }, routerId, key, to);
}

/** An edge drawn from an exit of a router that leads elsewhere already is one more branch, named after its target. */
export function drawBranch(script: EditedScript, { from, branch, to }: Edge, word: string): EditedScript {
  const before = targetOf(script, from, branch);
  if (before === null || before === to) return connect(script, from, branch, to);
  return addBranch(script, from, { name: nodeOf(script, to)?.name || word, desc: '', to });
}

/** Target of a branch of a node; null: none. */
export function targetOf(script: EditedScript, from: string, branch: string): string | null {
  return branchesOf(nodeOf(script, from) ?? { next: null }).find(([name]) => name === branch)?.[1] ?? null;
}

/** Takes a node away: what led to it leads to what followed it by default, or nowhere. */
export function removeNode(script: EditedScript, id: string): EditedScript {
  const gone = nodeOf(script, id);
  if (gone === null) return script;
  const follower = branchesOf(gone).find(([branch, to]) => branch === DEFAULT_BRANCH && to !== id)?.[1] ?? null;
  const left = { ...script, nodes: script.nodes.filter(node => node.id !== id) };
  const leading = edgesOf(script).filter(({ from, to }) => to === id && from !== id);
  const rewired = (reduced: EditedScript, { from, branch }: Edge) => connect(reduced, from, branch, follower === from ? null : follower);
  return leading.reduce(rewired, left);
}

/** `send`, `send2`, `send3` …: the first that is free. */
export function freeKey(base: string, taken: readonly string[]): string {
  if (!taken.includes(base)) return base;
  let count = 2;
  while (taken.includes(`${base}${count}`)) count += 1;
  return `${base}${count}`;
}

/** The spoken text of a node: its own, else its phrase. */
export function saidBy({ config }: EditedNode, { phrases }: Pick<EditedScript, 'phrases'>): string {
  const { text, phrase } = config;
  if (typeof text === 'string' && text.trim() !== '') return text;
  return phrases.find(({ key }) => key === phrase)?.text ?? '';
}

/** Keys by which nodes name a part of the script. */
export type NamedPart = 'phrases' | 'branches' | 'fields';

/** Gives a phrase, branch or field another key, also where nodes name it. */
export function renameKey(script: EditedScript, part: NamedPart, before: string, after: string): EditedScript {
  const rename = <Row extends { key: string }>(rows: readonly Row[]) =>
    rows.map(row => (row.key === before ? { ...row, key: after } : row));
  const nodes = script.nodes.map(node => renamedIn(node, part, before, after));
  if (part === 'phrases') return { ...script, nodes, phrases: rename(script.phrases) };
  return { ...script, nodes, nlu: { ...script.nlu, [part]: rename<{ key: string }>(script.nlu[part]) } };
}

function renamedIn(node: EditedNode, part: NamedPart, before: string, after: string): EditedNode {
  if (part === 'branches') {
    const { next } = node;
    if (next === null || typeof next === 'string') return node;
    return { ...node, next: Object.fromEntries(Object.entries(next).map(([branch, to]) => [branch === before ? after : branch, to])) };
  }
  const swap = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(swap);
    return value === before ? after : value;
  };
  const names = part === 'phrases' ? ['phrase', 'retryPhrase'] : ['fields'];
  const config = Object.entries(node.config).map(([name, value]) => [name, names.includes(name) ? swap(value) : value]);
  return { ...node, config: Object.fromEntries(config) };
}
