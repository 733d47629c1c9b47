import { systemClock } from '#kernel/clock.ts';
import type { Command } from '#platform/process.ts';
import { buildConsole } from '../commands/build-console.ts';
import { takeFolder } from '../services/run-lock.ts';
import { StartFailure } from '../services/service.ts';
import { STATE_FOLDER } from '../commands/project.ts';
import { explainFailure } from '../commands/with-services.ts';
import { DEMO } from './demo.ts';
import { installSpeech } from './install-speech.ts';
import { type Interruption, listenForInterruption } from './interruption.ts';
import { type SimulatedMonitors, startMonitors } from './monitors.ts';
import { parseStartOptions, type StartOptions } from './options.ts';
import { startProduct } from './product.ts';
import { logIn, type RestClient, RestFailure } from './rest-client.ts';
import { seedAgents } from './seed-agents.ts';
import { seedDemo } from './seed.ts';
import type { Snapshot } from './snapshot.ts';
import { forgetData, openState } from './state.ts';
import { type Supervisor, supervise } from './supervisor.ts';
import { type Access, campaignLines } from './table.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { watchCampaign } from './watch-campaign.ts';
import { WORDS } from './words.ts';

const EXIT_USAGE = 64;
const UNAUTHORIZED = 401;

/** `npm start`: runs the whole product on this machine and shows it at work, until Ctrl-C or `--duration`. */
export const start: Command = async args => {
  const options = readOptions(args);
  if (options === null) return EXIT_USAGE;
  if (options.help) {
    process.stdout.write(WORDS.help);
    return 0;
  }
  return explainFailure(() => runProduct(options));
};

function readOptions(args: readonly string[]): StartOptions | null {
  try {
    return parseStartOptions(args);
  } catch (error) {
    process.stderr.write(`callout: ${error instanceof Error ? error.message : String(error)}\n\n${WORDS.help}`);
    return null;
  }
}

interface Run {
  options: StartOptions;
  terminal: Terminal;
  supervisor: Supervisor;
  startedAt: number;
  print: (line: string) => void;
  /** The last snapshot. */
  latest: Snapshot | null;
  monitors: SimulatedMonitors | null;
}

async function runProduct(options: StartOptions): Promise<number> {
  const interruption = listenForInterruption(systemClock);
  const release = await takeFolder(STATE_FOLDER);
  const startedAt = systemClock.monotonic();
  const terminal = openTerminal(process.stdout, options.plain);
  const seconds = () => ((systemClock.monotonic() - startedAt) / 1000).toFixed(1).padStart(5);
  const print = (line: string) => terminal.print(`[${seconds()} s] ${line.replace(/^callout: /, '')}`);
  const run: Run = { options, terminal, supervisor: supervise(), startedAt, print, latest: null, monitors: null };
  try {
    await Promise.race([work(run, interruption), interruption.asked]);
    return 0;
  } finally {
    await stop(run, interruption);
    await release();
  }
}

async function work(run: Run, interruption: Interruption): Promise<void> {
  const { options, supervisor, print } = run;
  if (options.fresh) await forgetData();
  const state = await openState();
  // Builds in parallel to everything else: the server finds the console when it is ready.
  const console = buildConsole(print);
  const access = await startProduct({ supervisor, state, env: process.env, monitors: options.monitors, print });
  const failure = supervisor.watch();
  const client = await Promise.race([failure, enter(access)]);
  await Promise.race([failure, installSpeech(process.env, print)]);
  // Start dialling only when there is a page on which to watch it.
  if ((await Promise.race([failure, console])) !== 0) print(WORDS.noConsole);
  const campaignId = await Promise.race([failure, seedDemo(client, print, options.monitors > 0)]);
  await Promise.race([failure, seedAgents(client, { password: state.agentPassword }, print)]);
  print(WORDS.ready(access.url, access.username, access.password));
  print(WORDS.agentPhones(access.phones, DEMO.agents.map(({ username }) => username).join(', '), state.agentPassword));
  if (options.monitors > 0) {
    const { monitors: count } = options;
    run.monitors = startMonitors({
      url: access.url,
      admin: client,
      campaignId,
      count,
      clock: systemClock,
      secret: state.adminPassword,
      print,
    });
  }
  await Promise.race([failure, show(run, client, campaignId, access, interruption)]);
}

async function enter(access: Access): Promise<RestClient> {
  try {
    return await logIn(access.url, access.username, access.password);
  } catch (error) {
    if (!(error instanceof RestFailure && error.status === UNAUTHORIZED)) throw error;
    throw new StartFailure(
      `callout: the database has another password for ${access.username}: give it as CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD`,
      EXIT_USAGE,
    );
  }
}

function show(run: Run, client: RestClient, campaignId: number, access: Access, interruption: Interruption): Promise<void> {
  const { durationSeconds } = run.options;
  const end = new AbortController();
  if (durationSeconds !== null) systemClock.schedule(durationSeconds * 1000, () => end.abort());
  void interruption.asked.then(() => end.abort());
  const { terminal, startedAt, monitors } = run;
  const onSnapshot = (snapshot: Snapshot) => {
    run.latest = snapshot;
  };
  return watchCampaign({ client, campaignId, access, terminal, startedAt, signal: end.signal, onSnapshot, monitors });
}

/** Stops in reverse order; a second Ctrl-C does not wait for live calls. */
async function stop({ supervisor, print, latest, monitors }: Run, interruption: Interruption): Promise<void> {
  if (latest) for (const line of [WORDS.summary(latest.attempts), ...campaignLines(latest, WORDS)]) print(line);
  // Monitors cannot work on a draining server; they leave while it still answers.
  await Promise.race([monitors?.stop(), interruption.forced]);
  print(WORDS.stopping);
  const stopped = supervisor.stop();
  await Promise.race([stopped, interruption.forced.then(() => supervisor.kill())]);
  await stopped;
  print(WORDS.stopped);
}
