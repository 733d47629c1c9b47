import { waitUntil } from '#test/support/wait-until.ts';
import { HALF_DEAD, NO_OPTIONS, REFUSING, SILENT } from '../carriers.ts';
import { customerNumber } from '../people.ts';
import { expectAtMost, expectEqual, type Report } from '../report.ts';
import { createLine, type SwitchRig } from '../switch-rig.ts';
import { attemptsOf, hangUpAll, settled, startCampaign, stopCampaign } from './campaign.ts';

const AREA = 'carriers';
/** Consecutive calls without a response after which a line counts as dead (D7.1). */
const SILENT_CALLS = 5;
const CONTACTS = 12;
/** A gateway is pinged every 10 s, and SIP waits 32 s for a response. In ms. */
const FOUND_LIMIT_MS = 60_000;
const ALERT_LIMIT_MS = 40_000;
const LIMIT_MS = 100_000;

/** Carriers that are silent, refuse, or reach only half of the customers. */
export async function checkCarriers(rig: SwitchRig, report: Report): Promise<void> {
  const check = (name: string, work: () => Promise<string>) =>
    report.check(AREA, name, work, { limitMs: LIMIT_MS, after: () => hangUpAll(rig) });
  await check('silent: costs no contact an attempt, and the line is named', () => isNamed(rig, SILENT, 1_100));
  await check('refusing: costs no contact an attempt, and the line is named', () => isNamed(rig, REFUSING, 1_300));
  await check('half-dead: a ringing phone is a customer, silence costs no attempt', () => halfDead(rig));
  await check('pings find the dead ones, and spare one without support for OPTIONS', () => pinged(rig));
}

const numbers = (first: number) =>
  Array.from({ length: CONTACTS }, (_, index) => customerNumber({ tone: first + index * 10, ringSeconds: 1 }));

async function isNamed(rig: SwitchRig, gateway: string, tone: number): Promise<string> {
  const lineId = await createLine(rig.rest, gateway);
  const campaignId = await startCampaign(rig, numbers(tone), { lineIds: [lineId], maxConcurrency: 3 });
  const event = await waitUntil('the alert', () => alertOf(rig, campaignId), ALERT_LIMIT_MS);
  expectEqual('line and gateway in it', [event.message.includes(gateway), event.title.includes(gateway)], [true, true]);
  const dials = (await attemptsOf(rig, campaignId)).length;
  // Calls in progress when the fifth was silent.
  expectAtMost('dials until then', dials, SILENT_CALLS + 3);
  await stopCampaign(rig, campaignId);
  // Calls in progress end by themselves; claims that the pause gave back are no dials.
  await settled(rig, campaignId, 1);
  const used = await contactsOf(rig, campaignId);
  expectEqual(
    'contacts that it has cost something',
    used.filter(contact => !isAsBefore(contact)),
    [],
  );
  return `named after ${dials} dials, all ${CONTACTS} contacts as before`;
}

async function halfDead(rig: SwitchRig): Promise<string> {
  const lineId = await createLine(rig.rest, HALF_DEAD);
  const called = Array.from({ length: 6 }, (_, index) => customerNumber({ tone: 1_500 + index * 10, ringSeconds: 1, talkSeconds: 1 }));
  const swallowed = called.filter((_, index) => index % 2 === 0);
  for (const number of swallowed) rig.carriers.swallowed.add(number);
  const campaignId = await startCampaign(rig, called, { lineIds: [lineId], maxConcurrency: 1, retryIntervalSeconds: 3_600 });
  const attempts = await settled(rig, campaignId, called.length, LIMIT_MS);
  const reached = attempts.filter(({ callStatus }) => callStatus === 'completed').map(({ phoneNumber }) => phoneNumber);
  expectEqual('reached', [...new Set(reached)].sort(), called.filter(number => !swallowed.includes(number)).sort());
  expectEqual('alerts', await alertOf(rig, campaignId), null);
  const unreached = (await contactsOf(rig, campaignId)).filter(({ phoneNumber }) => swallowed.includes(phoneNumber));
  expectEqual(
    'those who were never rung, and it has cost something',
    unreached.filter(contact => !isAsBefore(contact)),
    [],
  );
  await stopCampaign(rig, campaignId);
  return `${reached.length} reached, ${unreached.length} left as before, no alert`;
}

async function pinged(rig: SwitchRig): Promise<string> {
  const statusOf = async (gateway: string) => /^Status\s+(\w+)/m.exec(await rig.cell.api(`sofia status gateway ${gateway}`))?.[1];
  for (const gateway of [SILENT, REFUSING])
    await waitUntil(`${gateway} to be down`, async () => (await statusOf(gateway)) === 'DOWN', FOUND_LIMIT_MS);
  const alive = await Promise.all(['carrier', HALF_DEAD, NO_OPTIONS].map(statusOf));
  expectEqual('the others', alive, ['UP', 'UP', 'UP']);
  return `silent and refusing are down; ${rig.carriers.noOptionsStatus} to OPTIONS stays up`;
}

interface Alert {
  title: string;
  message: string;
}

async function alertOf({ rest }: SwitchRig, campaignId: number): Promise<Alert | null> {
  const query = `query($id: ID!) { runtimeEvents(filter: { campaignId: $id, type: "line.silent" }, first: 5) { edges { node { title message } } } }`;
  const { runtimeEvents } = await rest('POST', '/graphql', { query, variables: { id: String(campaignId) } });
  return runtimeEvents.edges[0]?.node ?? null;
}

interface ContactRow {
  phoneNumber: string;
  status: string;
  attempts: number;
  retryAt: string | null;
}

/** Whether the contact will be called again, without a counted attempt. */
function isAsBefore({ status, attempts, retryAt }: ContactRow): boolean {
  return attempts === 0 && (status === 'pending' || retryAt !== null);
}

async function contactsOf({ rest }: SwitchRig, campaignId: number): Promise<ContactRow[]> {
  const { rows } = await rest('GET', `/api/campaigns/${campaignId}/contacts?pageSize=200`);
  return rows.map(({ phoneNumber, status, attemptCount, retryAt }: Omit<ContactRow, 'attempts'> & { attemptCount: number }) => ({
    phoneNumber,
    status,
    attempts: attemptCount,
    retryAt,
  }));
}
