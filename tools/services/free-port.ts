import { createServer } from 'node:net';

/** A loopback port that nobody listens on now. Another process may take it before the caller does: start again with another one then. */
export function findFreePort(): Promise<number> {
  return listenOnce(0);
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
