import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { findBinary, findPostgresFolder } from './binaries.ts';
import { requireReachable } from './external.ts';
import { installServices, type ServiceName, systemInstallation } from './install.ts';
import { startNats } from './nats.ts';
import { startPostgres } from './postgres.ts';
import { removePostgresHome } from './postgres-home.ts';
import { startRedis } from './redis.ts';
import { takeFolder } from './run-lock.ts';
import { type RunningService, type ServiceProfile, type ServiceRequest, StartFailure, type PrintLine } from './service.ts';

export interface ServicesRequest {
  /** Parent folder of all data of the services. */
  dataDir: string;
  profile: ServiceProfile;
  env: NodeJS.ProcessEnv;
  log: PrintLine;
}

export interface Services {
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  /** Names of the services started here: `PostgreSQL`, `Redis`, `NATS`. */
  started: string[];
  /** Handles of the started services, for tests that break them. */
  handles: Partial<Record<ServiceName, RunningService>>;
  /** Stops the started services in reverse order; the test profile removes its data. */
  stop(): Promise<void>;
}

interface ServiceKind {
  variable: 'CALLOUT_DATABASE_URL' | 'CALLOUT_REDIS_URL' | 'CALLOUT_NATS_URL';
  folder: string;
  find(env: NodeJS.ProcessEnv): string | null;
  start(request: ServiceRequest, print: PrintLine): Promise<RunningService>;
}

const KINDS: Record<ServiceName, ServiceKind> = {
  PostgreSQL: { variable: 'CALLOUT_DATABASE_URL', folder: 'postgres', find: findPostgresFolder, start: startPostgres },
  Redis: { variable: 'CALLOUT_REDIS_URL', folder: 'redis', find: env => findBinary('redis-server', env), start: startRedis },
  NATS: { variable: 'CALLOUT_NATS_URL', folder: 'nats', find: env => findBinary('nats-server', env), start: startNats },
};
const NAMES = ['PostgreSQL', 'Redis', 'NATS'] as const;

/**
 * The three services that the product needs: those with an address in the environment are used, the others are started privately.
 *
 * Errors: StartFailure with an exit code and a message for the user at the terminal
 * Source: D1.2
 */
export async function startServices(request: ServicesRequest): Promise<Services> {
  const toStart = NAMES.filter(name => !request.env[KINDS[name].variable]);
  const { env } = request;
  const variables = NAMES.map(name => KINDS[name].variable);
  await requireReachable(variables.flatMap(variable => (env[variable] ? { variable, address: env[variable] } : [])));
  await mkdir(request.dataDir, { recursive: true, mode: 0o755 });
  const release = toStart.length === 0 ? async () => undefined : await takeFolder(request.dataDir);
  try {
    const handles = await startMissing(request, toStart);
    return describe(request, handles, release);
  } catch (error) {
    await removeIfTest(request, release);
    throw error;
  }
}

async function startMissing(request: ServicesRequest, names: readonly ServiceName[]): Promise<Services['handles']> {
  const absent = names.filter(name => KINDS[name].find(request.env) === null);
  if (absent.length > 0) await installServices(absent, systemInstallation(request.env, request.log));
  const outcomes = await Promise.allSettled(names.map(async name => [name, await startOne(request, name)] as const));
  const running = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failure = outcomes.find(outcome => outcome.status === 'rejected');
  if (!failure) return Object.fromEntries(running);
  await Promise.all(running.map(([, service]) => service.stop()));
  throw failure.reason;
}

async function startOne({ env, dataDir, profile, log }: ServicesRequest, name: ServiceName): Promise<RunningService> {
  const kind = KINDS[name];
  const binary = kind.find(env);
  if (binary === null) throw new StartFailure(`callout: ${name} is still not on this machine after its installation`);
  const began = systemClock.monotonic();
  const service = await kind.start({ dataDir: join(dataDir, kind.folder), profile, binary }, log);
  log(`callout: ${name} started on 127.0.0.1:${new URL(service.url).port} (${((systemClock.monotonic() - began) / 1000).toFixed(1)} s)`);
  return service;
}

function describe(request: ServicesRequest, handles: Services['handles'], release: () => Promise<unknown>): Services {
  const addressOf = (name: ServiceName) => request.env[KINDS[name].variable] ?? handles[name]?.url ?? '';
  let stopped: Promise<void> | undefined;
  const stopAll = async () => {
    for (const name of NAMES.toReversed()) await handles[name]?.stop();
    await removeIfTest(request, release);
  };
  return {
    databaseUrl: addressOf('PostgreSQL'),
    redisUrl: addressOf('Redis'),
    natsUrl: addressOf('NATS'),
    started: NAMES.filter(name => handles[name]),
    handles,
    stop: () => (stopped ??= stopAll()),
  };
}

async function removeIfTest({ dataDir, profile }: ServicesRequest, release: () => Promise<unknown>): Promise<void> {
  await release();
  if (profile === 'test') await removeServiceData(dataDir, profile);
}

/** Removes all data of the services in `dataDir`. */
export async function removeServiceData(dataDir: string, profile: ServiceProfile): Promise<void> {
  await removePostgresHome({ dataDir: join(dataDir, KINDS.PostgreSQL.folder), profile });
  await rm(dataDir, { recursive: true, force: true });
}

/** Environment with which a child process uses these services. */
export function serviceEnvironment(services: Services): Record<ServiceKind['variable'], string> {
  return { CALLOUT_DATABASE_URL: services.databaseUrl, CALLOUT_REDIS_URL: services.redisUrl, CALLOUT_NATS_URL: services.natsUrl };
}
