import { unreachable } from '#kernel/assert.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Random } from '#kernel/random.ts';
import type { BrowserPhoneSide, CallState, Channel, Ending } from './channel.ts';
import type { SwitchSound } from './media/switch-sound.ts';
import { planPhone } from './phones.ts';
import { type CalleePlan, planCallee, type World } from './world.ts';

/** Operations of the switch that a callee needs. */
export interface CalleeSide {
  readonly options: {
    world: World;
    random: Random;
    clock: Clock;
    browserPhones: Pick<BrowserPhoneSide, 'rings'> | null;
    sound: Pick<SwitchSound, 'isHeard'>;
  };
  later(channel: Channel, delayMs: number, task: () => void): void;
  channelEvent(channel: Channel, name: string): void;
  /** Changes the channel's row in the lists. */
  mark(channel: Channel, change: { callState: CallState }): void;
  answer(channel: Channel): void;
  hangUp(channel: Channel, ending: Ending): void;
}

/** Operations of the switch that a goodbye needs. */
export interface GoodbyeSide extends Pick<CalleeSide, 'hangUp' | 'later'> {
  readonly options: { sound: Pick<SwitchSound, 'isHeard'> };
}

/** Operations of the switch that a ringing phone needs. */
export type RingSide = Pick<CalleeSide, 'channelEvent' | 'mark'> & { readonly options: { clock: Clock } };

/** Channel variable that tells the reference runtime the kind of callee: `person` or `voicemail`. */
export const CALLEE_VARIABLE = 'callout_simulated_callee';

/** Plays the callee of a new channel. */
export function beginCallee(core: CalleeSide, channel: Channel): void {
  if (channel.endpoint !== 'sofia') return core.answer(channel);
  if (core.options.browserPhones?.rings(channel)) return;
  const { world, random } = core.options;
  const plan = channel.phone ? planPhone(channel.phone) : planCallee(world, channel.way, channel.number, random);
  channel.plan = plan;
  core.later(channel, plan.networkMs, () => respond(core, channel, plan));
}

function respond(core: CalleeSide, channel: Channel, plan: CalleePlan): void {
  switch (plan.kind) {
    case 'refuses':
      if (plan.hasEarlyMedia) earlyMedia(core, channel);
      channel.isRefusedByCallee = channel.way !== 'closed';
      return core.hangUp(channel, { cause: plan.refusal.cause, disposition: 'recv_refuse', refusal: plan.refusal });
    case 'never_answers':
      if (plan.progress.includes('ringing')) ring(core, channel);
      return;
    case 'answers':
      if (plan.progress.includes('ringing')) ring(core, channel);
      if (plan.progress.includes('early_media')) earlyMedia(core, channel);
      channel.variables.set(CALLEE_VARIABLE, plan.callee);
      return core.later(channel, plan.ringMs, () => pickUp(core, channel, plan));
    default:
      return unreachable(plan);
  }
}

/** Reports the far end's 180. */
export function ring(core: RingSide, channel: Channel): void {
  channel.progressAt = core.options.clock.now();
  core.channelEvent(channel, 'CHANNEL_PROGRESS');
  core.mark(channel, { callState: 'RINGING' });
}

/** Without `ignore_early_media=true` the job succeeds here already, before any answer. */
function earlyMedia(core: CalleeSide, channel: Channel): void {
  channel.mediaAt = core.options.clock.now();
  core.channelEvent(channel, 'CHANNEL_PROGRESS_MEDIA');
  core.mark(channel, { callState: 'EARLY' });
  if (channel.variables.get('ignore_early_media') !== 'true') channel.finish(`+OK ${channel.uuid}\n`);
}

function pickUp(core: CalleeSide, channel: Channel, { talkMs, talks }: Extract<CalleePlan, { kind: 'answers' }>): void {
  core.answer(channel);
  if (talks === 'inCompany') channel.talkLeftMs = talkMs;
  else if (talkMs !== null) core.later(channel, talkMs, () => sayGoodbye(core, channel));
}

/** Delay after which a callee that is being listened to wants to hang up again, in ms. */
const STAY_MS = 5_000;

/** Ends the channel as a hang-up by the callee, who stays while a person with a phone in a browser is there. */
export function sayGoodbye(core: GoodbyeSide, channel: Channel): void {
  if (core.options.sound.isHeard(channel.uuid)) return core.later(channel, STAY_MS, () => sayGoodbye(core, channel));
  core.hangUp(channel, { cause: 'NORMAL_CLEARING', disposition: 'recv_bye' });
}
