import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { PROJECT, type SourceFile } from './source-tree.ts';

export interface ImportEdge {
  from: string;
  /** Path within the project, or the specifier of a package. */
  to: string;
  specifier: string;
  typeOnly: boolean;
  outside: boolean;
}

/** Aliases of package.json, longest first: `#test/` → `test/`, `#` → `src/`. */
const ALIASES: [alias: string, folder: string][] = Object.entries(
  (JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { imports: Record<string, string> }).imports,
)
  .map(([alias, target]): [string, string] => [alias.slice(0, -1), target.slice('./'.length, -1)])
  .sort(([a], [b]) => b.length - a.length);

export function importEdges(tree: readonly SourceFile[]): ImportEdge[] {
  return tree.flatMap(file =>
    file.imports.map(({ specifier, typeOnly }) => ({ from: file.path, specifier, typeOnly, ...resolveSpecifier(file.path, specifier) })),
  );
}

function resolveSpecifier(from: string, specifier: string): { to: string; outside: boolean } {
  if (specifier.startsWith('.')) return { to: posix.join(posix.dirname(from), specifier), outside: false };
  const alias = ALIASES.find(([name]) => specifier.startsWith(name));
  return alias ? { to: alias[1] + specifier.slice(alias[0].length), outside: false } : { to: specifier, outside: true };
}

/** Groups of nodes that can reach each other, each group sorted; a node that imports itself is a group too. */
export function findCycles(edges: readonly { from: string; to: string }[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const reachable = new Map([...targets.keys()].map(node => [node, reach(node, targets)]));
  const groups = new Map<string, string[]>();
  for (const [node, seen] of reachable) {
    if (!seen.has(node)) continue;
    const group = [...seen].filter(other => reachable.get(other)?.has(node)).sort();
    groups.set(group.join(), group);
  }
  return [...groups.values()];
}

function reach(start: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set<string>();
  const waiting = [...(targets.get(start) ?? [])];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    waiting.push(...(targets.get(node) ?? []));
  }
  return seen;
}
