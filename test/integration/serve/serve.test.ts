import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connectDatabase } from '#platform/postgres/database.ts';
import { ENTITIES } from '#app/connect.ts';
import { freshDatabase } from '#test/support/database.ts';
import { freshNats } from '#test/support/nats.ts';
import { freshRedis } from '#test/support/redis.ts';
import { waitUntil } from '#test/support/wait-until.ts';

// `serve` as an operator runs it: its own process, exit codes, signals.

const ROOT = join(import.meta.dirname, '../../..');
/** Time within which a server that cannot start has exited, in ms. */
const START_FAILURE_MS = 60_000;
/** Longer than a start takes until its first connection, in ms. */
const AWAY_MS = 3_000;
const NOWHERE = '127.0.0.1:1';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let redis: Awaited<ReturnType<typeof freshRedis>>;
let nats: Awaited<ReturnType<typeof freshNats>>;
let folder: string;
/** A configuration that does not wait for a bus. */
let impatient: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-serve-'));
  impatient = join(folder, 'impatient.json');
  await writeFile(impatient, JSON.stringify({ bus: { startTimeoutMs: 300 } }));
  [database, redis, nats] = await Promise.all([freshDatabase(), freshRedis(), freshNats()]);
});
afterAll(async () => {
  await Promise.all([rm(folder, { recursive: true }), database.drop(), redis.release(), nats.stop()]);
});

interface Run {
  child: ChildProcess;
  output(): string;
  errors(): string;
  exit: Promise<number | null>;
}

function serve(env: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/main.ts', 'serve'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      CALLOUT_HOST: '127.0.0.1',
      CALLOUT_PORT: '0',
      CALLOUT_DATABASE_URL: database.url,
      CALLOUT_REDIS_URL: redis.url,
      CALLOUT_NATS_URL: nats.url,
      CALLOUT_INTERNAL_TOKEN: 'a-secret-token',
      ...env,
    },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', chunk => (output += String(chunk)));
  child.stderr.on('data', chunk => (errors += String(chunk)));
  const exit = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)));
  return { child, output: () => output, errors: () => errors, exit };
}

async function portOf(run: Run): Promise<number> {
  const line = await waitUntil('the server to listen', () =>
    run
      .output()
      .split('\n')
      .find(text => text.includes('callout is listening')),
  );
  return Number(JSON.parse(line).port);
}

describe('serve', () => {
  test('exits with 69 when its address is in use, although its engine ran already [D1]', async () => {
    const other = createServer();
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const run = serve({ CALLOUT_PORT: String(port) });
      const late = setTimeout(() => run.child.kill('SIGKILL'), START_FAILURE_MS);
      const code = await run.exit;
      clearTimeout(late);
      expect({ code, errors: run.errors() }).toEqual({
        code: 69,
        errors: expect.stringMatching(new RegExp(`${port}.*set CALLOUT_HOST and CALLOUT_PORT`)),
      });
    } finally {
      other.close();
    }
  });

  test.each([
    ['CALLOUT_REDIS_URL', `redis://user:hidden@${NOWHERE}/0`, `Redis at redis://user:***@${NOWHERE}/0`],
    ['CALLOUT_DATABASE_URL', `postgresql://user:hidden@${NOWHERE}/x`, `PostgreSQL at postgresql://user:***@${NOWHERE}/x`],
    ['CALLOUT_DATABASE_MIGRATION_URL', `postgresql://owner:hidden@${NOWHERE}/x`, `PostgreSQL at postgresql://owner:***@${NOWHERE}/x`],
    ['CALLOUT_NATS_URL', `nats://user:hidden@${NOWHERE}`, `NATS at nats://user:***@${NOWHERE}`],
  ])('exits 69 with one line naming the address when %s is unreachable [OCS 1]', async (variable, url, named) => {
    const run = serve({ CALLOUT_CONFIG: impatient, [variable]: url });
    expect(await run.exit).toBe(69);
    expect(run.errors().trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^callout: .* cannot be used: .*, or set ${variable}$`)),
    ]);
    expect(run.errors()).toContain(named);
    expect(run.errors() + run.output()).not.toContain('hidden');
  });

  test('exits 69 with one line naming the next step when the database is from before the first release', async () => {
    const old = await freshDatabase();
    const db = await connectDatabase({ entities: ENTITIES, url: old.url, poolSize: 1, statementTimeoutMs: START_FAILURE_MS });
    await db.run(sql`delete from mikro_orm_migrations where id > 1`);
    await db.run(sql`update mikro_orm_migrations set name = '20261121000000-core'`);
    await db.close();
    const run = serve({ CALLOUT_CONFIG: impatient, CALLOUT_DATABASE_URL: old.url });
    expect(await run.exit).toBe(69);
    expect(run.errors().trim().split('\n')).toEqual([
      expect.stringMatching(
        /^callout: PostgreSQL at .* cannot be used: it is from before release 0\.1\.0 .*; start a server of commit c7f012ec /,
      ),
    ]);
    await old.drop();
  });

  test('waits for a bus that restarts during the start', async () => {
    const away = await freshNats();
    await away.kill();
    const run = serve({ CALLOUT_NATS_URL: away.url });
    await delay(AWAY_MS);
    expect({ code: run.child.exitCode, errors: run.errors() }).toEqual({ code: null, errors: '' });
    await away.restart();
    expect((await fetch(`http://127.0.0.1:${await portOf(run)}/health`)).status).toBe(200);
    run.child.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    await away.stop();
  });

  test('exits 78 with a line per fault [D1.1]', async () => {
    const run = serve({ CALLOUT_PORT: 'x', CALLOUT_TIMEZONE: 'Nowhere' });
    expect(await run.exit).toBe(78);
    expect(run.errors().trim().split('\n')).toHaveLength(2);
  });

  test('responds, drains on SIGTERM and exits 0; a request in flight still gets its response', async () => {
    const run = serve();
    const url = `http://127.0.0.1:${await portOf(run)}`;
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const slow = slowRequest(`${url}/api/auth/login`);
    await slow.started;
    run.child.kill('SIGTERM');
    await waitUntil('the drain', () => run.output().includes('draining'));
    expect(await slow.finish()).toBe(401);
    expect(await run.exit).toBe(0);
    expect(run.errors()).toBe('');
  });

  test('prints the generated password once, outside the log, and no other secret [D1.1, D1.3]', async () => {
    const own = await freshDatabase();
    const run = serve({ CALLOUT_DATABASE_URL: own.url });
    await portOf(run);
    run.child.kill('SIGINT');
    expect(await run.exit).toBe(0);
    await own.drop();
    const shown = run
      .output()
      .split('\n')
      .filter(line => line.includes('password'));
    expect(shown).toEqual([expect.stringMatching(/^callout: administrator "admin" created, password \S{20} \(shown only now\)$/)]);
    expect(run.output()).not.toContain('a-secret-token');
  });

  test('generates an internal token where none is configured and others can reach the address, and prints it once [D1.4]', async () => {
    const run = serve({ CALLOUT_INTERNAL_TOKEN: undefined, CALLOUT_HOST: '0.0.0.0' });
    await portOf(run);
    run.child.kill('SIGTERM');
    await run.exit;
    expect(run.output()).toMatch(/^callout: internal token created, CALLOUT_INTERNAL_TOKEN=[\w-]{43} \(shown only now/m);
    expect(run.output()).not.toContain('let every request through');
  });

  test('warns about an empty internal token [D1.4]', async () => {
    const run = serve({ CALLOUT_INTERNAL_TOKEN: '', CALLOUT_HOST: '0.0.0.0' });
    await portOf(run);
    run.child.kill('SIGTERM');
    await run.exit;
    const [first = ''] = run.output().split('\n');
    expect(JSON.parse(first)).toMatchObject({
      level: 'error',
      msg: expect.stringContaining('internal endpoints let every request through'),
    });
  });
});

/** A login whose body ends on demand. */
/**
 * A request with an incomplete body; `started` resolves once the server has read its headers: before, its kept-alive connection would be
 * idle.
 */
function slowRequest(url: string) {
  const headers = { 'Content-Type': 'application/json', Expect: '100-continue' };
  const asked = request(url, { method: 'POST', headers });
  const answer = once(asked, 'response') as Promise<[IncomingMessage]>;
  const started = once(asked, 'continue').then(() => asked.write('{"username":"nobody",'));
  return {
    started,
    async finish() {
      asked.end('"password":"x"}');
      const [response] = await answer;
      response.resume();
      return response.statusCode;
    },
  };
}
