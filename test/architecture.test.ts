import { describe, expect, test } from '@jest/globals';
import { againstConsoleOrder, nounCircles } from '#test/support/architecture/console-order.ts';
import { badNames, barrels, defaultExports, longFiles, luaOutsideFiles, namelessParts } from '#test/support/architecture/file-rules.ts';
import { functionLengths } from '#test/support/architecture/function-lengths.ts';
import { forbiddenImports, hiddenImports, importCycles, unclearImports } from '#test/support/architecture/import-rules.ts';
import { againstTheOrder, homeless, homelessTests, impurePackages } from '#test/support/architecture/order.ts';
import { impurities, machineFaults, testSwitches } from '#test/support/architecture/purity-rules.ts';
import { ALSO_PURE, NO_RECORDS } from '#test/support/architecture/rooms.ts';
import { readSourceTree, type SourceFile, sourceTree } from '#test/support/architecture/source-tree.ts';

const project = readSourceTree();
const webConsole = readSourceTree(['console']);

interface Rule {
  fact: string;
  find: (tree: readonly SourceFile[]) => string[];
  /** An invented tree that breaks the rule, and the violations that the rule must find in it. */
  broken: Record<string, string>;
  found: string[];
}

const RULES: readonly Rule[] = [
  {
    fact: 'packages of a technology stay in its folder, and what stands beside the product knows only what it must',
    find: forbiddenImports,
    broken: {
      'src/kernel/clock.ts': `import type { Redis } from 'ioredis';`,
      'src/lines/line-store.ts': `import { sql } from 'kysely';\nimport type { Redis } from 'ioredis';`,
      'src/platform/redis/keys.ts': `import { Redis } from 'ioredis';\nimport {\n  connect,\n} from '@nats-io/transport-node';`,
      'actors/call/machine.ts': `import { z } from 'zod';`,
      'src/calls/start.ts': `const load = () => import('node:fs');`,
      'tools/runtime/walk.ts': `import { parse } from '#platform/freeswitch/esl-codec.ts';`,
      'tools/switch/session.ts': `import { parse } from '#platform/freeswitch/esl-codec.ts';`,
      'examples/client.ts': `export { start } from '../src/calls/start.ts';`,
      'src/serve/serve.ts': `import { builder } from '#test/support/builders.ts'; const text = "import x from '#bench/a.ts'";`,
      'src/lines/routes.ts': `type A = import('#tools/a.ts').A; // import '#tools/other.ts'`,
    },
    found: [
      'src/kernel/clock.ts imports ioredis',
      'src/lines/line-store.ts imports ioredis',
      'src/platform/redis/keys.ts imports @nats-io/transport-node',
      'actors/call/machine.ts imports zod',
      'src/calls/start.ts imports node:fs',
      'tools/runtime/walk.ts imports #platform/freeswitch/esl-codec.ts',
      'examples/client.ts imports ../src/calls/start.ts',
      'src/serve/serve.ts imports #test/support/builders.ts',
      'src/lines/routes.ts imports #tools/a.ts',
    ],
  },
  {
    fact: 'another folder of src/ is named by its alias, a file with its extension, and it exists',
    find: unclearImports,
    broken: {
      'src/lines/a.ts': `import { b } from '../kernel/b.ts';\nimport { c } from './c';\nimport { d } from '#kernel/d.ts';`,
      'src/kernel/b.ts': 'export const b = 1;',
    },
    found: ['src/lines/a.ts imports ../kernel/b.ts', 'src/lines/a.ts imports ./c', 'src/lines/a.ts imports #kernel/d.ts'],
  },
  {
    fact: 'what is loaded is named, but for the tools that run benches and simulations',
    find: hiddenImports,
    broken: {
      'src/lines/a.ts': 'const load = (name: string) => import(name);',
      'src/lines/b.ts': `const load = () => import('./a.ts'); const url = import.meta.url;`,
      'tools/commands/bench.ts': 'const module = await import(pathToFileURL(file).href);',
    },
    found: ['src/lines/a.ts'],
  },
  {
    fact: 'no files import each other, not even by types',
    find: importCycles,
    broken: {
      'src/lines/a.ts': `import type { B } from './b.ts';`,
      'src/lines/b.ts': `import { c } from '#lines/c.ts';`,
      'src/lines/c.ts': `export type { A } from './a.ts';`,
      'src/lines/d.ts': `import { c } from './c.ts';`,
    },
    found: ['src/lines/a.ts ↔ src/lines/b.ts ↔ src/lines/c.ts'],
  },
  {
    fact: 'nouns know those above them in one order, doors know every inside, pure files know pure ones',
    find: againstTheOrder,
    broken: {
      'src/kernel/clock.ts': `import { one } from '../platform/log.ts';`,
      'src/lines/line-store.ts': `import { one } from '../policies/policy.ts';`,
      'src/policies/policy.ts': `import { one } from '../lines/line-store.ts';\nimport type { App } from '../app/app.ts';`,
      'src/policies/decisions/evaluate.ts': `import { one } from '../../lines/line-store.ts';`,
      'src/policies/decisions/describe.ts': `import type { Line } from '../../lines/line-store.ts';`,
      'src/businesses/business.ts': `import { one } from './business-store.ts';`,
      'src/businesses/business-store.ts': '',
      'src/policies/routes.ts': `import { one } from '../overview/overview.ts';\nimport type { App } from '../app/app.ts';`,
      'src/overview/overview.ts': `import { one } from '../policies/routes.ts';`,
    },
    found: [
      'src/businesses/business.ts → src/businesses/business-store.ts',
      'src/kernel/clock.ts → src/platform/log.ts',
      'src/lines/line-store.ts → src/policies/policy.ts',
      'src/overview/overview.ts → src/policies/routes.ts',
      'src/policies/decisions/evaluate.ts → src/lines/line-store.ts',
      'src/policies/policy.ts → src/app/app.ts',
      'src/policies/policy.ts → src/lines/line-store.ts',
    ],
  },
  {
    fact: 'every file stands in a folder that the order of the nouns names',
    find: homeless,
    broken: { 'src/operations/new.ts': '', 'src/calls/new.ts': '', 'actors/call/new.ts': '' },
    found: ['src/operations/new.ts'],
  },
  {
    fact: 'pure files take values only from packages that compute',
    find: impurePackages,
    broken: {
      'src/lines/line.ts': `import { z } from 'zod';\nimport { sql } from 'kysely';\nimport type { Redis } from 'ioredis';`,
      'src/lines/line-store.ts': `import { sql } from 'kysely';`,
      'src/recordings/recording.ts': `import { sql } from 'kysely';`,
      'src/scripts/decisions/compile.ts': `import { parse } from 'yaml';`,
    },
    found: ['src/lines/line.ts imports kysely', 'src/scripts/decisions/compile.ts imports yaml'],
  },
  {
    fact: 'unit and integration tests stand in the folders of what they test',
    find: homelessTests,
    broken: {
      'src/lines/line.ts': '',
      'src/platform/redis/keys.ts': '',
      'tools/switch/phone.ts': '',
      'test/unit/lines/line.test.ts': '',
      'test/unit/platform/redis/keys.test.ts': '',
      'test/unit/tools/switch/phone.test.ts': '',
      'test/unit/docs/paths.test.ts': '',
      'test/unit/rules/line.test.ts': '',
      'test/integration/platform/postgres/plans.test.ts': '',
      'test/unit/line.test.ts': '',
      'test/contract/media/media.test.ts': '',
    },
    found: ['test/unit/rules/line.test.ts', 'test/integration/platform/postgres/plans.test.ts', 'test/unit/line.test.ts'],
  },
  {
    fact: 'there are no barrels',
    find: barrels,
    broken: {
      'src/lines/index.ts': 'export const one = 1;',
      'src/lines/all.ts': `export * from './one.ts';`,
      'src/lines/some.ts': `export { one } from './one.ts';\nexport type { Two } from './two.ts';\n`,
      'src/lines/own.ts': `export { one } from './one.ts';\nexport const two = 2;\n`,
    },
    found: ['src/lines/index.ts', 'src/lines/all.ts', 'src/lines/some.ts'],
  },
  {
    fact: 'there are no default exports',
    find: defaultExports,
    broken: { 'src/lines/a.ts': 'export default 1;', 'src/lines/b.ts': `const a = 'export default'; // export default` },
    found: ['src/lines/a.ts'],
  },
  {
    fact: 'no file is longer than 400 lines',
    find: longFiles,
    broken: { 'src/lines/a.ts': 'x\n'.repeat(401), 'src/lines/b.ts': 'x\n'.repeat(400), 'src/lines/c.generated.ts': 'x\n'.repeat(401) },
    found: ['src/lines/a.ts: 401 lines'],
  },
  {
    fact: 'names are kebab-case and say something',
    find: badNames,
    broken: {
      'src/lines/callWindow.ts': '',
      'src/Lines/a.ts': '',
      'src/lines/time-utils.ts': '',
      'src/common/a.ts': '',
      'src/session-manager/a.ts': '',
      'test/unit/lines/retry.test.ts': '',
      'migrations/20261129000100-core.ts': '',
      'src/platform/redis/lua/reserve-slots-1.lua': '',
    },
    found: ['src/lines/callWindow.ts', 'src/Lines/a.ts', 'src/lines/time-utils.ts', 'src/common/a.ts', 'src/session-manager/a.ts'],
  },
  {
    fact: 'verbs name the parts that they use instead of a type of dependencies',
    find: namelessParts,
    broken: {
      'src/lines/line-store.ts': 'export interface LineDeps extends AuditPart {}\ntype Deps = LinesPart; // FormerDeps',
      'src/lines/routes.ts': 'export function lineHandlers(deps: App) {}\nconst read = (deps) => deps.db;',
      'src/lines/line.ts': `const text = 'type LineDeps'; interface LineOptions {}`,
      'tools/runtime/walk.ts': 'interface WalkDeps {}',
    },
    found: [
      'src/lines/line-store.ts: interface LineDeps',
      'src/lines/line-store.ts: type Deps',
      'src/lines/routes.ts: deps',
      'src/lines/routes.ts: deps',
    ],
  },
  {
    fact: 'Lua lives in files with their key count in the name',
    find: luaOutsideFiles,
    broken: {
      'src/platform/redis/a.ts': `const script = "return redis.call('GET', KEYS[1])";`,
      'src/platform/redis/lua/take.lua': '',
      'src/platform/redis/b.ts': '// redis.call is explained here',
    },
    found: ['src/platform/redis/a.ts', 'src/platform/redis/lua/take.lua'],
  },
  {
    fact: 'time, randomness and I/O come in as parameters in every noun [A1.8]',
    find: impurities,
    broken: {
      'src/lines/a.ts': 'export const now = () => Date.now() + Math.random();',
      'src/lines/b.ts': 'export const at = (ms: number) => new Date(ms); // not new Date()',
      'src/calls/c.ts': 'const at = new Date(); setTimeout(run, 10); clock.setTimeout();',
      'src/runtimes/d.ts': `import { readFileSync } from 'node:fs';\nconst url = process.env['X'];`,
      'actors/call/e.ts': 'const started = performance.now();',
      'src/kernel/clock.ts': 'export const now = () => Date.now();',
      'src/kernel/f.ts': 'const id = crypto.randomUUID();',
      'src/platform/redis/g.ts': 'const now = Date.now();',
    },
    found: [
      'src/lines/a.ts: Date.now',
      'src/lines/a.ts: Math.random',
      'src/calls/c.ts: new Date() without an instant',
      'src/calls/c.ts: a timer',
      'src/runtimes/d.ts: process',
      'src/runtimes/d.ts: node:fs',
      'actors/call/e.ts: performance',
      'src/kernel/f.ts: randomUUID or randomBytes',
    ],
  },
  {
    fact: 'machines neither invoke nor spawn, and name their delays [A3]',
    find: machineFaults,
    broken: {
      'actors/call/a.ts': `setup({}).createMachine({ invoke: { src: 'x' }, after: { 3000: 'late' } });`,
      'actors/call/b.ts': 'spawnChild(fromPromise(load));',
      'actors/call/c.ts': `createMachine({ after: { answerTimeout: 'settling' } });`,
      'src/serve/d.ts': 'spawn(command);',
    },
    found: [
      'actors/call/a.ts: invoke',
      'actors/call/a.ts: a delay without a name',
      'actors/call/b.ts: spawn',
      'actors/call/b.ts: an actor of its own',
    ],
  },
  {
    fact: 'the product does not know that it is tested',
    find: testSwitches,
    broken: { 'src/serve/a.ts': `if (process.env['NODE_ENV'] === 'test') stop();`, 'src/serve/b.ts': '// NODE_ENV is not read' },
    found: ['src/serve/a.ts: NODE_ENV'],
  },
];

const CONSOLE_RULES: readonly Rule[] = [
  {
    fact: 'no files of the console import each other, not even by types',
    find: importCycles,
    broken: {
      'console/pages/lines/list.tsx': `import { Drawer } from './drawer.tsx';\nexport const drawn = <Drawer label="don't" />;`,
      'console/pages/lines/drawer.tsx': `import type { Row } from './list.tsx';`,
      'console/pages.ts': `const load = () => import('./pages/lines/list.tsx');`,
    },
    found: ['console/pages/lines/drawer.tsx ↔ console/pages/lines/list.tsx'],
  },
  {
    fact: 'the folders of the console know those before them in one order',
    find: againstConsoleOrder,
    broken: {
      'console/ui/button.tsx': `import { Table } from '../table/table.tsx';\nimport { say } from '../text/text.ts';`,
      'console/table/table.tsx': `import type { Line } from '../pages/lines/lines.generated.ts';`,
      'console/parts/list.tsx': '',
      'console/shell/menu.tsx': `import { PAGES } from '../pages.ts';`,
      'console/pages.ts': `const load = () => import('./pages/lines/list.tsx');`,
    },
    found: [
      'console/parts/list.tsx',
      'console/ui/button.tsx → console/table/table.tsx',
      'console/table/table.tsx → console/pages/lines/lines.generated.ts',
    ],
  },
  {
    fact: 'no nouns of the console import each other in a circle',
    find: nounCircles,
    broken: {
      'console/pages/lines/list.tsx': `import { Name } from '../calls/name.tsx';`,
      'console/pages/calls/name.tsx': '',
      'console/pages/calls/list.tsx': `import type { Line } from '../lines/lines.generated.ts';`,
      'console/pages/wall/wall.tsx': `import { Name } from '../calls/name.tsx';`,
    },
    found: ['console/pages/calls ↔ console/pages/lines'],
  },
];

describe('the project keeps its rules', () => {
  test('its files are found', () => {
    expect(project.length).toBeGreaterThan(50);
    expect(project.flatMap(file => file.imports).length).toBeGreaterThan(100);
    expect(webConsole.flatMap(file => file.imports).length).toBeGreaterThan(100);
  });

  test('the files that the rules name exist', () => {
    const paths = project.map(file => file.path);
    expect([...ALSO_PURE, ...NO_RECORDS].filter(path => !paths.includes(path))).toEqual([]);
  });

  test.each(RULES)('$fact', ({ find }) => {
    expect(find(project)).toEqual([]);
  });

  test.each(CONSOLE_RULES)('$fact', ({ find }) => {
    expect(find(webConsole)).toEqual([]);
  });
});

test('nine of ten functions have at most 15 lines', () => {
  const lengths = functionLengths(['src', 'actors']);
  expect(lengths.length).toBeGreaterThan(1_000);
  expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThanOrEqual(15);
});

describe('each rule finds what breaks it', () => {
  test.each([...RULES, ...CONSOLE_RULES])('$fact', ({ find, broken, found }) => {
    expect(find(sourceTree(broken))).toEqual(found);
  });
});
