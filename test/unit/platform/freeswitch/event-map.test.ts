import { describe, expect, test } from '@jest/globals';
import { decodeEvent, type EslEvent, FrameDecoder } from '#platform/freeswitch/esl-codec.ts';
import { isLocalRefusal, toSwitchEvent } from '#platform/freeswitch/events.ts';
import { outcomeTeller } from './outcome-words.ts';
import { EXPECTED, EXPECTED_COUNTS } from './recorded-outcomes.ts';
import { bytesOf, RECORDINGS } from './recording.ts';

function eventsOf(name: string): EslEvent[] {
  return new FrameDecoder().push(bytesOf(name, 'S->C')).flatMap(frame => decodeEvent(frame) ?? []);
}

/** Events and job results of a recording, in words. */
function outcomesOf(name: string): string[] {
  const tell = outcomeTeller();
  return eventsOf(name).flatMap(event => tell(event) ?? []);
}

function countsOf(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const kind = outcome.startsWith('job +OK') ? 'job +OK' : outcome.startsWith('job') ? outcome : outcome.replace(/^\S+ /, '');
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

describe('the events of each recording [fixtures/esl/README §3]', () => {
  test.each(Object.entries(EXPECTED))('%s', (name, outcomes) => {
    expect(outcomesOf(name)).toEqual(outcomes);
  });

  test.each(Object.entries(EXPECTED_COUNTS))('%s, counted', (name, counts) => {
    expect(countsOf(outcomesOf(name))).toEqual(counts);
  });

  test('the other recordings contain no channel events', () => {
    const told = RECORDINGS.filter(name => outcomesOf(name).length > 0);
    expect(told).toEqual([...Object.keys(EXPECTED), ...Object.keys(EXPECTED_COUNTS)].sort());
  });

  test('a failed job without CHANNEL_CREATE is a local refusal, and no other job is [§7.12]', () => {
    for (const [name, outcomes] of Object.entries(EXPECTED)) {
      if (!name.startsWith('b-')) continue;
      const cause = outcomes.map(outcome => /^job ([A-Z_]+)$/.exec(outcome)?.[1]).find(Boolean);
      if (cause === undefined || name === 'b-failover-plain') continue;
      expect([name, isLocalRefusal(cause)]).toEqual([name, !outcomes.includes('A channel_created')]);
    }
  });
});

describe('switch events [fixtures/esl/README §2]', () => {
  const [created, answered, ended] = eventsOf('b-answered-bye-plain')
    .map(event => toSwitchEvent('cell-1', event))
    .filter(fact => fact !== null);

  test('an event id is the core UUID and the event sequence', () => {
    expect(created).toEqual({
      kind: 'channel_created',
      cellId: 'cell-1',
      requestId: '0338df3d-a19f-44c5-aedd-fe4247a4134e',
      at: 1_795_223_408_920,
      eventId: '4e7c4cc3-5b10-4f20-b6ca-b506a9696c37:526',
    });
  });

  test('the hang-up event contains all facts of the call, even if earlier events were lost', () => {
    expect(answered?.kind).toBe('answered');
    expect(ended).toMatchObject({
      kind: 'hung_up',
      cause: 'NORMAL_CLEARING',
      by: 'customer',
      answeredAt: 1_795_223_409_920,
      progressAt: 1_795_223_408_920,
    });
  });

  test('a 604 from the far end is a verdict on the number [D7.1]', () => {
    const headers = headersOf({ 'Hangup-Cause': 'NO_ROUTE_DESTINATION', variable_sip_term_status: '604' });
    const event: EslEvent = { name: 'CHANNEL_HANGUP_COMPLETE', headers, body: '' };
    expect(toSwitchEvent('cell-1', event)).toMatchObject({ kind: 'hung_up', cause: 'UNALLOCATED_NUMBER' });
  });

  test('early media counts as ringing', () => {
    const event: EslEvent = { name: 'CHANNEL_PROGRESS_MEDIA', headers: headersOf({}), body: '' };
    expect(toSwitchEvent('cell-1', event)).toMatchObject({ kind: 'ringing', earlyMedia: true });
  });

  test.each(['Unique-ID', 'Core-UUID', 'Event-Sequence', 'Event-Date-Timestamp'])('without %s an event is dropped', missing => {
    const event: EslEvent = { name: 'CHANNEL_ANSWER', headers: headersOf({ [missing]: null }), body: '' };
    expect(toSwitchEvent('cell-1', event)).toBeNull();
  });
});

function headersOf(change: Record<string, string | null>): Map<string, string> {
  const headers = { 'Unique-ID': 'u1', 'Core-UUID': 'c1', 'Event-Sequence': '7', 'Event-Date-Timestamp': '1795223408920745', ...change };
  return new Map(Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
}
