import { dirname } from 'node:path/posix';
import { findCycles, importEdges } from './import-graph.ts';
import { folderBelow, isBelow, mayImport, mayImportPackage, ringOf } from './rings.ts';
import type { SourceFile } from './source-tree.ts';

type Tree = readonly SourceFile[];

/** Imports of files or packages that the table of rings forbids. */
export function forbiddenImports(tree: Tree): string[] {
  return importEdges(tree)
    .filter(edge => !(edge.outside ? mayImportPackage(edge.from, edge.specifier) : mayImport(edge.from, edge.to, edge.typeOnly)))
    .map(edge => `${edge.from} imports ${edge.specifier}`);
}

/** Relative paths stay inside a ring, other rings are imported by alias, and every import names an existing file with its extension. */
export function unclearImports(tree: Tree): string[] {
  const paths = new Set(tree.map(file => file.path));
  // Generated code may not exist yet: it is made before each check.
  const isThere = (path: string) => path.endsWith('.generated.ts') || paths.has(path);
  return importEdges(tree)
    .filter(edge => !edge.outside && ringOf(edge.from) !== 'test')
    .filter(
      edge =>
        isLeavingByPath(edge.from, edge.to, edge.specifier) || (/\.(ts|lua)$/.test(edge.to) ? !isThere(edge.to) : !/\.\w+$/.test(edge.to)),
    )
    .map(edge => `${edge.from} imports ${edge.specifier}`);
}

function isLeavingByPath(from: string, to: string, specifier: string): boolean {
  // package.json has no alias because it is outside every ring.
  return specifier.startsWith('.') && topFolder(from) !== topFolder(to) && from !== 'src/main.ts' && to !== 'package.json';
}

function topFolder(path: string): string {
  return path.split('/', path.startsWith('src/') ? 2 : 1).join('/');
}

/** Files that import each other in a cycle; type-only imports count. */
export function importCycles(tree: Tree): string[] {
  const edges = importEdges(tree).filter(edge => !edge.outside);
  return findCycles(edges).map(group => group.join(' ↔ '));
}

/** Nouns below operations, and parts of dialling, whose folders import each other: siblings may only import in one direction. */
export function nounCycles(tree: Tree): string[] {
  const edges = importEdges(tree).flatMap(edge => {
    const [from, to] = [nounOf(edge.from), nounOf(edge.to)];
    return from && to && from !== to ? [{ from, to }] : [];
  });
  return findCycles(edges).map(group => group.join(' ↔ '));
}

function nounOf(path: string): string | null {
  if (isBelow(path, 'src/operations')) return folderBelow('src/operations', path);
  return isBelow(path, 'src/dialling') ? dirname(path).slice('src/'.length) : null;
}

/** Files that load modules by computed paths: the tools that run test/ and bench/, and the list of migrations. */
const LOADERS = [...['bench', 'run-outside'].map(tool => `tools/commands/${tool}.ts`), 'migrations/list.ts'];

/** Dynamic imports with a computed path, which no import graph shows: only LOADERS may use them. */
export function hiddenImports(tree: Tree): string[] {
  return tree
    .filter(file => ringOf(file.path) !== 'test' && !LOADERS.includes(file.path))
    .filter(file => /(?<![.\w$])import\s*\(\s*(?!['"])/.test(file.code))
    .map(file => file.path);
}
