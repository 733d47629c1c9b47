import { join } from 'node:path';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { loadRows } from '#bench/lists/load-rows.ts';
import { type HttpLoadResult, loadHttp } from '#bench/support/http-load.ts';
import { cpuMsOf, median, numberOption, timed } from '#bench/support/measure.ts';
import { oneSessionServer, openSession } from '#bench/support/session.ts';
import { type BenchProcess, processFolder, startProcess, startServe } from '#bench/support/server-process.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import type { Bench, BenchContext } from '#tools/commands/bench-context.ts';
import { addLines, CAMPAIGN_PAGE, readPage } from './campaign-page.ts';

const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 32;
/** Sequential reads of the page per round. */
const PAGES = 200;
const CONTACTS = 10_000;
const ATTEMPTS = 20_000;
const STATEMENT_TIMEOUT_MS = 600_000;
const ME = JSON.stringify({ query: '{ me { user { id } } }' });

type Who = 'product' | 'apollo';

interface MeRound {
  perSecond: number;
  cpuUs: number;
}

/**
 * GraphQL over HTTP: `{ me { user { id } } }` against a bare Apollo Server on the same schema, and a campaign's page against its SQL
 * statements alone. `npm run bench -- graphql-http [--rounds N] [--seconds S] [--pages N]`
 */
export const bench: Bench = async context => {
  await migrate(context.databaseUrl);
  await using stack = new AsyncDisposableStack();
  const folder = await processFolder(stack);
  const product = await startServe(folder, context, oneSessionServer());
  stack.defer(() => product.stop());
  const apollo = await startApollo(folder);
  stack.defer(() => apollo.stop());
  const token = await openSession(context.redisUrl);
  const me = await compareMe(context, { product, apollo }, token);
  const page = await comparePage(context, product, token);
  const of = (who: Who, member: keyof MeRound) => median(me[who].map(each => each[member]));
  return {
    bench: 'graphql-http',
    ratios: [
      {
        what: 'me: requests per second / Apollo Server alone',
        ratio: of('product', 'perSecond') / of('apollo', 'perSecond'),
        bar: { atLeast: 0.8 },
      },
      { what: "a campaign's page / its statements alone", ratio: median(page.product) / median(page.statements), bar: { atMost: 3 } },
    ],
    figures: [
      ...(['product', 'apollo'] as const).flatMap(who => [
        { what: `me, ${who}`, value: of(who, 'perSecond'), unit: '/s' },
        { what: `me, CPU per request, ${who}`, value: of(who, 'cpuUs'), unit: 'µs' },
      ]),
      { what: "a campaign's page", value: median(page.product), unit: 'ms' },
      { what: 'its statements alone', value: median(page.statements), unit: 'ms' },
    ],
  };
};

async function compareMe(context: BenchContext, servers: Record<Who, BenchProcess>, token: string): Promise<Record<Who, MeRound[]>> {
  const measured: Record<Who, MeRound[]> = { product: [], apollo: [] };
  for (const who of ['product', 'apollo'] as const) await askMe(servers[who], token, WARM_UP_SECONDS);
  const seconds = numberOption(context.args, 'seconds', SECONDS);
  for (let round = 0; round < numberOption(context.args, 'rounds', ROUNDS); round++) {
    for (const who of ['product', 'apollo'] as const) {
      const cpuBefore = cpuMsOf(servers[who].pid);
      const { perSecond, answers } = await askMe(servers[who], token, seconds);
      measured[who].push({ perSecond, cpuUs: ((cpuMsOf(servers[who].pid) - cpuBefore) * 1_000) / answers });
    }
  }
  return measured;
}

async function askMe({ port }: BenchProcess, token: string, seconds: number): Promise<HttpLoadResult> {
  const headers = { Authorization: `Bearer ${token}` };
  const result = await loadHttp({ port, path: '/graphql', headers, connections: CONNECTIONS, seconds, body: () => ME });
  if (result.failures > 0) throw new Error(`answered with a failure: ${result.firstFailure}`);
  return result;
}

/** Latencies of one page, in ms, in alternation: over HTTP, and of its statements with the same driver in this process. */
async function comparePage(context: BenchContext, { port }: BenchProcess, token: string) {
  const database = await connectDatabase({
    entities: ENTITIES,
    url: context.databaseUrl,
    poolSize: 10,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    const { campaignId } = await loadRows(database, { contacts: CONTACTS, attempts: ATTEMPTS, print: line => context.print(line) });
    await addLines(database, campaignId);
    const pages = numberOption(context.args, 'pages', PAGES);
    const times = { product: [] as number[], statements: [] as number[] };
    for (let page = 0; page < pages; page++) {
      await askPage(port, token, campaignId);
      await requireRows(database, campaignId);
    }
    for (let round = 0; round < numberOption(context.args, 'rounds', ROUNDS); round++) {
      for (let page = 0; page < pages; page++) {
        times.product.push((await timed(() => askPage(port, token, campaignId))).ms);
        times.statements.push((await timed(() => requireRows(database, campaignId))).ms);
      }
    }
    return times;
  } finally {
    await database.close();
  }
}

async function askPage(port: number, token: string, id: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: CAMPAIGN_PAGE, variables: { id } }),
  });
  const { data, errors } = (await answer.json()) as { data?: { campaign: { attempts: { nodes: unknown[] } } | null }; errors?: unknown };
  if (!data?.campaign?.attempts.nodes.length) throw new Error(`the page is empty: ${JSON.stringify(errors)}`);
}

async function requireRows(database: Database, campaignId: number): Promise<void> {
  if ((await readPage(database, campaignId)) < 2) throw new Error('the statements gave nothing');
}

async function startApollo(folder: string): Promise<BenchProcess> {
  const port = await findFreePort();
  const args = [join(import.meta.dirname, 'apollo-peer.ts'), '--port', String(port)];
  return startProcess({ folder, name: 'apollo', port, path: '/', args, env: { NODE_ENV: 'production' } });
}
