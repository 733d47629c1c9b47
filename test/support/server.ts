import { argon2Sync } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { z } from 'zod';
import { type Config, configShape } from '#platform/config/shape.ts';
import { type RunningServer, startServer } from '#serve/start-server.ts';
import type { RouteContract } from '#platform/http/route.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import { systemRandom } from '#kernel/random.ts';
import type { Role } from '#kernel/caller.ts';
import { freshDatabase } from './database.ts';
import { freshNats } from './nats.ts';
import { type AnswerCheck, answerCheck, type OpenApiJson } from './openapi/answer-check.ts';
import type { PrivateService } from './private-service.ts';
import { freshRedis } from './redis.ts';
import { within } from './within.ts';

export const ADMIN = { username: 'admin', password: 'test-admin-password' };
export const INTERNAL_TOKEN = 'test-internal-token';
/** Longer than the product allows a command to take (A3), ms. */
const PATIENT_COMMAND_MS = 20_000;

/** Keys given here replace single keys of the default sections. */
export type ConfigOverrides = { [Section in keyof Config]?: Config[Section] extends unknown[] ? unknown[] : Partial<Config[Section]> };

export interface TestServerOptions {
  config?: ConfigOverrides;
  /** The first instance, whose services this second instance shares. */
  beside?: TestServer;
  /** Receives what the server prints for its operator at the start. */
  print?: (line: string) => void;
  /** Log of the server; when absent, errors go to the test's output. */
  log?: Log;
  /** Folder of the built console; none is served when absent. */
  consoleFolder?: string;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  code: string;
  // Responses have many shapes; each has already been compared with the OpenAPI document.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
  msg: string;
  /** Complete body as received. */
  text: string;
}

export interface TestServer {
  url: string;
  config: Config;
  running: RunningServer;
  nats: PrivateService;
  /** Sends one request; without a `token` when it is null or absent. */
  api(method: string, path: string, body?: unknown, token?: string | null): Promise<ApiAnswer>;
  /** Sends a request as the call-flow runtime, with the internal token. */
  internal(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  /** Token of a user with this role, who is created when needed. */
  loginAs(role: Role): Promise<string>;
  createUser(user: { username: string; password: string; role: Role }): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts the real server on a free port with its own database, cache and bus.
 *
 * Why: every response is compared with its contract; one that deviates or has extra fields fails its request with 500, and later `close`.
 *      The response as received is also compared with `/openapi.json` of the same server; a difference fails the request
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const services = options.beside ? borrow(options.beside) : await startServices();
  const config = testConfig(services, options.config ?? {});
  const violations: string[] = [];
  const starting = startServer({
    config,
    log: options.log ?? loudLog({ instance: config.server.instanceId }),
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    print: options.print ?? (() => undefined),
    fail: error => {
      violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    },
    onAnswer: (route, data) => requireContract(route, data, violations),
    ...(options.consoleFolder === undefined ? {} : { consoleFolder: options.consoleFolder }),
  });
  const running = await within('the start of the server', starting);
  const url = `http://127.0.0.1:${running.port}`;
  const exchange = exchangeWith(url);
  const users = createUsers(exchange, running);
  return {
    url,
    config,
    running,
    nats: services.nats,
    api: (method, path, body, token) => exchange(method, path, body, token ? { Authorization: `Bearer ${token}` } : {}),
    internal: (method, path, body, headers = {}) =>
      exchange(method, path, body, { 'X-Callout-Internal-Token': INTERNAL_TOKEN, ...headers }),
    ...users,
    async close() {
      await running.close();
      await services.stop();
      if (violations.length > 0) throw new Error(`the server broke its contract:\n${violations.join('\n')}`);
    },
  };
}

interface Services {
  databaseUrl: string;
  redisUrl: string;
  nats: PrivateService;
  stop(): Promise<void>;
}

async function startServices(): Promise<Services> {
  const [database, redis, nats] = await Promise.all([
    within('the copy of the database', freshDatabase()),
    within('the lease of a Redis database', freshRedis()),
    within('the start of NATS', freshNats()),
  ]);
  const stop = async () => {
    await Promise.all([database.drop(), redis.release(), nats.stop()]);
  };
  return { databaseUrl: database.url, redisUrl: redis.url, nats, stop };
}

function borrow({ config, nats }: TestServer): Services {
  return { databaseUrl: config.database.url, redisUrl: config.cache.url, nats, stop: () => Promise.resolve() };
}

function testConfig(services: Services, overrides: ConfigOverrides): Config {
  const base = {
    server: {
      host: '127.0.0.1',
      port: 0,
      serviceApi: { authToken: INTERNAL_TOKEN },
      instanceId: systemIds().slice(0, 8),
      // Most tests end with live calls, which a drain would wait for in vain.
      drainTimeoutMs: 100,
    },
    auth: { bootstrapAdminUsername: ADMIN.username, bootstrapAdminPassword: ADMIN.password },
    // The template of this database is already migrated.
    database: { url: services.databaseUrl, poolSize: 5, migrateOnStart: false },
    cache: { url: services.redisUrl },
    bus: { url: services.nats.url },
  };
  const sections = new Set([...Object.keys(base), ...Object.keys(overrides)]);
  const raw = Object.fromEntries([...sections].map(name => [name, merge(Reflect.get(base, name), Reflect.get(overrides, name))]));
  const config = configShape.parse(raw);
  // A stall of the machine is not an outage; a test of outages sets its own cache options.
  const cache = overrides.cache ? config.cache : { ...config.cache, commandTimeoutMs: PATIENT_COMMAND_MS };
  return { ...config, cache, server: { ...config.server, instanceId: config.server.instanceId ?? 'test' } };
}

function merge(base: unknown, override: unknown): unknown {
  if (override === undefined || Array.isArray(override)) return override ?? base;
  return { ...Object(base), ...Object(override) };
}

function requireContract(route: RouteContract, data: unknown, violations: string[]): void {
  const sent: unknown = data === undefined ? null : JSON.parse(JSON.stringify(data));
  const parsed = route.data.safeParse(sent);
  const problem = parsed.success
    ? describeExtra(sent, JSON.parse(JSON.stringify(z.encode(route.data, parsed.data))))
    : parsed.error.message;
  if (problem === null) return;
  const violation = `${route.method} ${route.path}: ${problem}`;
  violations.push(violation);
  throw new Error(violation);
}

/** The contract strips unknown fields, so a difference means a field that the contract does not contain. */
function describeExtra(sent: unknown, told: unknown): string | null {
  return isDeepStrictEqual(sent, told) ? null : `sent ${JSON.stringify(sent)}, the contract tells of ${JSON.stringify(told)}`;
}

type Exchange = (method: string, path: string, body: unknown, headers: Record<string, string>) => Promise<ApiAnswer>;

/** Time limit of a request, ms: one without a response fails by name, and a `waitUntil` around it retries. */
const EXCHANGE_TIMEOUT_MS = 40_000;

function exchangeWith(url: string): Exchange {
  let check: Promise<AnswerCheck> | undefined;
  return async (method, path, body, headers) => {
    check ??= readCheck(url).catch((error: unknown) => {
      check = undefined;
      throw error;
    });
    const faultOf = await check;
    const answer = await fetch(`${url}${path}`, { method, ...messageOf(body, headers), signal: AbortSignal.timeout(EXCHANGE_TIMEOUT_MS) });
    const text = await answer.text();
    const contentType = answer.headers.get('content-type') ?? '';
    const fault = faultOf({ method, path, status: answer.status, contentType, text, sent: body });
    if (fault !== null) throw new Error(`${method} ${path} is not what /openapi.json tells: ${fault}`);
    const { code = '', data = null, msg = '' } = contentType.startsWith('application/json') ? JSON.parse(text) : {};
    return { status: answer.status, headers: answer.headers, code, data, msg, text };
  };
}

/** Sends a form unchanged, a string as a raw JSON body, and everything else as JSON. */
function messageOf(body: unknown, headers: Record<string, string>): RequestInit {
  if (body === undefined) return { headers };
  if (body instanceof FormData) return { headers, body };
  return { headers: { ...headers, 'Content-Type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** By the text of the document: most servers of a run have the same one. */
const checks = new Map<string, AnswerCheck>();

async function readCheck(url: string): Promise<AnswerCheck> {
  const answer = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(EXCHANGE_TIMEOUT_MS) });
  const text = await answer.text();
  const check = checks.get(text) ?? answerCheck(JSON.parse(text) as OpenApiJson);
  checks.set(text, check);
  return check;
}

/** A password hash in the product's format at minimal cost; the hash itself contains its cost parameters. */
function cheapHash(password: string): string {
  const nonce = Buffer.from('salt of a test');
  const tag = argon2Sync('argon2id', { message: password, nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 });
  const [salt, hash] = [nonce, tag].map(bytes => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`;
}

function createUsers(exchange: Exchange, running: RunningServer) {
  const tokens = new Map<Role, Promise<string>>();
  const createUser: TestServer['createUser'] = async ({ username, password, role }) => {
    const hash = cheapHash(password);
    const row = await running.context.database.first(sql<{ id: number }>`
      insert into app_user (username, display_name, role, password_hash) values (${username}, ${username}, ${role}, ${hash}) returning id`);
    if (!row) throw new Error('the user was not created');
    return row.id;
  };
  const login = async (role: Role) => {
    const user = role === 'admin' ? ADMIN : { username: `test-${role}-${systemIds().slice(0, 8)}`, password: 'test-password' };
    if (role !== 'admin') await createUser({ ...user, role });
    const answer = await exchange('POST', '/api/auth/login', user, {});
    if (answer.status !== 200) throw new Error(`login as ${role} failed: ${answer.text}`);
    return String(answer.data.token);
  };
  const loginAs = (role: Role) => {
    const token = tokens.get(role) ?? login(role);
    tokens.set(role, token);
    return token;
  };
  return { createUser, loginAs };
}

/** Writes the server's errors to the test's output and drops everything else. */
function loudLog(fields: Record<string, unknown>): Log {
  const show = (more: Record<string, unknown>, message: string) => {
    const { err, ...rest } = more;
    const detail = err instanceof Error ? `\n${err.stack ?? err.message}` : '';
    process.stderr.write(`[server] ${message} ${JSON.stringify({ ...fields, ...rest })}${detail}\n`);
  };
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: show,
    child: more => loudLog({ ...fields, ...more }),
  };
}
