import { BREAKER_DEFAULTS } from './defaults.ts';
import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { z } from 'zod';
import { isFitMedia } from '#protocol/hand-over.ts';
import {
  choice,
  distinct,
  flag,
  headerToken,
  integer,
  network,
  optionalUrl,
  section,
  region,
  text,
  timeZone,
  url,
  urls,
} from './fields.ts';

/** Digits only: the switch and the cache use the codes in variables and keys. */
const SHORT_CODE = /^\d{2,10}$/;
const CELL_ID = /^[A-Za-z0-9_-]{1,64}$/;
const PORT = integer(0, 65_535);
/** Excludes characters that could start another application at the switch: blank, `^`, `$`. */
const APOLOGY = /^(?:\/[A-Za-z0-9_./-]{1,250}|tone_stream:\/\/[A-Za-z0-9%(),.;=:/_-]{1,250})?$/;

/** Access to a switch's media, passed to the runtime. */
const MEDIA = 'an object of at most 4 KiB, such as {kind: esl, host, port}, {kind: sip, uri: sip:…} or {kind: websocket, url: wss://…}';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const server = section({
  host: text('an address to listen on', { min: 1 }).default('0.0.0.0'),
  /** 0 selects a free port. */
  port: PORT.default(9920),
  serviceApi: section({
    /** Null: generated at the first start on a non-loopback address, none on loopback. Explicitly empty: no token is required (D1.4). */
    authToken: headerToken().nullable().default(null),
    /** Without a configured token, no token is required. */
    open: flag.default(false),
  }).prefault({}),
  /** Address at which people open the console; links in messages begin with it. Empty: messages have no links. */
  publicUrl: optionalUrl(['http', 'https'], 'https://callout.example.com').default(''),
  /** Origins whose pages may call the API; `*` allows all (D2.8). */
  corsOrigins: z
    .array(text('an origin such as https://console.example.com, or *', { min: 1 }), 'a list of origins')
    .max(100)
    .default([]),
  /** Proxies whose `X-Forwarded-For` or `Forwarded` header is trusted: addresses, networks or `loopback`. */
  trustedProxies: z.array(network, 'a list of addresses').max(100).default([]),
  /** Limit per user and instance, including operations over WebSockets; 0 disables it. Internal endpoints are not limited. */
  requestsPerMinute: integer(0, 10_000_000).default(60_000),
  /** Limit of open event streams and GraphQL sockets per instance; 0 disables it. */
  streamsPerSession: integer(0, 100_000).default(50),
  streamsPerUser: integer(0, 100_000).default(200),
  /** Limit of open connections, including streams and sockets; further ones are closed without a response. 0 disables it. */
  maxConnections: integer(0, 1_000_000).default(25_000),
  /** `Strict-Transport-Security`, for servers reached over TLS only; 0 omits the header. */
  hstsMaxAgeSeconds: integer(0, 63_072_000, 's').default(0),
  /** Time-out for a request's headers; a slower client gets 408. */
  headersTimeoutMs: integer(100, 120_000, 'ms').default(10_000),
  /** Time-out for a complete request; must cover the largest upload over a slow line. */
  requestTimeoutMs: integer(100, 600_000, 'ms').default(60_000),
  /** `internal` requires the internal token for /metrics; `public` suits a network that only Prometheus can reach. */
  metricsAccess: choice(['public', 'internal']).default('internal'),
  /** Time that live calls and open requests get when the server stops. */
  drainTimeoutMs: integer(0, 600_000, 'ms').default(10_000),
  timezone: timeZone.default('Asia/Shanghai'),
  /** Applies to numbers without a country code. */
  region: region.default('CN'),
  logLevel: choice(LOG_LEVELS).default('info'),
  /** Null: random for each start. */
  instanceId: text('1 to 64 letters, digits, _ or -', { pattern: CELL_ID }).nullable().default(null),
});

const auth = section({
  enabled: flag.default(true),
  bootstrapAdminUsername: text('a user name of 1 to 100 characters', { min: 1, max: 100 }).default('admin'),
  /** Null: generated when needed and printed once (D1.3). */
  bootstrapAdminPassword: text('a password of 8 to 200 characters', { min: 8, max: 200 }).nullable().default(null),
});

const database = section({
  url: url(['postgresql', 'postgres'], 'postgresql://user:password@host:5432/name').default('postgresql://callout@127.0.0.1:5432/callout'),
  /** Connection of a role that may change the schema, used for migrations only; null: `url`. */
  migrationUrl: url(['postgresql', 'postgres'], 'postgresql://owner:password@host:5432/name').nullable().default(null),
  poolSize: integer(2, 500).default(20),
  /** A streaming replica from which reports and exports are read; null: the primary has them, too. */
  reportUrl: url(['postgresql', 'postgres'], 'postgresql://user:password@replica:5432/name').nullable().default(null),
  reportPoolSize: integer(2, 100).default(4),
  /** How far behind the replica may be before the primary answers for it. */
  reportMaxLagSeconds: integer(1, 3_600, 's').default(30),
  statementTimeoutMs: integer(100, 600_000, 'ms').default(10_000),
  /** Whether `serve` applies migrations before it listens. */
  migrateOnStart: flag.default(true),
});

const cache = section({
  url: url(['redis', 'rediss'], 'redis://host:6379/0').default('redis://127.0.0.1:6379/0'),
  connectTimeoutMs: integer(100, 30_000, 'ms').default(2_000),
  /** Below 1 s (A3). */
  commandTimeoutMs: integer(50, 999, 'ms').default(800),
});

const bus = section({
  url: urls(['nats', 'tls'], 'nats://host:4222').default('nats://127.0.0.1:4222'),
  connectTimeoutMs: integer(100, 30_000, 'ms').default(2_000),
  requestTimeoutMs: integer(100, 30_000, 'ms').default(3_000),
  /** How long a start waits for an unavailable bus. */
  startTimeoutMs: integer(0, 600_000, 'ms').default(20_000),
});

/** Source: OCS 2.13, 4.16 */
const media = section({
  baseUrl: optionalUrl(['http', 'https'], 'https://media.example.com').default(''),
  switchRecordingBaseUrl: optionalUrl(['http', 'https'], 'https://recordings.example.com').default(''),
  emotionAudioBaseUrl: optionalUrl(['http', 'https'], 'https://emotion.example.com').default(''),
  /** Announcement before hanging up on a customer whose call no runtime accepts: a file at the switch or a tone. Empty: the default tone. */
  apology: text('an absolute path at the switch, tone_stream://…, or empty', { pattern: APOLOGY }).default(''),
});

/** A campaign pauses when its dials fail in the network or at the switch, and resumes automatically after successful probes. */
const circuitBreaker = section({
  /** Minimum number of finished dials in the window for an evaluation. */
  minimumDials: integer(1, 10_000).default(BREAKER_DEFAULTS.minimumDials),
  /** Share of failed dials at which the campaign pauses. */
  failurePercent: integer(1, 100, '%').default(BREAKER_DEFAULTS.failureShare * 100),
  windowSeconds: integer(10, 3_600, 's').default(BREAKER_DEFAULTS.windowMs / 1_000),
  /** Pause before the first probe; doubled by each failed probe. */
  firstPauseSeconds: integer(1, 3_600, 's').default(BREAKER_DEFAULTS.firstPauseMs / 1_000),
  longestPauseSeconds: integer(1, 86_400, 's').default(BREAKER_DEFAULTS.longestPauseMs / 1_000),
  /** Number of dials in a probe. */
  probeDials: integer(1, 100).default(BREAKER_DEFAULTS.probeDials),
});

/** Thresholds for withholding customers from runtimes that do not serve them (I9). */
const runtimeCare = section({
  /** Consecutive unanswered `start` requests after which a runtime gets no calls until it answers a probe. */
  maxUnansweredStarts: integer(1, 100).default(RUNTIME_CARE.maxUnanswered),
  /** Consecutive accepted calls without a word after which a runtime gets no calls for ten minutes. */
  maxSilentCalls: integer(1, 100).default(RUNTIME_CARE.maxSilent),
  /** Consecutive answered customers that no runtime accepts, after which dialling stops for their business. */
  maxUnservedCustomers: integer(1, 100).default(RUNTIME_CARE.maxUnserved),
  /** Time from a runtime's acceptance to `started` or its first caption. */
  firstWordSeconds: integer(2, 60, 's').default(RUNTIME_CARE.firstWordMs / 1_000),
  /** Time without a caption or report after the customer has spoken. */
  silenceSeconds: integer(5, 600, 's').default(RUNTIME_CARE.silenceMs / 1_000),
});

const dispatch = section({
  /** D7.6 */
  ringbackDetection: section({ enabled: flag.default(false), timeoutMs: integer(100, 60_000, 'ms').default(5_000) }).prefault({}),
  /** How a runtime gets its calls: offered over NATS, or picked up at the switch by the runtime itself, which reports by REST only. */
  runtime: choice(['nats', 'rest']).default('nats'),
  /** Emergency numbers and service short codes that may be dialled nevertheless, such as an own hotline. D4.6 */
  allowedShortCodes: z
    .array(text('2 to 10 digits', { pattern: SHORT_CODE }), 'a list of short codes')
    .max(1_000)
    .default([]),
  /** D7.8 */
  resultGraceSeconds: integer(1, 86_400, 's').default(60),
  /** How long a channel that was never seen must be absent before its dial is given up (A6 step 5). */
  graceMs: integer(500, 600_000, 'ms').default(30_000),
  /** Limit of contacts that one automatic cycle claims. */
  batchSize: integer(1, 1_000).default(50),
  /** Longest time from the mark to the socket write (A6 step 6). */
  sendDeadlineMs: integer(100, 30_000, 'ms').default(2_000),
  /** How long a manually dispatched dial waits for its turn at a busy cell. */
  manualWaitMs: integer(500, 30_000, 'ms').default(10_000),
  /** Lease of an unconfirmed reservation (A6 step 2). */
  reservationLeaseMs: integer(1_000, 600_000, 'ms').default(30_000),
  /** Time to live of a campaign's lock (A6 step 1): after a crash the campaign rests that long, so it must stay below the 5 s of a recovery. */
  lockTtlMs: integer(1_000, 600_000, 'ms').default(3_000),
  circuitBreaker: circuitBreaker.prefault({}),
  runtimeCare: runtimeCare.prefault({}),
});

const monitoring = section({
  /** D9.4 */
  callsPerMonitor: integer(1, 100).default(5),
});

const keptDays = integer(0, 36_500, 'days').default(0);

/**
 * Retention periods, counted from creation; 0: forever. One of the servers applies them once an hour.
 *
 * Why: the counts of overview and trend are stored separately and remain; totals of lists count the remaining rows
 */
const retention = section({
  /** Speech of calls: transcripts and recognised texts; and their journals, which hold what was whispered to the bot. */
  transcriptsDays: keptDays,
  /**
   * Recordings of calls and conferences: their names, and the files in folders that this server reads; those on web servers where
   * `cells[].recordingRemoval` says so. A campaign may have its own.
   */
  recordingsDays: keptDays,
  /**
   * Records of calls with their transcripts, including agents' calls and conferences. A record remains while the call is open, while its contact
   * is still to be called, and while an enabled frequency policy counts it (D8.4).
   */
  attemptsDays: keptDays,
  auditDays: keptDays,
  /** Runtime events, events of browser phone sessions, and what agents did when. */
  eventsDays: keptDays,
});

/** Agents and their browser phones. Source: D12.2, D12.7 */
const agents = section({
  /** Whether agents see whole phone numbers; else they are masked for them. Source: D3.11 */
  seeNumbers: flag.default(true),
  /** Wrap-up time: how long an agent stays busy after a call that was answered. */
  wrapUpSeconds: integer(0, 3_600, 's').default(0),
  /** Key that encrypts stored phone passwords; empty: passwords cannot be stored. */
  secretKey: text('64 hexadecimal digits, or empty', { pattern: /^(?:[0-9a-f]{64})?$/i }).default(''),
  /** SIP domain of the extensions, for phones that register without one and for their settings; empty: the domain of the registration. */
  sipRealm: text('a domain').default(''),
  wsServers: z
    .array(url(['ws', 'wss'], 'wss://phone.example.com:7443'), 'a list of addresses')
    .max(10)
    .default([]),
  iceServers: z
    .array(
      section({
        urls: text('an address such as stun:stun.example.com:3478', { min: 1 }),
        username: text('a text').default(''),
        credential: text('a text').default(''),
      }),
      'a list of ICE servers',
    )
    .max(10)
    .default([]),
});

/** Transfers of a customer to an agent. Source: D12.5–D12.7 */
const conferences = section({
  /** How long each agent's phone rings; a reservation ends after 30 s. */
  ringTimeoutSeconds: integer(2, 28, 's').default(20),
  /** Number of agents tried in turn before the customer hears that none is available. */
  maxAgentsAsked: integer(1, 20).default(3),
  /** Upper limit of a conference's duration. */
  maxSessionMinutes: integer(1, 1_440, 'min').default(240),
  /** Interval at which conferences are compared with the switch. */
  reconcileIntervalMs: integer(200, 60_000, 'ms').default(3_000),
  isRecording: flag.default(true),
});

/** A language model endpoint; enables the profiles `llm` and `cascade` (D13.1). */
const llm = section({
  url: url(['http', 'https'], 'https://models.example.com/v1'),
  apiKey: text('a text').default(''),
  model: text('the name of a model', { min: 1 }),
  timeoutMs: integer(200, 30_000, 'ms').default(3_000),
  maxConcurrent: integer(1, 1_000).default(16),
  /** Engine that answers when the model does not (D13.8). */
  fallback: choice(['none', 'local']).default('none'),
});

const bucket = text('the name of a bucket', { pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/ });

/** An S3-compatible store, such as MinIO or OSS. */
const s3 = section({
  endpoint: url(['http', 'https'], 'https://oss-cn-shanghai.aliyuncs.com'),
  bucket,
  region: text('a region', { min: 1 }).default('us-east-1'),
  accessKeyId: text('an access key', { min: 1 }),
  secretAccessKey: text('a secret key', { min: 1 }),
  /** Whether addresses have the bucket in their path, as MinIO requires; otherwise it is part of the host name. */
  isPathStyle: flag.default(false),
  timeoutMs: integer(1_000, 600_000, 'ms').default(60_000),
});

/** Storage for the files of jobs; every server must reach it. Source: D2.11 */
const files = section({
  /** A folder that all servers share; empty: one of this machine for temporary files. */
  folder: text('an absolute folder, or empty', { pattern: /^(?:\/[A-Za-z0-9_./-]{1,150})?$/ }).default(''),
  /** Takes the place of the folder. */
  s3: s3.optional(),
});

/** Long work that any server goes on with, such as exports. Source: D2.10 */
const jobs = section({
  /** Limit of jobs that a server runs at the same time; 0: it runs none. */
  concurrency: integer(0, 32).default(2),
  /** Days for which an ended job and its files are kept. */
  keptDays: integer(1, 365, 'days').default(7),
});

/** Imports of files of any length. Source: D6.9 */
const imports = section({
  /** Largest file, uploaded or fetched. */
  maxFileMebibytes: integer(1, 10_240, 'MiB').default(1_024),
  /** Whether files may be fetched from private networks and over plain HTTP. */
  allowPrivateAddresses: flag.default(false),
  /** Buckets of the store of `files.s3` from which files may be fetched; everybody who imports may read them. */
  buckets: z.array(bucket, 'a list of buckets').max(100).default([]),
});

/** Messages to other systems and to people. Source: D15 */
const webhooks = section({
  /** Endpoints and hooks may be private addresses and plain HTTP: for receivers beside this server. */
  allowPrivateAddresses: flag.default(false),
  /** How long the log of deliveries is kept: what is in it can be replayed. */
  keepDays: integer(6, 365, 'days').default(30),
});

const graphql = section({
  /** Whether clients may query the schema. */
  introspection: flag.default(true),
  /** Limit of nested fields in a document. */
  maxDepth: integer(3, 50).default(12),
  maxAliases: integer(0, 1_000).default(30),
  /** Each field counts one, multiplied by the rows of enclosing lists. */
  maxComplexity: integer(100, 1_000_000).default(10_000),
  /** Limit per address without a session, and ten times as many for all addresses together; 0 disables it. */
  anonymousRequestsPerMinute: integer(0, 1_000_000).default(1_200),
  /** Allow-list of documents; empty: all are allowed. Clients may send only the SHA-256 of a listed one. */
  documents: z.array(z.string().min(1).max(100_000)).max(2_000).default([]),
});

const nlu = section({
  url: url(['http', 'https'], 'http://127.0.0.1:9930').default('http://127.0.0.1:9930'),
  token: headerToken().default(''),
  timeoutMs: integer(100, 60_000, 'ms').default(3_000),
  /** Listening address of the NLU service. */
  host: text('an address to listen on', { min: 1 }).default('127.0.0.1'),
  port: PORT.default(9930),
  llm: llm.optional(),
});

const business = section({
  businessCode: text('a code of 1 to 64 characters', { min: 1, max: 64 }),
  businessName: text('a name of 1 to 200 characters', { min: 1, max: 200 }),
  isEnabled: flag.default(true),
  remark: text('a text').default(''),
  /** The runtime of this business brings its own call flow; absent: unchanged, off for a new business. Source: D5.6 */
  runtimeBringsFlow: flag.optional(),
});

/** Source: D1.3 */
const cell = section({
  id: text('1 to 64 letters, digits, _ or -', { pattern: CELL_ID }),
  host: text('the address of the switch', { min: 1 }),
  port: integer(1, 65_535).default(8021),
  password: text('the password of the Event Socket', { min: 1 }),
  /** 0 = unlimited. */
  maxConcurrency: integer(0, 100_000).default(0),
  recordingBaseUrl: optionalUrl(['http', 'https'], 'https://recordings.example.com/cell-1').default(''),
  /** Folder in which the switch stores recordings; read directly when there is no `recordingBaseUrl`. */
  recordingFolder: text('an absolute folder', { pattern: /^\/[A-Za-z0-9_./-]{1,150}$/ }).default('/var/lib/freeswitch/recordings'),
  /** Whether the web server of `recordingBaseUrl` is asked to delete recordings that are too old, by DELETE. Source: D7.21 */
  recordingRemoval: choice(['none', 'delete']).default('none'),
  originateTimeoutSeconds: integer(1, 600, 's').default(30),
  maxOriginatesPerSecond: integer(1, 1_000).default(30),
  /** SIP profile that `{{sipProfile}}` in a line's dial string stands for at this switch. */
  sipProfile: text('a name of 1 to 64 letters, digits, _, . or -', { pattern: /^[A-Za-z0-9_.-]{1,64}$/ }).default('external'),
  conferenceProfile: text('a name').default('default'),
  /** How a runtime reaches this switch's media, passed on unchanged: `{kind: esl, host, port}`, `{kind: sip, uri}` or `{kind: websocket, url}`. */
  media: z.record(z.string(), z.json(), MEDIA).refine(isFitMedia, MEDIA).default({}),
  isEnabled: flag.default(true),
});

/** The whole configuration with its defaults (D1.2, D1.3). */
export const configShape = section({
  server: server.prefault({}),
  auth: auth.prefault({}),
  database: database.prefault({}),
  cache: cache.prefault({}),
  bus: bus.prefault({}),
  media: media.prefault({}),
  dispatch: dispatch.prefault({}),
  monitoring: monitoring.prefault({}),
  retention: retention.prefault({}),
  agents: agents.prefault({}),
  conferences: conferences.prefault({}),
  jobs: jobs.prefault({}),
  files: files.prefault({}),
  imports: imports.prefault({}),
  webhooks: webhooks.prefault({}),
  graphql: graphql.prefault({}),
  nlu: nlu.prefault({}),
  businesses: distinct(business, 'businessCode'),
  cells: distinct(cell, 'id'),
});

/** Plain data only; `server.instanceId` is filled in by `readConfig`. */
export type Config = z.output<typeof configShape> & { server: { instanceId: string } };
