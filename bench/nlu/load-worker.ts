import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** Input of the worker. */
export interface LoadPlan {
  port: number;
  bodies: string[];
  connections: number;
  ms: number;
}

const SUCCESS = 'HTTP/1.1 200';

/** Sends requests over keep-alive connections, one at a time on each, as cheaply as possible, so that the server is the bottleneck. */
async function load({ port, bodies, connections, ms }: LoadPlan): Promise<number> {
  const requests = bodies.map(body =>
    Buffer.from(`POST /api/v1/nlu HTTP/1.1\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
  const until = performance.now() + ms;
  let asked = 0;
  // The connections share the list, so that no request repeats before all others were sent.
  const next = (): Buffer => requests[asked++ % requests.length] ?? Buffer.alloc(0);
  const counts = await Promise.all(Array.from({ length: connections }, () => keepAsking(port, next, until)));
  return counts.reduce((sum, count) => sum + count, 0);
}

function keepAsking(port: number, next: () => Buffer, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answered = 0;
    const ask = () => socket.write(next());
    socket.on('connect', ask);
    socket.on('error', reject);
    // A response is a few hundred bytes, written at once: one chunk is one response.
    socket.on('data', chunk => {
      if (chunk.toString('latin1', 0, SUCCESS.length) !== SUCCESS) {
        socket.destroy(new Error(chunk.toString('utf8', 0, 200)));
        return;
      }
      answered += 1;
      if (performance.now() < until) {
        ask();
        return;
      }
      socket.destroy();
      resolve(answered);
    });
  });
}

// A worker's port has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(await load(workerData as LoadPlan));
