import { expect, test } from '@jest/globals';
import { createStreamPlaces } from '#operations/access/stream-places.ts';

const refused = expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) });

test('a session and a user have so many open streams; a closed one gives its place back, once', () => {
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

test('0 sets no limit, and who has no session is not counted', () => {
  const open = createStreamPlaces({ streamsPerSession: 0, streamsPerUser: 0 });
  const closed = createStreamPlaces({ streamsPerSession: 1, streamsPerUser: 1 });
  for (let count = 0; count < 100; count++) {
    open.take({ sessionId: 's', userId: 1 });
    closed.take({ sessionId: null, userId: null });
  }
  expect(() => closed.take({ sessionId: 's', userId: 1 })).not.toThrow();
});
