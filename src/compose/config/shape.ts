import { z } from 'zod';
import { isFitMedia } from '#contract/nats/media.ts';
import { BREAKER_DEFAULTS } from '#rules/breaker.ts';
import { RUNTIME_CARE } from '#rules/runtime-care.ts';
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

/** Also what the switch and the cache put into keys and variables: no separators. */
const SHORT_CODE = /^\d{2,10}$/;
const CELL_ID = /^[A-Za-z0-9_-]{1,64}$/;
const PORT = integer(0, 65_535);
/** Nothing that would begin another application at the switch: no blank, no `^`, no `$`. */
const APOLOGY = /^(?:\/[A-Za-z0-9_./-]{1,250}|tone_stream:\/\/[A-Za-z0-9%(),.;=:/_-]{1,250})?$/;

/** What the runtime learns of a switch. */
const MEDIA = 'an object of at most 4 KiB, such as {kind: esl, host, port}, {kind: sip, uri: sip:…} or {kind: websocket, url: wss://…}';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const server = section({
  host: text('an address to listen on', { min: 1 }).default('0.0.0.0'),
  /** 0 takes a free one. */
  port: PORT.default(9920),
  serviceApi: section({
    /** Null: made at the first start on an address that is not loopback, none on loopback. Written as empty: everybody passes (D1.4). */
    authToken: headerToken().nullable().default(null),
    /** Everybody passes where no token is written. */
    open: flag.default(false),
  }).prefault({}),
  /** Origins whose pages may call; `*` lets all (D2.8). */
  corsOrigins: z
    .array(text('an origin such as https://console.example.com, or *', { min: 1 }), 'a list of origins')
    .max(100)
    .default([]),
  /** Proxies whose `X-Forwarded-For` or `Forwarded` is believed: addresses, networks or `loopback`. */
  trustedProxies: z.array(network, 'a list of addresses').max(100).default([]),
  /** Of one user at one instance, operations over WebSockets included; 0 sets no limit. Internal endpoints have none. */
  requestsPerMinute: integer(0, 10_000_000).default(60_000),
  /** Open event streams and GraphQL sockets at one instance; 0 sets no limit. */
  streamsPerSession: integer(0, 100_000).default(50),
  streamsPerUser: integer(0, 100_000).default(200),
  /** Open at once, streams and sockets included; more are closed without an answer. 0 sets no limit. */
  maxConnections: integer(0, 1_000_000).default(25_000),
  /** `Strict-Transport-Security`, where browsers reach the server over TLS alone; 0 does not send it. */
  hstsMaxAgeSeconds: integer(0, 63_072_000, 's').default(0),
  /** Longest wait for a request's head; who sends it slower is answered 408. */
  headersTimeoutMs: integer(100, 120_000, 'ms').default(10_000),
  /** Longest wait for a whole request, the largest upload over a slow line included. */
  requestTimeoutMs: integer(100, 600_000, 'ms').default(60_000),
  /** `internal` asks for the internal token at /metrics; `public` for a network of which only Prometheus is part. */
  metricsAccess: choice(['public', 'internal']).default('internal'),
  /** How long live calls and open requests get when the server stops. */
  drainTimeoutMs: integer(0, 600_000, 'ms').default(10_000),
  timezone: timeZone.default('Asia/Shanghai'),
  /** Of numbers without a country code. */
  region: region.default('CN'),
  logLevel: choice(LOG_LEVELS).default('info'),
  /** Null: random at each start. */
  instanceId: text('1 to 64 letters, digits, _ or -', { pattern: CELL_ID }).nullable().default(null),
});

const auth = section({
  enabled: flag.default(true),
  bootstrapAdminUsername: text('a user name of 1 to 100 characters', { min: 1, max: 100 }).default('admin'),
  /** Null: generated when needed, and printed once (D1.3). */
  bootstrapAdminPassword: text('a password of 8 to 200 characters', { min: 8, max: 200 }).nullable().default(null),
});

const database = section({
  url: url(['postgresql', 'postgres'], 'postgresql://user:password@host:5432/name').default('postgresql://callout@127.0.0.1:5432/callout'),
  /** Of a role that may change the schema, for migrations alone; null: `url`. */
  migrationUrl: url(['postgresql', 'postgres'], 'postgresql://owner:password@host:5432/name').nullable().default(null),
  poolSize: integer(2, 500).default(20),
  statementTimeoutMs: integer(100, 600_000, 'ms').default(10_000),
  /** Whether `serve` brings the schema up to date before it listens. */
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
  /** A start waits this long for a bus that restarts. */
  startTimeoutMs: integer(0, 600_000, 'ms').default(20_000),
});

/** Source: OCS 2.13, 4.16 */
const media = section({
  baseUrl: optionalUrl(['http', 'https'], 'https://media.example.com').default(''),
  switchRecordingBaseUrl: optionalUrl(['http', 'https'], 'https://recordings.example.com').default(''),
  emotionAudioBaseUrl: optionalUrl(['http', 'https'], 'https://emotion.example.com').default(''),
  /** What a customer hears whom nobody can serve, before the call ends: a file at the switch or a tone. Empty: a tone. */
  apology: text('an absolute path at the switch, tone_stream://…, or empty', { pattern: APOLOGY }).default(''),
});

/** A campaign whose dials fail in the network or at the switch pauses, and tries again by itself. */
const circuitBreaker = section({
  /** Ends within the window before they say anything. */
  minimumDials: integer(1, 10_000).default(BREAKER_DEFAULTS.minimumDials),
  /** Share of them that failed from which the campaign pauses. */
  failurePercent: integer(1, 100, '%').default(BREAKER_DEFAULTS.failureShare * 100),
  windowSeconds: integer(10, 3_600, 's').default(BREAKER_DEFAULTS.windowMs / 1_000),
  /** Until the first try; each failed try doubles it. */
  firstPauseSeconds: integer(1, 3_600, 's').default(BREAKER_DEFAULTS.firstPauseMs / 1_000),
  longestPauseSeconds: integer(1, 86_400, 's').default(BREAKER_DEFAULTS.longestPauseMs / 1_000),
  /** Dials of a try. */
  probeDials: integer(1, 100).default(BREAKER_DEFAULTS.probeDials),
});

/** From when on customers are kept from runtimes that do not serve them (I9). */
const runtimeCare = section({
  /** Starts in a row that a runtime may leave unanswered before it is offered none, until it answers a probe. */
  maxUnansweredStarts: integer(1, 100).default(RUNTIME_CARE.maxUnanswered),
  /** Calls in a row that a runtime may take and say nothing in before it is offered none for ten minutes. */
  maxSilentCalls: integer(1, 100).default(RUNTIME_CARE.maxSilent),
  /** Answered customers of a business in a row whom no runtime takes before nothing is dialled for it. */
  maxUnservedCustomers: integer(1, 100).default(RUNTIME_CARE.maxUnserved),
  /** From a runtime's taking a call to `started` or its first caption. */
  firstWordSeconds: integer(2, 60, 's').default(RUNTIME_CARE.firstWordMs / 1_000),
  /** Without a caption or a report after the customer has spoken. */
  silenceSeconds: integer(5, 600, 's').default(RUNTIME_CARE.silenceMs / 1_000),
});

const dispatch = section({
  /** D7.6 */
  ringbackDetection: section({ enabled: flag.default(false), timeoutMs: integer(100, 60_000, 'ms').default(5_000) }).prefault({}),
  /** How calls reach the call-flow runtime: offered over NATS, or taken at the switch by itself and reported by REST alone. */
  runtime: choice(['nats', 'rest']).default('nats'),
  /** Emergency numbers and service short codes that may be dialled all the same, such as a hotline of one's own. D4.6 */
  allowedShortCodes: z
    .array(text('2 to 10 digits', { pattern: SHORT_CODE }), 'a list of short codes')
    .max(1_000)
    .default([]),
  /** D7.8 */
  resultGraceSeconds: integer(1, 86_400, 's').default(60),
  /** How long a channel that was never seen must stay absent before its dial is given up (A6 step 5). */
  graceMs: integer(500, 600_000, 'ms').default(30_000),
  /** Most contacts that one automatic cycle claims. */
  batchSize: integer(1, 1_000).default(50),
  /** From the mark to the socket write at the latest (A6 step 6). */
  sendDeadlineMs: integer(100, 30_000, 'ms').default(2_000),
  /** How long a dial of a manual dispatch waits for its turn at a busy cell. */
  manualWaitMs: integer(500, 30_000, 'ms').default(10_000),
  /** Life of an unconfirmed reservation (A6 step 2). */
  reservationLeaseMs: integer(1_000, 600_000, 'ms').default(30_000),
  /** Life of a campaign's lock whose holder crashed (A6 step 1): its campaign rests that long, so less than the 5 s of a recovery. */
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
 * How long things are kept, counted from when each was written; 0: for ever. Looked at once an hour by one of the servers.
 *
 * Why: the counts of overview and trend are kept apart and stay; totals of lists are those of the rows that are left
 */
const retention = section({
  /** What was said in calls: transcripts and recognised texts. */
  transcriptsDays: keptDays,
  /** Names of recordings, of calls and of conferences, with their files where this server reads them from a folder; a web server's files are its own. */
  recordingsDays: keptDays,
  /**
   * Records of calls with their transcripts, agents' calls and conferences included. One stays while it is open, while its contact is still to be
   * called, and as long as a frequency policy that is enabled counts it (D8.4).
   */
  attemptsDays: keptDays,
  auditDays: keptDays,
  /** Runtime events, and what was published to sessions of browser phones. */
  eventsDays: keptDays,
});

/** Of agents and their browser phones. Source: D12.2, D12.7 */
const agents = section({
  /** How long an agent stays busy after a call in which it talked. */
  wrapUpSeconds: integer(0, 3_600, 's').default(0),
  /** Encrypts the phones' passwords at rest; empty: none can be stored. */
  secretKey: text('64 hexadecimal digits, or empty', { pattern: /^(?:[0-9a-f]{64})?$/i }).default(''),
  /** SIP domain of the extensions, for a phone that has registered without one and for who asks how to register; empty: the one of the registration. */
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

/** Transfers of a customer to a person. Source: D12.5–D12.7 */
const conferences = section({
  /** How long one agent's phone rings; a reservation ends after 30 s. */
  ringTimeoutSeconds: integer(2, 28, 's').default(20),
  /** Agents who are asked one after the other, before the customer hears that nobody is free. */
  maxAgentsAsked: integer(1, 20).default(3),
  /** No conference lasts longer. */
  maxSessionMinutes: integer(1, 1_440, 'min').default(240),
  /** Conferences are compared with the switch this often. */
  reconcileIntervalMs: integer(200, 60_000, 'ms').default(3_000),
  isRecording: flag.default(true),
});

/** A model endpoint: adds the profiles `llm` and `cascade` (D13.1). */
const llm = section({
  url: url(['http', 'https'], 'https://models.example.com/v1'),
  apiKey: text('a text').default(''),
  model: text('the name of a model', { min: 1 }),
  timeoutMs: integer(200, 30_000, 'ms').default(3_000),
  maxConcurrent: integer(1, 1_000).default(16),
  /** Who answers when the model does not (D13.8). */
  fallback: choice(['none', 'local']).default('none'),
});

const graphql = section({
  /** Whether clients may ask for the schema. */
  introspection: flag.default(true),
  /** Fields within fields of one document. */
  maxDepth: integer(3, 50).default(12),
  maxAliases: integer(0, 1_000).default(30),
  /** One per field, times the rows of the lists around it. */
  maxComplexity: integer(100, 1_000_000).default(10_000),
  /** Of one address without a session, and ten times as many of all; 0 sets no limit. */
  anonymousRequestsPerMinute: integer(0, 1_000_000).default(1_200),
  /** Documents to which execution is limited; empty: every document. Clients may send their SHA-256 alone. */
  documents: z.array(z.string().min(1).max(100_000)).max(2_000).default([]),
});

const nlu = section({
  url: url(['http', 'https'], 'http://127.0.0.1:9930').default('http://127.0.0.1:9930'),
  token: headerToken().default(''),
  timeoutMs: integer(100, 60_000, 'ms').default(3_000),
  /** Of the NLU service itself. */
  host: text('an address to listen on', { min: 1 }).default('127.0.0.1'),
  port: PORT.default(9930),
  llm: llm.optional(),
});

const business = section({
  businessCode: text('a code of 1 to 64 characters', { min: 1, max: 64 }),
  businessName: text('a name of 1 to 200 characters', { min: 1, max: 200 }),
  isEnabled: flag.default(true),
  remark: text('a text').default(''),
  /** Its runtime leads calls without a script of ours; absent: as the business has it, off for a new one. Source: D5.6 */
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
  /** Where the switch writes recordings; without `recordingBaseUrl` they are read from there. */
  recordingFolder: text('an absolute folder', { pattern: /^\/[A-Za-z0-9_./-]{1,150}$/ }).default('/var/lib/freeswitch/recordings'),
  originateTimeoutSeconds: integer(1, 600, 's').default(30),
  maxOriginatesPerSecond: integer(1, 1_000).default(30),
  /** Profile that a line's dial string means by `{{sipProfile}}` at this switch. */
  sipProfile: text('a name of 1 to 64 letters, digits, _, . or -', { pattern: /^[A-Za-z0-9_.-]{1,64}$/ }).default('external'),
  conferenceProfile: text('a name').default('default'),
  /** How a runtime reaches the customers of this switch, given to it as it is: `{kind: esl, host, port}`, `{kind: sip, uri}`, `{kind: websocket, url}`. */
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
  graphql: graphql.prefault({}),
  nlu: nlu.prefault({}),
  businesses: distinct(business, 'businessCode'),
  cells: distinct(cell, 'id'),
});

/** Nothing but plain data; `server.instanceId` is filled by `readConfig`. */
export type Config = z.output<typeof configShape> & { server: { instanceId: string } };
