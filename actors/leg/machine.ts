import { assign, setup } from 'xstate';
import { declaredEffects, machineTypes } from '../declared-effects.ts';
import { changesVoice, isLost, isNewMember, type LegContext, mayChangeMode } from './context.ts';
import type { LegEffects, LegMessages } from './effects.ts';
import type { LegEvent } from './events.ts';

const base = setup({
  types: machineTypes<LegContext, LegEvent, LegContext>(),
  actions: {
    ...declaredEffects<LegEffects & LegMessages>()('freeLeg', 'endChannel', 'changeVoice', 'toConference'),
    dial: assign(({ event }) => (event.type === 'legDialled' ? { dialingAt: event.at } : {})),
    join: assign(({ event }) => (event.type === 'legJoined' ? { joinedAt: event.at } : {})),
    leave: assign(({ context, event }) => ('cause' in event ? { endedAt: context.endedAt ?? event.at, endCause: event.cause } : {})),
    lose: assign(({ event }) => (event.type === 'legMissing' ? { endedAt: event.at, endCause: 'LOST' } : {})),
    seeMember: assign(({ event }) => (event.type === 'memberSeen' ? { memberId: event.memberId, canSpeak: event.canSpeak } : {})),
    changeMode: assign(({ event }) => (event.type === 'modeRequested' ? { mode: event.mode } : {})),
    recordVoice: assign(({ event }) => {
      if (event.type !== 'voiceChanged') return {};
      const { mode, memberId, canSpeak } = event;
      return { mode, memberId, canSpeak };
    }),
  },
  guards: {
    isLost: ({ context, event }) => isLost(context, event),
    isUnexplained: ({ context }) => context.endCause === null,
    isNewMember: ({ context, event }) => isNewMember(context, event),
    mayChangeMode: ({ context, event }) => mayChangeMode(context, event),
    mayChangeVoice: ({ context, event }) => mayChangeMode(context, event) && changesVoice(context, event),
  },
});

const noParams = <Type extends keyof LegEffects>(type: Type) => ({ type, params: undefined }) as const;
const changeVoice = {
  type: 'changeVoice',
  params: ({ event }: { event: Extract<LegEvent, { type: 'modeRequested' }> }) => ({ mode: event.mode }),
} as const;
const notifyJoined = {
  type: 'toConference',
  params: ({ context }: { context: LegContext }) => ({ type: 'personJoined', at: context.joinedAt ?? 0 }) as const,
} as const;
const dismissal = [noParams('freeLeg'), noParams('endChannel')] as const;

const rings = { legRang: 'ringing' } as const;
const joins = { legJoined: { target: 'joined', actions: 'join' } } as const;
/** Transitions of every leg that has not ended. */
const open = {
  memberSeen: { guard: 'isNewMember', actions: 'seeMember' },
  modeRequested: [
    // The mode changes after the switch has applied the audio settings.
    { guard: 'mayChangeVoice', actions: changeVoice },
    { guard: 'mayChangeMode', actions: 'changeMode' },
  ],
  voiceChanged: { actions: 'recordVoice' },
  legLeft: { target: 'ended', actions: ['leave', noParams('freeLeg')] },
  legMissing: { guard: 'isLost', target: 'ended', actions: ['lose', noParams('freeLeg')] },
  legDismissed: { target: 'ended', actions: ['leave', ...dismissal] },
} as const;

/**
 * One person on a line, from the reservation to the end of the channel: an agent's own call, or a part in a conference that transfers, consults,
 * listens, whispers or barges in. The states are the statuses of the leg's row.
 *
 * Why:    the row is the snapshot, changed under its lock, so that only one of several observers of a fact acts
 * Source: OCS 4.15, D12.5–D12.7
 */
export const legMachine = base.createMachine({
  id: 'leg',
  context: ({ input }) => input,
  initial: 'reserved',
  states: {
    reserved: { on: { ...open, ...rings, ...joins, legDialled: { target: 'dialing', actions: 'dial' } } },
    dialing: { on: { ...open, ...rings, ...joins } },
    ringing: { on: { ...open, ...joins } },
    joined: { entry: notifyJoined, on: open },
    ended: {
      on: {
        // The call was closed before the end of this leg was reported.
        legLeft: { guard: 'isUnexplained', actions: 'leave' },
        // A leg that has ended must not stay in the room.
        legDismissed: { actions: dismissal },
        memberSeen: { actions: dismissal },
      },
    },
  },
});
