import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBinary } from '#tools/services/binaries.ts';
import { installServices, systemInstallation } from '#tools/services/install.ts';
import { startNatsWithUsers } from '#tools/services/nats.ts';
import { StartFailure } from '#tools/services/service.ts';
import { runtimeAddress } from '#protocol/address.ts';
import { systemClock } from '#kernel/clock.ts';
import { type Bench, within } from './check.ts';
import { createLauncher, type Launcher } from './launcher.ts';
import { playServer, type PlayedServer } from './played-server.ts';
import { runChecks } from './run-checks.ts';
import { Fault } from './fault.ts';

const EX_USAGE = 64;
const EX_UNAVAILABLE = 69;
const HELLO_MS = 20_000;
const SHOWN_LINES = 15;
const SHOWN_CHARACTERS = 300;
const MS_PER_S = 1_000;
const MAX_CALL_S = 1_800;
const OPTIONS = {
  nats: { type: 'string' },
  'runtime-nats': { type: 'string' },
  run: { type: 'string' },
  'runtime-id': { type: 'string' },
  only: { type: 'string', default: '' },
  'call-seconds': { type: 'string', default: '60' },
} as const;

interface Options {
  nats: string | undefined;
  /** Address for the command, when it differs from that of the check itself. */
  runtimeNats: string | undefined;
  run: string | undefined;
  runtimeId: string | undefined;
  /** Checks whose title matches. */
  only: RegExp;
  callMs: number;
}

/** Where the lines of a run go. */
export interface Output {
  print: (line: string) => void;
  complain: (line: string) => void;
}

const STANDARD: Output = {
  print: line => void process.stdout.write(`${line}\n`),
  complain: line => void process.stderr.write(`runtime:check: ${line}\n`),
};

/** `npm run runtime:check`: resolves to 0 when the runtime passed all checks that were run, else to 1. */
export async function runtimeCheckMain(args: readonly string[]): Promise<number> {
  const stack = new AsyncDisposableStack();
  const interrupt = () => void stack.disposeAsync().then(() => process.exit(130));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await checkRuntime(args, STANDARD, stack);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await stack.disposeAsync();
  }
}

/** One run of the command; `stack` holds what it has started, and resolves to its exit code. */
export async function checkRuntime(args: readonly string[], output: Output, stack: AsyncDisposableStack): Promise<number> {
  const options = optionsOf(args);
  if (typeof options === 'string') {
    output.complain(`${options}; "npm run runtime:check -- --help" tells them all`);
    return EX_USAGE;
  }
  try {
    return await check(options, output, stack);
  } catch (error) {
    if (!(error instanceof Fault || error instanceof StartFailure)) throw error;
    output.complain(error.message);
    return error instanceof StartFailure ? error.exitCode : EX_UNAVAILABLE;
  }
}

function optionsOf(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const seconds = Number(values['call-seconds']);
    if (!(Number.isInteger(seconds) && seconds > 0 && seconds <= MAX_CALL_S))
      return `--call-seconds must be an integer from 1 to ${MAX_CALL_S}`;
    if (values.nats === undefined && values.run === undefined) return '--nats or --run is wanted';
    const only = new RegExp(values.only);
    const { nats, run, 'runtime-nats': runtimeNats, 'runtime-id': runtimeId } = values;
    return { only, nats, runtimeNats, run, runtimeId, callMs: seconds * MS_PER_S };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function check(options: Options, output: Output, stack: AsyncDisposableStack): Promise<number> {
  const nats = options.nats === undefined ? await startOwnNats(output, stack) : null;
  const url = options.nats ?? nats?.url ?? '';
  // A runtime that was started elsewhere may have no token, or one that this process does not know.
  const token = process.env['CALLOUT_INTERNAL_TOKEN'] || (options.run === undefined ? '' : randomUUID());
  const server = await playServer(url, token).catch((error: unknown) => {
    if (error instanceof Fault) throw error;
    throw new Fault(`NATS with JetStream is wanted: ${error instanceof Error ? error.message : String(error)}`);
  });
  stack.defer(() => server.close());
  const runtimeUrl = options.runtimeNats ?? nats?.runtimeUrl ?? url;
  const launcher = options.run === undefined ? null : createLauncher(options.run, runtimeUrl, token);
  if (launcher) stack.defer(() => launcher.close());
  launcher?.start();
  const runtimeId = await untilHello(server, options, output).catch((error: unknown) => tellUnheard(error, { launcher, server, output }));
  if (runtimeId === null) return 1;
  output.print(`runtime:check: ${runtimeId}`);
  const inboxPrefix = launcher && runtimeAddress(runtimeUrl).inboxPrefix;
  const bench: Bench = { server, runtimeId, inboxPrefix: inboxPrefix ?? null, launcher, nats, callMs: options.callMs };
  const rows = await runChecks(bench, options.only, output.print);
  const faults = rows.filter(({ kind }) => kind === 'FAULT').length;
  output.print(`${rows.length} checks, ${faults} faults`);
  if (faults > 0) tellOutput(launcher, output);
  return faults > 0 ? 1 : 0;
}

async function startOwnNats(output: Output, stack: AsyncDisposableStack): Promise<Awaited<ReturnType<typeof startNatsWithUsers>>> {
  const binary = () => findBinary('nats-server', process.env);
  if (binary() === null) await installServices(['NATS'], systemInstallation(process.env, output.complain));
  const folder = await mkdtemp(join(tmpdir(), 'callout-runtime-check-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const nats = await startNatsWithUsers({ dataDir: join(folder, 'nats'), binary: binary() ?? 'nats-server' });
  stack.defer(() => nats.stop());
  return nats;
}

function untilHello({ runtimes }: PlayedServer, { runtimeId }: Options, output: Output): Promise<string> {
  const who = runtimeId === undefined ? 'a runtime' : `the runtime ${runtimeId}`;
  const beganAt = systemClock.monotonic();
  return within(`hello of ${who} (callout.v1.runtime-pool.hello)`, HELLO_MS, () => {
    const ids = [...runtimes.keys()];
    return runtimeId === undefined ? ids[0] : ids.find(id => id === runtimeId);
  }).then(id => {
    output.print(`hello after ${((systemClock.monotonic() - beganAt) / MS_PER_S).toFixed(1)} s`);
    return id;
  });
}

interface Unheard {
  launcher: Launcher | null;
  server: PlayedServer;
  output: Output;
}

async function tellUnheard(error: unknown, { launcher, server, output }: Unheard): Promise<null> {
  if (!(error instanceof Fault)) throw error;
  const faults = [...new Set(server.faults)];
  if (await server.hasQueueGroup())
    faults.push('somebody only listens where calls are offered: they serve nobody, and are given no customer');
  output.print(`FAULT          ${[error.message, ...faults].join('; ')}`);
  tellOutput(launcher, output);
  return null;
}

function tellOutput(launcher: Launcher | null, { print }: Output): void {
  for (const [index, instance] of (launcher?.instances ?? []).entries()) {
    const lines = instance.output().trimEnd().split('\n').slice(-SHOWN_LINES);
    print(`what process ${index + 1} wrote last:`);
    for (const line of lines) print(`  ${line.slice(0, SHOWN_CHARACTERS)}`);
  }
}
