import { runChecks } from './checks.ts';
import { runJest } from './run-jest.ts';
import { print, wasKilled } from './run-tool.ts';

/** `npm run check`: the checks that need no service, for the minute before a commit. */
export async function check(): Promise<number> {
  const first = await runChecks();
  if (wasKilled(first)) return first;
  print('callout: testing architecture and unit …');
  const tests = await runJest(['--selectProjects', 'architecture', 'unit'], process.env);
  return first || tests;
}
