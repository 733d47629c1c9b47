import { type Clock, sleep } from '#kernel/clock.ts';
import { unlessUnreachable } from '#kernel/errors.ts';
import type { ChannelState, SwitchPort } from './switch.ts';

/** Longest delay between the end of a channel and the event of its hang-up, ms. */
export const HANGUP_GRACE_MS = 500;

/**
 * Probes a channel; when it is gone, waits for the event of its hang-up first. Undefined: the cell does not answer.
 *
 * Why: a channel is gone shortly before its hang-up is told, and only that event says why the call ended
 */
export async function probeEnd(
  app: { switchPort: Pick<SwitchPort, 'probe'>; clock: Clock },
  cellId: string,
  uuid: string,
): Promise<ChannelState | undefined> {
  const channel = await unlessUnreachable(() => app.switchPort.probe(cellId, uuid));
  if (channel?.kind === 'absent') await sleep(app.clock, HANGUP_GRACE_MS);
  return channel;
}
