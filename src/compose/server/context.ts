import type { NatsBus } from '#adapters/nats/connect.ts';
import type { Database } from '#adapters/postgres/database.ts';
import type { RedisLink } from '#adapters/redis/client.ts';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express, RequestHandler } from 'express';
import type { RouteHandler } from '#edges/rest/handler.ts';
import type { StallWatch } from '#edges/sse/stall-watch.ts';
import type { StreamPlaces } from '#operations/access/stream-places.ts';
import type { UserDeps } from '#edges/graphql/context.ts';
import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { ClientAddress } from '#kernel/network.ts';
import type { Random } from '#kernel/random.ts';
import type { AuditStore } from '#ports/audit-store.ts';
import type { ProofGate } from '#edges/bus/proof.ts';
import type { AccessGate } from '#edges/rest/authorize.ts';
import type { Caller } from '#operations/access/caller.ts';
import type { AccessAudit } from '#operations/access/access-audit.ts';
import type { SessionWatch } from '#operations/access/session-watch.ts';
import type { Config } from '../config/shape.ts';
import type { PrometheusMetrics } from '../metrics.ts';

/** What managing users takes beside their agents, which the product brings. */
export type PeopleParts = Omit<UserDeps, 'agents' | 'agentHost'>;

/** What the process itself brings. */
export interface Surroundings {
  config: Config;
  log: Log;
  clock: Clock;
  ids: IdSource;
  random: Random;
  /** A loop of the server has died of a bug: the process must not go on. */
  fail: (error: unknown) => void;
}

export interface Connections {
  database: Database;
  redis: RedisLink;
  bus: NatsBus;
}

/** What every part of the server may use; parts add their own to `stack`, which is undone in reverse order. */
export interface ServerContext extends Surroundings, Connections {
  metrics: PrometheusMetrics;
  audit: AuditStore;
  accessAudit: AccessAudit;
  sessionWatch: SessionWatch;
  gate: AccessGate;
  /** How messages of the bus show who sent them. */
  proofs: Omit<ProofGate, 'clock'>;
  clientAddress: ClientAddress;
  /** Counts one operation of a socket, as the gate counts requests. Errors: RATE_LIMITED */
  countRequest(caller: Caller | null): void;
  /** What managing users takes beside their agents. */
  people: PeopleParts;
  /** Open event streams by route, for the SSE edge. */
  openStreams: Map<string, number>;
  /** Open event streams by session and user. */
  streamPlaces: StreamPlaces;
  /** Finds clients of event streams that read nothing. */
  stallWatch: StallWatch;
  stack: AsyncDisposableStack;
  /** Aborts when the server begins to stop. */
  draining: AbortSignal;
  /** Runs while HTTP still answers and everything is still connected, all at once, for at most `server.drainTimeoutMs`: no new dials, live calls end. */
  onDrain(finish: () => Promise<void>): void;
}

/** What a part contributes to the HTTP application. */
export interface ServerPart {
  handlers?: readonly RouteHandler[];
  /** Pages and protocols that are no REST rows. */
  mount?: (app: Express) => void;
  /** Answers what no row does. */
  lastly?: RequestHandler;
  /** Takes over connections that ask for another protocol on its path. */
  upgrade?: UpgradeRoute;
}

/** Who takes over connections on a path that ask for another protocol: WebSockets. */
export interface UpgradeRoute {
  path: string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}
