import { type CalloutError, conflict, refusalBy } from '#kernel/errors.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import { type Caller, type Permission, requireAccess } from '#kernel/caller.ts';
import { requireStanding } from '#calls/hang-up.ts';
import { requesterIn, requireEntry, requireMode, requireOwnPart } from '#conferences/participants.ts';
import { requireCancellable, requireClaimable, requireMayNameAgent, requireReady, requireUnanswered } from './claim.ts';
import { requireMeeting, requireOwnLeg } from './control-call.ts';
import { requireGuidable } from './guide-call.ts';
import { requireListenable } from './listen.ts';
import { requireHandBack } from './hand-back.ts';
import { requireReleasable } from '#monitoring/allocation.ts';
import type { AgentAvailability } from '#agents/agent-directory.ts';
import { isSupervising, type ParticipantMode } from '#legs/leg.ts';
import type { LiveCall } from '#calls/live-call.ts';

export const LIVE_CALL_ACTIONS = [
  'claim',
  'assign',
  'cancel_claim',
  'release',
  'transfer',
  'consult',
  'listen',
  'whisper',
  'barge',
  'hang_up',
  'hint',
  'say',
  'hand_back',
  'hold',
  'mute',
  'keypad',
] as const;

export type LiveCallActionName = (typeof LIVE_CALL_ACTIONS)[number];

export interface LiveCallAction {
  name: LiveCallActionName;
  needs: Permission;
  /** Reason why the action is refused; null when it is allowed. */
  refusal: CalloutError | null;
}

/** A call, with the facts that decide which actions a user has. */
export interface CallAtHand {
  call: LiveCall;
  caller: Caller;
  /** The caller's own agent, if any. */
  agent: AgentAvailability | undefined;
  /** The conference of the call's customer, if any. */
  conference: ConferenceSession | null;
  /** Optional commands of the call's runtime. */
  commands: readonly string[];
}

interface Rule {
  needs: Permission;
  /** Throws the error that the command would return. */
  require: (hand: CallAtHand) => void;
}

/** Uses the guards of the commands themselves. */
const RULES: Readonly<Record<LiveCallActionName, Rule>> = {
  claim: {
    needs: 'agent:operate',
    require({ call, caller, agent, conference }) {
      const claimant = claimantOf(caller);
      requireClaimable(call, claimant);
      requireUnanswered(conference);
      requireReady(agent, { isNeeded: !claimant.isSupervisor });
    },
  },
  assign: {
    needs: 'campaign:dispatch',
    require({ call, caller, conference }) {
      requireClaimable(call, claimantOf(caller));
      requireUnanswered(conference);
      requireMayNameAgent(claimantOf(caller));
    },
  },
  cancel_claim: { needs: 'agent:operate', require: ({ call, caller }) => requireCancellable(call, caller) },
  release: { needs: 'agent:operate', require: ({ call, caller }) => requireReleasable(call, caller) },
  transfer: { needs: 'agent:operate', require: requirePart('blind') },
  consult: { needs: 'agent:operate', require: requirePart('consult') },
  listen: { needs: 'agent:operate', require: requireListening('listen') },
  whisper: { needs: 'campaign:dispatch', require: requirePart('whisper') },
  barge: { needs: 'agent:operate', require: requireListening('barge') },
  hang_up: { needs: 'campaign:dispatch', require: ({ call }) => requireStanding(call) },
  hint: { needs: 'agent:operate', require: hand => requireGuidable(hand, 'hint') },
  say: { needs: 'agent:operate', require: hand => requireGuidable(hand, 'say') },
  hand_back: { needs: 'agent:operate', require: requireHandBack },
  hold: { needs: 'agent:operate', require: requireMeeting },
  mute: { needs: 'agent:operate', require: requireOwnLeg },
  keypad: { needs: 'agent:operate', require: requireMeeting },
};

/**
 * Actions of a caller on a live call, each with the reason why it is refused, if it is.
 *
 * Why: judged only by the call, the caller's own agent and its conference; the command checks again when it runs
 */
export function liveCallActions(hand: CallAtHand): LiveCallAction[] {
  return LIVE_CALL_ACTIONS.map(name => {
    const { needs, require } = RULES[name];
    const guard = () => {
      requireAccess(needs, hand.caller);
      require(hand);
    };
    return { name, needs, refusal: refusalBy(guard) };
  });
}

function claimantOf({ userId, permissions }: Caller) {
  return { userId, isSupervisor: permissions.has('campaign:dispatch') };
}

/** Without an agent in the call, the listener's phone follows the customer's channel instead of joining a conference. */
function requireListening(mode: 'listen' | 'barge'): Rule['require'] {
  return hand => {
    if (hand.conference?.status === 'live') requirePart(mode)(hand);
    else requireListenable(hand);
  };
}

/** A participant can be added only once an agent speaks with the customer; supervisors join with their own phone. */
function requirePart(mode: ParticipantMode): Rule['require'] {
  return ({ caller, agent, conference }) => {
    if (conference === null) throw conflict('PARTICIPANT_ABSENT', '尚无坐席接听该通话');
    const requester = requesterIn(conference, caller, agent);
    requireEntry(conference, requester, mode);
    if (isSupervising(mode)) requireOwnPart(conference, requester, mode);
    else requireMode(mode, requester, undefined);
  };
}
