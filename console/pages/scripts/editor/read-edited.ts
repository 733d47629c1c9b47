import type { EditedNode, EditedScript } from './graph.ts';

interface StoredScript {
  entryNodeId?: unknown;
  nodes?: unknown;
  variables?: unknown;
  phrases?: unknown;
  nlu?: unknown;
  resultRules?: unknown;
}

/** The schema has the parts of a script as JSON; missing parts become empty. */
export function readEdited({ entryNodeId, nodes, variables, phrases, nlu, resultRules }: StoredScript): EditedScript {
  const { profile, branches, fields } = membersOf(nlu);
  return {
    entryNodeId: textOf(entryNodeId),
    nodes: rowsOf(nodes).map(readNode),
    variables: rowsOf(variables).map(({ key, label, defaultValue = null }) => ({ key: textOf(key), label: textOf(label), defaultValue })),
    phrases: rowsOf(phrases).map(({ key, text }) => ({ key: textOf(key), text: textOf(text) })),
    nlu: {
      profile: typeof profile === 'string' ? profile : null,
      branches: rowsOf(branches).map(({ key, desc, examples }) => ({ key: textOf(key), desc: textOf(desc), ...readExamples(examples) })),
      fields: rowsOf(fields).map(({ key, label, type }) => ({ key: textOf(key), label: textOf(label), type: textOf(type) })),
    },
    resultRules: rowsOf(resultRules).map(({ when = null, classification, intent }) => ({
      when,
      classification: typeof classification === 'string' ? classification : null,
      intent: typeof intent === 'string' ? intent : null,
    })),
  };
}

function readExamples(examples: unknown): { examples?: readonly string[] } {
  return Array.isArray(examples) && examples.length > 0 ? { examples: examples.map(textOf) } : {};
}

function readNode({ id, type, name, config, next }: Row): EditedNode {
  return { id: textOf(id), type: textOf(type), name: textOf(name), config: membersOf(config), next: readNext(next) };
}

function readNext(next: unknown): EditedNode['next'] {
  if (typeof next === 'string') return next;
  const branches = Object.entries(membersOf(next)).map(([branch, to]) => [branch, textOf(to)] as const);
  return branches.length === 0 ? null : Object.fromEntries(branches);
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

function membersOf(value: unknown): Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
