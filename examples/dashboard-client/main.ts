import { watchDesk } from './desk.ts';

const USAGE = 'usage: node examples/dashboard-client/main.ts <http://host:port> <user> <password>\n';
const EX_USAGE = 64;

async function main([url, username, password]: readonly string[]): Promise<number> {
  if (url === undefined || username === undefined || password === undefined) {
    process.stderr.write(USAGE);
    return EX_USAGE;
  }
  const answer = await fetch(new URL('/api/auth/login', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const { data, msg } = (await answer.json()) as { data: { token: string } | null; msg: string };
  if (!data) {
    process.stderr.write(`${msg}\n`);
    return 1;
  }
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  const socket = new URL('/graphql', url);
  socket.protocol = socket.protocol === 'https:' ? 'wss:' : 'ws:';
  const show = (line: string) => void process.stdout.write(`${line}\n`);
  await watchDesk({ url: socket.href, token: data.token, show, signal: stopping.signal });
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
