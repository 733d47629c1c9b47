import { ensureConsolePackages } from './build-console.ts';
import { CONSOLE_FOLDER, writeConsoleTypes } from './console-types.ts';
import { writeGraphqlTypes } from './graphql-types.ts';
import { installed } from './project.ts';
import { runTool, print, wasKilled } from './run-tool.ts';

interface Check {
  says: string;
  command: string;
  args: readonly string[];
}

const CHECKS: readonly Check[] = [
  { says: 'format', command: installed('.bin/biome'), args: ['format', '.'] },
  { says: 'lint', command: installed('.bin/oxlint'), args: ['--type-aware', '--quiet'] },
  { says: 'types', command: installed('.bin/tsc'), args: ['-p', '.'] },
  { says: 'types of the console', command: installed('.bin/tsc'), args: ['-p', CONSOLE_FOLDER] },
];

/** Runs format, lint and type checks, all of them even after a failure; resolves to the first exit code other than 0. */
export async function runChecks({ isPatient = false }: { isPatient?: boolean } = {}): Promise<number> {
  await writeGraphqlTypes();
  await writeConsoleTypes();
  let first = await ensureConsolePackages(print);
  for (const { says, command, args } of CHECKS) {
    print(`callout: checking ${says} …`);
    const code = await runTool({ command, args, isPatient });
    if (wasKilled(code)) return code;
    if (code !== 0) print(`callout: ${says} failed`);
    first ||= code;
  }
  return first;
}
