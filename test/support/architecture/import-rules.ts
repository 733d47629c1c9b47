import { findCycles, importEdges } from './import-graph.ts';
import { besideOf, mayImportFromBeside, mayImportPackage } from './rooms.ts';
import type { SourceFile } from './source-tree.ts';

type Tree = readonly SourceFile[];

/** Imports of a package outside its technology's folder, and of product files by tools, examples and migrations that must not know them. */
export function forbiddenImports(tree: Tree): string[] {
  return importEdges(tree)
    .filter(edge => !(edge.outside ? mayImportPackage(edge.from, edge.specifier) : mayImportFile(edge.from, edge.to)))
    .map(edge => `${edge.from} imports ${edge.specifier}`);
}

/** The product must not import tools, tests, benches or examples; `order.ts` checks imports between its own folders. */
function mayImportFile(from: string, to: string): boolean {
  const beside = besideOf(from);
  if (beside !== null) return mayImportFromBeside(beside, to);
  return ['src', 'actors', 'migrations', 'package.json'].includes(to.split('/', 1)[0] ?? '');
}

/** Relative paths stay inside a folder of `src/`, other folders are imported by alias, and every import names an existing file with its extension. */
export function unclearImports(tree: Tree): string[] {
  const paths = new Set(tree.map(file => file.path));
  // Generated code may not exist yet: it is made before each check.
  const isThere = (path: string) => path.endsWith('.generated.ts') || paths.has(path);
  return importEdges(tree)
    .filter(edge => !edge.outside && besideOf(edge.from) !== 'test')
    .filter(
      edge =>
        isLeavingByPath(edge.from, edge.to, edge.specifier) || (/\.(ts|lua)$/.test(edge.to) ? !isThere(edge.to) : !/\.\w+$/.test(edge.to)),
    )
    .map(edge => `${edge.from} imports ${edge.specifier}`);
}

function isLeavingByPath(from: string, to: string, specifier: string): boolean {
  // package.json lies in the top folder, for which there is no alias.
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

/** Files that load modules by computed paths: the tools that run test/ and bench/, and the list of migrations. */
const LOADERS = [...['bench', 'run-outside'].map(tool => `tools/commands/${tool}.ts`), 'tools/data/holidays.ts', 'migrations/list.ts'];

/** Dynamic imports with a computed path, which no import graph shows: only LOADERS may use them. */
export function hiddenImports(tree: Tree): string[] {
  return tree
    .filter(file => besideOf(file.path) !== 'test' && !LOADERS.includes(file.path))
    .filter(file => /(?<![.\w$])import\s*\(\s*(?!['"])/.test(file.code))
    .map(file => file.path);
}
