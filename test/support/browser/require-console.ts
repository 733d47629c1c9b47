import { buildConsole } from '#tools/commands/build-console.ts';

/** Builds the console unless the build is current: only the first file of a run has to. */
export async function requireConsole(): Promise<void> {
  const code = await buildConsole(line => process.stderr.write(`${line}\n`));
  if (code !== 0) throw new Error(`the console does not build: exit code ${code}`);
}
