import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#platform/postgres/migrate.ts';
import { findFreePort } from '#tools/services/free-port.ts';
import { removeServiceData, type Services, startServices } from '#tools/services/start-services.ts';
import { randomInt, systemRandom } from '#kernel/random.ts';
import { type RoleProcess, roleProcess } from '#test/chaos/child-process.ts';
import { isReady } from '#test/chaos/server-process.ts';
import { startTcpProxy, type TcpProxy } from '#test/chaos/tcp-proxy.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type Carriers, startCarriers } from './carriers.ts';
import { type FreeswitchProcess, freeswitchProcess, SWITCH_PASSWORD, tailOf } from './freeswitch-process.ts';
import { createPeople, type People } from './people.ts';
import { type Rest, restOf } from './rest.ts';
import { type CheckRuntime, startCheckRuntime } from './runtime.ts';
import { type SwitchPorts, writeShippedConfig } from './shipped-config.ts';

/** The product on a real switch, with phones behind another one. */
export interface SwitchRig {
  services: Services;
  folder: string;
  /** The shipped switch, through a connection of the tool's own. */
  cell: FreeswitchProcess;
  people: People;
  /** Simulated faulty carriers. */
  carriers: Carriers;
  /** Proxy between the product and the switch's Event Socket. */
  wire: TcpProxy;
  server: RoleProcess;
  serverLog: string;
  /** Starts the server, also again, and waits until it is ready and has its switch. */
  startServer(): Promise<void>;
  rest: Rest;
  runtime: CheckRuntime;
  lineId: number;
  /** Port on this machine at which browsers' phones reach the switch. */
  phoneSocket: number;
  /** The same over TLS, with the certificate that the switch has made itself. */
  securePhoneSocket: number;
  /** Starts another server beside the first one, which asks for a sign-in and serves the console; its address and sign-in. `phoneServers`: where browsers' phones reach the switch. */
  startConsoleServer(stack: AsyncDisposableStack, phoneServers: readonly string[]): Promise<ConsoleServer>;
  /** Idle agents by extension. */
  agents: ReadonlyMap<string, number>;
  recordingFolder: string;
  /** Folder of call detail records that were not accepted, and the URL to which they belong. */
  recordSpool: string;
  recordUrl: string;
}

export interface ConsoleServer {
  url: string;
  /** Signs in with the password of `createUser`. */
  tokenOf(username: string): Promise<string>;
}

export const DOMAIN = 'switch-check.test';
export const CELL_ID = 'cell-1';
export const BUSINESS = 'switch-check';
/** Below the rate that the switch admits: 30 per second admit 29. */
export const MAX_ORIGINATES_PER_SECOND = 25;
export const INTERNAL_TOKEN = 'switch-check-token';
/** Password of every user of the console. */
export const USER_PASSWORD = 'password-of-the-check';
const EXTENSIONS = ['1001', '1002', '1003', '1004'] as const;
/** Ring time after which the product ends a call, in s. */
export const RING_LIMIT_SECONDS = 6;
const CELL_CONFIG = 'cell-conf';
const RECORD_SPOOL = 'cdr';
const START_TIMEOUT_MS = 60_000;
const REGISTRATION_TIMEOUT_MS = 30_000;
/** Number of RTP ports per switch. */
const RTP_PORTS = 600;
const RTP_FIRST = 20_000;
const RTP_LAST = 58_000;

export interface RigRequest {
  binary: string;
  /** Keeps logs, configuration and recordings in the folder for the analysis of a fault. */
  isKept: boolean;
}

/** Starts everything; `stack` ends it in reverse order and removes its folder unless it is kept. */
export async function startSwitchRig(stack: AsyncDisposableStack, { binary, isKept }: RigRequest): Promise<SwitchRig> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-switch-'));
  if (!isKept) stack.defer(() => rm(folder, { recursive: true, force: true }));
  // The account that runs PostgreSQL must be able to enter.
  await chmod(folder, 0o755);
  const ports = await choosePorts();
  const recordingFolder = join(folder, 'recordings');
  const serverPort = await findFreePort();
  const cell = await createCell({ binary, folder, ports, serverPort, recordingFolder });
  const gatewayFolder = join(folder, CELL_CONFIG, 'sip_profiles/external');
  const carriers = await startCarriers({ gatewayFolder, people: ports.people.sip, cell: ports.cell.carriers });
  stack.defer(() => carriers.close());
  stack.defer(() => cell.close());
  const people = await createPeople({
    binary,
    folder,
    ports: ports.people,
    registrar: { port: ports.cell.phones, domain: DOMAIN },
    phones: EXTENSIONS.map(extension => ({ extension, password: passwordOf(extension) })),
  });
  stack.defer(() => people.process.close());
  const [services] = await Promise.all([startOwnServices(stack, folder), cell.start(), people.process.start()]);
  const runtime = await startCheckRuntime(services.natsUrl, INTERNAL_TOKEN);
  stack.defer(() => runtime.close());
  const wire = await startTcpProxy({ host: '127.0.0.1', port: ports.cell.eventSocket });
  stack.defer(() => wire.close());
  const { server, serverLog } = await createServer({ folder, services, serverPort, wire, recordingFolder });
  stack.defer(() => server.stop());
  const rest = restOf(`http://127.0.0.1:${serverPort}`, INTERNAL_TOKEN);
  const startServer = async () => {
    await startAndWait({ server, serverLog }, serverPort);
    await waitUntil('the switch to be open', async () => !(await isClosed({ cell })), START_TIMEOUT_MS);
  };
  await startServer();
  const agents = await hireAgents(rest, people);
  const lineId = await createLine(rest);
  const phoneSocket = ports.cell.ws;
  const startConsoleServer: SwitchRig['startConsoleServer'] = async (owner, wsServers) => {
    const port = await findFreePort();
    const change = { auth: { enabled: true }, wsServers, instanceId: 'switch-check-console' };
    const another = await createServer({ folder, services, serverPort: port, wire, recordingFolder, change });
    owner.defer(() => another.server.stop());
    await startAndWait(another, port);
    return consoleServerAt(`http://127.0.0.1:${port}`);
  };
  return {
    services,
    folder,
    cell,
    people,
    carriers,
    wire,
    server,
    serverLog,
    startServer,
    rest,
    runtime,
    lineId,
    phoneSocket,
    securePhoneSocket: ports.cell.wss,
    startConsoleServer,
    agents,
    recordingFolder,
    recordSpool: join(folder, RECORD_SPOOL),
    recordUrl: recordUrlOf(serverPort),
  };
}

function recordUrlOf(serverPort: number): string {
  return `http://127.0.0.1:${serverPort}/internal/freeswitch/cdr`;
}

/** Whether the switch refuses inbound calls. */
export async function isClosed({ cell }: Pick<SwitchRig, 'cell'>): Promise<boolean> {
  return (await cell.api('fsctl pause_check inbound')) === 'true';
}

export function passwordOf(extension: string): string {
  return `phone&"<${extension}>`;
}

async function choosePorts() {
  const [eventSocket = 0, phones = 0, ws = 0, wss = 0, carriers = 0, peopleSocket = 0, sip = 0] = await Promise.all(
    Array.from({ length: 7 }, () => findFreePort()),
  );
  const first = randomInt(systemRandom, RTP_FIRST / 2, (RTP_LAST - 2 * RTP_PORTS) / 2) * 2;
  const rtp = (offset: number) => ({ start: first + offset, end: first + offset + RTP_PORTS - 1 });
  const cell: SwitchPorts = { eventSocket, phones, ws, wss, carriers, rtp: rtp(0) };
  return { cell, people: { eventSocket: peopleSocket, sip, rtp: rtp(RTP_PORTS) } };
}

type Ports = Awaited<ReturnType<typeof choosePorts>>;

interface CellRequest {
  binary: string;
  folder: string;
  ports: Ports;
  serverPort: number;
  recordingFolder: string;
}

async function createCell({ binary, folder, ports, serverPort, recordingFolder }: CellRequest): Promise<FreeswitchProcess> {
  const configFolder = join(folder, CELL_CONFIG);
  await writeShippedConfig(configFolder, ports.cell);
  await mkdir(recordingFolder);
  return freeswitchProcess({
    name: 'cell',
    binary,
    configFolder,
    folder,
    port: ports.cell.eventSocket,
    env: {
      CALLOUT_SWITCH_COMMANDERS: '127.0.0.1/32',
      CALLOUT_SWITCH_EXTERNAL_IP: '127.0.0.1',
      CALLOUT_SWITCH_CARRIER: `127.0.0.1:${ports.people.sip}`,
      CALLOUT_SWITCH_DOMAIN: DOMAIN,
      CALLOUT_SWITCH_DIRECTORY_URL: `http://127.0.0.1:${serverPort}/internal/freeswitch/directory`,
      CALLOUT_SWITCH_CDR_URL: recordUrlOf(serverPort),
      CALLOUT_SWITCH_CDR_SPOOL: join(folder, RECORD_SPOOL),
      CALLOUT_SWITCH_DIRECTORY_TOKEN: INTERNAL_TOKEN,
    },
    recordingFolder,
    events: '',
  });
}

async function startOwnServices(stack: AsyncDisposableStack, folder: string): Promise<Services> {
  const dataDir = join(folder, 'services');
  stack.defer(() => removeServiceData(dataDir, 'test'));
  const services = await startServices({ dataDir, profile: 'test', env: { PATH: process.env['PATH'] }, log: () => undefined });
  stack.defer(() => services.stop());
  await migrate(services.databaseUrl);
  return services;
}

interface ServerRequest {
  folder: string;
  services: Services;
  serverPort: number;
  wire: TcpProxy;
  recordingFolder: string;
  /** Settings in which another server differs from the first. */
  change?: { auth: { enabled: boolean }; wsServers: readonly string[]; instanceId: string };
}

const FIRST_SERVER = { auth: { enabled: false }, wsServers: [], instanceId: 'switch-check' };

async function createServer({ folder, services, serverPort, wire, recordingFolder, change = FIRST_SERVER }: ServerRequest) {
  const configFile = join(folder, `${change.instanceId}.json`);
  const config = {
    server: {
      host: '127.0.0.1',
      port: serverPort,
      instanceId: change.instanceId,
      serviceApi: { authToken: INTERNAL_TOKEN },
      drainTimeoutMs: 1_000,
    },
    auth: change.auth,
    database: { url: services.databaseUrl, migrateOnStart: false },
    cache: { url: services.redisUrl },
    bus: { url: services.natsUrl },
    agents: { secretKey: 'c4'.repeat(32), sipRealm: DOMAIN, wsServers: change.wsServers },
    // A short grace for results, because late ones come only where no runtime reports; the breaker is disabled, as some cases refuse
    // numbers.
    dispatch: { resultGraceSeconds: 5, graceMs: 3_000, circuitBreaker: { minimumDials: 10_000, firstPauseSeconds: 2 } },
    businesses: [{ businessCode: BUSINESS, businessName: '真机检查', runtimeBringsFlow: true }],
    cells: [
      {
        id: CELL_ID,
        host: '127.0.0.1',
        port: wire.port,
        password: SWITCH_PASSWORD,
        maxConcurrency: 60,
        maxOriginatesPerSecond: MAX_ORIGINATES_PER_SECOND,
        originateTimeoutSeconds: RING_LIMIT_SECONDS,
        recordingFolder,
      },
    ],
  };
  await writeFile(configFile, JSON.stringify(config));
  const serverLog = join(folder, `${change.instanceId}.log`);
  return {
    server: roleProcess({ program: ['tools/main.ts', 'serve'], env: { CALLOUT_CONFIG: configFile }, logFile: serverLog }),
    serverLog,
  };
}

function consoleServerAt(url: string): ConsoleServer {
  return {
    url,
    async tokenOf(username) {
      const response = await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ username, password: USER_PASSWORD }),
      });
      const { data, msg } = (await response.json()) as { data: { token: string } | null; msg: string };
      if (!data) throw new Error(`the sign-in failed: ${msg}`);
      return data.token;
    },
  };
}

async function startAndWait({ server, serverLog }: { server: RoleProcess; serverLog: string }, port: number): Promise<void> {
  server.start();
  const url = `http://127.0.0.1:${port}`;
  const hasSwitch = async () => {
    if (!server.isRunning()) throw new Error(`the server has ended: ${tailOf(serverLog)}`);
    if (!(await isReady(url))) return false;
    const { data } = (await (await fetch(`${url}/health`)).json()) as { data: { switch: { ok: boolean }[] } };
    return data.switch.every(cell => cell.ok);
  };
  await waitUntil('the server to have its switch', hasSwitch, START_TIMEOUT_MS);
}

/** Creates agents whose phones register with their own passwords, and sets them to idle. */
async function hireAgents(rest: Rest, people: People): Promise<Map<string, number>> {
  const agents = new Map<string, number>();
  for (const extension of EXTENSIONS) {
    const { agent } = await rest('POST', '/api/agents', {
      name: `坐席 ${extension}`,
      phoneExtension: extension,
      sipPassword: passwordOf(extension),
    });
    agents.set(extension, Number(agent.id));
  }
  for (const extension of EXTENSIONS) await people.process.api(`sofia profile people register ${extension}`);
  const isRegistered = async () => {
    const { rows } = await rest('GET', '/api/agents/phone-statuses');
    return rows.every((row: { registrationStatus: string }) => row.registrationStatus === 'registered');
  };
  await waitUntil('the agents’ phones to register', isRegistered, REGISTRATION_TIMEOUT_MS);
  for (const id of agents.values()) await rest('PATCH', `/api/agents/${id}/status`, { status: 'idle' });
  return agents;
}

/** Creates a line through this gateway of the shipped switch. */
export async function createLine(rest: Rest, gateway = 'carrier'): Promise<number> {
  const { line } = await rest('POST', '/api/lines', {
    name: `真机线路 ${gateway}`,
    code: `switch-check-${gateway}`,
    dialStringTemplate: `sofia/gateway/${gateway}/{{destinationNumber}}`,
    maxConcurrency: 50,
    allocationMode: 'single_shared',
    callerIdNumber: '02160000001',
  });
  return Number(line.id);
}
