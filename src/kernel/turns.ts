import { CalloutError } from './errors.ts';

const RETRY_AFTER_SECONDS = 1;

export interface TurnLimits {
  running: number;
  /** Most waiting entries in total. */
  waiting: number;
  waitingOfKey: number;
  /** Error message beyond the limits, in Chinese. */
  refusal: string;
}

interface Waiting {
  begin: () => void;
  refuse: (error: CalloutError) => void;
}

/**
 * Runs few tasks at once; the tasks of each key wait in their own queue, and the queues take turns.
 *
 * Why:    a flood from one address delays a login from another by one turn only. When all waiting places are taken, the longest queue drops
 *         its last entry in favour of a key with a shorter queue
 * Errors: RATE_LIMITED when too many wait
 */
export function createTurns({ running: maxRunning, waiting: maxWaiting, waitingOfKey, refusal }: TurnLimits) {
  const tooMany = () => new CalloutError('RATE_LIMITED', refusal, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  let running = 0;
  let waiting = 0;
  const rows = new Map<string, Waiting[]>();

  const next = (): Waiting | undefined => {
    const [first] = rows;
    if (!first) return undefined;
    const [key, row] = first;
    rows.delete(key);
    // The key goes behind the other queues.
    if (row.length > 1) rows.set(key, row);
    waiting -= 1;
    return row.shift();
  };
  const makeRoomFor = (own: number): boolean => {
    if (waiting < maxWaiting) return true;
    const longest = [...rows.values()].reduce((one, other) => (other.length > one.length ? other : one));
    if (longest.length <= own + 1) return false;
    longest.pop()?.refuse(tooMany());
    waiting -= 1;
    return true;
  };
  const wait = (key: string) =>
    new Promise<void>((begin, refuse) => {
      const row = rows.get(key) ?? [];
      if (row.length >= waitingOfKey || !makeRoomFor(row.length)) return refuse(tooMany());
      row.push({ begin, refuse });
      rows.set(key, row);
      waiting += 1;
    });

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (running < maxRunning) running += 1;
    else await wait(key);
    try {
      return await work();
    } finally {
      // The turn passes to the next waiting task, or becomes free.
      const following = next();
      if (following) following.begin();
      else running -= 1;
    }
  };
}
