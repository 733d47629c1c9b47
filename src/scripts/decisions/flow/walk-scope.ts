import type { RuntimeNode, RuntimeScript } from '#protocol/runtime-script.ts';
import type { HandBackCommand } from '#protocol/guidance.ts';
import type { InterveneCommand } from '#protocol/interventions.ts';
import type { TransferCommand } from '#protocol/transfers.ts';
import type { DecisionBody, ExtractBody, FieldValue } from '#protocol/nlu.ts';

/** Speech and recognition of a call. Every method returns at once when the call is over. */
export interface Conversation {
  /** The customer's first words after the answer; null when the customer waits. Units: ms */
  open(nodeId: string, timeoutMs: number): Promise<string | null>;
  /**
   * Speaks the text to its end, or until the customer hangs up or `cut` aborts. When `turn` aborts, the current sentence is finished and the
   * unspoken rest returned, else ''.
   */
  say(nodeId: string, text: string, cut?: AbortSignal, turn?: AbortSignal): Promise<string>;
  /**
   * The customer's next utterance; null when there is none within the timeout, or when `turn` aborts before the customer speaks. Units: ms
   */
  listen(nodeId: string, timeoutMs: number, cut?: AbortSignal, turn?: AbortSignal): Promise<string | null>;
  /** Simulates the talk between the agent and the customer until `parted` aborts. */
  meet(nodeId: string, parted: AbortSignal): Promise<void>;
}

export interface HandOverRequest {
  groupId: number | null;
  agentId: number | null;
  interventionId: string | null;
  reason: string;
}

/** An agent whose intervention was accepted and who may now take the call. */
export interface StepIn {
  interventionId: string;
  agentId: number | null;
}

/** The server's report on a transfer; `back`: the agent gives the customer back to the bot. */
export type TransferNews = TransferCommand | { status: 'back'; order: HandBackCommand };

/** Transfer of a call to an agent. */
export interface HandOver {
  /** Requests an agent; resolves to null when one is being called, else to the reason of the refusal (Chinese). */
  route(request: HandOverRequest): Promise<string | null>;
  /**
   * Waits for the next transfer event; null when the call is over. With `orAsked` it also resolves to `asked` when a user requests an
   * intervention first.
   */
  next(request?: { orAsked: boolean }): Promise<TransferNews | 'asked' | null>;
  /** Handles a transfer event from the server, or the return of the customer by an agent. */
  tell(news: TransferNews): void;
  /** Ends every leg of the conference because the customer has left; idempotent. */
  end(): Promise<void>;
  /** A user requests an intervention, `now` or at the next boundary; `withdrawn` cancels it. */
  asked(interventionId: string, when: InterveneCommand['when']): void;
  withdrawn(interventionId: string): void;
  /** Whether an intervention is waiting: the script then starts nothing new. */
  isAsked(): boolean;
  /** Aborts on an immediate intervention; each `consume` creates a new signal. */
  cut(): AbortSignal;
  /** At a boundary: accepts the waiting intervention; null when there is none. */
  consume(): Promise<StepIn | null>;
}

/** Interprets what a customer says; never fails. */
export interface Understanding {
  /** Key of one of the given branches. */
  decide(request: DecisionBody, over: AbortSignal): Promise<string>;
  /** Values by field key; null or absent when the utterance does not contain them. */
  extract(request: ExtractBody, over: AbortSignal): Promise<Readonly<Record<string, FieldValue>>>;
}

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
  /** The newest hint of a person, once; null when there is none. */
  takeHint(): string | null;
  /** A hint that no sentence has followed yet, for the next branch. */
  hinted?: string | null;
  /** Called when the call comes to a node. */
  onNode?: (nodeId: string) => void;
}

/** Outcome of a node. `yields`: an intervention interrupted it; `back`: an agent took the customer and gave them back. */
export type NodeOutcome = { branch: string } | { finish: 'end' | 'transfer' } | { yields: true } | { back: HandBackCommand };

/** Implementation of one node type. */
export type NodeWalk = (node: RuntimeNode, scope: WalkScope) => Promise<NodeOutcome>;
