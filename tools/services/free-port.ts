import { createServer } from 'node:net';
import { randomInt, systemRandom } from '#kernel/random.ts';

/**
 * Below what the kernel gives to outgoing connections (32768 and up): whoever waits for a server that restarts would take its port for the
 * near end, or even connect to itself. Above 10080, which `fetch` refuses, and below the ports of a switch's media.
 */
const FIRST_PORT = 10_100;
const LAST_PORT = 15_999;
const ATTEMPTS = 20;

/** Not given twice to one process, whoever listens when. */
const given = new Set<number>();

/** A loopback port that nobody listens on now. Another process may take it before the caller does: start again with another one then. */
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
    // Somebody listens there.
    return false;
  }
}

/** `preferred` when nobody listens on it, else a free one. */
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
