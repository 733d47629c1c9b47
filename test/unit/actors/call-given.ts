import type { CallContext } from '#actors/call/context.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callMachine } from '#actors/call/machine.ts';
import { givenMachine } from '#test/support/machine-given.ts';

export const given = givenMachine<CallContext, CallEvent>(callMachine, { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000 });
export const after = (delay: string, place: string) => ({ type: `xstate.after.${delay}.call.${place}` }) as unknown as CallEvent;

export const answered: CallEvent = { type: 'channelAnswered', at: 1_000 };
export const taken: CallEvent = { type: 'runtimeAccepted', runtimeId: 'runtime-1', epoch: 1 };
export const declined = (epoch: number, runtimeId: string | null = `runtime-${epoch}`): CallEvent => ({
  type: 'runtimeDeclined',
  runtimeId,
  epoch,
});
export const offer = (epoch: number, more: object = {}) => ({
  type: 'startRuntime',
  params: { epoch, isRestored: false, isResuming: false, tried: [], ...more },
});
export const OFFERED = { open: { live: { offering: 'asking' } } };
export const SERVED = { open: { live: 'served' } };
export const hungUp: CallEvent = {
  type: 'channelHungUp',
  at: 9_000,
  cause: 'NORMAL_CLEARING',
  callStatus: 'completed',
  by: 'customer',
  answeredAt: 1_000,
};
export const busy: CallEvent = {
  type: 'channelHungUp',
  at: 2_000,
  cause: 'USER_BUSY',
  callStatus: 'busy',
  by: 'customer',
  answeredAt: null,
};
/** Probe result without a channel. `sightings`: how often the channel had been seen when the probe was sent. */
export const missing = (sightings: number): CallEvent => ({ type: 'channelMissing', sightings });
export const types = (step: { effects: { type: string }[] }) => step.effects.map(effect => effect.type);
