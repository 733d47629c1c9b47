/** A row of the ring table: the project files and packages that a ring may import. */
interface Ring {
  /** Allowed rings, as path prefixes; a ring's own folder is always allowed. */
  may: readonly string[];
  /** Allowed single files or folders of other rings. */
  mayAlso?: readonly string[];
  /** Rings from which only types may be imported; those imports vanish at run time. */
  mayNameTypesOf?: readonly string[];
  /** Allowed packages and `node:` modules; when absent, everything except the TECHNOLOGY packages. */
  packages?: readonly string[];
  /** Whether its subfolders must not import each other: `adapters/redis` never imports `adapters/nats`. */
  apart?: boolean;
}

const PURE = ['src/kernel', 'src/model', 'src/rules', 'src/contract', 'src/ports', 'actors'];

/** The table of src/README.md (A2). */
export const RINGS: Record<string, Ring> = {
  'src/kernel': { may: [], packages: ['node:crypto', 'node:async_hooks'] },
  'src/model': { may: ['src/kernel', 'src/rules'], packages: ['zod', '@mikro-orm/core'] },
  'src/rules': { may: ['src/kernel'], packages: ['node:crypto', 'libphonenumber-js'] },
  'src/contract': { may: ['src/kernel', 'src/model', 'src/rules'], packages: ['zod', 'zod-openapi'] },
  'src/ports': { may: ['src/kernel', 'src/model', 'src/rules', 'src/contract'], packages: [] },
  actors: {
    may: ['src/kernel', 'src/rules'],
    mayNameTypesOf: ['src/model', 'src/contract/nats/actor-messages.ts'],
    packages: ['xstate'],
  },
  'src/adapters': { may: [...PURE, 'src/dialling/decisions'], mayAlso: ['migrations'], apart: true },
  'src/host': { may: PURE, packages: ['xstate', 'node:crypto'] },
  'src/management': {
    may: PURE,
    mayAlso: [
      'src/adapters/postgres',
      'src/dialling/postgres',
      'src/operations/access',
      'src/operations/listing.ts',
      'src/operations/tables.ts',
    ],
    packages: ['kysely', '@mikro-orm/'],
  },
  'src/operations': {
    may: ['src/dialling', 'src/management', 'src/host', ...PURE],
    mayAlso: ['src/adapters/postgres'],
    mayNameTypesOf: ['src/adapters/redis'],
  },
  'src/dialling': { may: ['src/operations', 'src/management', 'src/host', ...PURE], mayAlso: ['src/adapters/postgres'] },
  'src/dialling/decisions': { may: ['src/kernel', 'src/model', 'src/rules', 'src/ports'], packages: ['node:crypto'] },
  'src/feeds': { may: ['src/operations', 'src/management', 'src/dialling', ...PURE], mayNameTypesOf: ['src/adapters/redis'] },
  'src/edges': {
    may: [
      'src/feeds',
      'src/operations',
      'src/management',
      'src/dialling',
      'src/contract',
      'src/kernel',
      'src/model',
      'src/rules',
      'src/ports',
    ],
    apart: true,
  },
  'src/companions': { may: ['src/kernel', 'src/contract'], apart: true },
  'src/compose': { may: ['src', 'actors', 'migrations'], mayAlso: ['package.json'] },
  'src/main.ts': { may: ['src/compose'] },
  // Migrations fill old rows with the results of the current business rules.
  migrations: { may: ['src/rules'], packages: ['@mikro-orm/', 'node:fs'] },
  tools: { may: ['src', 'actors', 'migrations'] },
  'tools/sound': { may: [], packages: [] },
  'tools/runtime': { may: ['src/kernel', 'src/contract', 'tools/sound'] },
  'tools/runtime/command.ts': { may: ['src/kernel', 'src/contract', 'src/compose', 'tools/runtime', 'tools/sound'] },
  'tools/switch': { may: ['src/kernel', 'src/contract', 'tools/sound'], mayAlso: ['src/adapters/freeswitch/esl-codec.ts'] },
  test: { may: ['src', 'actors', 'migrations', 'bench', 'tools', 'examples', 'console'] },
  bench: { may: ['src', 'actors', 'migrations', 'test', 'tools', 'examples'] },
  examples: { may: ['src/contract'] },
};

/** Packages that only the folders in MAY_KNOW_TECHNOLOGY may import. */
const TECHNOLOGY = [
  'ioredis',
  '@nats-io/',
  '@mikro-orm/',
  'kysely',
  'pg',
  'pino',
  'node:child_process',
  'node:fs',
  'node:net',
  'node:dgram',
];
const MAY_KNOW_TECHNOLOGY = [
  'src/adapters',
  'src/companions',
  'src/compose',
  'src/main.ts',
  'migrations',
  'test',
  'bench',
  'tools',
  'examples',
];
/** Exceptions: statements are kept with the operation that runs them, and an edge serves files and its protocol itself. */
const MAY_ALSO_KNOW: Record<string, readonly string[]> = {
  'src/operations': ['kysely', '@mikro-orm/'],
  'src/edges/bus': ['@nats-io/'],
  'src/edges/rest': ['node:fs'],
  'src/edges/graphql': ['node:fs'],
};

/** Places a technology's folder inside dialling in the ring of that technology's adapter. */
function placeOf(path: string): string {
  return path.replace(/^src\/dialling\/(postgres|redis)\//, 'src/adapters/$1/');
}

/** The ring of a file: the longest entry of the table that is a prefix of its path. */
export function ringOf(path: string): string | undefined {
  return Object.keys(RINGS)
    .filter(ring => isBelow(placeOf(path), ring))
    .sort((a, b) => b.length - a.length)[0];
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Whether the table allows `from` to import the project file `to`. */
export function mayImport(fromPath: string, toPath: string, typeOnly: boolean): boolean {
  const [from, to] = [placeOf(fromPath), placeOf(toPath)];
  const name = ringOf(from);
  const ring = name === undefined ? undefined : RINGS[name];
  if (name === undefined || ring === undefined) return false;
  if (isBelow(to, name)) return !ring.apart || folderBelow(name, from) === folderBelow(name, to);
  if (ring.mayAlso?.some(allowed => isBelow(to, allowed))) return true;
  if (typeOnly && ring.mayNameTypesOf?.some(allowed => isBelow(to, allowed))) return true;
  return ring.may.some(allowed => isBelow(to, allowed));
}

/** Whether the table allows `from` to import a package or a `node:` module. */
export function mayImportPackage(from: string, specifier: string): boolean {
  const name = ringOf(from);
  const ring = name === undefined ? undefined : RINGS[name];
  if (name === undefined || ring === undefined) return false;
  if (ring.packages) return ring.packages.some(allowed => isPackage(specifier, allowed));
  if (MAY_KNOW_TECHNOLOGY.some(ring => isBelow(name, ring))) return true;
  const extra = Object.entries(MAY_ALSO_KNOW).flatMap(([folder, packages]) => (isBelow(from, folder) ? packages : []));
  return extra.some(allowed => isPackage(specifier, allowed)) || !TECHNOLOGY.some(banned => isPackage(specifier, banned));
}

function isPackage(specifier: string, name: string): boolean {
  return name.endsWith('/') ? specifier.startsWith(name) : isBelow(specifier, name);
}

/** First folder of a path below its ring: `redis` for `src/adapters/redis/keys.ts`. */
export function folderBelow(ring: string, path: string): string {
  return path.slice(ring.length + 1).split('/')[0] ?? '';
}
