import { expect, test } from '@jest/globals';
import { type CallPerson, hasPart, withPeople } from '#actors/call/people.ts';

const person = (leg: number, joinedAt: number | null, leftAt: number | null): CallPerson => ({
  legUuid: `leg-${leg}`,
  agentId: leg,
  userId: leg,
  joinedAt,
  leftAt,
  hasHandedOver: false,
});

test('a leg only moves forward, however reports are repeated or swapped [D9.7]', () => {
  const rung = withPeople([], [person(1, null, null)]);
  const left = withPeople(rung, [person(1, 5, 9)]);
  expect(left).toEqual([person(1, 5, 9)]);
  expect(withPeople(left, [person(1, 5, null)])).toBe(left);
  expect(withPeople(left, [person(1, null, null)])).toBe(left);
  expect(withPeople(withPeople(rung, [person(1, null, 9)]), [person(1, 5, 9)])).toEqual([person(1, 5, 9)]);
});

test('of very many people those who are in the call are kept, and the newest of the others', () => {
  const gone = Array.from({ length: 120 }, (_, index) => person(index, 1, 2));
  const kept = withPeople(gone, [person(500, 1, null), person(501, 1, null)]);
  expect(kept).toHaveLength(100);
  expect(kept.slice(0, 1)).toEqual([person(22, 1, 2)]);
  expect(kept.slice(-2).map(({ userId }) => userId)).toEqual([500, 501]);
});

test('an agent without a user gives nobody a part', () => {
  expect(hasPart([{ ...person(1, 5, null), userId: null }], 0, false)).toBe(false);
});
