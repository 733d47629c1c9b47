import type { Cancel, Clock } from '#kernel/clock.ts';
import { type GoodbyeSide, sayGoodbye } from './callee.ts';
import type { Channel } from './channel.ts';

/** Operations of the switch that a talk needs. */
export interface TalkSide extends GoodbyeSide {
  readonly options: GoodbyeSide['options'] & { clock: Clock };
  readonly bridges: { has(uuid: string): boolean };
  readonly conferences: { hasCompany(channel: Channel): boolean };
  later(channel: Channel, delayMs: number, task: () => void): Cancel;
}

/**
 * Runs a callee's talk time while another party is on the call, and pauses it otherwise.
 *
 * Why:    on a real switch a callee in silence does not hang up: a call that was answered and then forgotten stays parked
 * Source: test/fixtures/esl/README.md §1a "a missed CHANNEL_ANSWER"
 */
export function runTalk(core: TalkSide, channel: Channel): void {
  const { talkLeftMs, pauseTalk } = channel;
  const isServed = channel.isAttended || core.bridges.has(channel.uuid) || core.conferences.hasCompany(channel);
  if (talkLeftMs === null || channel.answeredAt === null || isServed === (pauseTalk !== null)) return;
  if (pauseTalk !== null) return pauseTalk();
  const { clock } = core.options;
  const startedAt = clock.monotonic();
  const cancel = core.later(channel, talkLeftMs, () => sayGoodbye(core, channel));
  channel.pauseTalk = () => {
    cancel();
    channel.talkLeftMs = Math.max(0, talkLeftMs - (clock.monotonic() - startedAt));
    channel.pauseTalk = null;
  };
}
