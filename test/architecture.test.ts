import { describe, expect, test } from '@jest/globals';
import { badNames, barrels, defaultExports, longFiles, luaOutsideFiles } from '#test/support/architecture/file-rules.ts';
import { functionLengths } from '#test/support/architecture/function-lengths.ts';
import { forbiddenImports, hiddenImports, importCycles, nounCycles, unclearImports } from '#test/support/architecture/import-rules.ts';
import { againstTheOrder, homeless, paidDebts } from '#test/support/architecture/order.ts';
import { impurities, machineFaults, testSwitches } from '#test/support/architecture/purity-rules.ts';
import { readSourceTree, type SourceFile, sourceTree } from '#test/support/architecture/source-tree.ts';

const project = readSourceTree();

interface Rule {
  fact: string;
  find: (tree: readonly SourceFile[]) => string[];
  /** An invented tree that breaks the rule, and the violations that the rule must find in it. */
  broken: Record<string, string>;
  found: string[];
}

const RULES: readonly Rule[] = [
  {
    fact: 'imports go down the rings only, packages of a technology stay in its adapter [A2]',
    find: forbiddenImports,
    broken: {
      'src/kernel/clock.ts': `import { decide } from '#rules/retry.ts';`,
      'src/rules/retry.ts': `import type { Redis } from 'ioredis';`,
      'src/ports/line-store.ts': `import type { Line } from '#adapters/postgres/line.ts';`,
      'actors/call/machine.ts': `import { OPEN } from '#ports/line-store.ts';`,
      'src/adapters/redis/keys.ts': `import {\n  a,\n  b,\n} from '#adapters/postgres/keys.ts';`,
      'src/host/pumps.ts': `export { start } from '../operations/calls/start.ts';`,
      'src/operations/calls/start.ts': `const load = () => import('#adapters/redis/keys.ts');`,
      'src/dialling/claim.ts': `import { slots } from '#dialling/redis/slots.ts';\nimport { due } from './decisions/retry.ts';`,
      'src/dialling/postgres/claim.ts': `import { due } from '../decisions/retry.ts';\nimport { send } from '../send.ts';`,
      'src/edges/rest/lines.ts': `import '#edges/sse/stream.ts';`,
      'src/edges/sse/stream.ts': `import type { A } from '#adapters/redis/keys.ts';`,
      'tools/runtime/walk.ts': `import { parse } from '#adapters/freeswitch/esl-codec.ts';`,
      'tools/switch/session.ts': `import { parse } from '#adapters/freeswitch/esl-codec.ts';`,
      'src/contract/rest/lines.ts': `type A = import('#compose/serve.ts').A; // import '#compose/other.ts'`,
      'src/compose/serve.ts': `import { builder } from '#test/support/builders.ts'; const text = "import x from '#bench/a.ts'";`,
    },
    found: [
      'src/kernel/clock.ts imports #rules/retry.ts',
      'src/rules/retry.ts imports ioredis',
      'src/ports/line-store.ts imports #adapters/postgres/line.ts',
      'actors/call/machine.ts imports #ports/line-store.ts',
      'src/adapters/redis/keys.ts imports #adapters/postgres/keys.ts',
      'src/host/pumps.ts imports ../operations/calls/start.ts',
      'src/operations/calls/start.ts imports #adapters/redis/keys.ts',
      'src/dialling/claim.ts imports #dialling/redis/slots.ts',
      'src/dialling/postgres/claim.ts imports ../send.ts',
      'src/edges/rest/lines.ts imports #edges/sse/stream.ts',
      'src/edges/sse/stream.ts imports #adapters/redis/keys.ts',
      'tools/runtime/walk.ts imports #adapters/freeswitch/esl-codec.ts',
      'src/contract/rest/lines.ts imports #compose/serve.ts',
      'src/compose/serve.ts imports #test/support/builders.ts',
    ],
  },
  {
    fact: 'another ring is named by its alias, a file with its extension, and it exists',
    find: unclearImports,
    broken: {
      'src/rules/a.ts': `import { b } from '../kernel/b.ts';\nimport { c } from './c';\nimport { d } from '#kernel/d.ts';`,
      'src/kernel/b.ts': 'export const b = 1;',
    },
    found: ['src/rules/a.ts imports ../kernel/b.ts', 'src/rules/a.ts imports ./c', 'src/rules/a.ts imports #kernel/d.ts'],
  },
  {
    fact: 'what is loaded is named, but for the tools that run benches and simulations',
    find: hiddenImports,
    broken: {
      'src/rules/a.ts': 'const load = (name: string) => import(name);',
      'src/rules/b.ts': `const load = () => import('./a.ts'); const url = import.meta.url;`,
      'tools/commands/bench.ts': 'const module = await import(pathToFileURL(file).href);',
    },
    found: ['src/rules/a.ts'],
  },
  {
    fact: 'no files import each other, not even by types',
    find: importCycles,
    broken: {
      'src/rules/a.ts': `import type { B } from './b.ts';`,
      'src/rules/b.ts': `import { c } from '#rules/c.ts';`,
      'src/rules/c.ts': `export type { A } from './a.ts';`,
      'src/rules/d.ts': `import { c } from './c.ts';`,
    },
    found: ['src/rules/a.ts ↔ src/rules/b.ts ↔ src/rules/c.ts'],
  },
  {
    fact: 'operations name their siblings in one direction [A2]',
    find: nounCycles,
    broken: {
      'src/operations/calls/a.ts': `import { b } from '#operations/lines/b.ts';`,
      'src/operations/lines/c.ts': `import { d } from '../calls/d.ts';`,
      'src/operations/scripts/e.ts': `import { b } from '#operations/lines/b.ts';`,
      'src/dialling/f.ts': `import { b } from '#operations/lines/b.ts';`,
    },
    found: ['calls ↔ lines'],
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
      'src/policies/routes.ts': `import { one } from '../overview/overview.ts';\nimport type { App } from '../app/app.ts';`,
      'src/overview/overview.ts': `import { one } from '../policies/routes.ts';`,
    },
    found: [
      'src/kernel/clock.ts → src/platform/log.ts',
      'src/lines/line-store.ts → src/policies/policy.ts',
      'src/overview/overview.ts → src/policies/routes.ts',
      'src/policies/decisions/evaluate.ts → src/lines/line-store.ts',
      'src/policies/policy.ts → src/app/app.ts',
    ],
  },
  {
    fact: 'every file has its place in the layout by nouns: test/support/architecture/house-map.tsv, or a room of the order',
    find: homeless,
    broken: { 'src/operations/calls/new.ts': '', 'src/calls/new.ts': '', 'actors/call/new.ts': '' },
    found: ['src/operations/calls/new.ts'],
  },
  {
    fact: 'there are no barrels',
    find: barrels,
    broken: {
      'src/rules/index.ts': 'export const one = 1;',
      'src/rules/all.ts': `export * from './one.ts';`,
      'src/rules/some.ts': `export { one } from './one.ts';\nexport type { Two } from './two.ts';\n`,
      'src/rules/own.ts': `export { one } from './one.ts';\nexport const two = 2;\n`,
    },
    found: ['src/rules/index.ts', 'src/rules/all.ts', 'src/rules/some.ts'],
  },
  {
    fact: 'there are no default exports',
    find: defaultExports,
    broken: { 'src/rules/a.ts': 'export default 1;', 'src/rules/b.ts': `const a = 'export default'; // export default` },
    found: ['src/rules/a.ts'],
  },
  {
    fact: 'no file is longer than 400 lines',
    find: longFiles,
    broken: { 'src/rules/a.ts': 'x\n'.repeat(401), 'src/rules/b.ts': 'x\n'.repeat(400), 'src/rules/c.generated.ts': 'x\n'.repeat(401) },
    found: ['src/rules/a.ts: 401 lines'],
  },
  {
    fact: 'names are kebab-case and say something',
    find: badNames,
    broken: {
      'src/rules/callWindow.ts': '',
      'src/Rules/a.ts': '',
      'src/rules/time-utils.ts': '',
      'src/operations/common/a.ts': '',
      'src/operations/session-manager/a.ts': '',
      'test/unit/rules/retry.test.ts': '',
      'migrations/20261121000000-core.ts': '',
      'src/adapters/redis/scripts/reserve-slots-1.lua': '',
    },
    found: [
      'src/rules/callWindow.ts',
      'src/Rules/a.ts',
      'src/rules/time-utils.ts',
      'src/operations/common/a.ts',
      'src/operations/session-manager/a.ts',
    ],
  },
  {
    fact: 'Lua lives in files with their key count in the name',
    find: luaOutsideFiles,
    broken: {
      'src/adapters/redis/a.ts': `const script = "return redis.call('GET', KEYS[1])";`,
      'src/adapters/redis/scripts/take.lua': '',
      'src/adapters/redis/b.ts': '// redis.call is explained here',
    },
    found: ['src/adapters/redis/a.ts', 'src/adapters/redis/scripts/take.lua'],
  },
  {
    fact: 'time, randomness and I/O come in as parameters below the adapters [A1.8]',
    find: impurities,
    broken: {
      'src/rules/a.ts': 'export const now = () => Date.now() + Math.random();',
      'src/rules/b.ts': 'export const at = (ms: number) => new Date(ms); // not new Date()',
      'src/operations/calls/c.ts': 'const at = new Date(); setTimeout(run, 10); clock.setTimeout();',
      'src/host/d.ts': `import { readFileSync } from 'node:fs';\nconst url = process.env['X'];`,
      'actors/call/e.ts': 'const started = performance.now();',
      'src/kernel/clock.ts': 'export const now = () => Date.now();',
      'src/kernel/f.ts': 'const id = crypto.randomUUID();',
      'src/adapters/redis/g.ts': 'const now = Date.now();',
    },
    found: [
      'src/rules/a.ts: Date.now',
      'src/rules/a.ts: Math.random',
      'src/operations/calls/c.ts: new Date() without an instant',
      'src/operations/calls/c.ts: a timer',
      'src/host/d.ts: process',
      'src/host/d.ts: node:fs',
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
      'src/compose/d.ts': 'spawn(command);',
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
    broken: { 'src/compose/a.ts': `if (process.env['NODE_ENV'] === 'test') stop();`, 'src/compose/b.ts': '// NODE_ENV is not read' },
    found: ['src/compose/a.ts: NODE_ENV'],
  },
];

describe('the project keeps its rules', () => {
  test('its files are found', () => {
    expect(project.length).toBeGreaterThan(50);
    expect(project.flatMap(file => file.imports).length).toBeGreaterThan(100);
  });

  test.each(RULES)('$fact', ({ find }) => {
    expect(find(project)).toEqual([]);
  });
});

test('nine of ten functions have at most 15 lines', () => {
  const lengths = functionLengths(['src', 'actors']);
  expect(lengths.length).toBeGreaterThan(1_000);
  expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThanOrEqual(15);
});

test('imports against the order of the nouns only become fewer: what is turned round is not listed any more', () => {
  expect(paidDebts(project)).toEqual([]);
});

describe('each rule finds what breaks it', () => {
  test.each(RULES)('$fact', ({ find, broken, found }) => {
    expect(find(sourceTree(broken))).toEqual(found);
  });
});
