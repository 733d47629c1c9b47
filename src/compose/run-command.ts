import type { Command } from './command.ts';

interface CommandEntry {
  summary: string;
  load(): Promise<Command>;
}

/** Every way to run the program. A role's modules are loaded only when it is asked for: start-up stays short. */
const COMMANDS: Record<string, CommandEntry> = {
  start: {
    summary: 'the whole product on this machine, with simulated customers',
    load: async () => (await import('./start/start.ts')).start,
  },
  serve: { summary: 'the outbound server alone, from its configuration', load: async () => (await import('./serve.ts')).serve },
  nlu: { summary: 'the NLU service', load: async () => (await import('./nlu.ts')).nlu },
  'nlu-eval': {
    summary: 'accuracy of the NLU engine: `nlu:eval -- [file.jsonl …] [--profile P]`',
    load: async () => (await import('./nlu-tools.ts')).nluEval,
  },
  'nlu-try': {
    summary: 'one decision or extraction: `nlu:try -- "文本" --branch key=desc …`',
    load: async () => (await import('./nlu-tools.ts')).nluTry,
  },
  'nlu-train': { summary: 'the NLU weights anew from the corpus', load: async () => (await import('./nlu-tools.ts')).nluTrain },
  runtime: { summary: 'the reference call-flow runtime', load: async () => (await import('./runtime.ts')).runtime },
  switch: { summary: 'the switch simulator', load: async () => (await import('./switch.ts')).switchSimulator },
  config: {
    summary: '`config print`: the configuration in force, secrets masked',
    load: async () => (await import('./config-command.ts')).configCommand,
  },
  test: { summary: 'every tier of tests, with services of its own', load: async () => (await import('./tools/test.ts')).test },
  jest: { summary: 'jest with the given arguments, with services of its own', load: async () => (await import('./tools/jest.ts')).jest },
  generate: {
    summary: 'the types that are made from the GraphQL schema',
    load: async () => (await import('./tools/generate.ts')).generate,
  },
  check: { summary: 'format, lint, types, architecture and unit tests', load: async () => (await import('./tools/check.ts')).check },
  bench: { summary: 'performance ratios: `bench <name…>`', load: async () => (await import('./tools/bench.ts')).bench },
  simulate: {
    summary: 'seeded simulation: `simulate --seeds N [--seed S]`',
    load: async () => (await import('./tools/simulate.ts')).simulate,
  },
  fuzz: {
    summary: 'bad requests to every row: `fuzz --runs N [--seed S]`',
    load: async () => (await import('./tools/fuzz.ts')).fuzz,
  },
  chaos: {
    summary: 'real faults under load: `chaos --minutes M [--seed S]`',
    load: async () => (await import('./tools/chaos.ts')).chaos,
  },
};

/**
 * Runs one command by name.
 *
 * Shape: exit code 0 done, 64 unknown command, otherwise the command's own
 */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const [name = 'help', ...args] = argv;
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry) {
    process.stderr.write(helpText(name));
    return name === 'help' || name === '--help' ? 0 : 64;
  }
  const command = await entry.load();
  return command(args);
}

function helpText(asked: string): string {
  const intro = asked === 'help' || asked === '--help' ? '' : `callout: unknown command "${asked}"\n\n`;
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  npm run ${name.padEnd(10)} ${summary}`);
  return `${intro}Usage:\n${rows.join('\n')}\n`;
}
