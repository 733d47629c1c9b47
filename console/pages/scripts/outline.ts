import { DEFAULT_BRANCH, type ScriptNode, type ScriptText } from './script-text.ts';

/** One line of a script outline, read from top to bottom. */
export interface OutlineLine {
  key: string;
  /** Indentation: the number of branches that lead here, not of steps. */
  depth: number;
  /** The branch that leads here; null for the entry node and for a step that simply follows. */
  branch: string | null;
  nodeId: string;
  /** Null when the script names a node that it does not have. */
  node: ScriptNode | null;
  /** Whether the node already appears above; its successors are not repeated. */
  isRepeat: boolean;
}

/** Outline of a script: the only successor follows below, branches are indented, the default branch comes after them. */
export function outlineOf({ entryNodeId, nodes }: ScriptText): OutlineLine[] {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const visited = new Set<string>();
  const lines: OutlineLine[] = [];
  const tell = (nodeId: string, depth: number, branch: string | null): void => {
    const node = byId.get(nodeId) ?? null;
    const isRepeat = visited.has(nodeId);
    lines.push({ key: String(lines.length), depth, branch, nodeId, node, isRepeat });
    if (isRepeat || node === null) return;
    visited.add(nodeId);
    for (const [name, to] of node.branches) {
      const isFollowing = name === DEFAULT_BRANCH;
      tell(to, isFollowing ? depth : depth + 1, isFollowing && node.branches.length === 1 ? null : name);
    }
  };
  tell(entryNodeId, 0, null);
  return lines;
}
