import { isBelow } from './rooms.ts';
import type { SourceFile } from './source-tree.ts';

type Tree = readonly SourceFile[];

interface Ban {
  what: string;
  pattern: RegExp;
}

/** Time, randomness and I/O are parameters (A1.8). */
const IMPURE: readonly Ban[] = [
  { what: 'Date.now', pattern: /\bDate\s*\.\s*now\b/ },
  { what: 'new Date() without an instant', pattern: /\bnew\s+Date\s*(\(\s*\)|(?!\s*\())/ },
  { what: 'Temporal.Now', pattern: /\bTemporal\s*\.\s*Now\b/ },
  { what: 'performance', pattern: /(?<![.\w$])performance\s*\./ },
  { what: 'Math.random', pattern: /\bMath\s*\.\s*random\b/ },
  { what: 'randomUUID or randomBytes', pattern: /\brandom(UUID|Bytes)\b/ },
  { what: 'a timer', pattern: /(?<![.\w$])(setTimeout|setInterval|setImmediate|queueMicrotask)\b/ },
  { what: 'process', pattern: /(?<![.\w$'-])process\s*(\.|\?\.|\[)/ },
  { what: 'globalThis', pattern: /\bglobalThis\b/ },
  { what: 'fetch', pattern: /(?<![.\w$])fetch\s*\(/ },
  { what: 'console', pattern: /(?<![.\w$])console\s*\./ },
];
const IMPURE_MODULES =
  /^node:(fs|net|http|https|http2|dgram|dns|tls|child_process|cluster|worker_threads|timers|os|process|readline|perf_hooks)(\/|$)/;

/** Folders of `src/` that do I/O themselves: the technologies, the composition, and the processes. */
const IMPURE_FOLDERS = [
  'src/platform',
  'src/app',
  'src/serve',
  'src/nlu',
  'src/main.ts',
  // The two files of nouns that are themselves the way to a technology: the store of recordings, the client of the NLU service.
  'src/recordings/recording-store.ts',
  'src/scripts/nlu-client.ts',
];

/** The kernel's own sources of time, randomness and ids may use them. */
const SOURCES = ['src/kernel/clock.ts', 'src/kernel/random.ts', 'src/kernel/ids.ts'];

/** Secrets come from the operating system's random source, never from a seed. */
const SECRET_MAKERS = ['src/access', 'src/users'];

export function impurities(tree: Tree): string[] {
  return tree
    .filter(file => isPureByFolder(file.path) && !SOURCES.includes(file.path))
    .flatMap(file => {
      const bans = SECRET_MAKERS.some(folder => isBelow(file.path, folder))
        ? IMPURE.filter(ban => ban.what !== 'randomUUID or randomBytes')
        : IMPURE;
      const modules = file.imports
        .filter(({ specifier, typeOnly }) => !typeOnly && IMPURE_MODULES.test(specifier))
        .map(({ specifier }) => specifier);
      return [...brokenBans(file, bans), ...modules.map(module => `${file.path}: ${module}`)];
    });
}

function isPureByFolder(path: string): boolean {
  return (isBelow(path, 'src') || isBelow(path, 'actors')) && !IMPURE_FOLDERS.some(folder => isBelow(path, folder));
}

/** A machine can be restored from JSON on any instance, so no state may live outside its snapshot (A3). */
const MACHINE_BANS: readonly Ban[] = [
  { what: 'invoke', pattern: /\binvoke\s*:/ },
  { what: 'spawn', pattern: /\b(spawn|spawnChild)\b/ },
  { what: 'an actor of its own', pattern: /\b(createActor|fromPromise|fromCallback|fromObservable|fromTransition)\b/ },
  { what: 'a delay without a name', pattern: /\bafter\s*:\s*\{\s*\d|\bdelay\s*:\s*\d/ },
  { what: 'a clock', pattern: /\b(Clock|systemClock|Random|systemRandom)\b/ },
];

export function machineFaults(tree: Tree): string[] {
  return tree.filter(file => isBelow(file.path, 'actors')).flatMap(file => brokenBans(file, MACHINE_BANS));
}

/** Product code that behaves differently under test. */
export function testSwitches(tree: Tree): string[] {
  const bans: readonly Ban[] = [{ what: 'NODE_ENV', pattern: /\bNODE_ENV\b|\bJEST_WORKER_ID\b/ }];
  const product = tree.filter(file => isBelow(file.path, 'src') || isBelow(file.path, 'actors'));
  return product.flatMap(file => brokenBans({ path: file.path, code: file.withStrings }, bans));
}

function brokenBans({ path, code }: Pick<SourceFile, 'path' | 'code'>, bans: readonly Ban[]): string[] {
  return bans.filter(ban => ban.pattern.test(code)).map(ban => `${path}: ${ban.what}`);
}
