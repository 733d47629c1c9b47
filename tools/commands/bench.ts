import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asksForHelp } from '#platform/process.ts';
import { keepReport, printReport } from './bench-report.ts';
import type { Services } from '../services/start-services.ts';
import type { Bench, BenchContext } from './bench-context.ts';
import { PROJECT } from './project.ts';
import { print as printError, wasKilled } from './run-tool.ts';
import { withTestServices } from './with-services.ts';

const EXIT_USAGE = 64;

const KEEP = '--keep';
const ALL = 'all';

const USAGE = `Usage: npm run bench -- <name…|all> [--keep] [--option …]

Each named bench with services of its own, against its limit and its peers in the same run; bench/README.md says what each measures.
A figure that is more than 10 % worse than in the last kept run is named. --keep keeps this run.
`;

/**
 * `npm run bench -- <name…> [--option …]`: runs the named benches one after the other, each with private services; lists them without a
 * name.
 */
export async function bench(args: readonly string[]): Promise<number> {
  const available = listBenches();
  if (asksForHelp(args)) {
    process.stdout.write(`${USAGE}\nBenches: ${[...available.keys()].join(' ')}\n`);
    return 0;
  }
  const firstOption = args.findIndex(arg => arg.startsWith('-'));
  const named = firstOption === -1 ? args : args.slice(0, firstOption);
  const names = named.length === 1 && named[0] === ALL ? [...available.keys()] : named;
  const options = args.slice(named.length);
  const unknown = names.filter(name => !available.has(name));
  if (names.length === 0 || unknown.length > 0) {
    for (const name of unknown) printError(`callout: no bench "${name}"`);
    printError(`Benches: ${[...available.keys()].join(' ') || 'none'}`);
    return names.length === 0 ? 0 : EXIT_USAGE;
  }
  let code = 0;
  for (const name of names) {
    const run = ({ databaseUrl, redisUrl, natsUrl }: Services) =>
      runBench(name, available.get(name) ?? '', { databaseUrl, redisUrl, natsUrl, args: options, print });
    const outcome = await withTestServices((_env, services) => run(services).catch(failed(name)));
    if (wasKilled(outcome)) return outcome;
    code ||= outcome;
  }
  return code;
}

/** A failing bench does not stop the ones after it. */
function failed(name: string): (error: unknown) => number {
  return error => {
    printError(`callout: bench ${name} broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return 1;
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function runBench(name: string, file: string, given: BenchContext): Promise<number> {
  printError(`callout: bench ${name} …`);
  const module: unknown = await import(pathToFileURL(file).href);
  const run = typeof module === 'object' && module !== null && 'bench' in module ? module.bench : undefined;
  if (typeof run !== 'function') throw new TypeError(`${file} does not export "bench"`);
  const report = await (run as Bench)(given);
  const isMet = printReport(report, print);
  if (given.args.includes(KEEP)) keepReport(report);
  return isMet ? 0 : 1;
}

/** Maps names to files: `bench/<name>.ts` or `bench/<name>/main.ts`. */
function listBenches(): Map<string, string> {
  const folder = join(PROJECT, 'bench');
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.ts')) found.set(entry.name.slice(0, -'.ts'.length), join(folder, entry.name));
    if (entry.isDirectory() && readdirSync(join(folder, entry.name)).includes('main.ts')) {
      found.set(entry.name, join(folder, entry.name, 'main.ts'));
    }
  }
  return found;
}
