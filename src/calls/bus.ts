import type { z } from 'zod';
import { type CalloutError, type ErrorCode, errorFields, invalidArgument, isCalloutError } from '#kernel/errors.ts';
import { limitedLog } from '#kernel/log.ts';
import type { InboundSubject } from '#platform/metrics.ts';
import type { Bus, BusMessage, DurableReport } from '#platform/nats/bus.ts';
import { proofFault, reportFault, requireProven } from '#platform/nats/proof.ts';
import { parseMessage } from '#platform/nats/requests.ts';
import { normaliseProgress, progressEvents, progressReport } from '#protocol/progress.ts';
import { busResultReport, normaliseResult } from '#protocol/result.ts';
import { CAPTION_SUBJECTS, type RuntimeReportKind } from '#protocol/subjects.ts';
import { applyResult } from './apply-result.ts';
import { reportProgress } from './progress.ts';
import type { App } from '#app/app.ts';

/** Ids that the subject of a report carries. */
interface Subjected {
  requestId: string;
  kind?: string;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Validates a report whose subject carries the ids: the body and each of its `events` may omit them, but must not contradict them.
 *
 * Why:    a body that names another call than its subject is a mistake of the sender, and either of the two may be the right one
 * Errors: INVALID_ARGUMENT naming the field, `events[3].requestId`
 */
export function parseReport<Schema extends z.ZodType>(schema: Schema, body: unknown, subjected: Subjected): z.output<Schema> {
  return parseMessage(schema, isObject(body) ? withEvents(body, subjected) : body);
}

function withEvents(body: Members, subjected: Subjected): Members {
  const { events } = body;
  const report = withIds(body, subjected, '');
  if (!Array.isArray(events)) return report;
  return { ...report, events: events.map((event, index) => (isObject(event) ? withIds(event, subjected, `events[${index}].`) : event)) };
}

function withIds(members: Members, { requestId, kind }: Subjected, path: string): Members {
  requireSame(`${path}requestId`, members['requestId'], requestId);
  requireSame(`${path}callKey`, requestOf(members['callKey']), requestId);
  if (kind === undefined) return { ...members, requestId: members['requestId'] ?? requestId };
  requireSame(`${path}kind`, members['kind'], kind);
  return { ...members, requestId: members['requestId'] ?? requestId, kind: members['kind'] ?? kind };
}

/** A value that is not a text is left to the schema, which names the field as well. */
function requireSame(field: string, said: unknown, subjected: string): void {
  if (typeof said === 'string' && said.trim().toLowerCase() !== subjected.toLowerCase()) throw invalidArgument(field, 'unlikeSubject');
}

const REQUEST_KEY = 'request:';

/** A key by attempt may mean the same call, which only a look-up could show; the subject identifies the call without it. */
function requestOf(callKey: unknown): string | undefined {
  return typeof callKey === 'string' && callKey.startsWith(REQUEST_KEY) ? callKey.slice(REQUEST_KEY.length) : undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Options<Item> {
  /** Upper limit of items in progress. */
  maxAtOnce: number;
  /** Upper limit of waiting items. */
  maxWaiting: number;
  /** Must not reject. */
  work: (item: Item) => Promise<void>;
}

/**
 * A bounded queue: processes up to `maxAtOnce` items concurrently, first come, first served.
 *
 * Why: a waiting item is small (its raw form); an item in progress holds everything that is derived from it
 */
export class WorkRow<Item extends object> {
  readonly #options: Options<Item>;
  readonly #waiting: Item[] = [];
  readonly #whenIdle: (() => void)[] = [];
  #underWay = 0;

  constructor(options: Options<Item>) {
    this.#options = options;
  }

  /** False when the queue is full; the item is not taken. */
  add(item: Item): boolean {
    const { maxAtOnce, maxWaiting } = this.#options;
    if (this.#underWay < maxAtOnce) void this.#workFrom(item);
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(item);
    else return false;
    return true;
  }

  /** Resolves when no item is waiting or in progress. */
  async idle(): Promise<void> {
    if (this.#underWay > 0) await new Promise<void>(resolve => this.#whenIdle.push(resolve));
  }

  async #workFrom(first: Item): Promise<void> {
    this.#underWay++;
    for (let item: Item | undefined = first; item; item = this.#waiting.shift()) await this.#options.work(item);
    this.#underWay--;
    if (this.#underWay === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

/** Redelivery delay while a store is unavailable, in ms; grows with each delivery, but dispatch must resume within 5 s of its return. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 3_000;
/** Most deliveries of a report for an unknown call, whose claim may just not be visible yet. */
const MAX_UNKNOWN_DELIVERIES = 3;
/** Most deliveries of a report that an internal fault keeps from being applied; unbounded, it would stay in the inbox for ever. */
const MAX_FAULTY_DELIVERIES = 20;
/**
 * Most waiting captions. Their rate is up to the senders, while reports are bounded by their consumer; a lost caption is a gap on a screen.
 */
const MAX_WAITING = 2_000;
/** Captions applied at once: enough to keep the cache busy, while more would only wait in memory, decoded. */
const MAX_CAPTIONS_AT_ONCE = 160;
const QUEUE = 'callout-server';

/**
 * Serves what the call-flow runtime reports over NATS: the durable inbox and the captions. Returns a function that stops it.
 *
 * Why:    a report is acknowledged only after its commit. One that can never be applied is discarded, logged with its reason, counted and
 *         reported back: no answer is expected, so its sender and the operator cannot learn of it otherwise
 * Source: A4, D7.7, D9.1
 */
export async function serveReports(given: App, bus: Bus): Promise<() => Promise<void>> {
  const app = { ...given, log: limitedLog(given.log, given.clock) };
  const underWay = new Set<Promise<void>>();
  const track = (work: Promise<void>) => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };
  const stopReports = await bus.consumeReports(report => track(settleReport(app, report)));
  const captions = new WorkRow<BusMessage>({
    maxAtOnce: MAX_CAPTIONS_AT_ONCE,
    maxWaiting: MAX_WAITING,
    work: message => applyCaption(app, message),
  });
  const stopCaptions = bus.subscribe(CAPTION_SUBJECTS, { queue: QUEUE }, message => {
    if (!captions.add(message)) app.metrics.messageDiscarded('captions', 'OVERLOAD');
  });
  return async () => {
    stopCaptions();
    await stopReports();
    // Messages in progress are settled before the stores are closed.
    await Promise.all([...underWay, captions.idle()]);
  };
}

async function settleReport(app: App, report: DurableReport): Promise<void> {
  try {
    await applyReport(app, report);
    report.ack();
  } catch (error) {
    settleFailure(app, report, error);
  }
}

function settleFailure(app: App, report: DurableReport, error: unknown): void {
  const fields = { ...errorFields(error), subject: report.subject, deliveries: report.deliveries };
  if (report.deliveries >= maxDeliveries(error)) {
    app.log['err' in fields ? 'error' : 'warn'](fields, 'a runtime report is invalid and was discarded');
    const { subject, body } = report;
    const inbound = kindOf(subject);
    app.metrics.messageDiscarded(inbound, reasonOf(error));
    app.rejections.publish({ inbound, subject, body, requestId: subject.split('.')[4] ?? null, error });
    report.discard();
    return;
  }
  app.log.warn(fields, 'a runtime report could not be applied yet and will be retried');
  report.retry(Math.min(MAX_RETRY_MS, RETRY_MS * report.deliveries));
}

const KINDS = { started: true, intervention: true, ended: true, result: true } satisfies Record<RuntimeReportKind, true>;

/** A metric label with few values, whatever the subject contains. */
function kindOf(subject: string): InboundSubject {
  const kind = subject.split('.')[3] ?? '';
  return isKind(kind) ? kind : 'other';
}

function isKind(kind: string): kind is RuntimeReportKind {
  return Object.hasOwn(KINDS, kind);
}

function reasonOf(error: unknown): ErrorCode {
  return isCalloutError(error) ? error.code : 'INTERNAL';
}

const HOPELESS: readonly ErrorCode[] = ['INVALID_ARGUMENT', 'STALE_EPOCH', 'UNAUTHENTICATED'];

function maxDeliveries(error: unknown): number {
  if (isCalloutError(error) && HOPELESS.includes(error.code)) return 1;
  if (isCalloutError(error, 'NOT_FOUND')) return MAX_UNKNOWN_DELIVERIES;
  return isCalloutError(error) && error.retryable ? Infinity : MAX_FAULTY_DELIVERIES;
}

/** `callout.v1.runtime.<kind>.<requestId>`: no id of the body is looked up. */
async function applyReport(app: App, report: DurableReport): Promise<void> {
  requireProven(reportFault(app, report));
  const { subject, body } = report;
  const [, , , kind = '', requestId = ''] = subject.split('.');
  if (kind === 'result') {
    const result = parseReport(busResultReport, body, { requestId, kind });
    await applyResult(app, normaliseResult({ ...result, attemptId: null }, app.timeZone));
    return;
  }
  const [rejected] = await rejectedEvents(app, body, { requestId, kind });
  if (rejected) throw rejected;
}

/** A lost caption is only a gap on a screen: the result carries the transcript. */
async function applyCaption(app: App, message: BusMessage): Promise<void> {
  const { subject, body } = message;
  const requestId = subject.split('.')[3] ?? '';
  const reject = (errors: readonly unknown[]) => {
    for (const error of errors) app.metrics.messageDiscarded('captions', reasonOf(error));
    if (errors.length > 0) app.rejections.publish({ inbound: 'captions', subject, body, requestId, error: errors[0] });
  };
  try {
    requireProven(proofFault(app, message));
    reject(await rejectedEvents(app, body, { requestId, kind: 'segment' }));
  } catch (error) {
    app.log.warn({ ...errorFields(error), subject }, 'a caption could not be applied');
    reject([error]);
  }
}

/** Applies the events of a message and returns the errors of those that could not be applied. */
async function rejectedEvents(app: App, body: unknown, subjected: Subjected): Promise<CalloutError[]> {
  const events = progressEvents(parseReport(progressReport, body, subjected));
  const answer = await reportProgress(
    app,
    events.map(event => normaliseProgress(event, app.timeZone)),
  );
  return answer.rejected.map(({ error }) => error);
}
