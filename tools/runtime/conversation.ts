import { type Clock, sleep } from '#kernel/clock.ts';
import type { Conversation } from '#scripts/decisions/flow/walk-scope.ts';
import type { Customer, Reply } from './customer/customer.ts';

/** One utterance as in captions and the transcript. Units: offsets in ms from the beginning of the call */
export interface Segment {
  segmentId: string;
  speaker: 'bot' | 'customer' | 'agent';
  text: string;
  /** false: an interim result that a later text replaces. */
  final: boolean;
  startMs: number;
  endMs: number;
  nodeId: string;
}

export interface ConversationDeps {
  customer: Customer;
  clock: Clock;
  /** How many times faster than real time people speak and think. */
  speed: number;
  /** Aborts when the call is over. */
  over: AbortSignal;
  onSegment: (segment: Segment) => void;
  /** Prefix of each segment's id. */
  segmentPrefix?: string;
}

/** Lines of the simulated agent, repeated in a long talk. */
const AGENT_LINES = [
  '您好，我是人工坐席，请问有什么可以帮您？',
  '好的，我帮您查一下，请稍等。',
  '这边已经为您登记好了，还有其他问题吗？',
] as const;
/** Pause of a customer without a reply before the agent speaks again, in ms. */
const SILENCE_MS = 4_000;

/** Speed of the bot's voice, in ms per character: about 270 characters a minute. */
const BOT_MS_PER_CHARACTER = 220;
/** Shortest utterance, in characters, with interim recognition results. */
const MIN_PARTIAL_LENGTH = 4;

/** A conversation with a simulated customer, in place of the speech synthesis and recognition of a real runtime. */
export function simulatedConversation(deps: ConversationDeps): Conversation {
  const { customer, clock, speed, over, onSegment, segmentPrefix = '' } = deps;
  const beganAt = clock.monotonic();
  let count = 0;
  let prompt = '';
  const nextId = () => `${segmentPrefix}s${++count}`;
  const offset = () => Math.round(clock.monotonic() - beganAt);
  const pass = (ms: number, until: AbortSignal = over) => sleep(clock, ms / speed, until);
  const untilCut = (cut: AbortSignal | undefined) => (cut === undefined ? over : AbortSignal.any([over, cut]));

  async function speak(nodeId: string, { text, speechMs }: Reply, until: AbortSignal): Promise<void> {
    const segmentId = nextId();
    const startMs = offset();
    const segment = { segmentId, speaker: 'customer' as const, nodeId, startMs };
    const half = text.slice(0, Math.ceil(text.length / 2));
    await pass(speechMs / 2, until);
    if (over.aborted) return;
    const isCut = until.aborted;
    if (isCut || text.length >= MIN_PARTIAL_LENGTH) onSegment({ ...segment, text: half, final: isCut, endMs: offset() });
    if (isCut) return;
    await pass(speechMs / 2, until);
    if (!over.aborted) onSegment({ ...segment, text, final: true, endMs: offset() });
  }

  async function hear(nodeId: string, timeoutMs: number, reply: Reply | null, cut?: AbortSignal): Promise<string | null> {
    const until = untilCut(cut);
    if (reply === null || reply.thinkMs >= timeoutMs) {
      await pass(timeoutMs, until);
      return null;
    }
    await pass(reply.thinkMs, until);
    if (!until.aborted) await speak(nodeId, reply, until);
    return until.aborted ? null : reply.text;
  }

  async function agentSays(nodeId: string, text: string): Promise<void> {
    prompt = text;
    const startMs = offset();
    await pass(text.length * BOT_MS_PER_CHARACTER);
    if (!over.aborted) onSegment({ segmentId: nextId(), speaker: 'agent', text, final: true, startMs, endMs: offset(), nodeId });
  }

  return {
    async meet(nodeId, parted) {
      for (let turn = 0; !parted.aborted && !over.aborted; turn++) {
        await agentSays(nodeId, AGENT_LINES[turn % AGENT_LINES.length] ?? AGENT_LINES[0]);
        if (!parted.aborted) await hear(nodeId, SILENCE_MS, customer.reply(prompt));
      }
    },
    open: async (nodeId, timeoutMs) => (over.aborted ? null : hear(nodeId, timeoutMs, customer.greet())),
    async say(nodeId, text, cut) {
      if (over.aborted || text === '') return;
      prompt = text;
      const startMs = offset();
      const speechMs = text.length * BOT_MS_PER_CHARACTER;
      const segment = { segmentId: nextId(), speaker: 'bot' as const, final: true, startMs, nodeId };
      onSegment({ ...segment, text, endMs: startMs + Math.round(speechMs / speed) });
      await pass(speechMs, untilCut(cut));
      if (cut?.aborted !== true || over.aborted) return;
      const spokenMs = offset() - startMs;
      onSegment({ ...segment, text: spoken(text, (spokenMs * speed) / speechMs), endMs: startMs + spokenMs });
    },
    listen: async (nodeId, timeoutMs, cut) => (over.aborted ? null : hear(nodeId, timeoutMs, customer.reply(prompt), cut)),
  };
}

/** The part of an interrupted sentence that the customer has heard. */
function spoken(text: string, share: number): string {
  return share >= 1 ? text : `${text.slice(0, Math.floor(text.length * share))}…`;
}
