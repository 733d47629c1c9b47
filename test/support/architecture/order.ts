import { basename, dirname } from 'node:path/posix';
import { importEdges } from './import-graph.ts';
import { isGround, isNoun, isPure, isPurePackage, ORDER, ROOMS } from './rooms.ts';
import type { SourceFile } from './source-tree.ts';

/** Files through which clients enter a noun, by their names; they may import every inside. */
const DOORS = new Set(['routes.ts', 'resolvers.ts', 'bus.ts', 'stream.ts', 'phone-directory-page.ts']);

interface Place {
  /** Folder of `src/`, or `actors`. */
  room: string;
  sort: 'pure' | 'inside' | 'door';
}

/** Imports that the order of the nouns forbids, one line for each pair of files. */
export function againstTheOrder(tree: readonly SourceFile[]): string[] {
  const lines = importEdges(tree)
    .filter(edge => !edge.outside && isHoused(edge.from) && isHoused(edge.to))
    .filter(edge => !mayKnow(placeOf(edge.from), placeOf(edge.to), edge.typeOnly))
    .map(edge => `${edge.from} → ${edge.to}`);
  return [...new Set(lines)].sort();
}

/** Values that a pure file takes from a package that does more than compute. */
export function impurePackages(tree: readonly SourceFile[]): string[] {
  return importEdges(tree)
    .filter(({ from, specifier, typeOnly, outside }) => outside && !typeOnly && isHoused(from) && !isPurePackage(specifier))
    .filter(({ from }) => placeOf(from).sort === 'pure')
    .map(({ from, specifier }) => `${from} imports ${specifier}`);
}

/** Folders that tests are named for although the tree of TypeScript files does not hold them. */
const OTHER_FOLDERS = ['console', 'docker', 'docs'];

/** Unit and integration tests whose folder is none of `src/`, none beside it, and not `support`. */
export function homelessTests(tree: readonly SourceFile[]): string[] {
  const folders = new Set(tree.flatMap(file => foldersOf(file.path)));
  return tree
    .map(file => file.path)
    .filter(path => {
      const [tier = '', folder = ''] = /^test\/(?:unit|integration)\/(?:(.+)\/)?/.exec(path) ?? [];
      if (tier === '') return false;
      return ![`src/${folder}`, folder].some(place => folders.has(place)) && ![...OTHER_FOLDERS, 'support'].includes(folder);
    });
}

/** `a/b/c.ts` → `a/b`, `a`. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

/** Files in folders of `src/` that the order does not name. */
export function homeless(tree: readonly SourceFile[]): string[] {
  return tree.map(file => file.path).filter(path => isHoused(path) && !ROOMS.has(placeOf(path).room));
}

function isHoused(path: string): boolean {
  return (
    /^(?:src|actors)\/.*\.ts$/.test(path) && path !== 'src/main.ts' && path !== 'tools/role-setting.ts' && !path.endsWith('.generated.ts')
  );
}

function placeOf(path: string): Place {
  const [top = '', folder = ''] = path.split('/');
  const room = top === 'actors' ? top : folder;
  if (isNoun(room) && DOORS.has(basename(path))) return { room, sort: 'door' };
  return { room, sort: isPure(path, room) ? 'pure' : 'inside' };
}

function mayKnow(from: Place, to: Place, typeOnly: boolean): boolean {
  if (from.room === 'serve') return true;
  if (from.room === 'nlu' || to.room === 'nlu') return from.room === to.room || isGround(to.room) || isGround(from.room);
  if (to.sort === 'door') return from.sort === 'door' && from.room === to.room;
  if (from.sort === 'door' || from.room === 'graph' || from.room === 'app')
    return to.room !== 'serve' && !(from.room === 'app' && to.room === 'graph');
  if (to.room === 'serve' || to.room === 'app' || to.room === 'graph') return false;
  // The machines stand between pure and inside: they name words of nouns, and any noun runs any machine.
  if (from.room === 'actors') return to.sort === 'pure' || typeOnly;
  if (to.room === 'actors') return !isGround(from.room);
  if (from.sort === 'pure' && to.sort === 'inside' && !typeOnly) return false;
  return ORDER.indexOf(to.room) <= ORDER.indexOf(from.room);
}
