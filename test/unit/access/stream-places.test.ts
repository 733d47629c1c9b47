import { expect, test } from '@jest/globals';
import { createStreamPlaces } from '#access/stream-places.ts';

const refused = expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) });

test('open streams are limited per session and per user; a closed stream frees its place once', () => {
  const places = createStreamPlaces({ streamsPerSession: 2, streamsPerUser: 3 });
  const [one, two] = [
    { sessionId: 's1', userId: 1 },
    { sessionId: 's2', userId: 1 },
  ];
  const leave = places.take(one);
  places.take(one);
  expect(() => places.take(one)).toThrow(refused);
  places.take(two);
  expect(() => places.take(two)).toThrow(refused);
  expect(() => places.take({ sessionId: 's3', userId: 2 })).not.toThrow();
  leave();
  leave();
  places.take(two);
  expect(() => places.take(two)).toThrow(refused);
});

test('0 means no limit, and streams without a session are not counted', () => {
  const open = createStreamPlaces({ streamsPerSession: 0, streamsPerUser: 0 });
  const closed = createStreamPlaces({ streamsPerSession: 1, streamsPerUser: 1 });
  for (let count = 0; count < 100; count++) {
    open.take({ sessionId: 's', userId: 1 });
    closed.take({ sessionId: null, userId: null });
  }
  expect(() => closed.take({ sessionId: 's', userId: 1 })).not.toThrow();
});
