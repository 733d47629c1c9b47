import type { Command } from './command.ts';
import { asksForHelp } from './tools/run-outside.ts';

interface CommandEntry {
  summary: string;
  /** Text for `--help` of a command that takes no arguments; the others tell theirs. */
  help?: string;
  load(): Promise<Command>;
}

const EX_USAGE = 64;

/** Every way to run the program. A role's modules are loaded only when it is asked for: start-up stays short. */
const COMMANDS: Record<string, CommandEntry> = {
  start: {
    summary: 'the whole product on this machine, with simulated customers',
    load: async () => (await import('./start/start.ts')).start,
  },
  serve: {
    summary: 'the outbound server alone, from its configuration',
    help: `Usage: npm run serve

The outbound server alone, until SIGTERM or SIGINT: then it drains; a second signal ends it at once. It needs PostgreSQL, Redis and NATS.

Its configuration: defaults, then the JSON or YAML file named by CALLOUT_CONFIG, then the environment (README.md, "Configuration");
\`npm run config -- print\` shows what is in force.

Exit codes: 0 stopped, 64 arguments, 69 a service or the address is not to be had, 70 a bug, 78 wrong configuration
`,
    load: async () => (await import('./serve.ts')).serve,
  },
  nlu: { summary: 'the NLU service', load: async () => (await import('./nlu.ts')).nlu },
  'nlu-eval': {
    summary: 'accuracy of the NLU engine: `nlu:eval -- [file.jsonl …] [--profile P]`',
    load: async () => (await import('./nlu-tools.ts')).nluEval,
  },
  'nlu-try': {
    summary: 'one decision or extraction: `nlu:try -- "文本" --branch key=desc …`',
    load: async () => (await import('./nlu-tools.ts')).nluTry,
  },
  'nlu-train': {
    summary: 'the NLU weights anew from the corpus',
    help: 'Usage: npm run nlu:train\n\nMakes the weights of the local NLU engine anew from the corpus in src/companions/nlu/corpus.\n',
    load: async () => (await import('./nlu-tools.ts')).nluTrain,
  },
  runtime: { summary: 'the reference call-flow runtime', load: async () => (await import('./runtime.ts')).runtime },
  'runtime-check': {
    summary: 'whether a runtime keeps to the contract: `runtime:check --nats URL`',
    load: async () => (await import('./tools/runtime-check.ts')).runtimeCheck,
  },
  switch: { summary: 'the switch simulator', load: async () => (await import('./switch.ts')).switchSimulator },
  config: {
    summary: '`config print`: the configuration in force, secrets masked',
    load: async () => (await import('./config-command.ts')).configCommand,
  },
  test: {
    summary: 'every tier of tests, with services of its own',
    help: 'Usage: npm test\n\nFormat, lint, types, then every tier of tests with services of its own. A part of them: npm run jest -- <arguments of Jest>\n',
    load: async () => (await import('./tools/test.ts')).test,
  },
  jest: { summary: 'jest with the given arguments, with services of its own', load: async () => (await import('./tools/jest.ts')).jest },
  generate: {
    summary: 'the types that are made from the GraphQL schema',
    help: 'Usage: npm run generate\n\nWrites the code that is made from schema/; a test fails when it is out of date.\n',
    load: async () => (await import('./tools/generate.ts')).generate,
  },
  check: {
    summary: 'format, lint, types, architecture and unit tests',
    help: 'Usage: npm run check\n\nFormat, lint, types, architecture and unit tests: no services needed.\n',
    load: async () => (await import('./tools/check.ts')).check,
  },
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
  'switch-check': {
    summary: 'the product on a real FreeSWITCH: `switch-check --freeswitch BINARY`',
    load: async () => (await import('./tools/switch-check.ts')).switchCheck,
  },
};

/**
 * Runs one command by name.
 *
 * Shape: exit code 0 done, 64 unknown command or arguments that it does not take, otherwise the command's own
 */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const [name = 'help', ...args] = argv;
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry) {
    process.stderr.write(helpText(name));
    return name === 'help' || name === '--help' ? 0 : EX_USAGE;
  }
  if (entry.help !== undefined && args.length > 0) return tellHelp(entry.help, args);
  const command = await entry.load();
  return command(args);
}

function tellHelp(help: string, args: readonly string[]): number {
  if (asksForHelp(args)) {
    process.stdout.write(help);
    return 0;
  }
  process.stderr.write(`callout: no arguments are taken, found ${args.join(' ')}\n\n${help}`);
  return EX_USAGE;
}

/** The npm script of a command: `nlu-eval` is `npm run nlu:eval`. */
function scriptOf(name: string): string {
  return name.replace(/^(nlu|runtime)-/, '$1:');
}

function helpText(asked: string): string {
  const intro = asked === 'help' || asked === '--help' ? '' : `callout: unknown command "${asked}"\n\n`;
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  npm run ${scriptOf(name).padEnd(13)} ${summary}`);
  return `${intro}Usage:\n${rows.join('\n')}\n`;
}
