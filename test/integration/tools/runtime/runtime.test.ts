import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { POOL_HELLO_SUBJECT } from '#protocol/subjects.ts';
import { systemIds } from '#kernel/ids.ts';
import { type PrivateService, startPrivateService } from '#test/support/private-service.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';
import { runRuntime, type RuntimeProcess, startRuntimeProcess } from './process.ts';

describe('the runtime against NATS', () => {
  let nats: PrivateService;
  let server: FakeServer;
  let stack: AsyncDisposableStack;
  const running: RuntimeProcess[] = [];

  beforeEach(async () => {
    // The content of the stream must survive the restart.
    stack = new AsyncDisposableStack();
    nats = await startPrivateService('nats', 'durable');
    stack.defer(() => nats.stop());
    server = await startFakeServer(nats.url);
    stack.defer(() => server.close());
    await server.createStream();
  });

  afterEach(async () => {
    for (const { child } of running.splice(0)) child.kill('SIGKILL');
    await stack.disposeAsync();
  });

  const begin = async (...args: string[]) => {
    const runtime = await startRuntimeProcess(nats.url, ...args);
    running.push(runtime);
    return runtime;
  };
  const kinds = async () => (await server.reports()).map(({ kind }) => kind);

  test('accepts a call, speaks, requests the hang-up and reports the result [A4]', async () => {
    await begin('--speed', '40');
    const requestId = systemIds();
    expect(await server.start(requestId)).toMatchObject({ ok: true });
    // Each report is retried by itself, so they arrive in any order.
    await waitUntil('every report', async () => (await kinds()).length >= 3);
    expect((await kinds()).sort()).toEqual(['ended', 'result', 'started']);
    expect(server.hangups).toEqual([requestId]);
    expect(server.captions.filter(({ final }) => final).length).toBeGreaterThanOrEqual(2);
    const result = (await server.reports()).find(({ kind }) => kind === 'result')?.body;
    expect(result).toMatchObject({ requestId, callStatus: 'completed', hangupBy: 'bot' });
  });

  test('a server that refuses it: one line, and the process exits with 76 [A4]', async () => {
    server.connection.subscribe(POOL_HELLO_SUBJECT, {
      callback: (_error, message) => void message.respond(JSON.stringify({ ok: false, code: 'UNSUPPORTED_CONTRACT', msg: '只支持 2 版' })),
    });
    await server.connection.flush();
    const runtime = runRuntime(['--nats-url', nats.url, '--runtime-id', 'mine']);
    running.push(runtime);
    expect(await runtime.exitCode()).toBe(76);
    expect(runtime.output()).toContain('callout runtime: the server does not take mine: UNSUPPORTED_CONTRACT 只支持 2 版\n');
  });

  test('NATS tools list it as a service, with its offered calls [ADR-32]', async () => {
    const look = async (subject: string) => (await server.connection.request(subject, '', { timeout: 2_000 })).json();
    await begin('--speed', '40', '--runtime-id', 'found', '--max-calls', '7');
    const identity = {
      name: 'callout-runtime',
      id: 'found',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      metadata: { maxCalls: '7' },
    };
    for (const scope of ['', '.callout-runtime', '.callout-runtime.found'])
      expect(await look(`$SRV.PING${scope}`)).toMatchObject({ type: 'io.nats.micro.v1.ping_response', ...identity });
    const subject = 'callout.v1.runtime-pool.found.start';
    expect(await look('$SRV.INFO')).toMatchObject({
      type: 'io.nats.micro.v1.info_response',
      ...identity,
      endpoints: [{ name: 'start', subject }],
    });
    await server.connection.request(subject, '{}', { timeout: 2_000 });
    expect(await look('$SRV.STATS')).toMatchObject({ ...identity, endpoints: [{ subject, num_requests: 1, num_errors: 1 }] });
  });

  test('two runtimes: a repeated start is accepted once, whichever receives it', async () => {
    await begin('--speed', '1');
    await begin('--speed', '1');
    const requestId = systemIds();
    for (let repetition = 0; repetition < 12; repetition++) expect(await server.start(requestId)).toMatchObject({ ok: true });
    expect(await server.command(requestId, 'hangup', { cause: 'NORMAL_CLEARING' })).toMatchObject({ ok: true });
    await waitUntil('the result', async () => (await kinds()).includes('result'));
    expect((await kinds()).sort()).toEqual(['ended', 'result', 'started']);
  });

  test('a result is kept while NATS is down and delivered when it is back', async () => {
    const runtime = await begin('--speed', '5');
    const requestId = systemIds();
    await server.start(requestId);
    await waitUntil('the call to be told', async () => (await kinds()).includes('started'));
    await nats.kill();
    await waitUntil('the runtime to notice', () => runtime.output().includes('the bus is away'));
    await waitUntil('the call to end meanwhile', () => runtime.output().includes('is not acknowledged yet'));
    await nats.restart();
    await waitUntil('every report', async () => (await kinds()).length >= 3);
    expect((await kinds()).sort()).toEqual(['ended', 'result', 'started']);
  }, 90_000);

  test('SIGTERM: live calls are ended after the grace, their results delivered, and the process exits with 0', async () => {
    const runtime = await begin('--speed', '0.2');
    const requestId = systemIds();
    await server.start(requestId);
    runtime.signal('SIGTERM');
    expect(await runtime.exitCode()).toBe(0);
    const result = (await server.reports()).find(({ kind }) => kind === 'result')?.body;
    expect(result).toMatchObject({ requestId, hangupBy: 'system' });
    expect(server.hangups).toEqual([requestId]);
  }, 40_000);
});

describe('the command', () => {
  test('without NATS it exits with 69 and one line that names the address, not the password', async () => {
    const runtime = runRuntime(['--nats-url', 'nats://me:secret@127.0.0.1:1', '--nats-wait-ms', '500']);
    expect(await runtime.exitCode()).toBe(69);
    expect(runtime.output()).toMatch(/^callout runtime: NATS does not answer on nats:\/\/127\.0\.0\.1:1 .*\n$/);
    expect(runtime.output()).not.toContain('secret');
  });

  test.each([
    [['--speed', '0'], '--speed must be a number from 0.1 to 1000, found "0"'],
    [['--max-calls', 'many'], '--max-calls must be an integer from 1 to 100000, found "many"'],
    [['--nats-url', 'nats://'], '--nats-url must be an address'],
    [['--runtime-id', 'my.runtime'], '--runtime-id must be at most 64 letters, digits, - and _, found "my.runtime"'],
    [['--business-codes', 'spring,,autumn'], '--business-codes must be business codes, separated by commas'],
    [['--loud'], "Unknown option '--loud'"],
  ])('an invalid flag ends it with 64: %j', async (args, problem) => {
    const runtime = runRuntime(args);
    expect(await runtime.exitCode()).toBe(64);
    expect(runtime.output()).toContain(problem);
  });

  test.each([
    [{ CALLOUT_LOG_LEVEL: 'loud' }, 'CALLOUT_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, found "loud"'],
    [{ CALLOUT_RUNTIME_SPEED: 'x' }, 'CALLOUT_RUNTIME_SPEED must be a number from 0.1 to 1000, found "x"'],
  ])('an invalid variable ends it with 78 and one line: %j [D1.1]', async (env, problem) => {
    const runtime = runRuntime([], env);
    expect(await runtime.exitCode()).toBe(78);
    expect(runtime.output()).toBe(`callout runtime: ${problem}\n`);
  });

  test('--help describes every flag', async () => {
    const runtime = runRuntime(['--help']);
    expect(await runtime.exitCode()).toBe(0);
    for (const flag of [
      '--nats-url',
      '--nlu-url',
      '--nlu-timeout-ms',
      '--max-calls',
      '--runtime-id',
      '--business-codes',
      '--speed',
      '--voicemail-rate',
      '--seed',
    ]) {
      expect(runtime.output()).toContain(flag);
    }
  });
});
