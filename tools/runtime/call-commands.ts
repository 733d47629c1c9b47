import { type CommandAnswer, hangupCommand, startCommand } from '#protocol/hand-over.ts';
import { handBackCommand, hintCommand, sayCommand } from '#protocol/guidance.ts';
import { cancelCommand, interveneCommand } from '#protocol/interventions.ts';
import { transferCommand } from '#protocol/transfers.ts';
import type { LiveCall } from './live-call.ts';
import type { LinkMessage } from './nats-link.ts';

export interface Commanded {
  call: LiveCall;
  runtimeId: string;
}

/** Positive response to a command: this runtime has the call. */
export function accepted({ call, runtimeId }: Commanded): CommandAnswer {
  const epoch = call.epoch();
  return { ok: true, runtimeId, ...(epoch === undefined ? {} : { epoch }) };
}

/** Executes a command to a call, selected by the last token of its subject. */
export function answerCommand(commanded: Commanded, { subject, body }: Pick<LinkMessage, 'subject' | 'body'>): CommandAnswer {
  const handler = COMMANDS[subject.slice(subject.lastIndexOf('.') + 1)];
  return handler === undefined ? UNKNOWN : handler(commanded, body);
}

type CommandHandler = (commanded: Commanded, body: unknown) => CommandAnswer;

const UNKNOWN: CommandAnswer = { ok: false, code: 'UNKNOWN_COMMAND', msg: '不支持的命令' };
const WITH_AGENT: CommandAnswer = { ok: false, code: 'BUSY', msg: '客户正在与坐席通话' };
const INVALID: CommandAnswer = { ok: false, code: 'INVALID', msg: '命令格式不正确' };

const COMMANDS: Readonly<Record<string, CommandHandler>> = {
  start: (commanded, body) => {
    const again = startCommand.safeParse(body);
    if (again.success) adoptNewer(commanded.call, again.data.epoch);
    return accepted(commanded);
  },
  ping: accepted,
  hangup: (commanded, body) => {
    const told = hangupCommand.safeParse(body);
    const { cause, by } = told.success ? told.data : {};
    commanded.call.end({ by: by ?? whoHungUp(cause), cause: cause ?? 'NORMAL_CLEARING' });
    return accepted(commanded);
  },
  transfer: (commanded, body) => {
    const news = transferCommand.safeParse(body);
    if (!news.success) return INVALID;
    commanded.call.handOver.tell(news.data);
    return accepted(commanded);
  },
  intervene: (commanded, body) => {
    const request = interveneCommand.safeParse(body);
    if (!request.success) return INVALID;
    commanded.call.handOver.asked(request.data.interventionId, request.data.when);
    return accepted(commanded);
  },
  hint: (commanded, body) => {
    const request = hintCommand.safeParse(body);
    if (!request.success) return INVALID;
    return commanded.call.guidance.hint(request.data) ? accepted(commanded) : WITH_AGENT;
  },
  say: (commanded, body) => {
    const request = sayCommand.safeParse(body);
    if (!request.success) return INVALID;
    return commanded.call.guidance.say(request.data) ? accepted(commanded) : WITH_AGENT;
  },
  hand_back: (commanded, body) => {
    const request = handBackCommand.safeParse(body);
    if (!request.success) return INVALID;
    commanded.call.handOver.tell({ status: 'back', order: request.data });
    return accepted(commanded);
  },
  cancel: (commanded, body) => {
    const request = cancelCommand.safeParse(body);
    if (!request.success) return INVALID;
    commanded.call.handOver.withdrawn(request.data.interventionId);
    return accepted(commanded);
  },
};

/** Adopts an epoch newer than the call's; an equal or older one changes nothing. Returns whether it did. */
export function adoptNewer(call: LiveCall, epoch: number | undefined): boolean {
  if (epoch === undefined || epoch <= (call.epoch() ?? 0)) return false;
  call.adopt(epoch);
  return true;
}

/** A normal clearing means that the customer hung up; any other cause came from the system. */
function whoHungUp(cause: string | undefined): 'customer' | 'system' {
  return cause === undefined || cause === 'NORMAL_CLEARING' ? 'customer' : 'system';
}
