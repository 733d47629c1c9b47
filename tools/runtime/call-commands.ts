import { type CommandAnswer, hangupCommand, startCommand } from '#contract/nats/commands.ts';
import { cancelCommand, interveneCommand } from '#contract/nats/monitoring.ts';
import { transferCommand } from '#contract/nats/transfers.ts';
import type { LiveCall } from './live-call.ts';
import type { LinkMessage } from './nats-link.ts';

export interface Commanded {
  call: LiveCall;
  runtimeId: string;
}

/** The call is here. */
export function accepted({ call, runtimeId }: Commanded): CommandAnswer {
  const epoch = call.epoch();
  return { ok: true, runtimeId, ...(epoch === undefined ? {} : { epoch }) };
}

/** Does what a command of a call asks for, by the last word of its subject. */
export function answerCommand(commanded: Commanded, { subject, body }: Pick<LinkMessage, 'subject' | 'body'>): CommandAnswer {
  const handler = COMMANDS[subject.slice(subject.lastIndexOf('.') + 1)];
  return handler === undefined ? UNKNOWN : handler(commanded, body);
}

type CommandHandler = (commanded: Commanded, body: unknown) => CommandAnswer;

const UNKNOWN: CommandAnswer = { ok: false, code: 'UNKNOWN_COMMAND', msg: '不支持的命令' };
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
  cancel: (commanded, body) => {
    const request = cancelCommand.safeParse(body);
    if (!request.success) return INVALID;
    commanded.call.handOver.withdrawn(request.data.interventionId);
    return accepted(commanded);
  },
};

/** An order that was overtaken by a later one changes nothing. */
export function adoptNewer(call: LiveCall, epoch: number | undefined): boolean {
  if (epoch === undefined || epoch <= (call.epoch() ?? 0)) return false;
  call.adopt(epoch);
  return true;
}

/** A normal end is the customer's; anything else was done to the call. */
function whoHungUp(cause: string | undefined): 'customer' | 'system' {
  return cause === undefined || cause === 'NORMAL_CLEARING' ? 'customer' : 'system';
}
