import type { ScriptCondition } from './condition.ts';

/** Source: OCS 4.3 */
export const SCRIPT_NODE_TYPES = ['start', 'send', 'collect', 'router', 'chat', 'end', 'transfer'] as const;

/** Limit of nodes in a script. */
export const MAX_SCRIPT_NODES = 500;
export const MAX_RESULT_RULES = 200;
/** Branch taken when no other matches. */
export const DEFAULT_BRANCH = 'default';

export interface ScriptNode {
  id: string;
  type: string;
  name: string;
  config: Readonly<Record<string, unknown>>;
  /** A node id, or node ids by branch with `default`; absent or null at the end of a path. */
  next?: string | Readonly<Record<string, string>> | null;
}

export interface ResultRule {
  /** Absent or null: always matches. */
  when?: ScriptCondition | null;
  classification: string | null;
  intent: string | null;
}

export interface NluPlan {
  profile?: string | null;
  branches: readonly { key: string; desc: string }[];
  fields: readonly { key: string; label: string; type: string }[];
}

/** The parts of a stored script that are needed to run a call. Source: D11 */
export interface ScriptGraph {
  entryNodeId: string;
  nodes: readonly ScriptNode[];
  variables: readonly { key: string; label?: string; defaultValue: unknown }[];
  phrases: readonly { key: string; text: string }[];
  nlu: NluPlan;
  resultRules: readonly ResultRule[];
}

/** A problem in a script: path in the request body, node (null when it concerns no single node) and message in Chinese. */
export interface ScriptFault {
  field: string;
  nodeId: string | null;
  problem: string;
}

/** Target nodes of `next` by branch; a plain `next` is the default branch. */
export function branchesOf({ next }: ScriptNode): readonly (readonly [branch: string, nodeId: string])[] {
  if (next === undefined || next === null) return [];
  return typeof next === 'string' ? [[DEFAULT_BRANCH, next]] : Object.entries(next);
}
