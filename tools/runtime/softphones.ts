import { type Clock, sleep } from '#kernel/clock.ts';
import { type CommandAnswer, commandAnswer } from '#protocol/hand-over.ts';
import { openSoftphoneRequest, saySoftphoneCommand } from '#protocol/softphones.ts';
import { SOFTPHONE_OPEN_SUBJECT, softphoneCommandsOf, softphoneReportSubject } from '#protocol/subjects.ts';
import type { LinkMessage, NatsLink } from './nats-link.ts';

export interface SoftphoneDeps {
  link: Pick<NatsLink, 'subscribe' | 'publish'>;
  clock: Clock;
  /** How many times faster than real time people speak. */
  speed: number;
  runtimeId: string;
}

const QUEUE = 'callout-runtime';
/** Number that browsers dial; the switch's dialplan puts the call into the conference named in the header. */
const SERVICE_NUMBER = '8800';
/** Speed of speech, in ms per character. */
const SPEECH_MS = 220;
/** Longest session, in ms: one that is never ended is then dropped. */
const MAX_SESSION_MS = 14_400_000;
const SIMULATED_REPLY = '好的，我知道了。';

/**
 * Serves sessions of browser phones, with simulated speech. Returns a function that stops it.
 *
 * Source: D12.4, `src/protocol/softphones.ts`
 */
export function serveSoftphones(deps: SoftphoneDeps): () => void {
  const stops = new Set<() => void>();
  const stopOpening = deps.link.subscribe(SOFTPHONE_OPEN_SUBJECT, { queue: QUEUE }, message => {
    const request = openSoftphoneRequest.safeParse(message.body);
    if (!request.success) return message.respond({ ok: false, code: 'INVALID', msg: '会话请求格式不正确' });
    const { sessionId, conferenceName, conferenceProfile } = request.data;
    const stop = serveSession(deps, sessionId, () => stops.delete(stop));
    stops.add(stop);
    message.respond({
      ok: true,
      serviceNumber: SERVICE_NUMBER,
      sipExtraHeaders: { 'X-Callout-Session': sessionId, 'X-Callout-Conference': `${conferenceName}@${conferenceProfile}` },
    });
  });
  return () => {
    stopOpening();
    for (const stop of stops) stop();
  };
}

function serveSession(deps: SoftphoneDeps, sessionId: string, onEnd: () => void): () => void {
  const over = new AbortController();
  const stopCommands = deps.link.subscribe(softphoneCommandsOf(sessionId), {}, message => {
    const name = message.subject.slice(message.subject.lastIndexOf('.') + 1);
    message.respond(answer(deps, { sessionId, over: over.signal }, name, message));
    if (name === 'end') stop();
  });
  const cancel = deps.clock.schedule(MAX_SESSION_MS, () => stop());
  const stop = () => {
    over.abort();
    stopCommands();
    cancel();
    onEnd();
  };
  return stop;
}

interface Session {
  sessionId: string;
  over: AbortSignal;
}

function answer(deps: SoftphoneDeps, session: Session, name: string, message: LinkMessage): CommandAnswer {
  const accepted = commandAnswer.parse({ ok: true, runtimeId: deps.runtimeId });
  if (name === 'end') return accepted;
  if (name !== 'say') return { ok: false, code: 'UNKNOWN_COMMAND', msg: '不支持的命令' };
  const command = saySoftphoneCommand.safeParse(message.body);
  if (!command.success) return { ok: false, code: 'INVALID', msg: '命令格式不正确' };
  void speak(deps, session, command.data);
  return accepted;
}

async function speak(
  { link, clock, speed }: SoftphoneDeps,
  { sessionId, over }: Session,
  { messageId, text }: { messageId: string; text: string },
): Promise<void> {
  const subject = softphoneReportSubject(sessionId);
  link.publish(subject, { kind: 'tts', messageId, status: 'started' });
  await sleep(clock, (text.length * SPEECH_MS) / speed, over);
  if (over.aborted) return;
  link.publish(subject, { kind: 'tts', messageId, status: 'finished' });
  link.publish(subject, { kind: 'message', messageId: `${messageId}-reply`, speaker: 'customer', text: SIMULATED_REPLY });
}
