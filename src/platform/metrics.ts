import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ErrorCode } from '#kernel/errors.ts';
import type { StartAnswer } from '#protocol/hand-over.ts';
import type { RuntimeReportKind } from '#protocol/subjects.ts';

/**
 * Counters and gauges of all parts of the program; compose exports them to Prometheus.
 *
 * Why: only compose depends on the metrics library
 */
export interface Metrics {
  requestAnswered(answer: { method: string; route: string; status: number; seconds: number }): void;
  /** An originate has completed; gives dispatch rate and originate latency. */
  dialed(dial: { cellId: string; reply: 'accepted' | 'refused' | 'not_sent' | 'unknown'; seconds: number }): void;
  callSettled(callStatus: string): void;
  /** A runtime accepted an answered call; `seconds` since the answer (I9). */
  callServed(seconds: number): void;
  /** No runtime accepted an answered call: the customer heard the apology. */
  callUnserved(): void;
  /** An answered call was offered to a runtime. */
  runtimeOffered(answer: StartAnswer): void;
  /** Registered runtimes by condition: accepting calls, draining, or without heartbeat. */
  runtimesKnown(state: RuntimeCondition, count: number): void;
  /** Total capacity of the runtimes that accept calls, or the places held there by dials and calls. */
  runtimePlaces(kind: 'max' | 'held', count: number): void;
  slotsInUse(kind: SlotKind, count: number): void;
  /** Depth of a bounded queue or backlog: `outbox`, `timers`, `effects`, `runtime_inbox` … */
  queueDepth(queue: string, depth: number): void;
  cellState(cellId: string, isUp: boolean): void;
  dependencyState(name: 'database' | 'cache' | 'bus', isUp: boolean): void;
  /** A bus message was discarded for good; the metric is its only trace, because the sender expects no reply. */
  messageDiscarded(subject: InboundSubject, reason: ErrorCode | 'OVERLOAD'): void;
  /** Rows deleted, or values cleared, because their retention period has passed. */
  retentionDeleted(kind: RetentionKind, count: number): void;
  /** Open event streams, by route. */
  streamsOpen(route: string, count: number): void;
}

/** Bus messages without a reply: kinds of the durable inbox, and messages that may be lost. */
export type InboundSubject = RuntimeReportKind | 'other' | 'captions' | 'softphone';

/** Data with a retention limit of its own in the configuration. */
export type RetentionKind = 'transcripts' | 'recordings' | 'attempts' | 'audit' | 'events';

export type RuntimeCondition = 'live' | 'draining' | 'gone';

export type SlotKind = 'campaign' | 'line' | 'number' | 'cell';

export interface PrometheusMetrics extends Metrics {
  /** The response body of /metrics. */
  expose(): Promise<{ contentType: string; body: string }>;
  /** Registers a sampler that runs before each exposition, for gauges that are read on demand. */
  beforeExpose(sample: () => Promise<void>): void;
}

/** Buckets, s: from the reply of a local switch to the originate time-out. */
const ORIGINATE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Buckets around the 5 s of I9. s */
const SERVICE_BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];
const REQUEST_BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Prometheus metrics. Their names must not change, because dashboards rely on them. */
export function createMetrics(): PrometheusMetrics {
  const registry = new Registry();
  // Default metrics: event-loop lag, memory, garbage collection.
  collectDefaultMetrics({ register: registry });
  const samples: (() => Promise<void>)[] = [];
  return {
    ...httpMetrics(registry),
    ...dialMetrics(registry),
    ...stateMetrics(registry),
    ...runtimeMetrics(registry),
    ...busMetrics(registry),
    ...retentionMetrics(registry),
    beforeExpose: sample => void samples.push(sample),
    async expose() {
      await Promise.all(samples.map(sample => sample()));
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

function httpMetrics(registry: Registry): Pick<Metrics, 'requestAnswered' | 'streamsOpen'> {
  const requests = new Counter({
    name: 'callout_http_requests_total',
    help: 'Answered HTTP requests.',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'callout_http_request_seconds',
    help: 'How long the HTTP requests took that were carried out.',
    labelNames: ['method', 'route'] as const,
    buckets: REQUEST_BUCKETS,
    registers: [registry],
  });
  const fold = foldedLabels();
  const streams = gauge(registry, 'callout_event_streams_open', 'Open event streams of this instance.', ['route']);
  return {
    requestAnswered(answer) {
      const { method, route, status } = fold(answer);
      requests.inc({ method, route, status });
      // Rejections are always fast and would distort the percentiles.
      if (answer.status < REFUSED) durations.observe({ method, route }, answer.seconds);
    },
    streamsOpen: (route, count) => streams.set({ route }, count),
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const REFUSED = 400;
const METHOD_NOT_ALLOWED = 405;
/** Limit of label combinations (method, route, status); the product uses some hundreds. */
const MAX_REQUEST_SERIES = 1_000;
const OTHER = 'other';

type RequestLabels = Record<'method' | 'route' | 'status', string>;

/**
 * Labels of a request.
 *
 * Why: series are never removed, and clients may send any path with any method, so unknown paths share one label, and unknown methods another
 */
function foldedLabels(): (answer: { method: string; route: string; status: number }) => RequestLabels {
  const seen = new Set<string>();
  return ({ method: asked, route: known, status: code }) => {
    const status = String(code);
    const isRefused = code === METHOD_NOT_ALLOWED || !METHODS.has(asked);
    const [method, route] = isRefused ? [OTHER, 'unknown'] : [asked, known];
    const series = `${method} ${route} ${status}`;
    if (!seen.has(series) && seen.size >= MAX_REQUEST_SERIES) return { method: OTHER, route: OTHER, status: `${status.slice(0, 1)}xx` };
    seen.add(series);
    return { method, route, status };
  };
}

function dialMetrics(registry: Registry): Pick<Metrics, 'dialed' | 'callSettled' | 'callServed' | 'callUnserved'> {
  const originates = new Histogram({
    name: 'callout_originate_seconds',
    help: 'Originates by reply of the switch; its count over time is the dispatch rate.',
    labelNames: ['cell', 'reply'] as const,
    buckets: ORIGINATE_BUCKETS,
    registers: [registry],
  });
  const settled = new Counter({
    name: 'callout_calls_settled_total',
    help: 'Calls that came to an end, by call status.',
    labelNames: ['call_status'] as const,
    registers: [registry],
  });
  const served = new Histogram({
    name: 'callout_answer_to_runtime_seconds',
    help: 'From the answer of a customer until a call-flow runtime has taken the call.',
    buckets: SERVICE_BUCKETS,
    registers: [registry],
  });
  const unserved = new Counter({
    name: 'callout_calls_unserved_total',
    help: 'Answered calls that no call-flow runtime took: the customer heard the apology.',
    registers: [registry],
  });
  return {
    callServed: seconds => served.observe(seconds),
    callUnserved: () => unserved.inc(),
    dialed: ({ cellId, reply, seconds }) => originates.observe({ cell: cellId, reply }, seconds),
    callSettled: callStatus => settled.inc({ call_status: callStatus }),
  };
}

function stateMetrics(registry: Registry): Pick<Metrics, 'slotsInUse' | 'queueDepth' | 'cellState' | 'dependencyState'> {
  const slots = gauge(registry, 'callout_slots_in_use', 'Slots held over all instances, by what limits them.', ['kind']);
  const queues = gauge(registry, 'callout_queue_depth', 'Work that waits, by queue.', ['queue']);
  const cells = gauge(registry, 'callout_cell_up', 'Whether the Event Socket of the cell is up, seen from this instance.', ['cell']);
  const dependencies = gauge(registry, 'callout_dependency_up', 'Whether the dependency answers, seen from this instance.', ['name']);
  return {
    slotsInUse: (kind, count) => slots.set({ kind }, count),
    queueDepth: (queue, depth) => queues.set({ queue }, depth),
    cellState: (cellId, isUp) => cells.set({ cell: cellId }, isUp ? 1 : 0),
    dependencyState: (name, isUp) => dependencies.set({ name }, isUp ? 1 : 0),
  };
}

function runtimeMetrics(registry: Registry): Pick<Metrics, 'runtimeOffered' | 'runtimesKnown' | 'runtimePlaces'> {
  const offers = new Counter({
    name: 'callout_runtime_offers_total',
    help: 'Answered calls that call-flow runtimes were offered, by what they said; silence is unanswered.',
    labelNames: ['answer'] as const,
    registers: [registry],
  });
  const known = gauge(registry, 'callout_runtimes', 'Registered call-flow runtimes by state.', ['state']);
  const places = gauge(registry, 'callout_runtime_places', 'Calls that live runtimes take at once, and places held at them.', ['kind']);
  return {
    runtimeOffered: answer => offers.inc({ answer }),
    runtimesKnown: (state, count) => known.set({ state }, count),
    runtimePlaces: (kind, count) => places.set({ kind }, count),
  };
}

function busMetrics(registry: Registry): Pick<Metrics, 'messageDiscarded'> {
  const discarded = new Counter({
    name: 'callout_bus_messages_discarded_total',
    help: 'Messages of the call-flow runtime over NATS that were not applied and will not be, by subject and error code.',
    labelNames: ['subject', 'reason'] as const,
    registers: [registry],
  });
  return { messageDiscarded: (subject, reason) => discarded.inc({ subject, reason }) };
}

function retentionMetrics(registry: Registry): Pick<Metrics, 'retentionDeleted'> {
  const deleted = new Counter({
    name: 'callout_retention_deleted_total',
    help: 'Rows deleted, and values cleared, because they were kept as long as the configuration says, by kind.',
    labelNames: ['kind'] as const,
    registers: [registry],
  });
  return { retentionDeleted: (kind, count) => deleted.inc({ kind }, count) };
}

function gauge<Label extends string>(registry: Registry, name: string, help: string, labelNames: Label[]): Gauge<Label> {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}
