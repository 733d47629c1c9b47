import { sleep, systemClock } from '#kernel/clock.ts';
import { listens } from './answers.ts';
import { StartFailure } from './service.ts';

/** A service that somebody else starts may come up beside this program; this long is waited for it, ms. */
const WAIT_MS = 3_000;
const POLL_MS = 200;

const DEFAULT_PORTS: Record<string, number> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
  'nats:': 4222,
  'tls:': 4222,
};

/** Errors: StartFailure (exit code 69) naming the first address where nobody listens. */
export async function requireReachable(addresses: readonly string[]): Promise<void> {
  await Promise.all(addresses.map(requireListening));
}

async function requireListening(address: string): Promise<void> {
  const first = address.split(',')[0] ?? address;
  if (!URL.canParse(first)) throw new StartFailure(`callout: not an address: ${first}`);
  const { protocol, hostname, port } = new URL(first);
  const target = Number(port) || DEFAULT_PORTS[protocol];
  if (target === undefined) throw new StartFailure(`callout: unknown kind of address: ${protocol}//${hostname}`);
  const deadline = systemClock.monotonic() + WAIT_MS;
  while (!(await listens(hostname, target))) {
    if (systemClock.monotonic() > deadline) throw new StartFailure(`callout: nobody listens on ${protocol}//${hostname}:${target}`);
    await sleep(systemClock, POLL_MS);
  }
}
