import { expect, test } from '@jest/globals';
import type { WatchedCall } from '../../../console/live/call-changes.ts';
import { callsWatchedBy, keptCall, ownCall } from '../../../console/pages/desk/my-calls.ts';
import { valuesOf } from '../../../console/pages/desk/values.ts';
import { watchedCall as call } from '#test/support/console/watched-call.ts';

const ME = '7';
const AT = '2026-03-02T02:00:00.000Z';

type Person = WatchedCall['people'][number];
const person = (userId: string, change: Partial<Person> = {}): Person => ({
  __typename: 'CallPerson',
  userId,
  joinedAt: AT,
  leftAt: null,
  hasHandedOver: false,
  ...change,
});
const watchedBy = (userId: string) => ({
  monitorAssignment: { __typename: 'MonitorAssignment', userId, displayName: '王敏' } as const,
});

test('the call that my phone is in, or rings for, is mine before one that I have ended', () => {
  const ended = call('ended', { status: 'ENDED', people: [person(ME, { leftAt: AT })] });
  const ringing = call('ringing', { people: [person(ME, { joinedAt: null })] });
  expect(ownCall([ended, ringing, call('watched', watchedBy(ME))], ME)?.callKey).toBe('ringing');
  expect(ownCall([ended], ME)?.callKey).toBe('ended');
});

test('a call that I handed on, never answered, or that is another’s is not mine', () => {
  const calls = [
    call('handed on', { status: 'ENDED', people: [person(ME, { leftAt: AT, hasHandedOver: true })] }),
    call('not answered', { status: 'ENDED', people: [person(ME, { joinedAt: null, leftAt: AT })] }),
    call('left', { people: [person(ME, { leftAt: AT }), person('8')] }),
    call('another’s', { people: [person('8')] }),
  ];
  expect(ownCall(calls, ME)).toBeUndefined();
});

test('my call stays with its last facts when it has left me, and an older one that is over does not come back in its place', () => {
  const mine = call('mine', { startedAt: '2026-03-02T02:05:00.000Z', people: [person(ME)] });
  const older = call('older', { status: 'ENDED', startedAt: AT, people: [person(ME, { leftAt: AT })] });
  const kept = keptCall(keptCall(null, [older], ME), [older, mine], ME);
  expect(kept?.call.callKey).toBe('mine');
  const left = keptCall(kept, [older], ME);
  expect(left).toBe(kept);
  expect(keptCall(left && { ...left, isClosed: true }, [older], ME)?.isClosed).toBe(true);
});

test('a call that I closed opens again when my phone is in it again, and another one takes its place at once', () => {
  const left = call('mine', { people: [person(ME, { leftAt: AT })] });
  const back = call('mine', { people: [person(ME, { leftAt: AT }), person(ME, { joinedAt: null })] });
  const closed = { call: left, isClosed: true };
  expect(keptCall(closed, [left], ME)).toBe(closed);
  expect(keptCall(closed, [back], ME)).toEqual({ call: back, isClosed: false });
  const next = call('next', { startedAt: '2026-03-02T03:00:00.000Z', people: [person(ME)] });
  expect(keptCall({ call: left, isClosed: false }, [next], ME)?.call.callKey).toBe('next');
});

test('I watch what is assigned to me or kept by me, without my own call', () => {
  const calls = [
    call('mine', watchedBy(ME)),
    call('kept', { retainedByIds: [ME] }),
    call('own', watchedBy(ME)),
    call('other', watchedBy('8')),
  ];
  expect(callsWatchedBy(calls, ME, 'own').map(({ callKey }) => callKey)).toEqual(['mine', 'kept']);
});

test('named values are shown as they are written, and what is empty or deeply nested not at all', () => {
  expect(valuesOf({ city: '上海', age: 40, none: null, empty: '', more: { a: 1, deep: { b: 2 } }, steps: [{ nodeId: 'n' }] })).toEqual([
    ['city', '上海'],
    ['age', '40'],
    ['a', '1'],
  ]);
  expect([valuesOf(null), valuesOf(['a']), valuesOf('text')]).toEqual([[], [], []]);
});
