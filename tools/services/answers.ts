import { connect } from 'node:net';

/** One look takes no longer, ms. */
const LOOK_TIMEOUT_MS = 1_000;

/**
 * True when a TCP server on `port` sends something that matches `expected` after `send` was written; false at once on `refusal`. Never throws:
 * absent is false.
 */
export function answers(host: string, port: number, send: string, expected: RegExp, refusal?: RegExp): Promise<boolean> {
  return new Promise(resolve => {
    let received = '';
    const socket = connect({ host, port });
    const finish = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(LOOK_TIMEOUT_MS, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
    socket.on('connect', () => {
      if (send === '' && expected.test('')) finish(true);
      else socket.write(send);
    });
    socket.on('data', chunk => {
      received += chunk.toString('latin1');
      if (expected.test(received)) finish(true);
      else if (refusal?.test(received)) finish(false);
    });
  });
}

/** True when something listens there. */
export function listens(host: string, port: number): Promise<boolean> {
  return answers(host, port, '', /^/);
}
