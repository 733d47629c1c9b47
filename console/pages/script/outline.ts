import { DEFAULT_BRANCH, type ScriptNode, type ScriptText } from './script-text.ts';

/** One line of a script that is read from top to bottom. */
export interface OutlineLine {
  key: string;
  /** How far it is set in: by the branches that lead to it, not by the steps. */
  depth: number;
  /** The branch that leads here; null for the beginning, and for a step that simply follows. */
  branch: string | null;
  nodeId: string;
  /** Null where the script names a node that it does not have. */
  node: ScriptNode | null;
  /** It stands above already, and is not told again. */
  isRepeat: boolean;
}

/** The way through a script: what simply follows stands below, each other branch is set in, what is taken otherwise comes after them. */
export function outlineOf({ entryNodeId, nodes }: ScriptText): OutlineLine[] {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const told = new Set<string>();
  const lines: OutlineLine[] = [];
  const tell = (nodeId: string, depth: number, branch: string | null): void => {
    const node = byId.get(nodeId) ?? null;
    const isRepeat = told.has(nodeId);
    lines.push({ key: String(lines.length), depth, branch, nodeId, node, isRepeat });
    if (isRepeat || node === null) return;
    told.add(nodeId);
    for (const [name, to] of node.branches) {
      const isFollowing = name === DEFAULT_BRANCH;
      tell(to, isFollowing ? depth : depth + 1, isFollowing && node.branches.length === 1 ? null : name);
    }
  };
  tell(entryNodeId, 0, null);
  return lines;
}
