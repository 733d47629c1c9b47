import { sleep, systemClock } from '#kernel/clock.ts';
import { listens } from './answers.ts';
import { StartFailure } from './service.ts';

/** Longest wait for an external service that may still be starting, in ms. */
const WAIT_MS = 3_000;
const POLL_MS = 200;
/** Exit code of sysexits.h: the configuration is wrong. */
const EXIT_CONFIG = 78;

const DEFAULT_PORTS: Record<string, number> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
  'nats:': 4222,
  'tls:': 4222,
};

/** A service that this program does not start itself. */
export interface ExternalService {
  /** Environment variable of its address. */
  variable: string;
  address: string;
}

/**
 * Errors: StartFailure naming the variable, never the password in it: exit code 78 when it holds no address, 69 when nothing listens there
 */
export async function requireReachable(services: readonly ExternalService[]): Promise<void> {
  await Promise.all(services.map(requireListening));
}

async function requireListening({ variable, address }: ExternalService): Promise<void> {
  const first = address.split(',')[0] ?? address;
  if (!URL.canParse(first)) throw new StartFailure(`callout: ${variable} holds no address`, EXIT_CONFIG);
  const { protocol, hostname, port } = new URL(first);
  const target = Number(port) || DEFAULT_PORTS[protocol];
  if (target === undefined) throw new StartFailure(`callout: ${variable} holds an unknown kind of address: ${protocol}//`, EXIT_CONFIG);
  const deadline = systemClock.monotonic() + WAIT_MS;
  while (!(await listens(hostname, target))) {
    if (systemClock.monotonic() > deadline) {
      const next = `start it, or leave ${variable} empty to have one started`;
      throw new StartFailure(`callout: nobody listens on ${protocol}//${hostname}:${target}: ${next}`);
    }
    await sleep(systemClock, POLL_MS);
  }
}
