import { findCycles, importEdges } from './import-graph.ts';
import type { SourceFile } from './source-tree.ts';

type Tree = readonly SourceFile[];

/** Folders of the console, in order: each may import those before it. The files beside them join the folders, and any folder may import them. */
const ORDER = ['text', 'api', 'live', 'ui', 'phone', 'table', 'form', 'shell', 'pages'];

/** Imports against the order, and files in a folder that it does not name. */
export function againstConsoleOrder(tree: Tree): string[] {
  const homeless = tree.map(({ path }) => path).filter(path => folderOf(path) !== null && placeOf(path) === -1);
  const against = importEdges(tree)
    .filter(({ from, to }) => folderOf(from) !== null && folderOf(to) !== null && placeOf(from) < placeOf(to))
    .map(({ from, to }) => `${from} → ${to}`);
  return [...homeless, ...against];
}

/** Nouns whose pages import each other in a circle, even if no file does. */
export function nounCircles(tree: Tree): string[] {
  const edges = importEdges(tree).flatMap(edge => {
    const [from, to] = [nounOf(edge.from), nounOf(edge.to)];
    return from === null || to === null || from === to ? [] : [{ from, to }];
  });
  return findCycles(edges).map(group => group.join(' ↔ '));
}

function placeOf(path: string): number {
  return ORDER.indexOf(folderOf(path) ?? '');
}

/** Null for a file beside the folders. */
function folderOf(path: string): string | null {
  return /^console\/([\w-]+)\//.exec(path)?.[1] ?? null;
}

function nounOf(path: string): string | null {
  return /^console\/pages\/[\w-]+(?=\/)/.exec(path)?.[0] ?? null;
}
