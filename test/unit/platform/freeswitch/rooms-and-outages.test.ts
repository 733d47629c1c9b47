import { describe, expect, test } from '@jest/globals';
import { CellOutage } from '#platform/freeswitch/esl-link.ts';
import { isRecordedAlready, RecordingWatch } from '#platform/freeswitch/conference-switch.ts';
import type { EslEvent } from '#platform/freeswitch/esl-codec.ts';
import { ADDRESS_REFUSED, PASSWORD_REFUSED } from '#platform/freeswitch/esl-connection.ts';
import { toSwitchEvent } from '#platform/freeswitch/events.ts';
import { silentLog } from '#kernel/log.ts';

/** A conference recording event as the switch sends it; `more`: additional headers. */
function roomEvent(action: string, atMs: number, more: Record<string, string> = {}): EslEvent {
  const headers = {
    'Event-Subclass': 'conference::maintenance',
    'Core-UUID': 'core',
    'Event-Sequence': '7',
    'Event-Date-Timestamp': String(atMs * 1_000),
    'Conference-Name': 'callout-1',
    'Conference-Size': '2',
    Action: action,
    Path: '/recordings/callout-1.wav',
    ...more,
  };
  return { name: 'CUSTOM', headers: new Map(Object.entries(headers)), body: '' };
}

describe('recordings of conferences [test/fixtures/esl/README.md §1a]', () => {
  const judged = (...events: EslEvent[]) => {
    const watch = new RecordingWatch();
    return events.map(event => {
      const fact = toSwitchEvent('cell-1', event);
      return fact?.kind === 'conference' ? watch.judge(fact).action : null;
    });
  };

  test('a recording that starts and stops', () => {
    const ends = { 'Samples-Out': '8160', 'Milliseconds-Elapsed': '1020', 'Record-File-Size': '16464' };
    expect(judged(roomEvent('start-recording', 100), roomEvent('stop-recording', 1_120, ends))).toEqual([
      'recording_started',
      'recording_stopped',
    ]);
  });

  test.each([
    ['an error when it begins', roomEvent('start-recording', 100, { Error: 'File could not be opened for recording' }), null],
    ['an end without a sample', roomEvent('stop-recording', 100, { 'Samples-Out': '0', 'Milliseconds-Elapsed': '0' }), null],
    ['an end at the same time as its start', roomEvent('start-recording', 100), roomEvent('stop-recording', 100)],
  ])('a recording that failed: %s', (_what, first, second) => {
    expect(judged(...(second === null ? [first] : [first, second])).at(-1)).toBe('recording_failed');
  });

  test('the switch reports a repeated start of a running recording', () => {
    expect(isRecordedAlready('-ERR file [/recordings/callout-1.wav] is already being used for recording.')).toBe(true);
    expect(isRecordedAlready('-ERR Conference callout-1 not found')).toBe(false);
  });
});

test('each new reason of an outage is logged once, and the latest is the fault [D14.1]', () => {
  const told: unknown[] = [];
  const outage = new CellOutage({ ...silentLog, warn: fields => void told.push(Object(fields).reason) });
  const faults = ['connect ECONNREFUSED', 'connect ECONNREFUSED', PASSWORD_REFUSED, ADDRESS_REFUSED, PASSWORD_REFUSED].map(reason => {
    outage.note(reason);
    return outage.fault;
  });
  expect(told).toEqual(['connect ECONNREFUSED', PASSWORD_REFUSED, ADDRESS_REFUSED]);
  expect(faults).toEqual(['unreachable', 'unreachable', 'auth_refused', 'acl_refused', 'auth_refused']);
  outage.end();
  expect(outage.fault).toBeUndefined();
  outage.note(PASSWORD_REFUSED);
  expect(told).toHaveLength(4);
});
