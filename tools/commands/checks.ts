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
];

/** Format, lint and types, all of them whatever fails; resolves to the first exit code that is not 0. */
export async function runChecks(): Promise<number> {
  await writeGraphqlTypes();
  let first = 0;
  for (const { says, command, args } of CHECKS) {
    print(`callout: checking ${says} …`);
    const code = await runTool({ command, args });
    if (wasKilled(code)) return code;
    if (code !== 0) print(`callout: ${says} failed`);
    first ||= code;
  }
  return first;
}
