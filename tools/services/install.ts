import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { type Clock, sleep, systemClock } from '#kernel/clock.ts';
import { findBinary } from './binaries.ts';
import { StartFailure, type PrintLine } from './service.ts';
import { isRoot } from './system-user.ts';

/** Packages of Debian and Ubuntu. */
export const PACKAGES = { PostgreSQL: 'postgresql', Redis: 'redis-server', NATS: 'nats-server' } as const;
export type ServiceName = keyof typeof PACKAGES;

const COMPOSE_NAMES: Record<ServiceName, string> = { PostgreSQL: 'postgres', Redis: 'redis', NATS: 'nats' };
const COMPOSE_ADDRESSES: Record<ServiceName, string> = {
  PostgreSQL: 'CALLOUT_DATABASE_URL=postgres://callout@127.0.0.1:5432/callout',
  Redis: 'CALLOUT_REDIS_URL=redis://127.0.0.1:6379',
  NATS: 'CALLOUT_NATS_URL=nats://127.0.0.1:4222',
};

/** Longest wait for another process that holds a lock of the package manager, in ms. */
const LOCK_LIMIT_MS = 600_000;
const LOCK_POLL_MS = 2_000;

export interface Installation {
  env: NodeJS.ProcessEnv;
  print: PrintLine;
  clock: Clock;
  /** Whether this process has the rights to install. */
  isRoot: boolean;
  /** Policy file of invoke-rc.d and deb-systemd-invoke: while it returns 101, installing a package starts no daemon. */
  daemonPolicy: string;
}

/** The installation for this process on this system. */
export function systemInstallation(env: NodeJS.ProcessEnv, print: PrintLine): Installation {
  return { env, print, clock: systemClock, isRoot: isRoot(), daemonPolicy: '/usr/sbin/policy-rc.d' };
}

/**
 * Installs missing services with the system's package manager, without starting their daemons.
 *
 * Errors: StartFailure (exit code 69) with the compose command when this user or system cannot install them
 */
export function installServices(missing: readonly ServiceName[], system: Installation): Promise<void> {
  return installPackages(
    missing.map(name => PACKAGES[name]),
    system,
    howToHelp(missing),
  );
}

/**
 * Installs the programs that are not in PATH, each from the package of the same name.
 *
 * Errors: StartFailure (exit code 69) with the names when this user or system cannot install them
 */
export async function installPrograms(names: readonly string[], system: Installation): Promise<void> {
  const missing = names.filter(name => findBinary(name, system.env) === null);
  if (missing.length === 0) return;
  const list = missing.join(', ');
  await installPackages(missing, system, `callout: ${list} not found on this machine, and installing needs root and apt-get`);
}

/** Runs the package manager; `help` says what to do when this user or system cannot. */
async function installPackages(packages: readonly string[], system: Installation, help: string): Promise<void> {
  const apt = findBinary('apt-get', system.env);
  if (!system.isRoot || apt === null) throw new StartFailure(help);
  system.print(`callout: installing ${packages.join(' ')} (apt-get) …`);
  const installing = ['-qq', '-y', '--no-install-recommends', 'install', ...packages];
  await withoutDaemons(system.daemonPolicy, async () => {
    if ((await runUnlocked(apt, installing, system)) === null) return;
    // The lists of packages are absent, or older than the mirror's files. Fetching them takes longer than most packages, so it is no first step.
    for (const args of [['-qq', 'update'], installing]) {
      const problem = await runUnlocked(apt, args, system);
      if (problem !== null) throw new StartFailure(`callout: ${apt} ${args.join(' ')} failed:\n${problem}\n${help}`);
    }
  });
}

/** Instructions for a user without root or apt: the exact command, and the addresses to start with afterwards. */
export function howToHelp(missing: readonly ServiceName[]): string {
  const names = missing.map(name => COMPOSE_NAMES[name]).join(' ');
  const addresses = missing.map(name => COMPOSE_ADDRESSES[name]).join(' ');
  return [
    `callout: ${missing.join(', ')} not found on this machine, and installing needs root and apt-get. Start with`,
    `  docker compose -f docker/compose.development.yaml up -d --wait ${names}`,
    'and repeat your command with',
    `  ${addresses}`,
  ].join('\n');
}

async function withoutDaemons(policy: string, work: () => Promise<void>): Promise<void> {
  if (existsSync(policy)) return work();
  await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await work();
  } finally {
    await rm(policy, { force: true });
  }
}

/** Runs the package manager, again while another process, such as an automatic upgrade, holds one of its locks; null: it succeeded. */
async function runUnlocked(apt: string, args: readonly string[], system: Installation): Promise<string | null> {
  const { clock, print } = system;
  const env = { ...system.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const giveUpAt = clock.monotonic() + LOCK_LIMIT_MS;
  for (let hasWaited = false; ; hasWaited = true) {
    const problem = await run(apt, args, env);
    if (problem === null || !isLocked(problem)) return problem;
    if (clock.monotonic() >= giveUpAt) throw new StartFailure(`callout: ${apt} ${args.join(' ')} failed:\n${problem}`);
    if (!hasWaited) print('callout: another process holds the lock of apt-get: waiting for it …');
    await sleep(clock, LOCK_POLL_MS);
  }
}

function isLocked(problem: string): boolean {
  return /Could not get lock|Unable to (?:acquire|lock)/.test(problem);
}

/** Resolves to null, or to the end of the error output of a failed command. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let problem = '';
    child.stderr.on('data', chunk => {
      problem = `${problem}${String(chunk)}`.slice(-2_000);
    });
    child.on('error', reject);
    child.on('close', code => resolve(code === 0 ? null : problem.trim()));
  });
}
