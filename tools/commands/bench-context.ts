import type { BenchReport } from './bench-report.ts';

/** Input of a bench. */
export interface BenchContext {
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  /** Arguments after the names, such as `--seconds 5`. */
  args: readonly string[];
  /** Prints one line of the report. */
  print(line: string): void;
}

/** Signature of the function `bench` that `bench/<name>.ts` or `bench/<name>/main.ts` exports. */
export type Bench = (context: BenchContext) => Promise<BenchReport>;
