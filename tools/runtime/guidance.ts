import type { GuidanceCommand } from '#protocol/guidance.ts';
import type { Conversation } from '#scripts/decisions/flow/walk-scope.ts';

/** Hints and sentences for the bot of one call. */
export interface Guidance {
  /** Keeps the newest hint until a sentence or a branch follows it. False while an agent talks to the customer. */
  hint(command: GuidanceCommand): boolean;
  /** Queues words that the bot speaks next. False while an agent talks to the customer. */
  say(command: GuidanceCommand): boolean;
  /** The newest hint, once; null when there is none. */
  takeHint(): string | null;
  /** The next words to speak; null when there are none. */
  nextWords(): string | null;
  /** Aborts when words wait to be spoken; each call of `nextWords` that finds none renews it. */
  turn(): AbortSignal;
  /** An agent has the customer from here on, until `back`: what was waiting is outdated. */
  leave(): void;
  back(): void;
}

/** Limit of texts that wait to be spoken; a person types far slower than the bot speaks. */
const MAX_WAITING = 20;
/** Limit of remembered ids: a repeated command follows within seconds. */
const MAX_KNOWN = 100;

/** Source: A4 `callout.v1.command.<requestId>.hint`, `.say` */
export function createGuidance(): Guidance {
  const known = new Set<string>();
  let words: string[] = [];
  let hint: string | null = null;
  let turning = new AbortController();
  let isAway = false;
  /** False for a command that was carried out before. */
  const isNew = ({ guidanceId }: GuidanceCommand) => {
    if (known.has(guidanceId)) return false;
    if (known.size >= MAX_KNOWN) known.clear();
    known.add(guidanceId);
    return true;
  };
  return {
    hint(command) {
      if (isAway) return false;
      if (isNew(command)) hint = command.text;
      return true;
    },
    say(command) {
      if (isAway || words.length >= MAX_WAITING) return false;
      if (isNew(command)) words.push(command.text);
      if (words.length > 0) turning.abort();
      return true;
    },
    takeHint() {
      const taken = hint;
      hint = null;
      return taken;
    },
    nextWords() {
      const next = words.shift() ?? null;
      if (next === null && turning.signal.aborted) turning = new AbortController();
      return next;
    },
    turn: () => turning.signal,
    leave() {
      isAway = true;
      hint = null;
      words = [];
      turning = new AbortController();
    },
    back: () => void (isAway = false),
  };
}

/**
 * A conversation in which people can have the bot speak: the current sentence is finished, their words follow, and then what was left to say. While
 * the bot listens, their words come at once unless the customer is speaking.
 */
export function guidedConversation(conversation: Conversation, guidance: Guidance): Conversation {
  async function speakWords(nodeId: string, cut: AbortSignal | undefined): Promise<void> {
    for (let words = guidance.nextWords(); words !== null; words = guidance.nextWords()) await conversation.say(nodeId, words, cut);
  }
  return {
    ...conversation,
    async say(nodeId, text, cut) {
      await speakWords(nodeId, cut);
      let rest = text;
      while (rest !== '') {
        rest = await conversation.say(nodeId, rest, cut, guidance.turn());
        await speakWords(nodeId, cut);
      }
      return rest;
    },
    async listen(nodeId, timeoutMs, cut) {
      for (;;) {
        await speakWords(nodeId, cut);
        const turn = guidance.turn();
        const heard = await conversation.listen(nodeId, timeoutMs, cut, turn);
        if (heard !== null || !turn.aborted || cut?.aborted === true) return heard;
      }
    },
    async meet(nodeId, parted) {
      guidance.leave();
      await conversation.meet(nodeId, parted);
      guidance.back();
    },
  };
}
