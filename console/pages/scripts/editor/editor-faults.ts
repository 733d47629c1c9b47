import type { EditedScript } from './graph.ts';

/** A fault as the server names it: `field` is a path such as `nodes[3].config.phrase`. */
export interface ScriptFault {
  field: string;
  nodeId: string | null;
  problem: string;
  isBlocking: boolean;
}

export const SCRIPT_PARTS = ['variables', 'phrases', 'nlu', 'resultRules'] as const;
export type ScriptPartName = (typeof SCRIPT_PARTS)[number];

/** Faults of one node, by the member that they belong to: `config.phrase`, `next`, `id`. */
export function faultsOfNode(faults: readonly ScriptFault[], { nodes }: Pick<EditedScript, 'nodes'>, nodeId: string) {
  const index = nodes.findIndex(({ id }) => id === nodeId);
  const path = `nodes[${index}].`;
  return faults
    .filter(fault => fault.field.startsWith(path))
    .map(({ field, problem, isBlocking }) => ({ member: field.slice(path.length), problem, isBlocking }));
}

/** The place of a fault: a node, or a part of the script. */
export function placeOf({ field, nodeId }: ScriptFault): { nodeId: string } | { part: ScriptPartName } | null {
  if (nodeId !== null) return { nodeId };
  const part = SCRIPT_PARTS.find(name => field.startsWith(name));
  return part === undefined ? null : { part };
}
