import type { Conversation, HandOver } from './walk-scope.ts';

/** The conversation that the nodes of a script use. */
export interface InterruptibleConversation extends Conversation {
  /** Whether something was skipped or interrupted for an intervention, so that the outcome of the node is discarded. `resume` resets it. */
  isCut(): boolean;
  resume(): void;
}

/**
 * A conversation that yields to an intervention: the current sentence ends, or is interrupted for an immediate intervention, and nothing
 * new begins.
 *
 * Source: D9.3
 */
export function interruptible(conversation: Conversation, handOver: Pick<HandOver, 'isAsked' | 'cut'>): InterruptibleConversation {
  let isCut = false;
  const unlessAsked = async <T>(begin: (cut: AbortSignal) => Promise<T>, otherwise: T): Promise<T> => {
    isCut ||= handOver.isAsked();
    if (isCut) return otherwise;
    const cut = handOver.cut();
    const done = await begin(cut);
    isCut ||= cut.aborted;
    return done;
  };
  return {
    ...conversation,
    say: (nodeId, text) => unlessAsked(cut => conversation.say(nodeId, text, cut), ''),
    listen: (nodeId, timeoutMs) => unlessAsked<string | null>(cut => conversation.listen(nodeId, timeoutMs, cut), null),
    isCut: () => isCut,
    resume: () => void (isCut = false),
  };
}
