import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { type CommandAnswer, hangupCommand, type StartCommand, startCommand } from '#contract/nats/commands.ts';
import { cancelCommand, interveneCommand } from '#contract/nats/monitoring.ts';
import { transferCommand } from '#contract/nats/transfers.ts';
import { commandsOf, commandSubject, START_SUBJECTS } from '#contract/nats/subjects.ts';
import { type LiveCall, type LiveCallDeps, startLiveCall } from './live-call.ts';
import type { LinkMessage, NatsLink } from './nats-link.ts';
import type { ReportOutbox } from './report-outbox.ts';
import { serveSoftphones } from './softphones.ts';

export interface RuntimeDeps extends LiveCallDeps {
  link: NatsLink;
  outbox: ReportOutbox;
  clock: Clock;
  log: Log;
  /** Shown in answers and in the log. */
  runtimeId: string;
  /** Calls at once. */
  maxCalls: number;
}

export interface CallFlowRuntime {
  liveCalls(): number;
  /** Takes no new calls, lets live ones go on for `graceMs`, ends the rest, and waits until every report is told. */
  drain(graceMs: number): Promise<void>;
}

const QUEUE = 'callout-runtime';
/** Another runtime that has the call answers within this, ms. */
const HOLDER_TIMEOUT_MS = 300;
/** An ended call still answers to its commands for this long: the server may repeat them. ms */
const RETAIN_MS = 60_000;
const FLUSH_TIMEOUT_MS = 10_000;

/**
 * Takes calls from the server and runs them, at most `maxCalls` at once.
 *
 * Source: A4; the contract is `src/contract/nats`
 */
export function startRuntime(deps: RuntimeDeps): CallFlowRuntime {
  const live = new Map<string, LiveCall>();
  const claimed = new Set<string>();
  let draining = false;
  let stopTaking: (() => void) | null = null;

  const hasRoom = () => !draining && claimed.size < deps.maxCalls && !deps.outbox.isFull();
  // A full runtime leaves the queue group, so that others get the calls without asking here first.
  const adjust = () => {
    if (hasRoom() && stopTaking === null) {
      stopTaking = deps.link.subscribe(START_SUBJECTS, { queue: QUEUE }, message => void take(message));
    } else if (!hasRoom() && stopTaking !== null) {
      stopTaking();
      stopTaking = null;
    }
  };

  async function take(message: LinkMessage): Promise<void> {
    const parsed = startCommand.safeParse(message.body);
    const answer = parsed.success ? await decide(parsed.data) : invalidStart(deps, parsed.error.message);
    message.respond(answer);
  }

  async function decide(brief: StartCommand): Promise<CommandAnswer> {
    const accepted = { ok: true, runtimeId: deps.runtimeId } as const;
    if (claimed.has(brief.requestId)) return accepted;
    claimed.add(brief.requestId);
    if (await isHeldElsewhere(deps, brief.requestId)) {
      claimed.delete(brief.requestId);
      return accepted;
    }
    if (draining || claimed.size > deps.maxCalls || deps.outbox.isFull()) {
      claimed.delete(brief.requestId);
      return { ok: false, code: 'BUSY', msg: '话术运行时已满，请稍后重试' };
    }
    hold(brief);
    return accepted;
  }

  function hold(brief: StartCommand): void {
    const { requestId } = brief;
    const call = startLiveCall(deps, brief);
    live.set(requestId, call);
    const stopCommands = deps.link.subscribe(commandsOf(requestId), {}, message => answerCommand(deps, call, message));
    adjust();
    void call.done.then(() => {
      live.delete(requestId);
      claimed.delete(requestId);
      adjust();
      deps.clock.schedule(RETAIN_MS, stopCommands);
    });
  }

  adjust();
  const stopSoftphones = serveSoftphones(deps);
  return {
    liveCalls: () => live.size,
    async drain(graceMs) {
      draining = true;
      adjust();
      stopSoftphones();
      const cancel = deps.clock.schedule(graceMs, () => {
        for (const call of live.values()) call.end({ by: 'system', cause: 'MANAGER_REQUEST' });
      });
      await Promise.all([...live.values()].map(call => call.done));
      cancel();
      await deps.outbox.flush(FLUSH_TIMEOUT_MS);
    },
  };
}

/** A repeated start may reach another runtime than the first: whoever has the call hears all its commands. */
async function isHeldElsewhere({ link }: RuntimeDeps, requestId: string): Promise<boolean> {
  try {
    await link.request(commandSubject(requestId, 'ping'), {}, HOLDER_TIMEOUT_MS);
    return true;
  } catch {
    // Nobody listens.
    return false;
  }
}

function invalidStart({ log }: RuntimeDeps, problem: string): CommandAnswer {
  log.error({ problem }, 'a call was handed over with a body that is none: refused');
  return { ok: false, code: 'INVALID', msg: '启动命令格式不正确' };
}

/** `start` again, or a question whether the call is here: yes. */
function answerCommand(deps: RuntimeDeps, call: LiveCall, message: LinkMessage): void {
  const answer = COMMANDS[message.subject.slice(message.subject.lastIndexOf('.') + 1)];
  const refused: CommandAnswer = { ok: false, code: 'UNKNOWN_COMMAND', msg: '不支持的命令' };
  message.respond(answer === undefined ? refused : answer(deps, call, message));
}

type CommandHandler = (deps: RuntimeDeps, call: LiveCall, message: LinkMessage) => CommandAnswer;

const INVALID: CommandAnswer = { ok: false, code: 'INVALID', msg: '命令格式不正确' };

const here: CommandHandler = ({ runtimeId }) => ({ ok: true, runtimeId });

const COMMANDS: Readonly<Record<string, CommandHandler>> = {
  start: here,
  ping: here,
  hangup: (deps, call, message) => {
    const body = hangupCommand.safeParse(message.body);
    const { cause, by } = body.success ? body.data : {};
    call.end({ by: by ?? whoHungUp(cause), cause: cause ?? 'NORMAL_CLEARING' });
    return here(deps, call, message);
  },
  transfer: (deps, call, message) => {
    const news = transferCommand.safeParse(message.body);
    if (!news.success) return INVALID;
    call.handOver.tell(news.data);
    return here(deps, call, message);
  },
  intervene: (deps, call, message) => {
    const wish = interveneCommand.safeParse(message.body);
    if (!wish.success) return INVALID;
    call.handOver.asked(wish.data.interventionId, wish.data.when);
    return here(deps, call, message);
  },
  cancel: (deps, call, message) => {
    const wish = cancelCommand.safeParse(message.body);
    if (!wish.success) return INVALID;
    call.handOver.withdrawn(wish.data.interventionId);
    return here(deps, call, message);
  },
};

/** A normal end is the customer's; anything else was done to the call. */
function whoHungUp(cause: string | undefined): 'customer' | 'system' {
  return cause === undefined || cause === 'NORMAL_CLEARING' ? 'customer' : 'system';
}
