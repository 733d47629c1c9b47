import { beforeEach, describe, expect, test } from '@jest/globals';
import { captionSubject, runtimeSubject, softphoneReportSubject } from '#protocol/subjects.ts';
import { serveReports } from '#calls/bus.ts';
import { proofKeyOf } from '#protocol/proof.ts';
import { seenProofs } from '#platform/nats/proof.ts';
import { serveSoftphoneReports } from '#softphones/bus.ts';
import { CalloutError, isCalloutError, staleEpoch } from '#kernel/errors.ts';

import { type Log, type LogFields, silentLog } from '#kernel/log.ts';
import type { Rejection } from '#runtime-events/rejections.ts';
import type { Bus, BusMessage, DurableReport } from '#platform/nats/bus.ts';
import type { ResultReport } from '#outcomes/outcome-store.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { noMetrics } from '#test/support/no-metrics.ts';
import type { App } from '#app/app.ts';

// Tests which reports of a runtime cannot be applied, and when that is reported.

const CALL = '7d0f6c2e-3d63-4a8e-9a51-0c6a8f0f3b11';
const clock = manualClock();

let told: Rejection[];
let applied: ResultReport[];
let fault: 'applied' | 'not_found' | 'away' | 'stale' | 'bug';
let listeners: Map<string, (message: BusMessage) => void>;
let key: Buffer | null;
let lines: [level: string, message: string, fields: LogFields][];
const write = (level: string) => (fields: LogFields, message: string) => void lines.push([level, message, fields]);
const log: Log = { ...silentLog, warn: write('warn'), error: write('error') };
let inbox: (report: DurableReport) => void;

beforeEach(async () => {
  key = null;
  [told, applied, fault, listeners, lines] = [[], [], 'applied', new Map(), []];
  const applyResult = (report: ResultReport) => {
    applied.push(report);
    if (fault === 'away') return Promise.reject(new CalloutError('DATABASE_UNAVAILABLE', '数据库不可用'));
    if (fault === 'bug') return Promise.reject(new TypeError('a bug'));
    if (fault === 'stale') return Promise.reject(staleEpoch());
    if (fault === 'not_found') return Promise.resolve({ kind: 'not_found' });
    const answer = { kind: 'applied', attemptId: 1, requestId: CALL, campaignId: 1, status: 'completed', duplicate: false };
    return Promise.resolve({ ...answer, conflicts: [], outboxId: null });
  };
  const parts = {
    dials: { applyResult },
    liveCalls: { appendSegments: () => Promise.resolve(null) },
    // No call is known, and none can be adopted.
    calls: { find: () => Promise.resolve(null), send: () => Promise.resolve({ kind: 'absent' }) },
    softphoneSessions: { findCall: () => Promise.resolve(null) },
    timeZone: 'UTC',
    proofKey: () => key,
    proofs: seenProofs(),
    clock,
    log,
    metrics: noMetrics,
    rejections: { publish: (rejection: Rejection) => void told.push(rejection) },
  };
  const bus = {
    subscribe: (subject: string, _options: object, listener: (message: BusMessage) => void) => {
      listeners.set(subject, listener);
      return () => undefined;
    },
    consumeReports: (listener: (report: DurableReport) => void) => {
      inbox = listener;
      return Promise.resolve(() => Promise.resolve());
    },
  } as unknown as Bus;
  await serveReports(parts as unknown as App, bus);
  serveSoftphoneReports(parts as unknown as App, bus);
});

type Settled = 'ack' | 'retry' | 'discard';

async function deliver(body: unknown, deliveries = 1, kind: 'result' | 'started' = 'result'): Promise<Settled[]> {
  const settled: Settled[] = [];
  inbox({
    subject: runtimeSubject(kind, CALL),
    body,
    deliveries,
    ack: () => settled.push('ack'),
    retry: () => settled.push('retry'),
    discard: () => settled.push('discard'),
  });
  await clock.pass(0);
  return settled;
}

async function publish(pattern: string, subject: string, body: unknown): Promise<void> {
  listeners.get(pattern)?.({ subject, body });
  await clock.pass(0);
}

const codes = () => told.map(({ inbound, error }) => `${inbound} ${isCalloutError(error) ? error.code : 'INTERNAL'}`);

describe('a report of the durable inbox', () => {
  test('that can never be applied is rejected at once, with its call', async () => {
    expect(await deliver({ intent: '改期', runtimeId: 'runtime-1' })).toEqual(['discard']);
    expect(told).toMatchObject([
      {
        inbound: 'result',
        subject: runtimeSubject('result', CALL),
        requestId: CALL,
        body: { runtimeId: 'runtime-1' },
        error: { field: 'callStatus' },
      },
    ]);
    expect(applied).toEqual([]);
  });

  test('that is refused is one log line without a stack; one that fails by our fault has its stack', async () => {
    await deliver({ intent: '改期' });
    expect(lines).toEqual([
      [
        'warn',
        'a runtime report is invalid and was discarded',
        { code: 'INVALID_ARGUMENT', reason: expect.stringContaining('callStatus'), subject: runtimeSubject('result', CALL), deliveries: 1 },
      ],
    ]);
    fault = 'bug';
    await deliver({ callStatus: 'busy' }, 20);
    expect(lines[1]).toMatchObject(['error', 'a runtime report is invalid and was discarded', { err: expect.any(TypeError) }]);
  });

  test('for an unknown call is rejected after the last delivery', async () => {
    fault = 'not_found';
    for (const deliveries of [1, 2]) expect(await deliver({ callStatus: 'busy' }, deliveries)).toEqual(['retry']);
    expect(told).toEqual([]);
    expect(await deliver({ callStatus: 'busy' }, 3)).toEqual(['discard']);
    expect(codes()).toEqual(['result NOT_FOUND']);
  });

  test('is not rejected while a store is unavailable', async () => {
    fault = 'away';
    expect(await deliver({ callStatus: 'busy' }, 50)).toEqual(['retry']);
    expect(told).toEqual([]);
  });

  test('for a call that another runtime owns by now is rejected at once', async () => {
    fault = 'stale';
    expect(await deliver({ callStatus: 'busy', runtimeId: 'runtime-1' })).toEqual(['discard']);
    expect(told).toMatchObject([{ inbound: 'result', error: { code: 'STALE_EPOCH', field: 'epoch' } }]);
  });

  test('applies to the call of its subject, whatever attempt the body names [D7.7]', async () => {
    expect(await deliver({ callStatus: 'busy', attemptId: 77 })).toEqual(['ack']);
    expect(applied).toMatchObject([{ requestId: CALL, attemptId: null }]);
    expect(told).toEqual([]);
  });
});

describe('with an internal token [D3.8]', () => {
  test('unsigned reports are rejected and never applied', async () => {
    key = proofKeyOf('secret');
    expect(await deliver({ callStatus: 'busy', runtimeId: 'runtime-1' })).toEqual(['discard']);
    await publish(captionSubject('*'), captionSubject(CALL), { segment: { segmentId: 's', speaker: 'bot', text: '您好' } });
    await publish(softphoneReportSubject('*'), softphoneReportSubject(CALL), { kind: 'error', message: '您好' });
    expect(codes()).toEqual(['result UNAUTHENTICATED', 'captions UNAUTHENTICATED', 'softphone UNAUTHENTICATED']);
    expect(applied).toEqual([]);
  });
});

describe('reports that may be lost', () => {
  const CAPTIONS = captionSubject('*');
  const SOFTPHONES = softphoneReportSubject('*');

  test('invalid captions and other kinds on the caption subject are rejected', async () => {
    for (const body of [undefined, { segment: { segmentId: 's', speaker: 'dog', text: '' } }, { kind: 'ended' }])
      await publish(CAPTIONS, captionSubject(CALL), body);
    expect(codes()).toEqual(Array(3).fill('captions INVALID_ARGUMENT'));
    expect(told.every(({ requestId }) => requestId === CALL)).toBe(true);
  });

  test('browser phone reports are rejected when the session is unknown or does not match the subject, or when they are invalid', async () => {
    const error = { kind: 'error', message: '您好' };
    await publish(SOFTPHONES, softphoneReportSubject(CALL), error);
    await publish(SOFTPHONES, softphoneReportSubject('no-uuid'), error);
    await publish(SOFTPHONES, softphoneReportSubject(CALL), { ...error, sessionId: '0338df3d-a19f-44c5-aedd-fe4247a4134e' });
    await publish(SOFTPHONES, softphoneReportSubject(CALL), { kind: 'error' });
    expect(codes()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'INVALID_ARGUMENT', 'INVALID_ARGUMENT'].map(code => `softphone ${code}`));
    expect(told.map(each => (isCalloutError(each.error) ? (each.error.field ?? null) : ''))).toEqual([null, null, 'sessionId', 'message']);
  });
});
