import { createServer } from 'node:net';
import { randomInt, systemRandom } from '#kernel/random.ts';

/**
 * Below the kernel's range for outgoing connections (32768 and up): a client that waits for a restarting server could take its port as its
 * own source port, or even connect to itself. Above 10080, which `fetch` refuses, and below the media ports of a switch.
 */
const FIRST_PORT = 10_100;
const LAST_PORT = 15_999;
const ATTEMPTS = 20;

/** Ports handed out before: this process never gets one twice, even when it is free again. */
const given = new Set<number>();

/** Finds a free loopback port. Another process may take it before the caller does; then start again with another port. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const port = randomInt(systemRandom, FIRST_PORT, LAST_PORT);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  return listenOnce(0);
}

async function isFree(port: number): Promise<boolean> {
  try {
    return (await listenOnce(port)) === port;
  } catch {
    // The port is in use.
    return false;
  }
}

/** Returns `preferred` when it is free, else another free port. */
export async function preferPort(preferred: number, host = '127.0.0.1'): Promise<number> {
  try {
    return await listenOnce(preferred, host);
  } catch {
    return listenOnce(0, host);
  }
}

function listenOnce(port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(taken));
    });
  });
}
