import { shownAnswers } from '#phone-numbers/shown-number.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { createStallWatch, linuxSendQueues } from '#platform/sse/stall-watch.ts';
import { auditRepository } from '#audit/audit-store.ts';
import type { RouteContract } from '#platform/http/route.ts';
import { redisAnswerStore } from '#platform/redis/answer-store.ts';
import { limitedLog } from '#kernel/log.ts';
import { createApp, hotPathBefore } from '#platform/http/app.ts';
import { createStreamPlaces } from '#access/stream-places.ts';
import { createAnswerOnce } from '#platform/http/answer-once.ts';
import { createAccessAudit } from '#audit/access-audit.ts';
import { createMetrics } from '#platform/metrics.ts';
import { accessPart } from './access-part.ts';
import { clientAddressBehind, listen } from '#platform/http/server.ts';
import { connectAll } from '#app/connect.ts';
import type { ServerContext, ServerPart, Surroundings } from '#app/context.ts';
import { consolePart } from './console-part.ts';
import { docsPart } from './docs-part.ts';
import { appParts } from './parts.ts';

export interface ServerOptions extends Surroundings {
  /** Prints a line for the user who starts the server, such as a generated password. */
  print: (line: string) => void;
  /** Called with each response's data and its contract before it is sent. */
  onAnswer?: (route: RouteContract, data: unknown) => void;
  /** Folder of the built console; absent: none is served. */
  consoleFolder?: string;
}

export interface RunningServer {
  port: number;
  context: ServerContext;
  /** Drains, then undoes everything in reverse order; repeated calls return the same promise. */
  close(): Promise<void>;
}

/** Time that requests in flight get after the drain. */
const HTTP_GRACE_MS = 2_000;

/**
 * Starts the outbound server from its configuration.
 *
 * Errors: StartError when a dependency is missing or the address is taken; everything is undone then
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  await using starting = new AsyncDisposableStack();
  const drain = createDrain(options);
  const connections = await connectAll(options, starting);
  const audit = auditRepository(connections.database);
  const accessAudit = createAccessAudit({ ...options, audit });
  starting.defer(() => accessAudit.settle());
  const access = accessPart(options, connections, { audit, accessAudit });
  starting.defer(() => access.sessionWatch.close());
  const starts: (() => void)[] = [];
  const context: ServerContext = {
    ...options,
    ...connections,
    audit,
    accessAudit,
    metrics: createMetrics(),
    sessionWatch: access.sessionWatch,
    gate: access.gate,
    proofs: access.proofs,
    clientAddress: clientAddressBehind(options.config.server.trustedProxies),
    countRequest: caller => access.countRequest(caller),
    people: access.people,
    openStreams: new Map(),
    streamPlaces: createStreamPlaces(options.config.server),
    stallWatch: createStallWatch({ ...options, sendQueues: linuxSendQueues() }),
    stack: starting,
    draining: drain.signal,
    onDrain: drain.onDrain,
    onListening: start => void starts.push(start),
  };
  await access.ensureInternalToken(options.print);
  await access.ensureAdmin(options.print);
  const parts = await appParts(context);
  const served = [access, ...parts];
  const routes = served.flatMap(part => part.handlers ?? []).map(handler => handler.route);
  const docs = docsPart(routes, { showsSchema: options.config.graphql.introspection });
  const drops = limitedLog(options.log, options.clock);
  const http = await listen(
    applicationOf(options, context, [...consoleOf(options), docs, ...served]),
    { ...options.config.server, dropped: () => drops.warn({}, 'a connection was closed: server.maxConnections are open') },
    parts.flatMap(part => part.upgrade ?? []),
  );
  starting.defer(() => http.close(HTTP_GRACE_MS));
  for (const start of starts) start();
  const running = starting.move();
  let closing: Promise<void> | null = null;
  const close = async () => {
    await drain.run();
    await running.disposeAsync();
  };
  return { port: http.port, context, close: () => (closing ??= close()) };
}

function consoleOf({ consoleFolder, clock, config }: ServerOptions): ServerPart[] {
  return consoleFolder === undefined ? [] : [consolePart(consoleFolder, clock, config.agents.wsServers)];
}

function applicationOf(options: ServerOptions, context: ServerContext, parts: readonly ServerPart[]) {
  const app = {
    ...context,
    handlers: parts.flatMap(part => part.handlers ?? []),
    mount: parts.flatMap(part => part.mount ?? []),
    lastly: parts.flatMap(part => part.lastly ?? []),
    corsOrigins: options.config.server.corsOrigins,
    hstsMaxAgeSeconds: options.config.server.hstsMaxAgeSeconds,
    ...shownAnswers({ agentsSeeNumbers: options.config.agents.seeNumbers }),
    onAnswer: options.onAnswer,
    answerOnce: createAnswerOnce({ answers: redisAnswerStore(context.redis, context.ids), log: context.log }),
  };
  return hotPathBefore(createApp(app), app);
}

function createDrain({ config, log }: Surroundings) {
  const controller = new AbortController();
  const finishers: (() => Promise<void>)[] = [];
  return {
    signal: controller.signal,
    onDrain: (finish: () => Promise<void>) => void finishers.push(finish),
    async run() {
      controller.abort();
      const results = Promise.allSettled(finishers.map(finish => finish()));
      await Promise.race([results.then(report), delay(config.server.drainTimeoutMs, undefined, { ref: false })]);
    },
  };
  function report(results: PromiseSettledResult<void>[]): void {
    for (const result of results) if (result.status === 'rejected') log.error({ err: result.reason }, 'a component did not drain');
  }
}
