import type { RuntimeNode, RuntimeScript } from '#protocol/runtime-script.ts';
import type { Conversation } from './conversation.ts';
import type { HandOver } from './hand-over.ts';
import type { Understanding } from './nlu/understanding.ts';

/** Details beside the status: the agent, and why the intervention failed (Chinese). */
export interface InterventionFacts {
  agentId?: number | null;
  reason?: string | null;
}

/** Context of a node while the call is at it. */
export interface WalkScope {
  script: RuntimeScript;
  conversation: Conversation;
  understanding: Understanding;
  handOver: HandOver;
  /** Reports the progress of an intervention to the server. */
  reportIntervention(id: string, status: 'active' | 'ended' | 'failed', facts?: InterventionFacts): void;
  /** Aborts when the customer has left or the call was ended from outside. */
  over: AbortSignal;
  /** By key; scripts read them, and `collect` writes them. */
  variables: Map<string, unknown>;
  /** The customer's last utterance; empty before the first one and after silence. */
  heard: string;
}

/** Outcome of a node. `yields`: an intervention interrupted it. */
export type NodeOutcome = { branch: string } | { finish: 'end' | 'transfer' } | { yields: true };

/** Implementation of one node type. */
export type NodeWalk = (node: RuntimeNode, scope: WalkScope) => Promise<NodeOutcome>;
