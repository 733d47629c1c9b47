import { assign, setup } from 'xstate';
import { declaredEffects } from '../declared-effects.ts';
import { changesVoice, isLost, isNewMember, type LegContext, mayMove } from './context.ts';
import type { LegEffects } from './effects.ts';
import type { LegEvent } from './events.ts';

const base = setup({
  types: { context: {} as LegContext, events: {} as LegEvent, input: {} as LegContext },
  actions: {
    ...declaredEffects<LegEffects>()('freeLeg', 'endChannel', 'changeVoice'),
    join: assign(({ event }) => (event.type === 'legJoined' ? { joinedAt: event.at } : {})),
    leave: assign(({ context, event }) => ('cause' in event ? { endedAt: context.endedAt ?? event.at, endCause: event.cause } : {})),
    lose: assign(({ event }) => ('at' in event ? { endedAt: event.at, endCause: 'LOST' } : {})),
    seeMember: assign(({ event }) => (event.type === 'memberSeen' ? { memberId: event.memberId, canSpeak: event.canSpeak } : {})),
    move: assign(({ event }) => (event.type === 'modeAsked' ? { mode: event.mode } : {})),
    moveHeard: assign(({ event }) => {
      if (event.type !== 'voiceChanged') return {};
      const { mode, memberId, canSpeak } = event;
      return { mode, memberId, canSpeak };
    }),
  },
  guards: {
    isLost: ({ context, event }) => isLost(context, event),
    isUnexplained: ({ context }) => context.endCause === null,
    isNewMember: ({ context, event }) => isNewMember(context, event),
    mayMove: ({ context, event }) => mayMove(context, event),
    mayMoveHeard: ({ context, event }) => mayMove(context, event) && changesVoice(context, event),
  },
});

const noParams = <Type extends keyof LegEffects>(type: Type) => ({ type, params: undefined }) as const;
const changeVoice = {
  type: 'changeVoice',
  params: ({ event }: { event: Extract<LegEvent, { type: 'modeAsked' }> }) => ({ mode: event.mode }),
} as const;

const dismissal = [noParams('freeLeg'), noParams('endChannel')] as const;
const joins = { legJoined: { target: 'joined', actions: 'join' } } as const;
const rings = { legRang: 'ringing' } as const;
/** What happens to every leg that is not over. */
const open = {
  memberSeen: { guard: 'isNewMember', actions: 'seeMember' },
  modeAsked: [
    // Its part changes once the switch has changed its voice.
    { guard: 'mayMoveHeard', actions: changeVoice },
    { guard: 'mayMove', actions: 'move' },
  ],
  voiceChanged: { actions: 'moveHeard' },
  legLeft: { target: 'ended', actions: ['leave', noParams('freeLeg')] },
  legMissing: { guard: 'isLost', target: 'ended', actions: ['lose', noParams('freeLeg')] },
  legDismissed: { target: 'ended', actions: ['leave', ...dismissal] },
} as const;

/**
 * One person's leg: of an agent's own call, or in a conference, whatever its part there: to hand over, to consult, to listen, to barge in.
 *
 * Why:    its row is its snapshot, changed under the row's lock: of all who saw the same thing one acts
 * Source: OCS 4.15, D12.5–D12.7
 */
export const legMachine = base.createMachine({
  id: 'leg',
  context: ({ input }) => input,
  initial: 'reserved',
  states: {
    reserved: { on: { ...open, ...rings, ...joins, legDialled: 'dialing' } },
    dialing: { on: { ...open, ...rings, ...joins } },
    ringing: { on: { ...open, ...joins } },
    joined: { on: open },
    ended: {
      on: {
        // Its call was closed before its own end was reported.
        legLeft: { guard: 'isUnexplained', actions: 'leave' },
        // Nobody stays in the room whose leg is over.
        legDismissed: { actions: dismissal },
        memberSeen: { actions: dismissal },
      },
    },
  },
});
