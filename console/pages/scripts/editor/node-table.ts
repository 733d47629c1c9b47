import type { NodeTypeFragment } from './editor.generated.ts';

export type NodeForm = NodeTypeFragment;
export type NodeField = NodeForm['fields'][number];

/** The server's table of node types. */
export interface NodeTable {
  all: readonly NodeForm[];
  formOf: (type: string) => NodeForm | null;
  /** Whether a call ends at such a node. */
  isLast: (type: string) => boolean;
}

export function nodeTable(all: readonly NodeForm[]): NodeTable {
  const byType = new Map(all.map(form => [form.type, form]));
  return { all, formOf: type => byType.get(type) ?? null, isLast: type => byType.get(type)?.branches === 'NONE' };
}
