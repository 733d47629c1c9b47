import { startExample } from '#protocol/hand-over.ts';
import { randomUUID } from 'node:crypto';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { natsAddress } from '#protocol/address.ts';
import { type CommandAnswer, commandAnswer, type StartCommand } from '#protocol/hand-over.ts';
import { consumeRequest } from '#protocol/interventions.ts';
import { endCallRequest, scriptRequest } from '#protocol/requests.ts';
import { POOL_BEAT_MS, POOL_GONE_MS, type PoolMember, poolBye, poolMember, RUNTIME_CONTRACT, poolAnswerExample } from '#protocol/pool.ts';
import {
  actorSubject,
  CAPTION_SUBJECTS,
  captionSubject,
  commandSubject,
  POOL_BEAT_SUBJECT,
  POOL_BYE_SUBJECT,
  POOL_HELLO_SUBJECT,
  poolSubject,
  RUNTIME_STREAM,
  RUNTIME_SUBJECTS,
  type RuntimeReportKind,
  runtimeSubject,
  SCRIPT_SUBJECTS,
  START_PROBE_SUBJECT,
  TRANSFER_END_SUBJECT,
  TRANSFER_ROUTE_SUBJECT,
} from '#protocol/subjects.ts';
import { transferEndRequest, transferRouteRequest, transferRouteAnswerExample, transferEndAnswerExample } from '#protocol/transfers.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { ProofJudge } from './proof-judge.ts';
import { SCRIPT } from './script.ts';
import { addCaption, addReport, type SeenCall, seenCall } from './seen-call.ts';
import { Fault } from './fault.ts';

/** A runtime that has sent hello. Units: `at` monotonic ms */
export interface SeenRuntime {
  self: PoolMember;
  /** Inbox for the response to its last message. */
  inbox: string;
  words: { name: 'hello' | 'beat' | 'bye'; at: number; self: PoolMember | null }[];
}

/** Response to a request, and its latency. */
export interface Answered {
  answer: CommandAnswer;
  tookMs: number;
}

/** The server's side of the bus, implemented as far as one runtime needs it. */
export interface PlayedServer {
  runtimes: ReadonlyMap<string, SeenRuntime>;
  /** Invalid messages to the server. */
  faults: string[];
  /** Judges the signatures of messages and the clock behind them. */
  readonly proof: ProofJudge;
  /** Delay of every response, in ms. */
  lateMs: number;
  /** Whether this run has created the stream of reports, and so may delete it. */
  ownsStream: boolean;
  /** A call as the server would hand it over; nothing is sent. */
  prepare(changes?: Partial<StartCommand>): SeenCall;
  /** Hands the same call over again under a later epoch; nothing is sent. */
  renew(call: SeenCall, changes?: Partial<StartCommand>): void;
  /** Offers a call to a runtime. Errors: Fault when it does not respond in time, or violates the contract */
  offer(runtimeId: string, call: SeenCall): Promise<Answered>;
  /** Sends a start with a raw body. */
  offerRaw(runtimeId: string, body: string): Promise<Answered>;
  command(call: SeenCall, name: string, body: object): Promise<Answered>;
  notify(runtimeId: string, name: 'release' | 'rejected', body: object): void;
  /** Whether any runtime takes calls from the queue group of older servers. */
  hasQueueGroup(): Promise<boolean>;
  calls(): readonly SeenCall[];
  /** Counts the reports of one kind as sent from now on, because the stream drops duplicates. */
  countSent(call: SeenCall, kind: RuntimeReportKind): { count(): number; stop(): void };
  removeStream(): Promise<void>;
  makeStream(): Promise<void>;
  /** Stops responding, like a stopped server, until `up`. */
  down(): void;
  up(): void;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 1_000;
const COMMAND_TIMEOUT_MS = 3_000;
/** Long, because only a server that is deaf lets it pass: where there is none, NATS says so at once. */
const PROBE_TIMEOUT_MS = 3_000;
const READ_PAUSE_MS = 50;
const AGENT_ID = 12;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** With a token it checks signatures. Errors: Fault when a server is running already */
export async function playServer(url: string, token: string): Promise<PlayedServer> {
  const connection = await connect({ ...natsAddress(url), name: 'runtime-check', maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  try {
    if (await isAnswered(connection, POOL_HELLO_SUBJECT))
      throw new Fault('a server of Callout answers on this NATS: the check plays the server, give it a NATS without one');
    const manager = await jetstreamManager(connection);
    const server = new Played(connection, manager, new ProofJudge(token));
    await server.makeStream();
    server.up();
    server.read();
    await connection.flush();
    return server;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function isAnswered(connection: NatsConnection, subject: string): Promise<boolean> {
  try {
    await connection.request(subject, '{}', { timeout: PROBE_TIMEOUT_MS });
    return true;
  } catch (error) {
    // A responder that does not answer this request is still a server.
    return !(error instanceof Error && /no responders/i.test(`${error.message} ${String(error.cause)}`));
  }
}

class Played implements PlayedServer {
  readonly runtimes = new Map<string, SeenRuntime>();
  readonly faults: string[] = [];
  readonly proof: ProofJudge;
  lateMs = 0;
  ownsStream = false;
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #calls = new Map<string, SeenCall>();
  #stops: (() => void)[] = [];
  #nextSequence = 1;
  #epoch = systemClock.now();
  #attemptId = 1_000;

  constructor(connection: NatsConnection, manager: JetStreamManager, proof: ProofJudge) {
    this.proof = proof;
    this.#connection = connection;
    this.#manager = manager;
  }

  // ---- Requests to a runtime

  prepare(changes: Partial<StartCommand> = {}): SeenCall {
    const requestId = randomUUID();
    const offer: StartCommand = {
      ...startExample,
      requestId,
      epoch: ++this.#epoch,
      answeredAt: new Date(systemClock.now()).toISOString(),
      attemptId: ++this.#attemptId,
      scriptId: SCRIPT.id,
      scriptVersion: SCRIPT.version,
      captionSubject: captionSubject(requestId),
      // The reference runtime's simulated customer must be a person.
      metadata: { callout_simulated_callee: 'person' },
      media: {},
      ...changes,
    };
    const call = seenCall(offer);
    this.#calls.set(requestId, call);
    return call;
  }

  renew(call: SeenCall, changes: Partial<StartCommand> = {}): void {
    call.offer = { ...call.offer, epoch: ++this.#epoch, ...changes };
    call.epochs.push(this.#epoch);
  }

  offer(runtimeId: string, call: SeenCall): Promise<Answered> {
    return this.offerRaw(runtimeId, JSON.stringify(call.offer));
  }

  offerRaw(runtimeId: string, body: string): Promise<Answered> {
    return this.#ask(poolSubject(runtimeId, 'start'), body, START_TIMEOUT_MS);
  }

  command({ requestId }: SeenCall, name: string, body: object): Promise<Answered> {
    return this.#ask(commandSubject(requestId, name), JSON.stringify(body), COMMAND_TIMEOUT_MS);
  }

  notify(runtimeId: string, name: 'release' | 'rejected', body: object): void {
    this.#connection.publish(poolSubject(runtimeId, name), JSON.stringify(body));
  }

  hasQueueGroup(): Promise<boolean> {
    return isAnswered(this.#connection, START_PROBE_SUBJECT);
  }

  calls(): readonly SeenCall[] {
    return [...this.#calls.values()];
  }

  countSent({ requestId }: SeenCall, kind: RuntimeReportKind): { count(): number; stop(): void } {
    const subscription = this.#connection.subscribe(runtimeSubject(kind, requestId), { callback: () => undefined });
    return { count: () => subscription.getProcessed(), stop: () => subscription.unsubscribe() };
  }

  async #ask(subject: string, body: string, timeout: number): Promise<Answered> {
    const name = subject.slice(subject.lastIndexOf('.') + 1);
    const beganAt = systemClock.monotonic();
    const message = await this.#connection.request(subject, body, { timeout }).catch((error: unknown) => {
      throw new Fault(`${name} was not answered within ${timeout / 1_000} s (${error instanceof Error ? error.message : String(error)})`);
    });
    const answer = commandAnswer.safeParse(jsonOf(message));
    if (!answer.success) throw new Fault(`the answer to ${name} is none of the contract: ${message.string().slice(0, 200)}`);
    return { answer: answer.data, tookMs: systemClock.monotonic() - beganAt };
  }

  // ---- Requests of a runtime to the server

  up(): void {
    const serve = (subject: string, answer: (body: unknown, id: string, message: Msg) => unknown) => {
      const callback = (_error: Error | null, message: Msg) => {
        if (subject !== POOL_HELLO_SUBJECT && subject !== POOL_BEAT_SUBJECT) this.#judge(message);
        void this.#answer(message, answer(jsonOf(message), message.subject.split('.')[4] ?? '', message));
      };
      const subscription = this.#connection.subscribe(subject, { callback });
      this.#stops.push(() => subscription.unsubscribe());
    };
    serve(POOL_HELLO_SUBJECT, (body, _id, message) => this.#known('hello', body, message));
    serve(POOL_BEAT_SUBJECT, (body, _id, message) => this.#known('beat', body, message));
    serve(POOL_BYE_SUBJECT, body => this.#partWith(body));
    serve(actorSubject('call', '*', 'hangup'), (body, id) => this.#endCall(body, id));
    serve(actorSubject('intervention', '*', 'consume'), (body, id) => this.#consume(body, id));
    serve(TRANSFER_ROUTE_SUBJECT, body => this.#route(body));
    serve(TRANSFER_END_SUBJECT, body => {
      if (!transferEndRequest.safeParse(body).success) this.faults.push('callout.v1.transfer.end: the request is not valid');
      return transferEndAnswerExample;
    });
    const scripts = this.#connection.subscribe(SCRIPT_SUBJECTS, {
      callback: (_error, message) => {
        this.#judge(message);
        void this.#answer(message, this.#script(jsonOf(message), message.subject.split('.')[3] ?? ''));
      },
    });
    const captions = this.#connection.subscribe(CAPTION_SUBJECTS, { callback: (_error, message) => this.#caption(message) });
    this.#stops.push(
      () => scripts.unsubscribe(),
      () => captions.unsubscribe(),
    );
  }

  down(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  async #answer(message: Msg, answer: unknown): Promise<void> {
    if (this.lateMs > 0) await sleep(systemClock, this.lateMs);
    if (!this.#connection.isClosed()) message.respond(JSON.stringify(answer));
  }

  /** Judges a message other than hello and beat; its subject determines its kind. */
  #judge(message: Msg): void {
    this.proof.ofRequest(`the message on ${message.subject.replaceAll(UUID, '<requestId>')}`, message);
  }

  /** Responds with the server's time; a message signed by another clock is refused with only that. */
  #known(name: 'hello' | 'beat', body: unknown, message: Msg): object {
    const serverTime = this.proof.now();
    if (this.proof.ofRequest(name, message, { tellsTime: true }) === 'stale')
      return { ok: false, code: 'STALE_PROOF', msg: 'Callout-Time is more than 60 s from serverTime', serverTime };
    return { ...this.#welcome(name, body, message.reply ?? ''), serverTime };
  }

  #welcome(name: 'hello' | 'beat', body: unknown, inbox: string): object {
    const parsed = poolMember.safeParse(body);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      this.faults.push(`${name} is not valid: ${issue?.path.join('.') || 'the body'}: ${issue?.message ?? ''}`);
      return { ok: false, code: 'INVALID', msg: this.faults.at(-1) };
    }
    const self = parsed.data;
    const { oldest, newest } = RUNTIME_CONTRACT;
    if (self.contract < oldest)
      return { ok: false, code: 'UNSUPPORTED_CONTRACT', msg: `contract ${self.contract}, this server speaks ${oldest} to ${newest}` };
    const known = this.runtimes.get(self.runtimeId) ?? { self, inbox, words: [] };
    Object.assign(known, { self, inbox });
    known.words.push({ name, at: systemClock.monotonic(), self });
    this.runtimes.set(self.runtimeId, known);
    return { ok: true, contract: Math.min(self.contract, newest), beatEveryMs: POOL_BEAT_MS, goneAfterMs: POOL_GONE_MS };
  }

  #partWith(body: unknown): object {
    const parsed = poolBye.safeParse(body);
    if (!parsed.success) this.faults.push('bye is not valid: it needs the runtimeId');
    else this.runtimes.get(parsed.data.runtimeId)?.words.push({ name: 'bye', at: systemClock.monotonic(), self: null });
    return poolAnswerExample;
  }

  #script(body: unknown, id: string): object {
    if (!scriptRequest.safeParse(body).success) this.faults.push('the request for a script is not valid');
    return Number(id) === SCRIPT.id ? { ok: true, data: SCRIPT } : { ok: false, code: 'NOT_FOUND', msg: '话术脚本不存在' };
  }

  #endCall(body: unknown, requestId: string): object {
    const call = this.#calls.get(requestId);
    if (!endCallRequest.safeParse(body).success) call?.faults.push('the request to end the call is not valid');
    if (!call) return { ok: false, code: 'NOT_FOUND', msg: '通话不存在' };
    call.endCalls += 1;
    // The switch ends the channel, and the server notifies the runtime that has the call.
    this.#connection.publish(commandSubject(requestId, 'hangup'), JSON.stringify({ cause: 'NORMAL_CLEARING', by: 'bot' }));
    return { ok: true, data: { requestId, outcome: call.endCalls > 1 ? 'alreadyEnded' : 'ended' } };
  }

  #consume(body: unknown, requestId: string): object {
    const call = this.#calls.get(requestId);
    const parsed = consumeRequest.safeParse(body);
    if (!call || !parsed.success) {
      call?.faults.push('the request to consume is not valid');
      return { ok: false, code: 'INVALID_ARGUMENT', msg: 'interventionId' };
    }
    call.consumed.push(parsed.data.interventionId);
    return { ok: true, data: { consumed: true, status: 'transferring', agentId: AGENT_ID, initiatorId: AGENT_ID } };
  }

  #route(body: unknown): object {
    const parsed = transferRouteRequest.safeParse(body);
    const call = parsed.success ? this.#calls.get(parsed.data.customerUuid) : undefined;
    if (!call) this.faults.push('callout.v1.transfer.route: the request is not valid, or names no call');
    else call.isRouted = true;
    return transferRouteAnswerExample;
  }

  #caption(message: Msg): void {
    this.proof.ofRequest('a caption', message);
    const call = this.#calls.get(message.subject.split('.')[3] ?? '');
    const body = jsonOf(message);
    const { events, ...common } = Object(body) as { events?: object[] };
    for (const event of events ?? [{}]) if (call) addCaption(call, { ...common, ...event });
  }

  // ---- The stream of reports

  async makeStream(): Promise<void> {
    const found = await this.#manager.streams.info(RUNTIME_STREAM).catch(() => null);
    if (found) {
      this.#nextSequence = found.state.last_seq + 1;
      return;
    }
    await this.#manager.streams.add({ name: RUNTIME_STREAM, subjects: [RUNTIME_SUBJECTS] });
    this.ownsStream = true;
    this.#nextSequence = 1;
  }

  async removeStream(): Promise<void> {
    await this.#manager.streams.delete(RUNTIME_STREAM);
    this.#nextSequence = Number.POSITIVE_INFINITY;
  }

  /** Reads the stream for ever: only stored reports count, whatever happens to connections. */
  read(): void {
    void (async () => {
      while (!this.#connection.isClosed()) {
        if (!(await this.#readNext())) await sleep(systemClock, READ_PAUSE_MS);
      }
    })();
  }

  async #readNext(): Promise<boolean> {
    if (!Number.isFinite(this.#nextSequence)) return false;
    const seq = this.#nextSequence;
    // Without a response it reads again.
    const message = await this.#manager.streams.getMessage(RUNTIME_STREAM, { seq }).catch(() => null);
    if (!message || seq !== this.#nextSequence) return false;
    this.#nextSequence = seq + 1;
    const [, , , kind = '', requestId = ''] = message.subject.split('.');
    const call = this.#calls.get(requestId);
    this.proof.ofReport(`the report "${kind}"`, { subject: message.subject, headers: message.header, data: message.data });
    if (call) addReport(call, { kind, messageId: message.header.get('Nats-Msg-Id'), body: parsed(message.string()) });
    return true;
  }

  async close(): Promise<void> {
    this.down();
    if (this.ownsStream) await this.#manager.streams.delete(RUNTIME_STREAM).catch(() => undefined);
    await this.#connection.close();
  }
}

function jsonOf(message: Msg): unknown {
  return parsed(message.string());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema reports what it expects instead.
    return undefined;
  }
}
