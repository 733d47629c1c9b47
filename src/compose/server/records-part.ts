import { natsRuntimeEventSignals } from '#adapters/nats/signals.ts';
import { attemptRepository } from '#adapters/postgres/attempt-repository.ts';
import { contactRetryRepository } from '#adapters/postgres/contact-retry-repository.ts';
import { doNotCallRepository } from '#adapters/postgres/do-not-call-repository.ts';
import { policyRepository } from '#adapters/postgres/policy-repository.ts';
import { runtimeOverviewRepository } from '#adapters/postgres/runtime-overview-repository.ts';
import { scriptRepository } from '#adapters/postgres/script-repository.ts';
import { attemptHandlers } from '#edges/rest/attempts.ts';
import { auditLogHandlers } from '#edges/rest/audit-logs.ts';
import { batchHandlers } from '#edges/rest/batches.ts';
import { doNotCallHandlers } from '#edges/rest/do-not-call.ts';
import { policyHandlers } from '#edges/rest/policies.ts';
import { retryHandlers } from '#edges/rest/retry.ts';
import { runtimeEventHandlers } from '#edges/rest/runtime-events.ts';
import { runtimeOverviewHandlers } from '#edges/rest/runtime-overview.ts';
import { scriptHandlers } from '#edges/rest/scripts.ts';
import { runtimeEventStreams } from '#edges/sse/runtime-events.ts';
import { type RuntimeEventFeed, startRuntimeEventFeed } from '#operations/feeds/runtime-event-feed.ts';
import type { AttemptStore } from '#ports/attempt-store.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import type { ScriptStore } from '#ports/script-store.ts';
import type { SlotBook } from '#ports/slot-book.ts';
import type { SwitchPort } from '#ports/switch.ts';
import type { Wake } from '#ports/wake.ts';
import type { Config } from '../config/shape.ts';
import type { ServerContext, ServerPart } from './context.ts';

export interface RecordsPart extends ServerPart {
  attempts: AttemptStore;
  scripts: ScriptStore;
  /** One per process, for every edge that shows runtime events. */
  runtimeEventFeed: RuntimeEventFeed;
}

export interface RecordsNeeds {
  events: RuntimeEventStore;
  wake: Wake;
  slots: Pick<SlotBook, 'usage'>;
  switch: Pick<SwitchPort, 'cells'>;
}

/** Originate time-out without a configured cell, s. */
const DEFAULT_ORIGINATE_TIMEOUT_SECONDS = 30;

/** Scripts, policies, do-not-call, call records, retry, runtime events and overview, audit log. */
export async function recordsPart(context: ServerContext, needs: RecordsNeeds): Promise<RecordsPart> {
  const { database, bus, config } = context;
  const attempts = attemptRepository(database);
  const scripts = scriptRepository(database);
  const runtimeEventFeed = await startRuntimeEventFeed({ ...context, events: needs.events, signals: natsRuntimeEventSignals(bus) });
  context.stack.defer(() => runtimeEventFeed.close());
  const deps = {
    ...context,
    ...needs,
    attempts,
    scripts,
    runtimeEventFeed,
    policies: policyRepository(database),
    doNotCall: doNotCallRepository(database),
    retries: contactRetryRepository(database),
    overview: runtimeOverviewRepository(database),
    timeZone: config.server.timezone,
    stuckCallMs: stuckCallMs(config),
  };
  const handlers = [
    ...scriptHandlers(deps),
    ...policyHandlers(deps),
    ...doNotCallHandlers(deps),
    ...attemptHandlers(deps),
    ...batchHandlers(deps),
    ...retryHandlers(deps),
    ...runtimeEventHandlers(deps),
    ...runtimeEventStreams(deps),
    ...runtimeOverviewHandlers(deps),
    ...auditLogHandlers(deps),
  ];
  return { handlers, attempts, scripts, runtimeEventFeed };
}

/** A claim that was neither answered nor closed after the longest originate and the wait for its result is stuck (D7.8). */
function stuckCallMs({ cells, dispatch }: Config): number {
  const originateSeconds = Math.max(DEFAULT_ORIGINATE_TIMEOUT_SECONDS, ...cells.map(cell => cell.originateTimeoutSeconds));
  return (originateSeconds + dispatch.resultGraceSeconds) * 1_000;
}
