import type { z } from 'zod';
import { CAPTION_SUBJECTS, type RuntimeReportKind } from '#contract/nats/subjects.ts';
import { normaliseProgress, progressEvents, progressReport } from '#contract/runtime/progress.ts';
import { normaliseResult, resultReport } from '#contract/runtime/result.ts';
import { CalloutError, type ErrorCode, isCalloutError } from '#kernel/errors.ts';
import { limitedLog } from '#kernel/limited-log.ts';
import type { Log } from '#kernel/log.ts';
import { applyResult, type ApplyResultDeps } from '#operations/calls/apply-result.ts';
import { reportProgress, type ReportProgressDeps } from '#operations/calls/report-progress.ts';
import type { Bus, DurableReport } from '#ports/bus.ts';
import type { InboundSubject, Metrics } from '#ports/metrics.ts';
import { parseMessage } from './parse-message.ts';

export type BusReportDeps = ApplyResultDeps &
  ReportProgressDeps & { timeZone: string; log: Log; metrics: Pick<Metrics, 'messageDiscarded'> };

/** A store that is away now is asked again after this; longer with each delivery, but soon enough that dispatch goes on within 5 s of its return, ms. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 3_000;
/** An unknown call may be one whose claim has not been read yet; after so many deliveries it is none of ours. */
const MAX_UNKNOWN_DELIVERIES = 3;
/** A report that a fault of the program keeps from being applied must not stay in the inbox for ever. */
const MAX_FAULTY_DELIVERIES = 20;
/** Reports are bounded by their consumer; captions come as fast as anybody sends them, and a lost one is only a gap on a screen. */
const MAX_UNDER_WAY = 2_000;
const QUEUE = 'callout-server';

/**
 * What the call-flow runtime reports over NATS: the durable inbox and the captions. Returns how to stop.
 *
 * Why:    a report is acknowledged only after its commit; what can never be applied is discarded with its reason in the log, and counted:
 *         nobody waits for an answer, so this is where an operator learns of it
 * Source: A4, D7.7, D9.1
 */
export async function serveReports(given: BusReportDeps, bus: Bus): Promise<() => Promise<void>> {
  const deps = { ...given, log: limitedLog(given.log, given.clock) };
  const underWay = new Set<Promise<void>>();
  const track = (work: Promise<void>) => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };
  const stopReports = await bus.consumeReports(report => track(settleReport(deps, report)));
  const stopCaptions = bus.subscribe(CAPTION_SUBJECTS, { queue: QUEUE }, message => {
    if (underWay.size < MAX_UNDER_WAY) track(applyCaption(deps, message.body));
    else deps.metrics.messageDiscarded('captions', 'OVERLOAD');
  });
  return async () => {
    stopCaptions();
    await stopReports();
    // What was taken is settled before the stores are closed.
    await Promise.all(underWay);
  };
}

async function settleReport(deps: BusReportDeps, report: DurableReport): Promise<void> {
  try {
    await applyReport(deps, report);
    report.ack();
  } catch (error) {
    settleFailure(deps, report, error);
  }
}

function settleFailure(deps: BusReportDeps, report: DurableReport, error: unknown): void {
  const fields = { err: error, subject: report.subject, deliveries: report.deliveries };
  if (report.deliveries >= maxDeliveries(error)) {
    deps.log.error(fields, 'a report of the runtime can never be applied: discarded');
    deps.metrics.messageDiscarded(kindOf(report.subject), reasonOf(error));
    report.discard();
    return;
  }
  deps.log.warn(fields, 'a report of the runtime could not be applied yet');
  report.retry(Math.min(MAX_RETRY_MS, RETRY_MS * report.deliveries));
}

const KINDS = { started: true, intervention: true, ended: true, result: true } satisfies Record<RuntimeReportKind, true>;

/** A label of few values, whatever anybody writes into a subject. */
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

function maxDeliveries(error: unknown): number {
  if (isCalloutError(error, 'INVALID_ARGUMENT')) return 1;
  if (isCalloutError(error, 'NOT_FOUND')) return MAX_UNKNOWN_DELIVERIES;
  return isCalloutError(error) && error.retryable ? Infinity : MAX_FAULTY_DELIVERIES;
}

/** `callout.v1.runtime.<kind>.<requestId>`: kind and id of the subject count, the body tells the rest. */
async function applyReport(deps: BusReportDeps, { subject, body }: DurableReport): Promise<void> {
  const [, , , kind = '', requestId = ''] = subject.split('.');
  if (kind === 'result') {
    await applyResult(deps, normaliseResult(parse(resultReport, body, { requestId }), deps.timeZone));
    return;
  }
  const event = parse(progressReport, body, { requestId, kind });
  const answer = await reportProgress(
    deps,
    progressEvents(event).map(each => normaliseProgress(each, deps.timeZone)),
  );
  if (answer.rejected[0]) throw answer.rejected[0].error;
}

/** A lost caption is only a gap on a screen: the result carries the transcript. */
async function applyCaption(deps: BusReportDeps, body: unknown): Promise<void> {
  try {
    const report = parse(progressReport, body, {});
    const answer = await reportProgress(
      deps,
      progressEvents(report).map(event => normaliseProgress(event, deps.timeZone)),
    );
    for (const _ of answer.rejected) deps.metrics.messageDiscarded('captions', 'NOT_FOUND');
  } catch (error) {
    deps.log.warn({ err: error }, 'a caption could not be applied');
    deps.metrics.messageDiscarded('captions', reasonOf(error));
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown, located: Record<string, string>): z.output<Schema> {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return parseMessage(schema, isObject ? { ...body, ...located } : body);
}
