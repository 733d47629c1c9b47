import type { RuntimeNode, RuntimeScript } from '#contract/nats/runtime-script.ts';
import type { Conversation } from './conversation.ts';
import type { HandOver } from './hand-over.ts';
import type { Understanding } from './nlu/understanding.ts';

/** Beside the status: who talks, and why it did not come about (Chinese). */
export interface InterventionFacts {
  agentId?: number | null;
  reason?: string | null;
}

/** What a node may use while the call is at it. */
export interface WalkScope {
  script: RuntimeScript;
  conversation: Conversation;
  understanding: Understanding;
  handOver: HandOver;
  /** Tells the server how an intervention goes on. */
  reportIntervention(id: string, status: 'active' | 'ended' | 'failed', facts?: InterventionFacts): void;
  /** Aborts when the customer is gone or the call is ended from outside. */
  over: AbortSignal;
  /** By key; scripts read and `collect` writes them. */
  variables: Map<string, unknown>;
  /** The customer's last utterance; empty before the first one and after silence. */
  heard: string;
}

/** How a node is left. `yields`: somebody steps in before it is done. */
export type NodeOutcome = { branch: string } | { finish: 'end' | 'transfer' } | { yields: true };

/** One type of node: what it does when a call comes to it. */
export type NodeWalk = (node: RuntimeNode, scope: WalkScope) => Promise<NodeOutcome>;
