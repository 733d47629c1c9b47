import type { TakenMessage } from './receiver-process.ts';
import type { ReceiverFaults } from './receiver-faults.ts';

/** What a subscribed receiver has taken, and what it had to be notified of. */
export interface WebhookEvidence {
  taken: readonly TakenMessage[];
  receiverFaults: ReceiverFaults;
  /** Calls that have ended since the receiver subscribed, by request id. */
  settled: readonly string[];
  /** Jobs that have ended. */
  endedJobs: readonly { id: number; kind: string }[];
}

/** Broken promises of D15.3, each with some of its cases. */
export interface WebhookFaults {
  lostCalls: string[];
  lostJobs: string[];
  /** Keys whose numbers did not come as 1, 2, 3 …, each looked at when it came first. */
  disordered: string[];
  badlySigned: string[];
}

export function webhookFaults({ taken, settled, endedJobs }: WebhookEvidence): WebhookFaults {
  const calls = new Set(taken.flatMap(({ type, requestId }) => (type === 'attempt.settled' && requestId !== null ? [requestId] : [])));
  const jobs = new Set(taken.map(({ type, jobId }) => `${type} ${jobId}`));
  return {
    lostCalls: settled.filter(requestId => !calls.has(requestId)),
    lostJobs: endedJobs.map(({ id, kind }) => `${kind}.completed ${id}`).filter(event => !jobs.has(event)),
    disordered: disorderedKeys(taken),
    badlySigned: taken.filter(({ isSigned }) => !isSigned).map(({ messageId }) => messageId),
  };
}

function disorderedKeys(taken: readonly TakenMessage[]): string[] {
  return [...Map.groupBy(taken, ({ key }) => key)].flatMap(([key, messages]) => {
    const numbers = [...new Set(messages.map(({ sequence }) => sequence))];
    return numbers.every((number, place) => number === place + 1) ? [] : [`${key}: ${numbers.join(' ')}`];
  });
}

export interface WebhookCounts {
  messages: number;
  /** Messages that came more than once: at-least-once allows them. */
  repeated: number;
  calls: number;
  jobs: number;
  receiverFaults: ReceiverFaults;
}

export function webhookCounts({ taken, settled, endedJobs, receiverFaults }: WebhookEvidence): WebhookCounts {
  const messages = new Set(taken.map(({ messageId }) => messageId)).size;
  return { messages, repeated: taken.length - messages, calls: settled.length, jobs: endedJobs.length, receiverFaults };
}
