import type { Outgoing } from '#protocol/actor-messages.ts';
import type { InterventionTiming } from './events.ts';
import type { InterventionStatus } from './take-over.ts';

/**
 * Effects of a take-over, as data; executors are in interventions/effects.ts and must be idempotent.
 *
 * Source: A3, D9.3, OCS 4.12 rule 3
 */
export type TakeOverEffects = {
  /** Requests the runtime to hand the call over. */
  signalIntervene: { id: string; initiatorId: number | null; agentId: number | null; when: InterventionTiming };
  /** Withdraws the request at the runtime. */
  signalCancel: { id: string };
  /** Makes the claimed call the monitor's only one for now; the other calls stay readable. */
  focusMonitor: { userId: number | null };
  /** The transfer has begun: keeps the call with its monitor, even if the presence ends. */
  pinMonitor: { userId: number | null };
  /** The intervention has ended: the monitor gets calls again. */
  freeMonitor: { userId: number | null };
  /** Releases the agent that the claim has reserved, if it is in no conference. */
  sendTo: Outgoing | null;
  /** Records the runtime event `intervention.<status>`. `isUnasked`: the runtime carried out a withdrawn request, or one never made. */
  notifyIntervention: {
    id: string;
    status: InterventionStatus;
    initiatorId: number | null;
    agentId: number | null;
    reason: string | null;
    isUnasked: boolean;
  };
};

/** Events of a take-over for its call, in the same commit. */
export type TakeOverMessages = { toCall: { type: 'personJoined' | 'personLeft' } };
