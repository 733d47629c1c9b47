import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
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

export interface Installation {
  env: NodeJS.ProcessEnv;
  print: PrintLine;
  /** Whether this process may install. */
  isRoot: boolean;
  /** While this file says 101, a package's installation starts no daemon (invoke-rc.d, deb-systemd-invoke). */
  daemonPolicy: string;
}

/** This process on this system. */
export function systemInstallation(env: NodeJS.ProcessEnv, print: PrintLine): Installation {
  return { env, print, isRoot: isRoot(), daemonPolicy: '/usr/sbin/policy-rc.d' };
}

/**
 * Installs what is missing with the system's package manager; starts no daemon.
 *
 * Errors: StartFailure (exit code 69) with the compose command when this user or this system cannot
 */
export function installServices(missing: readonly ServiceName[], system: Installation): Promise<void> {
  return installPackages(
    missing.map(name => PACKAGES[name]),
    system,
    howToHelp(missing),
  );
}

/**
 * The same for packages of any names; `help` says what a person does instead.
 *
 * Errors: StartFailure (exit code 69) with that help
 */
export async function installPackages(packages: readonly string[], system: Installation, help: string): Promise<void> {
  const { env, print } = system;
  const apt = findBinary('apt-get', env);
  if (!system.isRoot || apt === null) throw new StartFailure(help);
  print(`callout: installing ${packages.join(' ')} (apt-get) …`);
  const quietEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  await withoutDaemons(system.daemonPolicy, async () => {
    await run(apt, ['-qq', 'update'], quietEnv, help);
    await run(apt, ['-qq', '-y', '--no-install-recommends', 'install', ...packages], quietEnv, help);
  });
}

/** What a person without root or apt does instead: the exact command, and the addresses to start with afterwards. */
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

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv, help: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let problem = '';
    child.stderr.on('data', chunk => {
      problem = `${problem}${String(chunk)}`.slice(-2_000);
    });
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve();
      else reject(new StartFailure(`callout: ${command} ${args.join(' ')} failed:\n${problem.trim()}\n${help}`));
    });
  });
}
