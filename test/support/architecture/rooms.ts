/** The folders below all nouns, lowest first: each may import those before it. */
const GROUND = ['kernel', 'protocol', 'platform'] as const;

/** The nouns, and so the folders of `src/`, in their order: each may know those before it. `src/README.md` shows the list. */
const NOUNS = [
  'audit',
  'access',
  'jobs',
  'phone-numbers',
  'businesses',
  'lines',
  'policies',
  'do-not-call',
  'scripts',
  'attempts',
  'runtime-events',
  'webhooks',
  'runtimes',
  'slots',
  'campaigns',
  'contacts',
  'callbacks',
  'imports',
  'lists',
  'exports',
  'recordings',
  'consent',
  'rule-packs',
  'outcomes',
  'agents',
  'calls',
  'pre-dial',
  'dialling',
  'dials',
  'legs',
  'agent-calls',
  'conferences',
  'dispositions',
  'results',
  'follow-ups',
  'softphones',
  'monitoring',
  'interventions',
  'desk',
  'agent-board',
  'call-stats',
  'reports',
  'schedules',
  'users',
  'privacy',
  'health',
  'overview',
] as const;

export const ORDER: readonly string[] = [...GROUND, ...NOUNS];

/** Folders whose files are all pure. */
const PURE_ROOMS = ['kernel', 'protocol', 'phone-numbers', 'actors'];

/** Records that are not named like their folder, and interfaces that the simulation implements too. */
export const ALSO_PURE = [
  'src/attempts/batch.ts',
  'src/dialling/dial-store.ts',
  'src/legs/leg-record.ts',
  'src/platform/platform.ts',
  'src/runtimes/runtime-pool.ts',
  'src/slots/slot-registry.ts',
];

/** Files of pure folders that read their generated data when they are first asked. */
const NOT_PURE = ['src/phone-numbers/china-places.ts'];

/** Files that are named like their folder but read the stores of other nouns: these folders have no record. */
export const NO_RECORDS = ['src/recordings/recording.ts', 'src/health/health.ts', 'src/overview/overview.ts'];

export const ROOMS: ReadonlySet<string> = new Set([...ORDER, 'app', 'graph', 'serve', 'nlu', 'actors']);

export function isGround(room: string): boolean {
  return (GROUND as readonly string[]).includes(room);
}

export function isNoun(room: string): boolean {
  return (NOUNS as readonly string[]).includes(room);
}

/** Whether a file decides and describes only: it must not reach a technology by a value. `room` is its folder of `src/`, or `actors`. */
export function isPure(path: string, room: string): boolean {
  if (NOT_PURE.includes(path)) return false;
  if (PURE_ROOMS.includes(room) || path.includes('/decisions/') || ALSO_PURE.includes(path)) return true;
  return isNoun(room) && path === `src/${room}/${singularOf(room)}.ts` && !NO_RECORDS.includes(path);
}

/** `policies` → `policy`, `businesses` → `business`, `lines` → `line`, `audit` → `audit`. */
function singularOf(noun: string): string {
  return noun
    .replace(/ies$/, 'y')
    .replace(/(?<=ss)es$/, '')
    .replace(/(?<!s)s$/, '');
}

const PRODUCT = ['src', 'actors', 'migrations'];

/** How a script is walked through, step by step. */
const FLOW = 'src/scripts/decisions/flow';

/** Folders beside the product, and what they may import of the project; a folder may always import its own files. */
const BESIDE: Record<string, readonly string[]> = {
  // A migration that called a rule of the product would do something else as soon as the rule changes.
  migrations: [],
  tools: PRODUCT,
  'tools/sound': [],
  // The runtime, the switch simulator and the examples are peers of the product: they share with it what both sides must spell alike.
  // The server walks the same flow when somebody tries a script.
  'tools/runtime': ['src/kernel', 'src/protocol', FLOW, 'tools/sound'],
  'tools/runtime/command.ts': ['src/kernel', 'src/protocol', 'src/platform', FLOW, 'tools/runtime', 'tools/role-setting.ts', 'tools/sound'],
  // The control line of the simulated switch is an Event Socket, and that protocol's client exists once.
  'tools/runtime/voice.ts': ['src/kernel', 'src/platform/freeswitch/esl-connection.ts', 'tools/runtime'],
  'tools/switch': ['src/kernel', 'src/protocol', 'tools/sound', 'src/platform/freeswitch/esl-codec.ts'],
  test: [...PRODUCT, 'bench', 'tools', 'examples', 'console'],
  bench: [...PRODUCT, 'test', 'tools', 'examples'],
  examples: ['src/protocol'],
};

/** The packages of folders that need few; all others may import every package that TECHNOLOGY does not name. */
const ONLY_PACKAGES: Record<string, readonly string[]> = {
  'src/kernel': ['node:crypto', 'node:async_hooks', 'zod'],
  'src/protocol': ['zod', 'zod-openapi', 'node:crypto'],
  actors: ['xstate'],
  'tools/sound': [],
};

/** Packages of one technology, and the folders of `src/` that may import them; tools, tests, benches and examples may import all. */
const TECHNOLOGY: Record<string, readonly string[]> = {
  ioredis: ['src/platform/redis'],
  '@nats-io/': ['src/platform/nats'],
  // A statement stands with the verb that owns its transaction.
  kysely: ['src/platform/postgres', 'src/app', ...NOUNS.map(noun => `src/${noun}`)],
  '@mikro-orm/': ['src/platform/postgres', 'src/app', ...NOUNS.map(noun => `src/${noun}`)],
  pg: ['src/platform/postgres'],
  pino: ['src/platform/log.ts'],
  'node:child_process': ['src/platform', 'src/nlu', 'src/serve'],
  'node:worker_threads': ['src/platform', 'src/nlu'],
  'node:fs': ['src/platform', 'src/nlu', 'src/serve', 'src/recordings/recording-store.ts'],
  'node:net': ['src/platform', 'src/nlu', 'src/serve'],
  'node:dgram': [],
};

/** Packages that only compute, so that pure files may use them. */
const PURE_PACKAGES = ['zod', 'zod-openapi', 'libphonenumber-js', 'croner', 'xstate', 'node:crypto', 'node:async_hooks'];

export function isPurePackage(specifier: string): boolean {
  return PURE_PACKAGES.some(name => isPackage(specifier, name));
}

/** The row of `BESIDE` for a file: the longest entry that is a prefix of its path; null for the product itself. */
export function besideOf(path: string): string | null {
  return longest(Object.keys(BESIDE), path);
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Whether a file beside the product may import the project file `to`. */
export function mayImportFromBeside(folder: string, to: string): boolean {
  return isBelow(to, folder) || to === 'package.json' || (BESIDE[folder] ?? []).some(allowed => isBelow(to, allowed));
}

/** Whether a file may import a package or a `node:` module. */
export function mayImportPackage(from: string, specifier: string): boolean {
  const few = longest(Object.keys(ONLY_PACKAGES), from);
  if (few !== null) return (ONLY_PACKAGES[few] ?? []).some(allowed => isPackage(specifier, allowed));
  if (besideOf(from) !== null) return true;
  const technology = Object.keys(TECHNOLOGY).find(name => isPackage(specifier, name));
  return technology === undefined || (TECHNOLOGY[technology] ?? []).some(folder => isBelow(from, folder));
}

function longest(folders: readonly string[], path: string): string | null {
  return folders.filter(folder => isBelow(path, folder)).sort((a, b) => b.length - a.length)[0] ?? null;
}

function isPackage(specifier: string, name: string): boolean {
  return name.endsWith('/') ? specifier.startsWith(name) : isBelow(specifier, name);
}
