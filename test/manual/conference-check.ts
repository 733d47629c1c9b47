import { parseArgs } from 'node:util';
import { connectSwitch } from '#adapters/freeswitch/freeswitch.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { systemRandom } from '#kernel/random.ts';
import type { OriginateCommand, SwitchEvent } from '#ports/switch.ts';

const PATIENCE_MS = 60_000;
const ASIDE_MS = 2_000;
const CELL = 'manual';

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '8021' },
    password: { type: 'string', default: 'ClueCon' },
    template: { type: 'string', default: 'sofia/external/{{destinationNumber}}@127.0.0.1:5090' },
    'agent-template': { type: 'string' },
    customer: { type: 'string', default: '13800000005' },
    agent: { type: 'string', default: '13800000105' },
    profile: { type: 'string', default: 'default' },
  },
});

const events: SwitchEvent[] = [];
const port = connectSwitch({
  cells: [
    {
      id: CELL,
      host: values.host,
      port: Number(values.port),
      password: values.password,
      maxConcurrency: 0,
      maxOriginatesPerSecond: 10,
      originateTimeoutSeconds: 30,
      isEnabled: true,
    },
  ],
  clock: systemClock,
  random: systemRandom,
  log: silentLog,
});
port.subscribe(event => events.push(event));

const place = { name: `callout-${systemIds()}`, profile: values.profile };
let failures = 0;

async function step<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    const result = await work();
    process.stdout.write(`ok      ${what}\n`);
    return result;
  } catch (error) {
    failures += 1;
    process.stdout.write(`failed  ${what}: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = systemClock.monotonic() + PATIENCE_MS;
  while (!condition()) {
    if (systemClock.monotonic() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
    await sleep(systemClock, 50);
  }
}

function leg(destinationNumber: string, change: Partial<OriginateCommand> = {}): OriginateCommand {
  return {
    cellId: CELL,
    requestId: systemIds(),
    dialStringTemplate: values.template,
    destinationNumber,
    callerIdNumber: null,
    callerIdName: null,
    callerIdHeaderMode: 'caller_id_only',
    timeoutSeconds: 30,
    variables: {},
    sendBefore: systemClock.monotonic() + 10_000,
    ...change,
  };
}

const expectIs = (found: unknown, wanted: unknown) => {
  if (found !== wanted) throw new Error(`expected ${String(wanted)}, found ${String(found)}`);
};
const heard = (kind: SwitchEvent['kind'], uuid: string) => () =>
  events.some(event => event.kind === kind && 'requestId' in event && event.requestId === uuid);
const member = async (uuid: string) => {
  const found = (await port.conferences.members(CELL, place.name))?.find(each => each.channelUuid === uuid);
  if (!found) throw new Error('no such member');
  return found;
};

await step('the Event Socket answers', () => until('cell_up', () => events.some(event => event.kind === 'cell_up')));
const customer = leg(values.customer);
await step('the customer is called and answers', async () => {
  expectIs((await port.originate(customer)).kind, 'accepted');
  await until('the answer', heard('answered', customer.requestId));
});
await step('the customer is sent into the conference', async () =>
  expectIs(await port.conferences.join(CELL, customer.requestId, place), 'moved'),
);
const agent = leg(values.agent, { dialStringTemplate: values['agent-template'] ?? values.template, conference: place });
await step('the agent is called into the conference', async () => {
  expectIs((await port.originate(agent)).kind, 'accepted');
  await until('two members', () => events.some(event => event.kind === 'conference' && event.action === 'joined' && event.size === 2));
});
await step('json_list names both', async () => expectIs((await port.conferences.members(CELL, place.name))?.length, 2));
await step('the customer is put aside and brought back', async () => {
  const { memberId } = await member(customer.requestId);
  for (const action of ['mute', 'deaf'] as const) expectIs(await port.conferences.change(CELL, place.name, memberId, action), 'done');
  expectIs((await member(customer.requestId)).canSpeak, false);
  await sleep(systemClock, ASIDE_MS);
  for (const action of ['unmute', 'undeaf'] as const) expectIs(await port.conferences.change(CELL, place.name, memberId, action), 'done');
  expectIs((await member(customer.requestId)).canSpeak, true);
});
await step('digits are sent', async () => expectIs(await port.conferences.sendDigits(CELL, customer.requestId, '12#'), 'done'));
await step('a recording begins and ends', async () => {
  expectIs(await port.conferences.record(CELL, place.name, `${place.name}.wav`), 'done');
  expectIs(await port.conferences.record(CELL, place.name, null), 'done');
});
await step('the customer hangs up; the agent is kicked; the room is gone', async () => {
  await port.hangup(CELL, customer.requestId, 'NORMAL_CLEARING');
  await until('the end', heard('hung_up', customer.requestId));
  const { memberId } = await member(agent.requestId);
  expectIs(await port.conferences.change(CELL, place.name, memberId, 'kick'), 'done');
  await until('the end of the agent', heard('hung_up', agent.requestId));
  await until('conference-destroy', () => events.some(event => event.kind === 'conference' && event.action === 'destroyed'));
  expectIs(await port.conferences.members(CELL, place.name), null);
});
await port.close();
process.stdout.write(failures === 0 ? 'everything held\n' : `${failures} steps failed\n`);
process.exitCode = failures === 0 ? 0 : 1;
