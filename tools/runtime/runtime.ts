import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { type CommandAnswer, type StartCommand, startCommand } from '#protocol/hand-over.ts';
import { OPTIONAL_COMMANDS } from '#protocol/guidance.ts';
import { type PoolMember, rejectedReport, releaseCommand, RUNTIME_CONTRACT } from '#protocol/pool.ts';
import { commandSubject, POOL_ROLL_CALL_SUBJECT, poolSubject, START_PROBE_SUBJECT, START_SUBJECTS } from '#protocol/subjects.ts';
import { serveDiscovery } from './discovery.ts';
import { createHeldCalls, type HeldCalls } from './held-calls.ts';
import type { LiveCallDeps } from './live-call.ts';
import type { LinkMessage, NatsLink } from './nats-link.ts';
import { NODE_TABLE } from '#scripts/decisions/flow/nodes/node-table.ts';
import { register } from './registration.ts';
import type { ReportOutbox } from './report-outbox.ts';
import { serveSoftphones } from './softphones.ts';
import { createRejectionLog } from './log-rejections.ts';

export interface RuntimeDeps extends LiveCallDeps {
  link: NatsLink;
  outbox: ReportOutbox;
  clock: Clock;
  log: Log;
  /** Name and version for operators, beside the id. */
  about: { name: string; version: string };
  /** Most concurrent calls. */
  maxCalls: number;
  /** Restricts the calls to these businesses; absent: all. */
  businessCodes?: readonly string[];
}

export interface CallFlowRuntime {
  liveCalls(): number;
  /** Settles when calls can arrive: a server has registered this runtime, or no server registers runtimes. */
  ready: Promise<void>;
  /** Resolves to the server's message when it refuses this runtime. */
  refused: Promise<string>;
  /** Accepts no new calls, gives live ones `graceMs` to end, ends the rest, and waits until every report is delivered. */
  drain(graceMs: number): Promise<void>;
}

const QUEUE = 'callout-runtime';
/** Longest wait for another runtime that may have the call, in ms. */
const HOLDER_TIMEOUT_MS = 300;
const FLUSH_TIMEOUT_MS = 10_000;

/**
 * Accepts calls from the server and runs them, at most `maxCalls` at once.
 *
 * Source: A4; the contract is `src/contract/nats`
 */
export function startRuntime(deps: RuntimeDeps): CallFlowRuntime {
  const { outbox, maxCalls } = deps;
  let isDraining = false;
  const hasRoom = (): boolean => !isDraining && calls.live() < maxCalls && !outbox.isFull();
  const calls: HeldCalls = createHeldCalls({ ...deps, hasRoom, onChange: () => group.adjust() });
  const group = queueGroup(deps, calls, hasRoom);
  const stopPool = servePool(deps, calls);
  const registration = register({
    ...deps,
    member: () => memberOf(deps, { active: calls.live(), isDraining }),
    onRegistered: () => group.leave(),
    onUnheard: () => group.join(),
  });
  const stopRollCall = deps.link.subscribe(POOL_ROLL_CALL_SUBJECT, {}, () => registration.beatNow());
  deps.link.onReconnect(() => registration.beatNow());
  const stopSoftphones = serveSoftphones(deps);
  return {
    liveCalls: () => calls.live(),
    ready: registration.firstHello,
    refused: registration.refused,
    async drain(graceMs) {
      isDraining = true;
      group.adjust();
      registration.beatNow();
      stopSoftphones();
      const cancel = deps.clock.schedule(graceMs, () => calls.endAll({ by: 'system', cause: 'MANAGER_REQUEST' }));
      await calls.settled();
      cancel();
      await outbox.flush(FLUSH_TIMEOUT_MS);
      await registration.bye();
      stopRollCall();
      stopPool();
      calls.close();
    },
  };
}

function memberOf(deps: RuntimeDeps, { active, isDraining }: { active: number; isDraining: boolean }): PoolMember {
  const { runtimeId, about, maxCalls, businessCodes } = deps;
  return {
    runtimeId,
    ...about,
    contract: RUNTIME_CONTRACT.newest,
    maxCalls,
    active,
    isDraining,
    resumes: true,
    commands: [...OPTIONAL_COMMANDS],
    nodeTypes: Object.keys(NODE_TABLE),
    ...(businessCodes === undefined ? {} : { businessCodes: [...businessCodes] }),
  };
}

const INVALID_START: CommandAnswer = { ok: false, code: 'INVALID', msg: '启动命令格式不正确' };

function startOf({ log }: RuntimeDeps, { body }: LinkMessage): StartCommand | null {
  const parsed = startCommand.safeParse(body);
  if (!parsed.success) log.error({ problem: parsed.error.message }, 'a hand-over with an invalid body was refused');
  return parsed.success ? parsed.data : null;
}

/** Handles messages that the server addresses to this runtime. Returns a function that stops it. */
function servePool(deps: RuntimeDeps, calls: HeldCalls): () => void {
  const { link, runtimeId, clock, log } = deps;
  const tell = createRejectionLog(clock, log);
  const offers = { subject: poolSubject(runtimeId, 'start'), offered: 0, declined: 0 };
  const stops = [
    serveDiscovery(deps, offers),
    link.subscribe(offers.subject, {}, message => {
      const offer = startOf(deps, message);
      const answer = offer === null ? INVALID_START : calls.take(offer);
      offers.offered += 1;
      if (!answer.ok) offers.declined += 1;
      message.respond(answer);
    }),
    link.subscribe(poolSubject(runtimeId, 'release'), {}, message => {
      const command = releaseCommand.safeParse(message.body);
      if (command.success) calls.release(command.data);
      message.respond(command.success ? { ok: true, runtimeId } : { ok: false, code: 'INVALID', msg: '命令格式不正确' });
    }),
    link.subscribe(poolSubject(runtimeId, 'rejected'), {}, ({ body }) => {
      const rejection = rejectedReport.safeParse(body);
      if (!rejection.success) return;
      tell(rejection.data);
      const { code, requestId } = rejection.data;
      if (code === 'STALE_EPOCH' && requestId !== null) calls.disown(requestId);
    }),
  ];
  return () => stops.forEach(stop => stop());
}

/** Receives calls as long as no server registers runtimes. */
interface QueueGroup {
  join(): void;
  leave(): void;
  /** A full runtime leaves the group, so that NATS delivers calls to the others only. */
  adjust(): void;
}

function queueGroup(deps: RuntimeDeps, calls: HeldCalls, hasRoom: () => boolean): QueueGroup {
  const { link, runtimeId } = deps;
  const claimed = new Set<string>();
  let isWanted = false;
  let stopTaking: (() => void) | null = null;

  async function take(message: LinkMessage): Promise<CommandAnswer> {
    // A probe only checks whether any runtime accepts calls: any response will do.
    if (message.subject === START_PROBE_SUBJECT) return INVALID_START;
    const offer = startOf(deps, message);
    if (offer === null) return INVALID_START;
    const { requestId } = offer;
    if (calls.has(requestId)) return calls.take(offer);
    if (claimed.has(requestId)) return { ok: true, runtimeId };
    claimed.add(requestId);
    const isElsewhere = await isHeldElsewhere(deps, requestId);
    claimed.delete(requestId);
    return isElsewhere ? { ok: true, runtimeId } : calls.take(offer);
  }

  const adjust = () => {
    const isTaking = isWanted && hasRoom();
    if (isTaking && stopTaking === null) {
      stopTaking = link.subscribe(START_SUBJECTS, { queue: QUEUE }, message => void take(message).then(answer => message.respond(answer)));
    } else if (!isTaking && stopTaking !== null) {
      stopTaking();
      stopTaking = null;
    }
  };
  const want = (wanted: boolean) => {
    isWanted = wanted;
    adjust();
  };
  return { join: () => want(true), leave: () => want(false), adjust };
}

/**
 * A repeated start may reach another runtime than the first: the one that has the call also receives its commands and responds to a ping.
 */
async function isHeldElsewhere({ link }: RuntimeDeps, requestId: string): Promise<boolean> {
  try {
    await link.request(commandSubject(requestId, 'ping'), {}, HOLDER_TIMEOUT_MS);
    return true;
  } catch {
    // No responder.
    return false;
  }
}
