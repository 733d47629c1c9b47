import { type CommandTable, ROLES } from '#serve/run-command.ts';

/** The roles of production and the commands of development, as `npm run` lists them. */
export const COMMANDS: CommandTable = {
  ...ROLES,
  start: {
    summary: 'the whole product on this machine, with simulated customers',
    load: async () => (await import('./start/start.ts')).start,
  },
  console: {
    summary: 'the web console, built unless it stands',
    help: 'Usage: npm run console\n\nBuilds the web console into console/dist, where the server finds it; npm start does so by itself.\n',
    load: async () => (await import('./commands/build-console.ts')).consoleCommand,
  },
  'console-pictures': {
    summary: 'pictures of every page of the console, from a product that runs',
    load: async () => (await import('./commands/console-pictures.ts')).consolePictures,
  },
  'nlu-eval': {
    summary: 'accuracy of the NLU engine: `nlu:eval -- [file.jsonl …] [--profile P]`',
    load: async () => (await import('./nlu/commands.ts')).nluEval,
  },
  'nlu-try': {
    summary: 'one decision or extraction: `nlu:try -- "文本" --branch key=desc …`',
    load: async () => (await import('./nlu/commands.ts')).nluTry,
  },
  'nlu-train': {
    summary: 'the NLU weights anew from the corpus',
    help: 'Usage: npm run nlu:train\n\nMakes the weights of the local NLU engine anew from the corpus in tools/nlu/corpus.\n',
    load: async () => (await import('./nlu/commands.ts')).nluTrain,
  },
  'runtime-check': {
    summary: 'whether a runtime keeps to the contract: `runtime:check --nats URL`',
    load: async () => (await import('./commands/runtime-check.ts')).runtimeCheck,
  },
  runtime: { summary: 'the reference call-flow runtime', load: async () => (await import('./runtime/command.ts')).runtime },
  switch: { summary: 'the switch simulator', load: async () => (await import('./commands/switch.ts')).switchSimulator },
  test: {
    summary: 'checks and the tiers of every commit, with services of its own',
    help: 'Usage: npm test\n\nFormat, lint and types, then architecture, unit, simulation, contract, integration and smoke tests with services of its own.\nEverything: npm run test:release. A part: npm run jest -- <arguments of Jest>\n',
    load: async () => (await import('./commands/test.ts')).test,
  },
  'test-release': {
    summary: 'every tier of tests: `test:release`, before a release',
    help: 'Usage: npm run test:release\n\nWhat npm test runs, then the training of the NLU engine, more seeds, endurance, chaos, the real FreeSWITCH (where one is on the PATH),\nall browser files and the end-to-end tests. About half an hour.\n',
    load: async () => (await import('./commands/test.ts')).testRelease,
  },
  jest: { summary: 'jest with the given arguments, with services of its own', load: async () => (await import('./commands/jest.ts')).jest },
  generate: {
    summary: 'the types that are made from the GraphQL schema',
    help: 'Usage: npm run generate\n\nWrites what is made from schema/: the types of resolvers, not kept, and those of the example client, which a test compares.\n',
    load: async () => (await import('./commands/generate.ts')).generate,
  },
  data: {
    summary: 'generated data of src/ anew: `data -- zones|places|holidays FOLDER DATE`',
    load: async () => (await import('./commands/data.ts')).data,
  },
  check: {
    summary: 'format, lint, types, architecture and unit tests',
    help: 'Usage: npm run check\n\nFormat, lint, types, architecture and unit tests: no services needed.\n',
    load: async () => (await import('./commands/check.ts')).check,
  },
  bench: { summary: 'performance ratios: `bench <name…>`', load: async () => (await import('./commands/bench.ts')).bench },
  simulate: {
    summary: 'seeded simulation: `simulate --seeds N [--seed S]`',
    load: async () => (await import('./commands/simulate.ts')).simulate,
  },
  fuzz: {
    summary: 'bad requests to every row: `fuzz --runs N [--seed S]`',
    load: async () => (await import('./commands/fuzz.ts')).fuzz,
  },
  chaos: {
    summary: 'real faults under load: `chaos --minutes M [--seed S]`',
    load: async () => (await import('./commands/chaos.ts')).chaos,
  },
  'switch-check': {
    summary: 'the product on a real FreeSWITCH: `switch-check --freeswitch BINARY`',
    load: async () => (await import('./commands/switch-check.ts')).switchCheck,
  },
};
