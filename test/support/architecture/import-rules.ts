import { dirname } from 'node:path/posix';
import { findCycles, importEdges } from './import-graph.ts';
import { folderBelow, isBelow, mayImport, mayImportPackage, ringOf } from './rings.ts';
import type { SourceFile } from './source-tree.ts';

type Tree = readonly SourceFile[];

/** Imports that go up or across the rings, of files and of packages. */
export function forbiddenImports(tree: Tree): string[] {
  return importEdges(tree)
    .filter(edge => !(edge.outside ? mayImportPackage(edge.from, edge.specifier) : mayImport(edge.from, edge.to, edge.typeOnly)))
    .map(edge => `${edge.from} imports ${edge.specifier}`);
}

/** `./` and `../` stay inside a ring; another ring is named by its alias; the file is named with its extension and exists. */
export function unclearImports(tree: Tree): string[] {
  const paths = new Set(tree.map(file => file.path));
  // Code that is made before each check need not be there yet.
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
  // package.json lies beside the rings and has no alias.
  return specifier.startsWith('.') && topFolder(from) !== topFolder(to) && from !== 'src/main.ts' && to !== 'package.json';
}

function topFolder(path: string): string {
  return path.split('/', path.startsWith('src/') ? 2 : 1).join('/');
}

/** Files that reach each other by imports, type-only ones too. */
export function importCycles(tree: Tree): string[] {
  const edges = importEdges(tree).filter(edge => !edge.outside);
  return findCycles(edges).map(group => group.join(' ↔ '));
}

/** Nouns under operations, and parts of dialling, whose folders import each other: siblings are named in one direction. */
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

/** Tools that run what lies in test/ and bench/, by a path that they make when they run; and the folder of migrations, each loaded by its name. */
const LOADERS = [...['bench', 'run-outside'].map(tool => `tools/commands/${tool}.ts`), 'migrations/list.ts'];

/** `import(somewhere)`: what it loads is in no graph, so only the loaders may. */
export function hiddenImports(tree: Tree): string[] {
  return tree
    .filter(file => ringOf(file.path) !== 'test' && !LOADERS.includes(file.path))
    .filter(file => /(?<![.\w$])import\s*\(\s*(?!['"])/.test(file.code))
    .map(file => file.path);
}
