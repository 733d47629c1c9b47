import { expect, test } from '@jest/globals';
import { InstantType } from '#platform/postgres/entity-columns.ts';

test('an unset instant stays null on its way to the database and back: it never becomes 1970', () => {
  const type = new InstantType();
  expect(type.convertToDatabaseValue(null)).toBeNull();
  expect(type.convertToJSValue(null)).toBeNull();
  expect(type.convertToDatabaseValue(Date.UTC(2026, 10, 21))).toBe('2026-11-21T00:00:00.000Z');
});
