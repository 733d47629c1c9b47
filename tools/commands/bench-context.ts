/** What a bench gets. */
export interface BenchContext {
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  /** Arguments after the names, `--seconds 5`. */
  args: readonly string[];
  /** One line of the bench's report. */
  tell(line: string): void;
}

/** What `bench/<name>.ts` or `bench/<name>/main.ts` exports as `bench`; resolves to false when it misses its bar. */
export type Bench = (context: BenchContext) => Promise<boolean | undefined>;
