import type { Clock } from '#kernel/clock.ts';
import type { NatsLink } from './nats-link.ts';

const TYPE = 'io.nats.micro.v1';
/** One name for every runtime, whoever wrote it: `nats micro ls callout-runtime`. */
export const SERVICE_NAME = 'callout-runtime';
const VERBS = ['PING', 'INFO', 'STATS'] as const;

export interface DiscoveryDeps {
  link: Pick<NatsLink, 'subscribe'>;
  clock: Clock;
  runtimeId: string;
  about: { name: string; version: string };
  maxCalls: number;
}

/** Where calls are offered, and how that went so far. */
export interface OfferedCalls {
  subject: string;
  offered: number;
  /** Answered with anything but yes. */
  declined: number;
}

/**
 * Answers whoever looks for services on the bus, as the NATS Services API has it, so that its own tools list the runtimes. Returns how to stop.
 *
 * Source: NATS ADR-32
 */
export function serveDiscovery({ link, clock, runtimeId, about, maxCalls }: DiscoveryDeps, calls: Readonly<OfferedCalls>): () => void {
  const started = new Date(clock.now()).toISOString();
  const identity = {
    name: SERVICE_NAME,
    id: runtimeId,
    version: about.version,
    metadata: { program: about.name, maxCalls: String(maxCalls) },
  };
  const endpoint = () => ({ name: 'start', subject: calls.subject, queue_group: '' });
  const times = { last_error: '', processing_time: 0, average_processing_time: 0 };
  const answers: Record<(typeof VERBS)[number], () => object> = {
    PING: () => ({ type: `${TYPE}.ping_response`, ...identity }),
    INFO: () => ({
      type: `${TYPE}.info_response`,
      ...identity,
      description: '话术运行时',
      endpoints: [{ ...endpoint(), metadata: {} }],
    }),
    STATS: () => ({
      type: `${TYPE}.stats_response`,
      ...identity,
      started,
      endpoints: [{ ...endpoint(), num_requests: calls.offered, num_errors: calls.declined, ...times }],
    }),
  };
  const stops = VERBS.flatMap(verb =>
    [`$SRV.${verb}`, `$SRV.${verb}.${SERVICE_NAME}`, `$SRV.${verb}.${SERVICE_NAME}.${runtimeId}`].map(subject =>
      link.subscribe(subject, {}, message => message.respond(answers[verb]())),
    ),
  );
  return () => stops.forEach(stop => stop());
}
