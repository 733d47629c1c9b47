import { expect, test } from '@jest/globals';
import { CalloutError, errorFields, invalidArgument, notFound } from '#kernel/errors.ts';
import { limitedLog, type Log, type LogFields } from '#kernel/log.ts';
import { manualClock } from '#test/support/manual-clock.ts';

function rig() {
  const lines: [message: string, fields: LogFields][] = [];
  const keep = (fields: LogFields, message: string) => void lines.push([message, fields]);
  const kept: Log = { debug: keep, info: keep, warn: keep, error: keep, child: () => kept };
  const clock = manualClock();
  return { lines, clock, log: limitedLog(kept, clock) };
}

test('writes a few lines of each kind per period, then the number of lines left out', async () => {
  const { lines, clock, log } = rig();
  for (let sent = 0; sent < 1_000; sent++) log.warn({ sent }, 'malformed');
  expect(lines).toHaveLength(20);
  await clock.pass(10_000);
  log.warn({ sent: 1_000 }, 'malformed');
  log.warn({ sent: 1_001 }, 'malformed');
  expect(lines.slice(20)).toEqual([
    ['malformed', { sent: 1_000, leftOut: 980 }],
    ['malformed', { sent: 1_001 }],
  ]);
});

test('a frequent message suppresses neither other messages nor the same message with another error', () => {
  const { lines, log } = rig();
  for (let sent = 0; sent < 1_000; sent++) log.warn({ err: invalidArgument('kind', 'empty') }, 'discarded');
  log.error({ err: notFound('通话') }, 'discarded');
  log.error(errorFields(notFound('通话')), 'discarded');
  log.child({ subject: 'a' }).warn(errorFields(invalidArgument('kind', 'empty')), 'discarded');
  log.warn({}, 'another');
  expect(lines.slice(20).map(([message]) => message)).toEqual(['discarded', 'discarded', 'another']);
});

test('a refusal has no stack in a log line; a fault, and a store that is away, have theirs', () => {
  expect(errorFields(notFound('通话'))).toEqual({ code: 'NOT_FOUND', reason: '通话不存在' });
  for (const error of [new Error('a bug'), new CalloutError('CACHE_UNAVAILABLE', '缓存不可用'), new CalloutError('INTERNAL', '内部错误')])
    expect(errorFields(error)).toEqual({ err: error });
});
