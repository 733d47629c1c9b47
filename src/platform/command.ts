/** A role or tool of the program: takes its arguments, resolves to the exit code of the process. */
export type Command = (args: readonly string[]) => Promise<number>;

const HELP = ['--help', '-h'];

export function asksForHelp(args: readonly string[]): boolean {
  return args.some(arg => HELP.includes(arg));
}

/** Exit code for a wrong configuration, from sysexits. */
export const EX_CONFIG = 78;

/** Prints each fault on its own line and returns the exit code. */
export function refuseConfig(faults: readonly string[]): number {
  process.stderr.write(`${faults.map(fault => `callout: ${fault}`).join('\n')}\n`);
  return EX_CONFIG;
}

/** A dependency that the server cannot start without is missing; `message` is the line to print. */
export class StartError extends Error {}
