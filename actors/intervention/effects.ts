import type { Outgoing } from '#contract/nats/actor-messages.ts';
import type { LegMode } from '#rules/leg.ts';
import type { InterventionTiming } from './events.ts';
import type { InterventionStatus } from './take-over.ts';

/**
 * What a take-over asks the world to do, as data; executors must be idempotent and live in operations/interventions/effects.ts.
 *
 * Source: A3, D9.3, OCS 4.12 rule 3
 */
export type TakeOverEffects = {
  /** Ask the runtime to hand the call over. */
  signalIntervene: { id: string; initiatorId: number | null; agentId: number | null; when: InterventionTiming };
  /** Take the request back at the runtime. */
  signalCancel: { id: string };
  /** The claimed call is all that the monitor answers for now; the others stay visible. */
  focusMonitor: { userId: number | null };
  /** The transfer has begun: the call stays with its monitor whatever happens to the presence. */
  pinMonitor: { userId: number | null };
  /** The intervention is over: the monitor takes calls again. */
  freeMonitor: { userId: number | null };
  /** The agent whom the claim has reserved, and who is in no conference, is free again. */
  sendTo: Outgoing | null;
  /** Write the runtime event `intervention.<status>`. `isUnasked`: the runtime did what had been withdrawn, or what nobody had asked for. */
  notifyIntervention: {
    id: string;
    status: InterventionStatus;
    initiatorId: number | null;
    agentId: number | null;
    reason: string | null;
    isUnasked: boolean;
  };
};

/**
 * What a leg in a conference asks the world to do; executors live in operations/conferences/send-to-conference.ts and are idempotent: each look at the
 * switch repeats what is left of them. Of an agent's own call the call's machine decides what follows.
 *
 * Source: D12.6, D12.7
 */
export type LegEffects = {
  /** Agent and slot that it held are free. */
  freeLeg: undefined;
  endChannel: undefined;
  /** The switch has it heard as this part says; answers with voiceChanged. */
  changeVoice: { mode: LegMode };
};

/** What an intervention says to the call or the conference that it is in, in the same commit. */
export type InterventionMessages = { toOwner: { type: 'personJoined' | 'personLeft' } };
