import { AgentGroupEntity } from '#agents/agent-groups.ts';
import { AgentEntity } from '#agents/agent-store.ts';
import { BatchEntity } from '#attempts/batch-store.ts';
import { AuditRowEntity } from '#audit/audit-store.ts';
import { BusinessEntity } from '#businesses/business-store.ts';
import { CampaignEntity, CampaignLineEntity } from '#campaigns/campaign-store.ts';
import { DoNotCallEntity } from '#do-not-call/do-not-call-store.ts';
import { type ErrorCode, isCalloutError } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import { LineEntity, LineNumberEntity } from '#lines/line-store.ts';
import { maskUrl } from '#platform/config/secrets.ts';
import type { Config } from '#platform/config/shape.ts';
import { connectNats } from '#platform/nats/connect.ts';
import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { migrate, SchemaError } from '#platform/postgres/migrate.ts';
import { StartError } from '#platform/process.ts';
import { connectRedis } from '#platform/redis/client.ts';
import { PolicyEntity } from '#policies/policy-store.ts';
import { ScriptEntity, ScriptVersionEntity } from '#scripts/script-store.ts';
import { UserEntity } from '#users/user-store.ts';
import type { Connections, Surroundings } from './context.ts';

/** All entities, listed explicitly so that the start need not scan folders. */
export const ENTITIES = [
  AgentEntity,
  AgentGroupEntity,
  AuditRowEntity,
  BatchEntity,
  BusinessEntity,
  CampaignEntity,
  CampaignLineEntity,
  DoNotCallEntity,
  LineEntity,
  LineNumberEntity,
  PolicyEntity,
  ScriptEntity,
  ScriptVersionEntity,
  UserEntity,
];

const POSTGRES = { name: 'PostgreSQL', variable: 'CALLOUT_DATABASE_URL' };
const MIGRATIONS = { name: 'PostgreSQL', variable: 'CALLOUT_DATABASE_MIGRATION_URL' };
const REDIS = { name: 'Redis', variable: 'CALLOUT_REDIS_URL' };
const NATS = { name: 'NATS', variable: 'CALLOUT_NATS_URL' };

/**
 * Connects to everything concurrently; if one connection fails, the others are closed again.
 *
 * Errors: StartError with one line per missing dependency, giving its address and the next step
 * Source: OCS 1 "process exits", D1
 */
export async function connectAll(surroundings: Surroundings, stack: AsyncDisposableStack): Promise<Connections> {
  const { config } = surroundings;
  const [database, redis, bus] = await Promise.allSettled([
    openDatabase(surroundings),
    named(REDIS, config.cache.url, connectRedis(config.cache)),
    named(
      NATS,
      config.bus.url,
      connectNats(
        { ...config.bus, resultGraceMs: config.dispatch.resultGraceSeconds * 1_000, clientName: `callout ${config.server.instanceId}` },
        surroundings,
      ),
    ),
  ]);
  if (database.status === 'fulfilled') stack.defer(() => database.value.close());
  if (redis.status === 'fulfilled') stack.defer(() => redis.value.close());
  if (bus.status === 'fulfilled') stack.defer(() => bus.value.close());
  if (database.status === 'fulfilled' && redis.status === 'fulfilled' && bus.status === 'fulfilled') {
    return { database: database.value, redis: redis.value, bus: bus.value };
  }
  throw new StartError(
    [database, redis, bus].flatMap(result => (result.status === 'rejected' ? [messageOf(result.reason)] : [])).join('\n'),
  );
}

async function openDatabase({ config, log }: Surroundings): Promise<Database> {
  if (config.database.migrateOnStart) {
    const applied = await migrateSchema(config);
    if (applied.length > 0) log.info({ applied }, 'database schema brought up to date');
  }
  return connectTo(config, log);
}

function connectTo({ database, server: { timezone: timeZone, instanceId } }: Config, log: Log): Promise<Database> {
  const options = { entities: ENTITIES, ...database, timeZone, applicationName: `callout ${instanceId}`, log };
  return named(POSTGRES, database.url, connectDatabase(options));
}

/**
 * Connects a command that only reads to PostgreSQL and Redis; the schema stays as it is.
 *
 * Errors: StartError
 */
export async function connectToRead(config: Config, log: Log, stack: AsyncDisposableStack): Promise<Omit<Connections, 'bus'>> {
  const database = await connectTo(config, log);
  stack.defer(() => database.close());
  const redis = await named(REDIS, config.cache.url, connectRedis(config.cache));
  stack.defer(() => redis.close());
  return { database, redis };
}

/** Uses the migration role, so that the server's own role needs no right to change tables. */
function migrateSchema({ database: { url, migrationUrl }, server }: Config): Promise<string[]> {
  const [service, by] = migrationUrl === null ? [POSTGRES, url] : [MIGRATIONS, migrationUrl];
  return named(service, by, migrate(by, server.timezone));
}

const AT_START = {
  DATABASE_UNAVAILABLE: ({ database }) => [POSTGRES, database.url],
  CACHE_UNAVAILABLE: ({ cache }) => [REDIS, cache.url],
  BUS_UNAVAILABLE: ({ bus }) => [NATS, bus.url],
} satisfies Partial<Record<ErrorCode, (config: Config) => [Service, string]>>;

/** The StartError for a dependency that was lost before the server listened, worded as if it had never been there; null for other errors. */
export function lostAtStart(config: Config, error: unknown): StartError | null {
  if (!isCalloutError(error) || !Object.hasOwn(AT_START, error.code)) return null;
  const [service, url] = AT_START[error.code as keyof typeof AT_START](config);
  return absence(service, url, error);
}

interface Service {
  name: string;
  /** Environment variable for its address. */
  variable: string;
}

async function named<T>(service: Service, url: string, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    throw absence(service, url, error);
  }
}

function absence({ name, variable }: Service, url: string, error: unknown): StartError {
  const next = error instanceof SchemaError ? error.nextStep : `see that it runs and takes connections there, or set ${variable}`;
  return new StartError(`${name} at ${maskUrl(url)} cannot be used: ${rootCause(error)}; ${next}`, { cause: error });
}

/** The innermost cause; outer messages are Chinese texts for clients. */
function rootCause(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  if (reason instanceof AggregateError && reason.errors.length > 0) return messageOf(reason.errors[0]);
  return messageOf(reason);
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n')[0] ?? text;
}
