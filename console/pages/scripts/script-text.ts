import type { ScriptTextFragment } from './script.generated.ts';

/** One node of a script. */
export interface ScriptNode {
  id: string;
  type: string;
  name: string;
  config: Readonly<Record<string, unknown>>;
  /** Successor by branch; the default comes last. */
  branches: readonly (readonly [branch: string, nodeId: string])[];
}

/** A version in the form of lists that the pages show. */
export interface ScriptText {
  entryNodeId: string;
  nodes: readonly ScriptNode[];
  phrases: readonly { key: string; text: string }[];
  variables: readonly { key: string; label: string; defaultValue: unknown }[];
  branches: readonly { key: string; desc: string; examples?: readonly string[] }[];
  fields: readonly { key: string; label: string; type: string }[];
  profile: string;
  rules: readonly { when: unknown; classification: string | null; intent: string | null }[];
}

export const DEFAULT_BRANCH = 'default';

/** The schema has the parts of a script as JSON; missing parts become empty. */
export function readScript({ entryNodeId, nodes, phrases, variables, nlu, resultRules }: ScriptTextFragment): ScriptText {
  const { branches, fields, profile } = membersOf(nlu);
  return {
    entryNodeId,
    nodes: rowsOf(nodes).map(node =>
      readNode(
        node,
        rowsOf(branches).map(({ key }) => key),
      ),
    ),
    phrases: rowsOf(phrases).map(({ key, text }) => ({ key: textOf(key), text: textOf(text) })),
    variables: rowsOf(variables).map(({ key, label, defaultValue }) => ({ key: textOf(key), label: textOf(label), defaultValue })),
    branches: rowsOf(branches).map(({ key, desc, examples }) => ({
      key: textOf(key),
      desc: textOf(desc),
      ...(Array.isArray(examples) && examples.length > 0 ? { examples: examples.map(textOf) } : {}),
    })),
    fields: rowsOf(fields).map(({ key, label, type }) => ({ key: textOf(key), label: textOf(label), type: textOf(type) })),
    profile: textOf(profile),
    rules: rowsOf(resultRules).map(({ when = null, classification, intent }) => ({
      when,
      classification: classification ? textOf(classification) : null,
      intent: intent ? textOf(intent) : null,
    })),
  };
}

/** JSONB does not keep the order of members: branches follow the script's own list of them, the default last. */
function readNode({ id, type, name, config, next }: Row, order: readonly unknown[]): ScriptNode {
  const branches =
    typeof next === 'string'
      ? [[DEFAULT_BRANCH, next] as const]
      : Object.entries(membersOf(next)).map(([branch, to]) => [branch, textOf(to)] as const);
  const placeOf = ([branch]: readonly [string, string]) => (branch === DEFAULT_BRANCH ? order.length : order.indexOf(branch));
  return {
    id: textOf(id),
    type: textOf(type),
    name: textOf(name),
    config: membersOf(config),
    branches: branches.toSorted((a, b) => placeOf(a) - placeOf(b)),
  };
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

function membersOf(value: unknown): Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}
