import type { Clock } from '#kernel/clock.ts';
import type { NatsLink } from './nats-link.ts';

const TYPE = 'io.nats.micro.v1';
/** Shared by all runtimes of any vendor, so that `nats micro ls callout-runtime` lists them. */
export const SERVICE_NAME = 'callout-runtime';
const VERBS = ['PING', 'INFO', 'STATS'] as const;

export interface DiscoveryDeps {
  link: Pick<NatsLink, 'subscribe'>;
  clock: Clock;
  runtimeId: string;
  about: { name: string; version: string };
  maxCalls: number;
}

/** Subject of the offered calls, and their counts. */
export interface OfferedCalls {
  subject: string;
  offered: number;
  /** Offers with any other response than `ok`. */
  declined: number;
}

/**
 * Implements discovery of the NATS Services API, so that NATS tools list the runtimes. Returns a function that stops it.
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
      description: '话术引擎',
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
