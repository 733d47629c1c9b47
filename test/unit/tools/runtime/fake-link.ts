import { NoRespondersError } from '@nats-io/transport-node';
import type { LinkMessage, NatsLink } from '#tools/runtime/nats-link.ts';
import type { RuntimeScript } from '#protocol/runtime-script.ts';
import { START_SUBJECTS } from '#protocol/subjects.ts';
import { scriptAnswer } from '#protocol/requests.ts';

type Listener = (message: LinkMessage) => void;

export interface FakeLink extends NatsLink {
  /** Published messages, in order. */
  sent: { subject: string; body: Record<string, unknown> }[];
  stored: { subject: string; messageId: string; body: Record<string, unknown> }[];
  requests: string[];
  /** The runtime's messages about itself, in order: last token of the subject, and the body. */
  words: { name: string; body: Record<string, unknown> }[];
  /** Replies to those messages; undefined for no responder. May throw what the link would throw. */
  pool: (name: string) => unknown;
  /** Simulates a reconnect of the bus. */
  comeBack: () => void;
  isTaking(): boolean;
  /** Sends a request to the runtime and returns all its replies. */
  ask(subject: string, body: unknown): unknown[];
}

/** A fake bus in memory, with a server that has one script, and one member per queue group. */
export function fakeLink(script: RuntimeScript | null): FakeLink {
  const listeners = new Set<{ pattern: RegExp; subject: string; listener: Listener }>();
  const answered = (subject: string, answer: unknown) => {
    if (answer === undefined) throw new NoRespondersError(subject);
    return answer;
  };
  const answerWord = (subject: string, body: unknown) => {
    const name = subject.slice(subject.lastIndexOf('.') + 1);
    link.words.push({ name, body: JSON.parse(JSON.stringify(body)) });
    return answered(subject, link.pool(name));
  };
  const link: FakeLink = {
    sent: [],
    stored: [],
    requests: [],
    words: [],
    pool: () => undefined,
    isConnected: () => true,
    goBy: () => undefined,
    onReconnect: listener => void (link.comeBack = listener),
    comeBack: () => undefined,
    isTaking: () => [...listeners].some(({ subject }) => subject === START_SUBJECTS),
    publish: (subject, body) => void link.sent.push({ subject, body: JSON.parse(JSON.stringify(body)) }),
    async request(subject, body) {
      if (subject.includes('.runtime-pool.')) return answerWord(subject, body);
      link.requests.push(subject);
      if (subject.endsWith('.runtime')) {
        return scriptAnswer.parse(script ? { ok: true, data: script } : { ok: false, code: 'NOT_FOUND', msg: '话术脚本不存在' });
      }
      if (subject.endsWith('.hangup')) return { ok: true, data: { requestId: 'x' } };
      return answered(subject, link.ask(subject, {})[0]);
    },
    subscribe(subject, _options, listener) {
      const pattern = new RegExp(`^${subject.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`);
      const entry = { pattern, subject, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    store(subject, messageId, body) {
      link.stored.push({ subject, messageId, body: JSON.parse(JSON.stringify(body)) });
      return Promise.resolve();
    },
    flush: () => Promise.resolve(),
    close: () => Promise.resolve(),
    ask(subject, body) {
      const answers: unknown[] = [];
      for (const { pattern, listener } of Array.from(listeners)) {
        if (pattern.test(subject)) listener({ subject, body, respond: answer => void answers.push(answer) });
      }
      return answers;
    },
  };
  return link;
}
