import { connect } from 'node:net';

/** Timeout of one probe, in ms. */
const LOOK_TIMEOUT_MS = 1_000;

/**
 * Whether a TCP server on `port` answers `send` with something that matches `expected`; false at once on `refusal`. Never throws:
 * no server means false.
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

/** Whether a TCP server listens there. */
export function listens(host: string, port: number): Promise<boolean> {
  return answers(host, port, '', /^/);
}
