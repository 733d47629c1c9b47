import { sql } from 'kysely';
import { askCallStats, callStatsPart } from '#call-stats/ask-call-stats.ts';
import type { CallStatsQuestion } from '#call-stats/call-stat.ts';
import { sealNext } from '#call-stats/seal-hours.ts';
import { ENTITIES } from '#app/connect.ts';
import { systemCaller } from '#kernel/caller.ts';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { primaryReader } from '#platform/postgres/report-reader.ts';
import { median, numberOption, timed } from '#bench/support/measure.ts';
import type { BenchReport, Figure } from '#tools/commands/bench-report.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';
import { costOfMarks } from './cost-of-marks.ts';
import { loadCalls, type LoadedCalls } from './load-calls.ts';

const ATTEMPTS = 300_000;
const DAYS = 90;
const ROUNDS = 20;
const MONTH_BAR_MS = 150;
const YEAR_BAR_MS = 300;
const COST_BAR = 1.05;
const LOAD_TIMEOUT_MS = 1_200_000;

/**
 * Figures of calls: `npm run bench -- stats [--attempts N] [--rounds N]`; the bars are meant for 10,000,000 attempts.
 *
 * Source: D14.6
 */
export const bench: Bench = async context => {
  await migrate(context.databaseUrl);
  const database = await connectDatabase({
    entities: ENTITIES,
    url: context.databaseUrl,
    poolSize: 4,
    statementTimeoutMs: LOAD_TIMEOUT_MS,
  });
  try {
    const calls = numberOption(context.args, 'attempts', ATTEMPTS);
    return await measure(context, database, await loadCalls(database, { calls, days: DAYS, print: line => context.print(line) }));
  } finally {
    await database.close();
  }
};

async function measure(context: BenchContext, database: Database, loaded: LoadedCalls): Promise<BenchReport> {
  const rounds = numberOption(context.args, 'rounds', ROUNDS);
  const sealing = await sealAll(context, database);
  const figures: Figure[] = [...sealing, { what: 'calls', value: loaded.calls, unit: 'rows' }];
  for (const [what, { question, bar }] of Object.entries(questionsOf(loaded))) {
    const app = {
      ...callStatsPart(),
      db: database,
      reports: primaryReader(database, systemClock),
      clock: systemClock,
      timeZone: 'Asia/Shanghai',
      agents: { findByUser: async () => null },
      agentsSeeNumbers: true,
    };
    const ask = () => timed(() => askCallStats(app, systemCaller(systemIds()), question)).then(({ ms }) => ms);
    figures.push({ what: `${what}: the first time`, value: await ask(), unit: 'ms' });
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) taken.push(await ask());
    figures.push({ what: `${what}: p95`, value: quantile(taken, 0.95), unit: 'ms', bar: { atMost: bar } });
    context.print(`  ${what}: median ${median(taken).toFixed(1)} ms, ${(app.callBlocks.bytes / 2 ** 20).toFixed(1)} MiB in memory`);
  }
  const cost = await costOfMarks(database, rounds);
  return {
    bench: 'stats',
    ratios: [{ what: 'writes of a dial with the marks / without', ratio: cost.ratio, bar: { atMost: COST_BAR } }],
    figures: [...figures, ...cost.figures],
  };
}

async function sealAll(context: BenchContext, database: Database): Promise<Figure[]> {
  const taken: number[] = [];
  for (;;) {
    const { value, ms } = await timed(() => sealNext({ db: database }));
    if (!value) break;
    taken.push(ms);
    if (taken.length % 200 === 0) context.print(`  ${taken.length} hours sealed`);
  }
  const size = await database.first(sql<{ bytes: number }>`select pg_total_relation_size('call_block')::float8 as bytes`);
  return [
    { what: 'an hour sealed, median', value: median(taken), unit: 'ms' },
    { what: 'all hours sealed', value: taken.reduce((sum, ms) => sum + ms, 0) / 1_000, unit: 's' },
    { what: 'blocks in the database', value: (size?.bytes ?? 0) / 2 ** 20, unit: 'MiB' },
  ];
}

type Asked = Partial<CallStatsQuestion> & Pick<CallStatsQuestion, 'measures' | 'groupBy'>;

function questionsOf({ campaignIds, agentIds }: LoadedCalls): Record<string, { question: CallStatsQuestion; bar: number }> {
  const to = Math.floor(systemClock.now() / 3_600_000) * 3_600_000 - 4 * 3_600_000;
  const of = (days: number, bar: number, asked: Asked) => ({
    question: { from: to - days * MS_PER_DAY, to, filter: {}, groupFields: [], limit: 10_000, ...asked },
    bar,
  });
  const month = (asked: Asked) => of(30, MONTH_BAR_MS, asked);
  const one = { campaignIds: campaignIds.slice(0, 1) };
  return {
    '30 days of a campaign, by day and outcome': month({ filter: one, groupBy: ['day', 'outcome'], measures: ['dials'] }),
    '30 days of a line, answer rate by weekday and hour': month({
      filter: { lineIds: [3] },
      groupBy: ['weekday', 'hour_of_day'],
      measures: ['dials', 'answered', 'answer_rate'],
    }),
    '30 days of people’s calls, by agent and day': month({
      filter: { handledBy: ['person'] },
      groupBy: ['agent', 'day'],
      measures: ['dials', 'talk_seconds'],
    }),
    '30 days of answered calls, by campaign and line, with percentiles': month({
      filter: { outcomes: ['completed', 'short', 'silent'] },
      groupBy: ['campaign', 'line'],
      measures: ['dials', 'talk_seconds_p50', 'talk_seconds_p90', 'time_to_answer_seconds_p90'],
    }),
    '30 days of a script, by number and classification': month({
      filter: { scriptIds: [2] },
      groupBy: ['number', 'classification'],
      measures: ['dials', 'answer_rate', 'talk_seconds_average'],
    }),
    '30 days of some agents, by intent and attempt': month({
      filter: { agentIds: agentIds.slice(0, 5) },
      groupBy: ['intent', 'attempt_number'],
      measures: ['dials', 'opt_outs'],
    }),
    '400 days by day': of(400, YEAR_BAR_MS, { groupBy: ['day'], measures: ['dials', 'answered', 'answer_rate', 'abandonment_rate'] }),
    '400 days of a campaign, by day': of(400, YEAR_BAR_MS, {
      filter: one,
      groupBy: ['day'],
      measures: ['dials', 'answered', 'talk_seconds'],
    }),
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
