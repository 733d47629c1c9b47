import type { z } from 'zod';
import { commandAnswer } from '#protocol/hand-over.ts';
import { openSoftphoneAnswer, softphoneSignal } from '#protocol/softphones.ts';
import { SOFTPHONE_OPEN_SUBJECT, SOFTPHONE_SIGNAL_SUBJECT, softphoneCommandSubject } from '#protocol/subjects.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { SoftphoneRuntime, SoftphoneSignals } from './softphone-session-store.ts';

/** Time-out for a runtime's reply, ms (D12.4). */
const ANSWER_TIMEOUT_MS = 3_000;
const ABSENT = '话术运行时未应答，请稍后重试';

export function natsSoftphoneRuntime(bus: Bus): SoftphoneRuntime {
  return {
    async open(request) {
      const answer = await ask(bus, SOFTPHONE_OPEN_SUBJECT, request, openSoftphoneAnswer);
      if (!answer.ok) throw new CalloutError('DOWNSTREAM_INVALID', `话术运行时拒绝了会话：${answer.msg}`);
      return answer;
    },
    async command(sessionId, name, body) {
      const answer = await ask(bus, softphoneCommandSubject(sessionId, name), body, commandAnswer);
      if (!answer.ok) throw new CalloutError('DOWNSTREAM_INVALID', `话术运行时拒绝了命令：${answer.msg}`);
    },
  };
}

async function ask<Shape extends z.ZodType>(bus: Bus, subject: string, body: unknown, shape: Shape): Promise<z.output<Shape>> {
  const answer = await bus.request(subject, body, ANSWER_TIMEOUT_MS).catch((error: unknown) => {
    throw new CalloutError('DOWNSTREAM_INVALID', ABSENT, { cause: error });
  });
  const parsed = parseUntrusted(shape, answer);
  if (!parsed.success) throw new CalloutError('DOWNSTREAM_INVALID', '话术运行时的应答不合规', { cause: parsed.error });
  return parsed.data;
}

export function natsSoftphoneSignals(bus: Bus): SoftphoneSignals {
  return {
    publish: softphoneCallId => bus.publish(SOFTPHONE_SIGNAL_SUBJECT, { softphoneCallId }),
    subscribe: listener =>
      bus.subscribe(SOFTPHONE_SIGNAL_SUBJECT, {}, ({ body }) => {
        const signal = parseUntrusted(softphoneSignal, body);
        if (signal.success) listener(signal.data.softphoneCallId);
      }),
  };
}
