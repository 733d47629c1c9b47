import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { createTracer } from '#platform/http/trace.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Log, LogFields } from '#kernel/log.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { noMetrics } from '#test/support/no-metrics.ts';

function rig() {
  const lines: [level: string, fields: LogFields][] = [];
  const keep = (level: string) => (fields: LogFields) => void lines.push([level, fields]);
  const log: Log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error'), child: () => log };
  let answered = 0;
  const metrics = { ...noMetrics, requestAnswered: () => void answered++ };
  const clock = manualClock();
  const begin = createTracer({ clientAddress: () => null, clock, ids: () => 'a-trace-id', log, metrics });
  const fail = (failure: unknown, statusCode: number) => {
    const response = Object.assign(new EventEmitter(), { statusCode, setHeader: () => undefined });
    const exchange = begin({ method: 'GET', headers: {} } as IncomingMessage, response as unknown as ServerResponse);
    exchange.failure = failure;
    response.emit('close');
  };
  return { lines, clock, fail, answered: () => answered };
}

test('while a store is unavailable, the log samples the refusals with a count of those left out; the metrics count all', async () => {
  const { lines, clock, fail, answered } = rig();
  const away = new CalloutError('CACHE_UNAVAILABLE', '缓存暂时不可用，请稍后重试');
  for (let asked = 0; asked < 1_000; asked++) fail(away, 503);
  expect(lines.map(([level]) => level)).toEqual(Array.from({ length: 20 }, () => 'warn'));
  await clock.pass(10_000);
  fail(away, 503);
  expect(lines.at(-1)).toEqual(['warn', expect.objectContaining({ traceId: 'a-trace-id', status: 503, leftOut: 980 })]);
  expect(answered()).toBe(1_001);
});

test('every internal error is logged', () => {
  const { lines, fail } = rig();
  for (let asked = 0; asked < 50; asked++) fail(new Error('a bug'), 500);
  expect(lines.filter(([level]) => level === 'error')).toHaveLength(50);
});
