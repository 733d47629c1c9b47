import type { Conversation } from './conversation.ts';
import type { HandOver } from './hand-over.ts';

/** What a script's nodes speak through. */
export interface InterruptibleConversation extends Conversation {
  /** Something was left out or cut short because somebody steps in: what the node makes of it counts for nothing. Reset by `resume`. */
  isCut(): boolean;
  resume(): void;
}

/**
 * A conversation that makes room for whoever steps in: a sentence is said to its end, or cut when it must be at once, and nothing new is begun.
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
    say: (nodeId, text) => unlessAsked(cut => conversation.say(nodeId, text, cut), undefined),
    listen: (nodeId, timeoutMs) => unlessAsked<string | null>(cut => conversation.listen(nodeId, timeoutMs, cut), null),
    isCut: () => isCut,
    resume: () => void (isCut = false),
  };
}
