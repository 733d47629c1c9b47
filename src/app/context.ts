import type { NatsBus } from '#platform/nats/connect.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { RedisLink } from '#platform/redis/client.ts';
import type { Express, RequestHandler } from 'express';
import type { RouteHandler } from '#platform/http/handler.ts';
import type { StallWatch } from '#platform/sse/stall-watch.ts';
import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { ClientAddress } from '#kernel/network.ts';
import type { Random } from '#kernel/random.ts';
import type { AuditStore, AuditPart } from '#audit/audit.ts';
import type { ProofGate } from '#platform/nats/proof.ts';
import type { AccessGate } from '#platform/http/authorize.ts';
import type { Caller } from '#kernel/caller.ts';
import type { AccessAudit, AccessAuditPart } from '#audit/access-audit.ts';
import type { Config } from '#platform/config/shape.ts';
import type { PrometheusMetrics } from '#platform/metrics.ts';
import type { UpgradeRoute } from '#platform/http/server.ts';
import type { SessionWatch, StreamPlaces } from '#platform/http/stream-guards.ts';
import type { CredentialsPart } from '#access/login-limit.ts';
import type { Platform } from '#platform/platform.ts';
import type { SessionsPart } from '#access/sessions.ts';
import type { AgentsPart } from '#agents/agent-directory.ts';

/** Dependencies of user management, besides agents. */
export type PeopleParts = Omit<
  AuditPart &
    SessionsPart &
    CredentialsPart &
    AccessAuditPart &
    Pick<AgentsPart, 'agents' | 'agentHost'> &
    Pick<Platform, 'db' | 'clock' | 'ids'>,
  'agents' | 'agentHost'
>;

/** Provided by the process. */
export interface Surroundings {
  config: Config;
  log: Log;
  clock: Clock;
  ids: IdSource;
  random: Random;
  /** Called when a loop of the server has ended with a bug: the process must exit. */
  fail: (error: unknown) => void;
}

export interface Connections {
  database: Database;
  redis: RedisLink;
  bus: NatsBus;
}

/** Available to every part of the server; parts add their cleanup to `stack`, which runs in reverse order. */
export interface ServerContext extends Surroundings, Connections {
  metrics: PrometheusMetrics;
  audit: AuditStore;
  accessAudit: AccessAudit;
  sessionWatch: SessionWatch;
  gate: AccessGate;
  /** Verification of signed bus messages. */
  proofs: Omit<ProofGate, 'clock'>;
  clientAddress: ClientAddress;
  /** Counts an operation of a socket towards the rate limit, like a request. Errors: RATE_LIMITED */
  countRequest(caller: Caller | null): void;
  /** Dependencies of user management, besides agents. */
  people: PeopleParts;
  /** Number of open event streams by route, for the SSE edge. */
  openStreams: Map<string, number>;
  /** Limits of open event streams by session and user. */
  streamPlaces: StreamPlaces;
  /** Detects clients that do not read their event stream. */
  stallWatch: StallWatch;
  stack: AsyncDisposableStack;
  /** Aborts when the shutdown begins. */
  draining: AbortSignal;
  /**
   * Registers drain work, such as ending live calls. All of it runs concurrently, for at most `server.drainTimeoutMs`, while HTTP still answers
   * and everything is connected, but no new dials start.
   */
  onDrain(finish: () => Promise<void>): void;
  /** Runs when HTTP listens; what it adds to `stack` is undone before HTTP closes. */
  onListening(start: () => void): void;
}

/** Contribution of a part to the HTTP application. */
export interface ServerPart {
  handlers?: readonly RouteHandler[];
  /** Pages and protocols other than REST routes. */
  mount?: (app: Express) => void;
  /** Handles requests that no route matches. */
  lastly?: RequestHandler;
  /** Handles upgrade requests on its path. */
  upgrade?: UpgradeRoute;
}
