import { asksForHelp, type Command } from '#platform/process.ts';

export interface CommandEntry {
  summary: string;
  /** Text for `--help` of a command without arguments; other commands print their own. */
  help?: string;
  load(): Promise<Command>;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;

const EX_USAGE = 64;

/** All roles of the program in production. Modules of a role are loaded on demand, to keep the start short. */
export const ROLES: CommandTable = {
  serve: {
    summary: 'the outbound server alone, from its configuration',
    help: `Usage: npm run serve

The outbound server alone, until SIGTERM or SIGINT: then it drains; a second signal ends it at once. It needs PostgreSQL, Redis and NATS.

Its configuration: defaults, then the JSON or YAML file named by CALLOUT_CONFIG, then the environment (docs/configuration.md);
\`npm run config -- print\` shows what is in force.

Exit codes: 0 stopped, 64 arguments, 69 a service or the address is not to be had, 70 a bug, 78 wrong configuration
`,
    load: async () => (await import('./serve.ts')).serve,
  },
  nlu: { summary: 'the NLU service', load: async () => (await import('#nlu/serve-nlu.ts')).nlu },
  config: {
    summary: '`config print`: the configuration in force, secrets masked',
    load: async () => (await import('#platform/config/config-command.ts')).configCommand,
  },
  replay: {
    summary: 'whether the journal of a call leads to its stored state: `replay -- <requestId>`',
    load: async () => (await import('./replay.ts')).replayCommand,
  },
};

/** Runs the command given by the process's arguments and sets its exit code. */
export async function runProcess(commands: CommandTable): Promise<void> {
  process.exitCode = await runCommand(commands, process.argv.slice(2));
  // A timer or idle connection that a finished command left open must not keep the process alive.
  setTimeout(() => process.exit(), 1_000).unref();
  // Otherwise Node would close the rest itself and could wait forever for a request that it has lost count of (Environment::CleanupHandles).
  process.once('beforeExit', () => process.exit());
}

/**
 * Runs a command of the table by name.
 *
 * Shape: exit code 0 on success, 64 for an unknown command or wrong arguments, otherwise the command's own
 */
export async function runCommand(commands: CommandTable, argv: readonly string[]): Promise<number> {
  const [name = 'help', ...args] = argv;
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) {
    process.stderr.write(helpText(commands, name));
    return name === 'help' || name === '--help' ? 0 : EX_USAGE;
  }
  if (entry.help !== undefined && args.length > 0) return printHelp(entry.help, args);
  const command = await entry.load();
  return command(args);
}

function printHelp(help: string, args: readonly string[]): number {
  if (asksForHelp(args)) {
    process.stdout.write(help);
    return 0;
  }
  process.stderr.write(`callout: no arguments are taken, found ${args.join(' ')}\n\n${help}`);
  return EX_USAGE;
}

/** npm script of a command: `nlu-eval` becomes `npm run nlu:eval`. */
function scriptOf(name: string): string {
  return name.replace(/^(nlu|runtime|console|test)-/, '$1:');
}

function helpText(commands: CommandTable, asked: string): string {
  const intro = asked === 'help' || asked === '--help' ? '' : `callout: unknown command "${asked}"\n\n`;
  const rows = Object.entries(commands).map(([name, { summary }]) => `  npm run ${scriptOf(name).padEnd(16)} ${summary}`);
  return `${intro}Usage:\n${rows.join('\n')}\n`;
}
