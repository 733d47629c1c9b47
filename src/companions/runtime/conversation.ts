import { type Clock, sleep } from '#kernel/clock.ts';
import type { Customer, Reply } from './customer/customer.ts';

/** Speaking and hearing. Everything returns at once when the call is over. */
export interface Conversation {
  /** The first words after the answer; null when the other side waits. Units: ms */
  open(nodeId: string, timeoutMs: number): Promise<string | null>;
  /** Speaks to the end, or until the customer is gone. */
  say(nodeId: string, text: string): Promise<void>;
  /** What the customer says next; null when they say nothing within the time. Units: ms */
  listen(nodeId: string, timeoutMs: number): Promise<string | null>;
  /** An agent has the customer: what the two say, until `parted` aborts. */
  meet(nodeId: string, parted: AbortSignal): Promise<void>;
}

/** A piece of what was said, as captions and the transcript show it. Units: offsets in ms from the call's beginning */
export interface Segment {
  segmentId: string;
  speaker: 'bot' | 'customer' | 'agent';
  text: string;
  /** false: the recognition goes on and this text will be replaced. */
  final: boolean;
  startMs: number;
  endMs: number;
  nodeId: string;
}

export interface ConversationDeps {
  customer: Customer;
  clock: Clock;
  /** People speak and think this much faster than they do. */
  speed: number;
  /** Aborts when the call is over. */
  over: AbortSignal;
  onSegment: (segment: Segment) => void;
}

/** What the simulated agent says, over and over in a long talk. */
const AGENT_LINES = [
  '您好，我是人工坐席，请问有什么可以帮您？',
  '好的，我帮您查一下，请稍等。',
  '这边已经为您登记好了，还有其他问题吗？',
] as const;
/** A customer who has nothing to say leaves the word to the agent after this, ms. */
const SILENCE_MS = 4_000;

/** The bot's voice, ms per character: about 270 characters a minute. */
const BOT_MS_PER_CHARACTER = 220;
/** Shorter utterances have no intermediate recognition. */
const MIN_PARTIAL_LENGTH = 4;

/** A conversation with a simulated customer: a real runtime has speech synthesis and recognition in this place. */
export function simulatedConversation(deps: ConversationDeps): Conversation {
  const { customer, clock, speed, over, onSegment } = deps;
  const beganAt = clock.monotonic();
  let count = 0;
  let prompt = '';
  const offset = () => Math.round(clock.monotonic() - beganAt);
  const pass = (ms: number) => sleep(clock, ms / speed, over);

  async function speak(nodeId: string, text: string, speechMs: number): Promise<void> {
    const segmentId = `s${++count}`;
    const startMs = offset();
    const segment = { segmentId, speaker: 'customer' as const, nodeId, startMs };
    await pass(speechMs / 2);
    if (over.aborted) return;
    if (text.length >= MIN_PARTIAL_LENGTH) {
      onSegment({ ...segment, text: text.slice(0, Math.ceil(text.length / 2)), final: false, endMs: offset() });
    }
    await pass(speechMs / 2);
    if (!over.aborted) onSegment({ ...segment, text, final: true, endMs: offset() });
  }

  async function hear(nodeId: string, timeoutMs: number, reply: Reply | null): Promise<string | null> {
    if (reply === null || reply.thinkMs >= timeoutMs) {
      await pass(timeoutMs);
      return null;
    }
    await pass(reply.thinkMs);
    if (!over.aborted) await speak(nodeId, reply.text, reply.speechMs);
    return over.aborted ? null : reply.text;
  }

  async function agentSays(nodeId: string, text: string): Promise<void> {
    prompt = text;
    const startMs = offset();
    await pass(text.length * BOT_MS_PER_CHARACTER);
    if (!over.aborted) onSegment({ segmentId: `s${++count}`, speaker: 'agent', text, final: true, startMs, endMs: offset(), nodeId });
  }

  return {
    async meet(nodeId, parted) {
      for (let turn = 0; !parted.aborted && !over.aborted; turn++) {
        await agentSays(nodeId, AGENT_LINES[turn % AGENT_LINES.length] ?? AGENT_LINES[0]);
        if (!parted.aborted) await hear(nodeId, SILENCE_MS, customer.reply(prompt));
      }
    },
    open: async (nodeId, timeoutMs) => (over.aborted ? null : hear(nodeId, timeoutMs, customer.greet())),
    async say(nodeId, text) {
      if (over.aborted || text === '') return;
      prompt = text;
      const startMs = offset();
      const speechMs = text.length * BOT_MS_PER_CHARACTER;
      onSegment({
        segmentId: `s${++count}`,
        speaker: 'bot',
        text,
        final: true,
        startMs,
        endMs: startMs + Math.round(speechMs / speed),
        nodeId,
      });
      await pass(speechMs);
    },
    listen: async (nodeId, timeoutMs) => (over.aborted ? null : hear(nodeId, timeoutMs, customer.reply(prompt))),
  };
}
