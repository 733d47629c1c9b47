import { unreachable } from '#kernel/assert.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Random } from '#kernel/random.ts';
import type { Channel, Ending } from './channel.ts';
import { planPhone } from './phones.ts';
import { type CalleePlan, planCallee, type World } from './world.ts';

/** What a callee does to the switch. */
export interface CalleeSide {
  readonly options: { world: World; random: Random; clock: Clock };
  later(channel: Channel, delayMs: number, task: () => void): void;
  channelEvent(channel: Channel, name: string): void;
  answer(channel: Channel): void;
  hangUp(channel: Channel, ending: Ending): void;
  kill(channel: Channel, cause: string): void;
  readonly conferences: { join(channel: Channel, place: string): void };
}

/** Channel variable that tells the reference runtime whom it talks to: `person` or `voicemail`. */
export const CALLEE_VARIABLE = 'callout_simulated_callee';

const KNOWN_APPLICATION = /^&(park|hangup|echo|playback|sleep|conference|bridge|socket|answer|info|delay_echo)\b/;
const CONFERENCE = /^&conference\((.+)\)$/;
const KNOWN_EXTENSION = /^(919[0-9]|5900|10[01][0-9]|300[0-9]|\*?9664)$/;

/** Plays what the callee does with a new channel. */
export function beginCallee(core: CalleeSide, channel: Channel): void {
  if (channel.endpoint !== 'sofia') return pickUp(core, channel, null);
  const { world, random } = core.options;
  const plan = channel.phone ? planPhone(channel.phone) : planCallee(world, channel.way, channel.number, random);
  channel.plan = plan;
  core.later(channel, plan.networkMs, () => respond(core, channel, plan));
}

function respond(core: CalleeSide, channel: Channel, plan: CalleePlan): void {
  switch (plan.kind) {
    case 'refuses':
      if (plan.hasEarlyMedia) earlyMedia(core, channel);
      return core.hangUp(channel, { cause: plan.refusal.cause, disposition: 'recv_refuse', refusal: plan.refusal });
    case 'never_answers':
      if (plan.progress.includes('ringing')) ring(core, channel);
      return;
    case 'answers':
      if (plan.progress.includes('ringing')) ring(core, channel);
      if (plan.progress.includes('early_media')) earlyMedia(core, channel);
      channel.variables.set(CALLEE_VARIABLE, plan.callee);
      return core.later(channel, plan.ringMs, () => pickUp(core, channel, plan.talkMs));
    default:
      return unreachable(plan);
  }
}

function ring(core: CalleeSide, channel: Channel): void {
  channel.progressAt = core.options.clock.now();
  core.channelEvent(channel, 'CHANNEL_PROGRESS');
}

/** Without `ignore_early_media=true` the job already succeeds here, before any answer. */
function earlyMedia(core: CalleeSide, channel: Channel): void {
  channel.mediaAt = core.options.clock.now();
  core.channelEvent(channel, 'CHANNEL_PROGRESS_MEDIA');
  if (channel.variables.get('ignore_early_media') !== 'true') channel.finish(`+OK ${channel.uuid}\n`);
}

function pickUp(core: CalleeSide, channel: Channel, talkMs: number | null): void {
  core.answer(channel);
  if (channel.application === '&hangup()') return core.kill(channel, 'NORMAL_CLEARING');
  if (channel.application.startsWith('&') && !KNOWN_APPLICATION.test(channel.application)) {
    return core.kill(channel, 'DESTINATION_OUT_OF_ORDER');
  }
  if (!channel.application.startsWith('&') && !KNOWN_EXTENSION.test(channel.application)) return core.kill(channel, 'NO_ROUTE_DESTINATION');
  const place = CONFERENCE.exec(channel.application)?.[1];
  if (place !== undefined) core.conferences.join(channel, place);
  if (talkMs !== null) core.later(channel, talkMs, () => core.hangUp(channel, { cause: 'NORMAL_CLEARING', disposition: 'recv_bye' }));
}
