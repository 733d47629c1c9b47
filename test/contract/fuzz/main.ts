import { parseArgs } from 'node:util';
import { randomInt, systemRandom } from '#kernel/random.ts';
import { type FuzzPlan, fuzzAll } from './fuzz-all.ts';

const USAGE = `usage: npm run fuzz -- [--runs N] [--seed S] [--only PATTERN] [--rows A..B]
  N requests for each row, 200 without it; PATTERN matches "METHOD /path"; A..B are numbers of rows
`;
const EXIT_USAGE = 64;
const DEFAULT_RUNS = 200;
const MAX_RUNS = 1_000_000;
const ALL_ROWS = '1..9999';
const MAX_SEED = 2 ** 31 - 1;

/** `npm run fuzz`: resolves to 0 when no route has a fault. */
export async function fuzzMain(args: readonly string[]): Promise<number> {
  const wanted = readArguments(args);
  if (wanted === null) {
    process.stderr.write(USAGE);
    return EXIT_USAGE;
  }
  const tell = (line: string) => void process.stdout.write(`${line}\n`);
  tell(`fuzz: seed ${wanted.seed}, ${wanted.runs} requests for each row`);
  const { requests, answers, findings } = await fuzzAll({ ...wanted, tell });
  tell(`${Object.keys(answers).length} rows, ${requests} requests, ${findings.length} rows at fault`);
  return findings.length === 0 ? 0 : 1;
}

function readArguments(args: readonly string[]): Omit<FuzzPlan, 'tell'> | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { runs: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' }, rows: { type: 'string' } },
    });
    const runs = Number(values.runs ?? DEFAULT_RUNS);
    const seed = Number(values.seed ?? randomInt(systemRandom, 0, MAX_SEED));
    const isGood = Number.isInteger(runs) && runs >= 1 && runs <= MAX_RUNS && Number.isInteger(seed) && Math.abs(seed) <= MAX_SEED;
    const range = /^([1-9]\d{0,3})\.\.([1-9]\d{0,3})$/.exec(values.rows ?? ALL_ROWS);
    if (!isGood || !range) return null;
    const rows = { from: Number(range[1]), to: Number(range[2]) };
    return { runs, seed, only: values.only === undefined ? null : new RegExp(values.only), rows };
  } catch {
    return null; // an unknown option or an invalid pattern: the caller prints the usage
  }
}
