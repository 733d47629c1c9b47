/** A role or tool of the program: gets its own arguments, resolves to the process's exit code. */
export type Command = (args: readonly string[]) => Promise<number>;

const HELP = ['--help', '-h'];

export function asksForHelp(args: readonly string[]): boolean {
  return args.some(arg => HELP.includes(arg));
}

/** Of sysexits: the configuration is wrong. */
export const EX_CONFIG = 78;

/** Tells each fault in a line of its own; the exit code. */
export function refuseConfig(faults: readonly string[]): number {
  process.stderr.write(`${faults.map(fault => `callout: ${fault}`).join('\n')}\n`);
  return EX_CONFIG;
}
