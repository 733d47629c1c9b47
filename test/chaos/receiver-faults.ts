import { sleep, systemClock } from '#kernel/clock.ts';
import { type Random, randomInt } from '#kernel/random.ts';
import type { ReceiverProcess } from './receiver-process.ts';

/** What a receiver has gone through, by its kind. */
export type ReceiverFaults = Record<'killed' | 'failing' | 'slow' | 'silent', number>;

const HEALTHY_MS = { min: 3_000, max: 7_000 };
const BROKEN_MS = { min: 500, max: 3_000 };
/** Answers that come late, and within the 10 s that a receiver has. */
const DELAY_MS = { min: 200, max: 2_000 };

/** Kills the receiver, and makes it fail, linger and hang, one after the other, until the signal aborts; it is healthy in between and at the end. */
export async function keepBreaking(
  receiver: Pick<ReceiverProcess, 'kill' | 'start' | 'setMode'>,
  random: Random,
  signal: AbortSignal,
): Promise<ReceiverFaults> {
  const counts: ReceiverFaults = { killed: 0, failing: 0, slow: 0, silent: 0 };
  const pause = ({ min, max }: { min: number; max: number }) => sleep(systemClock, randomInt(random, min, max), signal);
  const turns: (() => Promise<keyof ReceiverFaults>)[] = [
    async () => {
      await receiver.kill();
      await pause(BROKEN_MS);
      await receiver.start();
      return 'killed';
    },
    async () => {
      await receiver.setMode({ kind: 'failing' });
      return 'failing';
    },
    async () => {
      await receiver.setMode({ kind: 'slow', delayMs: randomInt(random, DELAY_MS.min, DELAY_MS.max) });
      return 'slow';
    },
    async () => {
      await receiver.setMode({ kind: 'silent' });
      return 'silent';
    },
  ];
  for (let turn = randomInt(random, 0, turns.length - 1); !signal.aborted; turn++) {
    await pause(HEALTHY_MS);
    if (signal.aborted) break;
    const kind = await turns[turn % turns.length]?.();
    if (kind) counts[kind] += 1;
    if (kind !== 'killed') await pause(BROKEN_MS);
    await receiver.setMode({ kind: 'healthy' });
  }
  return counts;
}
