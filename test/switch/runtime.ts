import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { runtimeAddress } from '#protocol/address.ts';
import {
  actorSubject,
  commandsOf,
  runtimeMessageId,
  runtimeSubject,
  SOFTPHONE_OPEN_SUBJECT,
  START_PROBE_SUBJECT,
  START_SUBJECTS,
  softphoneCommandsOf,
} from '#protocol/subjects.ts';
import { type Cancel, systemClock } from '#kernel/clock.ts';
import { signedBy } from '#test/support/signed.ts';

/** A call-flow runtime that stays on the line until the call ends, and records when it received each call. */
export interface CheckRuntime {
  /** When it received each call, UTC ms by request id. */
  toldAt: ReadonlyMap<string, number>;
  /** Transfer events, oldest first by request id. Units: at UTC ms */
  news: ReadonlyMap<string, readonly TransferNote[]>;
  /** How long until the bot ends calls to these numbers, in ms. */
  endsAfterMs: Map<string, number>;
  /** Numbers whose calls it never reports. */
  silentFor: Set<string>;
  /** Leaves calls to another runtime, until it resumes. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

export interface TransferNote {
  status: string;
  cause: string | null;
  at: number;
}

const QUEUE = 'switch-check-runtime';
const RUNTIME_ID = 'switch-check';
const RECONNECT_WAIT_MS = 200;
const PUBLISH_TIMEOUT_MS = 2_000;
/** Number of the product's own dialplan for phones. */
const SERVICE_NUMBER = '8800';

export async function startCheckRuntime(natsUrl: string, internalToken: string): Promise<CheckRuntime> {
  const connection = await connect({ ...runtimeAddress(natsUrl), maxReconnectAttempts: -1, reconnectTimeWait: RECONNECT_WAIT_MS });
  const stream = jetstream(connection, { timeout: PUBLISH_TIMEOUT_MS });
  const state: State = {
    connection,
    stream,
    toldAt: new Map(),
    news: new Map(),
    endsAfterMs: new Map(),
    silentFor: new Set(),
    timers: new Set(),
    ending: new Set(),
    internalToken,
  };
  const takeCalls = () => connection.subscribe(START_SUBJECTS, { queue: QUEUE, callback: (_error, message) => take(state, message) });
  let calls = takeCalls();
  connection.subscribe(SOFTPHONE_OPEN_SUBJECT, { queue: QUEUE, callback: (_error, message) => openPhone(state, message) });
  await connection.flush();
  return {
    toldAt: state.toldAt,
    news: state.news,
    endsAfterMs: state.endsAfterMs,
    silentFor: state.silentFor,
    pause: () => calls.unsubscribe(),
    resume: () => {
      calls = takeCalls();
    },
    async close() {
      for (const cancel of state.timers) cancel();
      await connection.close();
    },
  };
}

interface State {
  connection: NatsConnection;
  stream: JetStreamClient;
  toldAt: Map<string, number>;
  news: Map<string, TransferNote[]>;
  endsAfterMs: Map<string, number>;
  silentFor: Set<string>;
  timers: Set<Cancel>;
  /** Calls that the bot itself has requested to end. */
  ending: Set<string>;
  internalToken: string;
}

const accepted = JSON.stringify({ ok: true, runtimeId: RUNTIME_ID });

function take(state: State, message: Msg): void {
  // A probe only checks whether any runtime accepts calls: any response will do.
  if (message.subject === START_PROBE_SUBJECT) {
    message.respond('{"ok":false,"code":"INVALID","msg":"no call"}');
    return;
  }
  const requestId = message.subject.split('.')[3] ?? '';
  message.respond(accepted);
  // A repeated command gets a response and changes nothing.
  if (state.toldAt.has(requestId)) return;
  state.toldAt.set(requestId, systemClock.now());
  reportStart(state, requestId);
  const { phoneNumber } = message.json<{ phoneNumber?: string }>();
  let isOver = false;
  state.connection.subscribe(commandsOf(requestId), {
    callback: (_error, command) => {
      command.respond(accepted);
      if (command.subject.endsWith('.transfer')) note(state, requestId, command);
      if (isOver || !command.subject.endsWith('.hangup')) return;
      isOver = true;
      if (state.silentFor.has(phoneNumber ?? '')) return;
      const { cause, by } = command.json<{ cause?: string; by?: string }>();
      void report(state, requestId, { cause, by: state.ending.has(requestId) ? 'bot' : by });
    },
  });
  const endsAfterMs = state.endsAfterMs.get(phoneNumber ?? '');
  if (endsAfterMs !== undefined) state.timers.add(systemClock.schedule(endsAfterMs, () => endCall(state, requestId)));
}

/** A runtime that says nothing loses the call to another one (I9). */
function reportStart({ connection, internalToken }: State, requestId: string): void {
  const [subject, text] = [runtimeSubject('started', requestId), JSON.stringify({ requestId, kind: 'started', seq: 0 })];
  connection.publish(subject, text, signedBy(internalToken, { subject, text }));
}

function note({ news }: State, requestId: string, command: Msg): void {
  const { status = '', cause = null } = command.json<{ status?: string; cause?: string | null }>();
  news.set(requestId, [...(news.get(requestId) ?? []), { status, cause, at: systemClock.now() }]);
}

function endCall({ connection, ending, internalToken }: State, requestId: string): void {
  ending.add(requestId);
  if (connection.isClosed()) return;
  const [subject, text] = [actorSubject('call', requestId, 'hangup'), JSON.stringify({ cause: 'NORMAL_CLEARING' })];
  connection.publish(subject, text, signedBy(internalToken, { subject, text }));
}

interface Ending {
  cause?: string | undefined;
  by?: string | undefined;
}

async function report({ stream, internalToken }: State, requestId: string, { cause, by }: Ending): Promise<void> {
  const body = JSON.stringify({ requestId, callStatus: 'completed', hangupCause: cause, hangupBy: by, payload: {} });
  const [subject, msgID] = [runtimeSubject('result', requestId), runtimeMessageId(requestId, 'result', 0)];
  await stream
    .publish(subject, body, { msgID, ...signedBy(internalToken, { subject, text: body, id: msgID }) })
    // The cases notice a lost result: the attempt stays open.
    .catch(() => undefined);
}

/** Tells the browser to call the switch's own number for phones, into the room of its session. */
function openPhone({ connection }: State, message: Msg): void {
  const { sessionId, conferenceName, conferenceProfile } = message.json<Record<string, string>>();
  connection.subscribe(softphoneCommandsOf(sessionId ?? ''), { callback: (_error, command) => void command.respond(accepted) });
  message.respond(
    JSON.stringify({
      ok: true,
      serviceNumber: SERVICE_NUMBER,
      sipExtraHeaders: { 'X-Callout-Conference': `${conferenceName}@${conferenceProfile}` },
    }),
  );
}
