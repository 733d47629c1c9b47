import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { insertNumbered } from './numbered-contacts.ts';
import { type BenchProcess, INTERNAL_TOKEN, processFolder, startServe } from './server-process.ts';
import type { BenchContext } from '#tools/commands/bench-context.ts';
import { startRuntimes } from '#test/chaos/runtime-fleet.ts';
import { CELL_PASSWORD, startCell } from '#test/chaos/cell-process.ts';

const CONTACTS = 40_000;
const MAX_CONCURRENCY = 400;
const REQUEST_TIMEOUT_MS = 10_000;
/** The campaign's pacing, in ms per call, far below the machine's capacity: any loss is due to what runs beside. */
const CALL_INTERVAL_MS = 50;
const PEOPLE =
  '--answer-rate 0 --busy-rate 1 --no-answer-rate 0 --reject-rate 0 --unreachable-rate 0 --voicemail-rate 0 --ring-ms 1-5 --talk-ms 50-150 --sessions-per-second 5000 --max-sessions 5000';

/** The product while it dials. */
export interface PacedServer {
  server: BenchProcess;
  url: string;
  /** Session of the administrator. */
  token: string;
  campaignId: number;
}

export async function countDials(database: Database): Promise<number> {
  const row = await database.first(
    sql<{ dials: number }>`select count(*) as dials from attempt where status not in ('claimed', 'cancelled')`,
  );
  return row?.dials ?? 0;
}

/** Starts the product with a campaign that dials at a steady pace, far below what the machine can do. */
export async function startPacedCampaign(context: BenchContext, database: Database, stack: AsyncDisposableStack): Promise<PacedServer> {
  const folder = await processFolder(stack);
  const cell = await startCell('cell-1', { folder, seed: 7, args: PEOPLE.split(' ') });
  stack.defer(() => cell.close());
  const password = randomUUID();
  const server = await startServe(folder, context, {
    auth: { enabled: true, bootstrapAdminPassword: password },
    businesses: [{ businessCode: 'bench', businessName: '基准', runtimeBringsFlow: true }],
    cells: [{ id: 'cell-1', host: '127.0.0.1', port: cell.port, password: CELL_PASSWORD, maxOriginatesPerSecond: 1_000 }],
  });
  stack.defer(() => server.stop());
  const runtime = await startRuntimes({
    size: 1,
    maxCalls: 100_000,
    natsUrl: context.natsUrl,
    seed: 7,
    segments: 1,
    internalToken: INTERNAL_TOKEN,
  });
  stack.defer(() => runtime.close());
  const url = `http://127.0.0.1:${server.port}`;
  const { token } = await ask(url, { method: 'POST', path: '/api/auth/login', body: { username: 'admin', password } });
  return { server, url, token, campaignId: await startCampaign(url, token, database) };
}

async function startCampaign(url: string, token: string, database: Database): Promise<number> {
  const line = await ask(url, {
    method: 'POST',
    path: '/api/lines',
    token,
    body: {
      name: '线路',
      code: 'paced',
      dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
      maxConcurrency: MAX_CONCURRENCY,
      allocationMode: 'single_shared',
    },
  });
  const made = await ask(url, {
    method: 'POST',
    path: '/api/campaigns',
    token,
    body: {
      name: '活动',
      businessCode: 'bench',
      lineIds: [line.line.id],
      maxConcurrency: MAX_CONCURRENCY,
      callIntervalMs: CALL_INTERVAL_MS,
    },
  });
  const id = Number(made.campaign.id);
  await insertNumbered(database, id, '139', CONTACTS);
  await ask(url, { method: 'PATCH', path: `/api/campaigns/${id}`, token, body: { status: 'running' } });
  return id;
}

/** Returns the data of a successful response; throws on any other. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function ask(url: string, request: { method: string; path: string; body: unknown; token?: string }): Promise<any> {
  const { method, path, body, token } = request;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  const { data, msg } = (await answer.json()) as { data: any; msg: string };
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${msg}`);
  return data;
}
