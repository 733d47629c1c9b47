// A call-flow runtime for Callout: it takes each answered call, "speaks" one sentence, hangs up and reports the result.
// What a real one adds is speech in `converse`. Run: NATS_URL=nats://127.0.0.1:4222 node runtime.mjs
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';

const { NATS_URL = 'nats://127.0.0.1:4222', MAX_CALLS = '20', SENTENCE_MS = '4000', CALLOUT_INTERNAL_TOKEN: internalToken } = process.env;
const SENTENCE = '您好，这里是示例营业厅，祝您生活愉快，再见。';
// Another one for each process: what is addressed to a process that is gone must not reach its successor.
const runtimeId = `minimal-${randomUUID().slice(0, 8)}`;
const calls = new Map(); // by requestId; a call stays for a minute after its end, because commands and starts may be repeated
let isDraining = false;
let isGone = false;
let live = 0;

const { host, username: user, password: pass } = new URL(NATS_URL);
const nats = await connect({
  servers: host,
  // Answers are heard under a prefix of this user's own: docker/nats.conf lets no runtime hear all of _INBOX.
  ...(user && { user, pass, inboxPrefix: `_INBOX_RUNTIME.${user}` }),
  name: runtimeId,
  maxReconnectAttempts: -1,
  reconnectTimeWait: 500,
});
const stream = jetstream(nats);
const now = () => new Date().toISOString();
const pool = name => `callout.v1.runtime-pool.${runtimeId}.${name}`;
const refusal = (code, msg) => ({ ok: false, code, msg });
const ask = async (subject, body) => {
  const text = JSON.stringify(body);
  return (await nats.request(subject, text, { timeout: 2_000, ...signed(subject, text) })).json();
};

// ---- What is sent proves that we know the token, which itself never travels. The server tells its time with each hello and beat.
let aheadMs = 0;
function signed(subject, text, id = randomUUID()) {
  if (!internalToken) return {};
  const sentAt = String(Date.now() + aheadMs);
  const key = createHash('sha256').update(internalToken).digest();
  const proof = createHmac('sha256', key).update(`${subject}\n${id}\n${sentAt}\n${text}`).digest('base64url');
  const made = headers();
  for (const [name, value] of Object.entries({ 'Nats-Msg-Id': id, 'Callout-Time': sentAt, 'Callout-Proof': proof })) made.set(name, value);
  return { headers: made };
}

/** Answers each message of a subject with what `answer` makes of its JSON (undefined when it is none) and of its subject's last word. */
function serve(subject, answer) {
  return nats.subscribe(subject, {
    callback(error, message) {
      if (error) return console.error(`${subject}: ${error.message}`);
      let body;
      try {
        body = message.json();
      } catch {
        // Not JSON: whoever answers says what it wants instead.
      }
      message.respond(JSON.stringify(answer(body, message.subject.split('.').at(-1)) ?? { ok: true }));
    },
  });
}

// ---- A call is offered. The answer must come within 1 s, the same one when the offer comes again.
const here = ({ epoch }) => ({ ok: true, runtimeId, epoch });

function take(order) {
  const isOrder = /^[\da-f-]{36}$/i.test(order?.requestId) && Number.isInteger(order.attemptId) && typeof order.captionSubject === 'string';
  if (!isOrder) return refusal('INVALID', 'requestId, attemptId or captionSubject is missing');
  const known = calls.get(order.requestId);
  // Offered again under a newer epoch: reports of the older one would be refused from now on, and that it speaks is not known by the new one.
  if (known && (order.epoch ?? 0) > (known.epoch ?? 0)) {
    known.epoch = order.epoch;
    void report(known, 'started', { kind: 'started', seq: 0, at: now() });
  }
  if (known) return here(known);
  if (isDraining || live >= Number(MAX_CALLS)) return refusal('BUSY', 'no place is free');
  const call = { ...order, over: new AbortController(), hangup: null, seq: 0 };
  calls.set(call.requestId, call);
  live += 1;
  call.commands = serve(`callout.v1.command.${call.requestId}.*`, (body, name) => obey(call, name, body));
  void converse(call).finally(() => {
    live -= 1;
    setTimeout(forget, 60_000, call).unref();
  });
  return here(call);
}

function forget(call) {
  call.commands.unsubscribe();
  if (calls.get(call.requestId) === call) calls.delete(call.requestId);
}

function obey(call, name, body) {
  if (name === 'hangup') call.hangup ??= { by: body?.by ?? 'customer', cause: body?.cause ?? 'NORMAL_CLEARING' };
  if (name === 'hangup') call.over.abort();
  return ['start', 'ping', 'hangup'].includes(name) ? (name === 'start' ? take(body) : here(call)) : refusal('UNKNOWN_COMMAND', name);
}

/** The call is another runtime's now, or nobody's: nothing is said, reported or hung up any more. An older release is none. */
function release(call, epoch = Infinity) {
  if (!call || epoch < (call.epoch ?? 0)) return;
  call.isReleased = true;
  call.over.abort();
  forget(call);
}

// ---- The conversation: started → captions → end of the call → ended → result.
async function converse(call) {
  const answeredAt = call.answeredAt ?? now();
  const told = [report(call, 'started', { kind: 'started', seq: 0, at: now() })];
  const segment = { segmentId: `${call.epoch ?? 0}-s1`, speaker: 'bot', text: SENTENCE, final: true };
  const caption = { requestId: call.requestId, runtimeId, epoch: call.epoch, kind: 'segment', seq: ++call.seq, at: now(), segment };
  const spoken = JSON.stringify(caption);
  nats.publish(call.captionSubject, spoken, signed(call.captionSubject, spoken)); // lost while NATS is away: the transcript of the result counts
  await sleep(Number(SENTENCE_MS), null, { signal: call.over.signal }).catch(() => undefined);
  if (call.isReleased) return;
  // Nobody has hung up yet, so we do. When no server hears it, the result below ends the call as well.
  if (!call.hangup)
    await ask(`callout.v1.actor.call.${call.requestId}.hangup`, {}).catch(error => console.error(`endCall: ${error.message}`));
  const { by, cause } = call.hangup ?? { by: 'bot', cause: 'NORMAL_CLEARING' };
  const endedAt = now();
  told.push(report(call, 'ended', { kind: 'ended', seq: ++call.seq, at: endedAt, hangupCause: cause }));
  const times = { answeredAt, endedAt, hangupBy: by, hangupCause: cause };
  const before = (call.captions ?? []).map(({ speaker, text }) => ({ speaker, text })); // of a runtime that was lost
  told.push(report(call, 'result', { callStatus: 'completed', ...times, transcript: [...before, { speaker: 'bot', text: SENTENCE }] }));
  await Promise.all(told);
}

/** Until the stream has it, always under the same message id: a repetition that was stored already is dropped there. */
async function report(call, kind, body) {
  const { requestId, attemptId, epoch } = call;
  const text = JSON.stringify({ requestId, attemptId, runtimeId, epoch, ...body });
  const subject = `callout.v1.runtime.${kind}.${requestId}`;
  const msgID = `${requestId}:${kind}:${epoch ?? 0}`;
  while (!call.isReleased) {
    try {
      return await stream.publish(subject, text, { msgID, timeout: 3_000, ...signed(subject, text, msgID) });
    } catch {
      await sleep(500); // NATS is away, or its answer was lost
    }
  }
}

// ---- Hear what is addressed to this runtime first, then say hello, then beat: who says nothing for 15 s is gone.
serve(pool('start'), take);
serve(pool('release'), command => release(calls.get(command?.requestId), command?.epoch));
serve(pool('rejected'), rejection => {
  console.error('rejected', rejection);
  if (rejection?.code === 'STALE_EPOCH') release(calls.get(rejection.requestId));
});

async function say(word) {
  const self = {
    runtimeId,
    name: 'runtime-minimal-js',
    version: '1.0.0',
    contract: 1,
    maxCalls: Number(MAX_CALLS),
    active: live,
    isDraining,
  };
  const answer = await ask(`callout.v1.runtime-pool.${word}`, { ...self, resumes: true, nodeTypes: ['start', 'send', 'end'] });
  if (answer.serverTime) aheadMs = answer.serverTime - Date.now();
  if (answer.ok || answer.code === 'UNAVAILABLE' || answer.code === 'STALE_PROOF') return answer.ok;
  console.error(`the server does not take this runtime: ${answer.code} ${answer.msg}`);
  process.exit(76);
}

process.once('SIGTERM', async () => {
  isDraining = true;
  await say('beat').catch(() => undefined);
  while (live > 0) await sleep(100);
  isGone = true;
  await say('bye').catch(() => undefined);
  process.exit(0);
});

let isKnown = false;
const unheard = error => (console.error(`no server has answered: ${error.message}`), false);
const greet = async () => (isKnown = await say(isKnown ? 'beat' : 'hello').catch(unheard));
// A server that has just come, or come back, wants to know who is there.
serve('callout.v1.runtime-pool.roll-call', () => void greet());
console.log(`${runtimeId} takes calls from ${host}`);
for (; !isGone; await sleep(isKnown ? 5_000 : 1_000)) await greet();
