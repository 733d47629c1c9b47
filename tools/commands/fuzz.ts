import { asksForHelp } from '#platform/process.ts';
import { runOutside } from './run-outside.ts';
import { withTestServices } from './with-services.ts';

const USAGE = `Usage: npm run fuzz -- [--runs N] [--seed S] [--only PATTERN] [--rows A..B]

Asks every REST row what nobody should ask, made from its schema: the answer must be a success or a 4xx in the envelope, and a 4xx must change
nothing. Exit code 0 when no row is at fault.

  --runs N       requests for each row, 200 when absent
  --seed S       replays the requests of an earlier run
  --only PATTERN rows whose "METHOD /path" the regular expression matches
  --rows A..B    rows with these numbers, which each line of progress tells; two halves can run side by side
`;

const COMMAND = { file: 'test/contract/fuzz/main.ts', name: 'fuzzMain', usage: USAGE };

/** `npm run fuzz`: sends invalid requests to every REST route. */
export async function fuzz(args: readonly string[]): Promise<number> {
  if (asksForHelp(args)) return runOutside(COMMAND, args);
  return withTestServices(env => {
    Object.assign(process.env, env);
    return runOutside(COMMAND, args);
  });
}
