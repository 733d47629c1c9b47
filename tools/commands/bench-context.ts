import type { BenchReport } from './bench-report.ts';

/** What a bench gets. */
export interface BenchContext {
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  /** Arguments after the names, `--seconds 5`. */
  args: readonly string[];
  /** One line of the bench's report. */
  print(line: string): void;
}

/** What `bench/<name>.ts` or `bench/<name>/main.ts` exports as `bench`. */
export type Bench = (context: BenchContext) => Promise<BenchReport>;
