import { type Clock, sleep } from '#kernel/clock.ts';
import type { Conversation } from '#scripts/decisions/flow/walk-scope.ts';
import type { Customer, Reply } from './customer/customer.ts';
import type { CallVoice } from './voice.ts';

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
  /** Sound of this call; absent: it has none. */
  voice?: CallVoice;
}

/** `cut` ends everything at once; `turn` ends the wait for the customer's first word. */
interface Interrupts {
  cut?: AbortSignal | undefined;
  turn?: AbortSignal | undefined;
}

/** Lines of the simulated agent, repeated in a long talk. */
const AGENT_LINES = [
  '您好，我是人工坐席，请问有什么可以帮您？',
  '好的，我帮您查一下，请稍等。',
  '这边已经为您登记好了，还有其他问题吗？',
] as const;
/** Pause of a customer without a reply before the agent speaks again, in ms. */
const SILENCE_MS = 4_000;

/** How long a customer waits for a person to speak, how often it is looked, and what counts as having spoken. In ms. */
const PERSON_PATIENCE_MS = 15_000;
const PERSON_POLL_MS = 250;
const PERSON_MIN_MS = 300;
const PERSON_PAUSE_MS = 900;

/** Speed of the bot's voice, in ms per character: about 270 characters a minute. */
const BOT_MS_PER_CHARACTER = 220;
/** Shortest utterance, in characters, with interim recognition results. */
const MIN_PARTIAL_LENGTH = 4;

/** A conversation with a simulated customer, in place of the speech synthesis and recognition of a real runtime. */
export function simulatedConversation(deps: ConversationDeps): Conversation {
  const { customer, clock, speed, over, onSegment, segmentPrefix = '', voice } = deps;
  const beganAt = clock.monotonic();
  let count = 0;
  let prompt = '';
  const nextId = () => `${segmentPrefix}s${++count}`;
  const offset = () => Math.round(clock.monotonic() - beganAt);
  const pass = (ms: number, until: AbortSignal = over) => sleep(clock, ms / speed, until);
  const untilCut = (cut: AbortSignal | undefined) => (cut === undefined ? over : AbortSignal.any([over, cut]));
  /** Length of a text in ms of this clock: of its sound, which somebody hears in real time, or as simulated. */
  const begin = async (speaker: 'bot' | 'customer', text: string, simulatedMs: number) =>
    (voice && (await voice.begin(speaker, text))) ?? simulatedMs / speed;

  async function speak(nodeId: string, { text, speechMs }: Reply, until: AbortSignal): Promise<void> {
    const segmentId = nextId();
    const startMs = offset();
    const segment = { segmentId, speaker: 'customer' as const, nodeId, startMs };
    const half = text.slice(0, Math.ceil(text.length / 2));
    const lengthMs = await begin('customer', text, speechMs);
    await sleep(clock, lengthMs / 2, until);
    if (until.aborted) voice?.hush();
    if (over.aborted) return;
    const isCut = until.aborted;
    if (isCut || text.length >= MIN_PARTIAL_LENGTH) onSegment({ ...segment, text: half, final: isCut, endMs: offset() });
    if (isCut) return;
    await sleep(clock, lengthMs / 2, until);
    if (!over.aborted) onSegment({ ...segment, text, final: true, endMs: offset() });
  }

  async function hear(nodeId: string, timeoutMs: number, reply: Reply | null, { cut, turn }: Interrupts = {}): Promise<string | null> {
    const until = untilCut(cut);
    const silence = turn === undefined ? until : AbortSignal.any([until, turn]);
    const silentMs = Math.min(reply?.thinkMs ?? timeoutMs, timeoutMs);
    await pass(silentMs, silence);
    if (reply === null || silentMs === timeoutMs || silence.aborted) return null;
    await speak(nodeId, reply, until);
    return until.aborted ? null : reply.text;
  }

  /** Takes the time of speaking the text, and returns how many characters the customer has heard. */
  async function speakUntil(text: string, lengthMs: number, { cut, turn }: Interrupts): Promise<number> {
    const until = untilCut(cut);
    const startMs = offset();
    const spokenLength = () => ((offset() - startMs) / lengthMs) * text.length;
    await sleep(clock, lengthMs, turn === undefined ? until : AbortSignal.any([until, turn]));
    if (turn?.aborted !== true || until.aborted) return until.aborted ? Math.floor(spokenLength()) : text.length;
    const end = sentenceEnd(text, spokenLength());
    await sleep(clock, ((end - spokenLength()) / text.length) * lengthMs, until);
    return until.aborted ? Math.floor(spokenLength()) : end;
  }

  async function agentSays(nodeId: string, text: string): Promise<void> {
    prompt = text;
    const startMs = offset();
    await pass(text.length * BOT_MS_PER_CHARACTER);
    if (over.aborted || (await isOnHold())) return;
    onSegment({ segmentId: nextId(), speaker: 'agent', text, final: true, startMs, endMs: offset(), nodeId });
  }

  /** While the customer hears nobody, a simulated agent's words would reach nobody either. */
  async function isOnHold(): Promise<boolean> {
    return (await voice?.people()) === 'nobody';
  }

  async function untilHeard(parted: AbortSignal): Promise<void> {
    const until = AbortSignal.any([parted, over]);
    while (!until.aborted && (await isOnHold())) await sleep(clock, PERSON_POLL_MS, until);
  }

  /** An agent at a phone in a browser speaks for themselves: the customer waits until they have spoken. False: nobody is there. */
  async function personSpoke(nodeId: string, parted: AbortSignal): Promise<boolean> {
    const before = (await voice?.people()) ?? null;
    if (before === null || before === 'nobody') return false;
    const startMs = offset();
    for (let waitedMs = 0; waitedMs < PERSON_PATIENCE_MS && !parted.aborted && !over.aborted; waitedMs += PERSON_POLL_MS) {
      await sleep(clock, PERSON_POLL_MS, AbortSignal.any([parted, over]));
      const now = (await voice?.people()) ?? null;
      if (now === null || now === 'nobody') break;
      const [spokenMs, silentMs] = [now.spokenMs - before.spokenMs, now.silentMs ?? 0];
      if (spokenMs < PERSON_MIN_MS || silentMs < PERSON_PAUSE_MS) continue;
      const text = `（坐席讲话 ${Math.ceil(spokenMs / 1_000)} 秒）`;
      onSegment({ segmentId: nextId(), speaker: 'agent', text, final: true, startMs, endMs: offset(), nodeId });
      break;
    }
    return true;
  }

  return {
    async meet(nodeId, parted) {
      for (let turn = 0; !parted.aborted && !over.aborted; turn++) {
        await untilHeard(parted);
        if (parted.aborted || over.aborted) return;
        const line = AGENT_LINES[turn % AGENT_LINES.length] ?? AGENT_LINES[0];
        if (voice && (await personSpoke(nodeId, parted))) prompt = line;
        else await agentSays(nodeId, line);
        if (!parted.aborted && !(await isOnHold())) await hear(nodeId, SILENCE_MS, customer.reply(prompt));
      }
    },
    open: async (nodeId, timeoutMs) => (over.aborted ? null : hear(nodeId, timeoutMs, customer.greet())),
    async say(nodeId, text, cut, turn) {
      if (over.aborted || text === '') return '';
      prompt = text;
      const startMs = offset();
      const lengthMs = await begin('bot', text, text.length * BOT_MS_PER_CHARACTER);
      const segment = { segmentId: nextId(), speaker: 'bot' as const, final: true, startMs, nodeId };
      onSegment({ ...segment, text, endMs: startMs + Math.round(lengthMs) });
      const length = await speakUntil(text, lengthMs, { cut, turn });
      if (over.aborted || length < text.length) voice?.hush();
      if (over.aborted || length >= text.length) return '';
      const isCut = cut?.aborted === true;
      onSegment({ ...segment, text: `${text.slice(0, length)}${isCut ? '…' : ''}`, endMs: offset() });
      return isCut ? '' : text.slice(length);
    },
    listen: async (nodeId, timeoutMs, cut, turn) => (over.aborted ? null : hear(nodeId, timeoutMs, customer.reply(prompt), { cut, turn })),
  };
}

/** End of the sentence in progress, in characters of the text. */
function sentenceEnd(text: string, spokenLength: number): number {
  const from = Math.max(0, Math.ceil(spokenLength) - 1);
  const end = text.slice(from).search(/[。！？!?；;]/);
  return end < 0 ? text.length : from + end + 1;
}
