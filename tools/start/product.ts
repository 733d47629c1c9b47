import { PHONE_DIRECTORY_PATH } from '#agents/phone-directory-page.ts';
import { SERVER_MEMORY } from '../commands/project.ts';
import { answers } from '../services/answers.ts';
import type { PrintLine } from '../services/service.ts';
import { serviceEnvironment, type Services, startServices } from '../services/start-services.ts';
import type { Child } from './child.ts';
import { DEMO } from './demo.ts';
import { choosePort } from './ports.ts';
import { phoneAddress, type RunState, writeServerConfig } from './state.ts';
import type { Ending, Supervisor } from './supervisor.ts';
import type { Access } from './table.ts';
import { WORDS } from './words.ts';

const LOOPBACK = '127.0.0.1';
/** Timeout of one health check, in ms. */
const HEALTH_TIMEOUT_MS = 2_000;
/**
 * Dialling stops when a stop begins, but the runtime still accepts calls for the longest ring time, in ms, so that customers who answer
 * late hear someone.
 */
const LAST_RINGS_MS = Number(DEMO.world.ringMs.split('-')[1]);
/** The runtime gives its live calls 10 s, while the server accepts their results; the rest is for closing connections. */
const DRAINING = { timeoutMs: 15_000 + LAST_RINGS_MS } as const;
const AT_ONCE: Ending = { timeoutMs: 5_000 };

interface Ground {
  supervisor: Supervisor;
  state: RunState;
  env: NodeJS.ProcessEnv;
  /** Phones of simulated monitors. */
  monitors: number;
  print: PrintLine;
}

/** Starts everything in the order of its dependencies; resolves when the server and the NLU service answer. */
export async function startProduct(ground: Ground): Promise<Access> {
  const { supervisor, state, env, print } = ground;
  const places = await choosePlaces(ground);
  const access: Access = {
    url: addressOf(places.host, places.port),
    username: env['CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME'] || 'admin',
    password: env['CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD'] || state.adminPassword,
    phones: phoneAddress(places.phonePort),
  };
  // These need no service: they start while the services do.
  const simulator = startSwitch(ground, places);
  const nlu = startNlu(ground, places);
  const services = await startServices({ dataDir: state.servicesFolder, profile: 'durable', env, log: print });
  await supervisor.defer(() => services.stop());
  startRuntime(ground, places, services);
  await supervisor.whenReady(simulator, () => answers(LOOPBACK, places.switchPort, '', /auth\/request/));
  await writeServerConfig(state, places);
  const server = startServer(ground, places, services, access);
  await supervisor.whenReady(server, () => isHealthy(`${access.url}/health/ready`));
  print(WORDS.serverAnswers);
  await supervisor.whenReady(nlu, () => isHealthy(`${places.nluUrl}/health`));
  print(WORDS.nluAnswers);
  return access;
}

/** Address of the server on this machine. */
function addressOf(host: string, port: number): string {
  return `http://${host === '0.0.0.0' ? LOOPBACK : host}:${port}`;
}

interface Places {
  host: string;
  port: number;
  switchPort: number;
  /** Port of SIP over WebSocket, for agents' browsers. */
  phonePort: number;
  nluPort: number;
  nluUrl: string;
}

async function choosePlaces({ env, print }: Ground): Promise<Places> {
  const host = env['CALLOUT_HOST'] || LOOPBACK;
  const switchPort = await choosePort({ what: 'the switch', host: LOOPBACK, preferred: 8021, env }, print);
  const phonePort = await choosePort({ what: "the switch for agents' browser phones", host: LOOPBACK, preferred: 5066, env }, print);
  const port = await choosePort({ what: 'the server', host, preferred: 9920, variable: 'CALLOUT_PORT', env }, print);
  const nluPort = await choosePort({ what: 'the NLU service', host: LOOPBACK, preferred: 9930, variable: 'CALLOUT_NLU_PORT', env }, print);
  return { host, port, switchPort, phonePort, nluPort, nluUrl: `http://${LOOPBACK}:${nluPort}` };
}

function startSwitch({ supervisor, state, env, monitors }: Ground, { host, port, switchPort, phonePort }: Places): Child {
  const args = [
    '--port',
    String(switchPort),
    '--browser-phones',
    String(phonePort),
    '--directory',
    `${addressOf(host, port)}${PHONE_DIRECTORY_PATH}`,
    '--ring-ms',
    DEMO.world.ringMs,
    '--talk-ms',
    DEMO.world.talkMs,
    '--impatient-rate',
    DEMO.world.impatientRate,
    '--phones',
    String(DEMO.agents.length + monitors),
    ...(state.recordingFolder === null ? [] : ['--recordings', state.recordingFolder]),
  ];
  const secrets = { CALLOUT_SWITCH_PASSWORD: state.switchPassword, CALLOUT_INTERNAL_TOKEN: state.internalToken };
  return supervisor.start({ role: 'switch', args, env: { ...env, ...secrets }, logFolder: state.logFolder }, AT_ONCE);
}

function startNlu({ supervisor, state, env }: Ground, { nluPort }: Places): Child {
  const settings = { CALLOUT_NLU_HOST: LOOPBACK, CALLOUT_NLU_PORT: String(nluPort), CALLOUT_NLU_TOKEN: state.nluToken };
  return supervisor.start({ role: 'nlu', env: { ...env, ...settings }, logFolder: state.logFolder }, AT_ONCE);
}

function startRuntime({ supervisor, state, env }: Ground, { nluUrl, switchPort }: Places, { natsUrl }: Services): Child {
  const settings = {
    CALLOUT_NATS_URL: natsUrl,
    CALLOUT_NLU_URL: nluUrl,
    CALLOUT_NLU_TOKEN: state.nluToken,
    CALLOUT_INTERNAL_TOKEN: state.internalToken,
    CALLOUT_RUNTIME_SPEED: DEMO.world.speed,
    CALLOUT_RUNTIME_RECORDINGS: state.recordingFolder ?? '',
    CALLOUT_RUNTIME_VOICE: `${LOOPBACK}:${switchPort}`,
    CALLOUT_SWITCH_PASSWORD: state.switchPassword,
  };
  return supervisor.start(
    { role: 'runtime', env: { ...env, ...settings }, logFolder: state.logFolder },
    { ...DRAINING, drainsAfterMs: LAST_RINGS_MS },
  );
}

function startServer({ supervisor, state, env }: Ground, places: Places, services: Services, access: Access): Child {
  const settings = {
    CALLOUT_CONFIG: state.configFile,
    CALLOUT_HOST: places.host,
    CALLOUT_PORT: String(places.port),
    CALLOUT_NLU_URL: places.nluUrl,
    CALLOUT_NLU_TOKEN: state.nluToken,
    CALLOUT_INTERNAL_TOKEN: state.internalToken,
    CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME: access.username,
    CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD: access.password,
  };
  const request = {
    role: 'serve',
    env: { ...env, ...SERVER_MEMORY, ...serviceEnvironment(services), ...settings },
    logFolder: state.logFolder,
  };
  return supervisor.start(request, { ...DRAINING, drainsAfterMs: 0 });
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })).ok;
  } catch {
    // It does not listen yet.
    return false;
  }
}
