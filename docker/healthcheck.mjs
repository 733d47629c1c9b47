// Exits with 0 when the address responds: an http URL with a 2xx status, a tcp URL with an open port.
import { connect } from 'node:net';

const TIMEOUT_MS = 2_500;
const url = new URL(process.argv[2] ?? '');
const isWell = url.protocol === 'tcp:' ? opens(url) : fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(answer => answer.ok);
process.exitCode = (await isWell.catch(() => false)) ? 0 : 1;

function opens({ hostname, port }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: TIMEOUT_MS });
    socket.once('connect', () => resolve(true));
    socket.once('error', reject);
    socket.once('timeout', () => reject(new Error('timeout')));
  }).finally(() => process.nextTick(() => process.exit()));
}
