/** A role or tool of the program: gets its own arguments, resolves to the process's exit code. */
export type Command = (args: readonly string[]) => Promise<number>;

const HELP = ['--help', '-h'];

export function asksForHelp(args: readonly string[]): boolean {
  return args.some(arg => HELP.includes(arg));
}
