import { expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { WorkRow } from '#calls/bus.ts';

interface Piece {
  name: string;
  end: PromiseWithResolvers<void>;
}

function rowOfTwo() {
  const begun: string[] = [];
  const row = new WorkRow<Piece>({
    maxAtOnce: 2,
    maxWaiting: 2,
    work: async ({ name, end }) => {
      begun.push(name);
      await end.promise;
    },
  });
  const piece = (name: string): Piece => ({ name, end: Promise.withResolvers() });
  return { row, begun, piece };
}

test('two items are processed at once, two wait, and another one is rejected', async () => {
  const { row, begun, piece } = rowOfTwo();
  const pieces = ['a', 'b', 'c', 'd', 'e'].map(piece);
  expect(pieces.map(each => row.add(each))).toEqual([true, true, true, true, false]);
  expect(begun).toEqual(['a', 'b']);
  pieces[1]?.end.resolve();
  await setImmediate();
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(row.add(piece('f'))).toBe(true);
});

test('it is idle once waiting items are done too, and then accepts more', async () => {
  const { row, begun, piece } = rowOfTwo();
  await row.idle();
  const pieces = ['a', 'b', 'c'].map(piece);
  for (const each of pieces) row.add(each);
  let isIdle = false;
  const idle = row.idle().then(() => (isIdle = true));
  for (const each of pieces.slice(0, 2)) each.end.resolve();
  await setImmediate();
  expect([begun.length, isIdle]).toEqual([3, false]);
  pieces[2]?.end.resolve();
  await idle;
  row.add(piece('d'));
  expect(begun.at(-1)).toBe('d');
});
