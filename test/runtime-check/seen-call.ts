import type { z } from 'zod';
import type { StartCommand } from '#protocol/hand-over.ts';
import { progressReport } from '#protocol/progress.ts';
import { type ResultReportInput, resultReport } from '#protocol/result.ts';

/** A report as stored in the stream. */
export interface SeenReport {
  kind: string;
  messageId: string;
  body: Record<string, unknown>;
}

/** A call that was handed to the runtime, with everything reported about it. */
export interface SeenCall {
  requestId: string;
  offer: StartCommand;
  /** Epochs that its reports may have; the last one is current. */
  epochs: number[];
  reports: SeenReport[];
  captions: Record<string, unknown>[];
  /** How often the runtime requested to end the call. */
  endCalls: number;
  consumed: string[];
  isRouted: boolean;
  /** Violations of the contract. */
  faults: string[];
}

export function seenCall(offer: StartCommand): SeenCall {
  const { requestId, epoch = 1 } = offer;
  return { requestId, offer, epochs: [epoch], reports: [], captions: [], endCalls: 0, consumed: [], isRouted: false, faults: [] };
}

/** Records a report of the call, with its violations of the contract. */
export function addReport(call: SeenCall, { kind, messageId, body }: { kind: string; messageId: string; body: unknown }): void {
  const name = `the report "${kind}"`;
  const seen = asRecord(body);
  judgeBody(call, name, seen, kind === 'result' ? resultReport : progressReport);
  if (kind !== 'result' && seen['kind'] !== kind) call.faults.push(`${name} says kind "${String(seen['kind'])}"`);
  if (messageId === '') call.faults.push(`${name} has no header Nats-Msg-Id: a repetition of it would be taken twice`);
  // Otherwise the stream drops the owner's report as a duplicate of a former owner's refused one.
  else if (!messageId.includes(String(seen['epoch']))) call.faults.push(`the Nats-Msg-Id of ${name} has no epoch in it: ${messageId}`);
  call.reports.push({ kind, messageId, body: seen });
}

export function addCaption(call: SeenCall, body: unknown): void {
  const seen = asRecord(body);
  judgeBody(call, 'a caption', seen, progressReport);
  call.captions.push(seen);
}

function judgeBody(call: SeenCall, name: string, body: Record<string, unknown>, schema: z.ZodType): void {
  // The subject identifies the call when the body does not.
  const parsed = schema.safeParse({ requestId: call.requestId, ...body });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    call.faults.push(`${name} is not valid: ${issue?.path.join('.') || 'the body'}: ${issue?.message ?? ''}`);
  }
  if (body['requestId'] !== undefined && body['requestId'] !== call.requestId)
    call.faults.push(`${name} names another requestId than its subject`);
  if (!call.epochs.includes(Number(body['epoch'])))
    call.faults.push(`${name} says epoch ${String(body['epoch'])}, start said ${call.epochs.join(', ')}`);
}

function asRecord(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

export function reportsOf(call: SeenCall, kind: string): SeenReport[] {
  return call.reports.filter(report => report.kind === kind);
}

/** The result; null while there is none. */
export function resultOf(call: SeenCall): ResultReportInput | null {
  const [report] = reportsOf(call, 'result');
  const parsed = resultReport.safeParse(report?.body);
  return parsed.success ? parsed.data : null;
}
