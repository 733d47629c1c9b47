import type { MonitoringMode } from '#campaigns/campaign.ts';
import { NUMBER_RULE_DEFAULTS } from '#lines/decisions/number-rules.ts';
import type { CallbackFate } from '#campaigns/decisions/callback-rules.ts';
import type { Line } from '#lines/line.ts';
import type { OutcomeRules } from '#outcomes/decisions/outcome-rules.ts';
import { type Dice, dice } from './dice.ts';
import type { Guard } from './guards.ts';
import { drawRules } from './outcome-rules/drawn-rules.ts';
import { drawPackZones, drawPersonRules, type PersonRules } from './person-rules/drawn-rules.ts';
import { drawWaits, type Waits } from './settings.ts';
import { type Fault, FAULTS, RUNTIME_FAULTS } from './weather.ts';

/** Parameters of one run: drawn from its seed, then reduced by the search for the shortest failure. */
export interface Scenario {
  seed: number;
  /** Faults that may occur; all others never do. */
  faults: ReadonlySet<Fault>;
  /** Time at which the faults end and the world must come to rest, ms from the start. */
  stormMs: number;
  instances: number;
  cells: { cellId: string; maxConcurrency: number; maxOriginatesPerSecond: number }[];
  lines: Line[];
  campaigns: CampaignPlan[];
  /** Monitors of live calls, by user id; empty in most runs. */
  monitors: MonitorPlan[];
  waits: Waits;
  batchSize: number;
  /** Whether the switch posts call detail records. */
  hasRecords: boolean;
  /** The removed guard; null = the product as it is. */
  without: Guard | null;
  /** Overrides the rate of a fault, as a factor of its highest rate. */
  boost: Partial<Record<Fault, number>>;
  /** Share of calls in which the customer is promised a callback; 0 in most runs. */
  promises: number;
  persons: PersonRules;
  /** Whether only runtimes fail, so that every effect on customers is theirs. */
  isRuntimeOnly: boolean;
}

export interface CampaignPlan {
  lineIds: number[];
  cellId: string | null;
  maxConcurrency: number;
  maxRetries: number;
  retryIntervalSeconds: number;
  callIntervalMs: number;
  retryUnknown: boolean;
  callbackMissed: CallbackFate;
  callbackAgainMinutes: number;
  callbackMaxMisses: number;
  phoneNumbers: string[];
  /** Zones of the contacts, in order; absent: unknown for all contacts. */
  zones?: (string | null)[];
  workdayStart?: string;
  workdayEnd?: string;
  businessConfig?: { monitoringMode: MonitoringMode };
  /** Absent: the campaign's retries decide. */
  rules?: OutcomeRules;
}

export interface MonitorPlan {
  userId: number;
  capacity: number;
  /** Campaign shown on the monitor's page; null: every campaign. */
  campaignId: number | null;
}

export interface ScenarioOptions {
  faults?: readonly Fault[];
  stormMs?: number;
  instances?: number;
  maxContacts?: number;
  maxCampaigns?: number;
  /** Whether there are monitors and campaigns that depend on them; drawn when absent. */
  isMonitored?: boolean;
  /** Drawn when absent. */
  isRuntimeOnly?: boolean;
  /** Whether customers are promised callbacks; drawn when absent. */
  hasCallbacks?: boolean;
  /** Whether campaigns have hours that begin at another instant for each contact; drawn when absent. */
  hasZones?: boolean;
  /** Whether the caller numbers of lines have caps until the storm is over; drawn when absent. */
  hasCaps?: boolean;
  /** Whether a policy asks for consent; drawn when absent. */
  hasConsent?: boolean;
  /** Whether a rule pack is on; drawn when absent. */
  hasPack?: boolean;
  /** Whether every campaign has outcome rules; drawn for each when absent. */
  hasRules?: boolean;
  without?: Guard | null;
  boost?: Partial<Record<Fault, number>>;
}

const DEFAULT_STORM_MS = 150_000;
const MAX_CONTACTS = 12;
/** Shares of all seeds. */
const MONITORED_SHARE = 0.2;
const RUNTIME_ONLY_SHARE = 0.3;
const RECORDS_SHARE = 0.5;
const ZONES_SHARE = 0.15;
const CAPS_SHARE = 0.2;
const CONSENT_SHARE = 0.3;
const PACK_SHARE = 0.3;
const CALLBACKS_SHARE = 0.35;
/** Share of calls, in runs with callbacks. */
const PROMISES_SHARE = 0.6;
/** Shares of campaigns. */
const RETRY_UNKNOWN_SHARE = 0.3;
const RULES_SHARE = 0.2;

/** Draws a scenario with the shapes that matter: few slots, many contacts, numbers shared between campaigns. */
export function drawScenario(seed: number, options: ScenarioOptions = {}): Scenario {
  const draw = dice(seed, 'scenario');
  const cells = Array.from({ length: draw.between(1, 3) }, (_, index) => drawCell(draw, index + 1));
  const lines = Array.from({ length: draw.between(1, 3) }, (_, index) => drawLine(draw, index + 1));
  const campaignCount = Math.min(draw.between(1, 4), options.maxCampaigns ?? Infinity);
  const contacts = Math.min(MAX_CONTACTS, options.maxContacts ?? MAX_CONTACTS);
  const campaigns = Array.from({ length: campaignCount }, () => drawCampaign(draw, { lines, cells, contacts }));
  // A separate random stream, which leaves the other draws of the seed unchanged.
  const watch = dice(seed, 'monitoring');
  const isMonitored = watch.chance(MONITORED_SHARE);
  const records = dice(seed, 'records');
  for (const campaign of campaigns) campaign.retryUnknown = records.chance(RETRY_UNKNOWN_SHARE);
  const monitors = (options.isMonitored ?? isMonitored) ? drawMonitoring(watch, campaigns) : [];
  const zones = dice(seed, 'zones');
  const isZoned = zones.chance(ZONES_SHARE);
  if (options.hasZones ?? isZoned) for (const campaign of campaigns) drawZones(zones, campaign);
  const caps = dice(seed, 'caps');
  const isCapped = caps.chance(CAPS_SHARE);
  if (options.hasCaps ?? isCapped)
    for (const line of lines) line.numberRules = { ...NUMBER_RULE_DEFAULTS, hourlyCap: caps.between(2, 8), dailyCap: caps.between(4, 10) };
  const rules = dice(seed, 'outcome rules');
  for (const campaign of campaigns) {
    const isRuled = rules.chance(RULES_SHARE);
    if (options.hasRules ?? isRuled) campaign.rules = drawRules(rules);
  }
  const callbacks = dice(seed, 'callbacks');
  const isPromising = callbacks.chance(CALLBACKS_SHARE);
  for (const campaign of campaigns) drawMissedCallbacks(callbacks, campaign);
  const drawn = dice(seed, 'runtimes').chance(RUNTIME_ONLY_SHARE);
  const isRuntimeOnly = options.isRuntimeOnly ?? (options.faults === undefined && (options.without ?? null) === null && drawn);
  return {
    seed,
    faults: new Set(options.faults ?? (isRuntimeOnly ? RUNTIME_FAULTS : FAULTS)),
    promises: (options.hasCallbacks ?? isPromising) ? PROMISES_SHARE : 0,
    persons: drawPersons(seed, campaigns, options),
    isRuntimeOnly,
    stormMs: options.stormMs ?? DEFAULT_STORM_MS,
    instances: options.instances ?? draw.between(2, 4),
    cells,
    lines,
    campaigns,
    monitors,
    waits: drawWaits(draw),
    batchSize: draw.between(1, 6),
    hasRecords: records.chance(RECORDS_SHARE),
    without: options.without ?? null,
    boost: options.boost ?? {},
  };
}

/** A pack brings zones, so that its hours are over for some contacts. */
function drawPersons(seed: number, campaigns: readonly CampaignPlan[], options: ScenarioOptions): PersonRules {
  const persons = dice(seed, 'rules for persons');
  const [isConsented, isPacked] = [persons.chance(CONSENT_SHARE), persons.chance(PACK_SHARE)];
  const has = { consent: options.hasConsent ?? isConsented, pack: options.hasPack ?? isPacked };
  if (has.pack) for (const campaign of campaigns) campaign.zones ??= drawPackZones(persons, campaign.phoneNumbers);
  const numbers = distinct(campaigns.flatMap(({ phoneNumbers }) => phoneNumbers));
  return drawPersonRules(persons, numbers, has);
}

/** A missed callback is called again within the run, or given up. */
function drawMissedCallbacks(draw: Dice, campaign: CampaignPlan): void {
  campaign.callbackMissed = draw.pick(['again', 'again', 'anybody', 'give_up'] as const);
  campaign.callbackMaxMisses = draw.between(1, 3);
}

/** A run begins at 10:00 in Shanghai and 11:00 in Tokyo: the hours are open in Tokyo from the start, in Shanghai a minute later. */
function drawZones(draw: Dice, campaign: CampaignPlan): void {
  campaign.workdayStart = '10:01';
  campaign.workdayEnd = '10:00';
  campaign.zones = campaign.phoneNumbers.map(() =>
    draw.pick([null, 'Asia/Shanghai', 'Asia/Tokyo', 'Asia/Tokyo', 'Asia/Shanghai Asia/Tokyo']),
  );
}

function drawCell(draw: Dice, id: number) {
  return { cellId: `cell-${id}`, maxConcurrency: draw.pick([0, 2, 3, 5]), maxOriginatesPerSecond: draw.pick([3, 30]) };
}

function drawLine(draw: Dice, id: number): Line {
  const allocationMode = draw.pick(['single_shared', 'number_pool', 'bound_numbers'] as const);
  const numbers = Array.from({ length: allocationMode === 'single_shared' ? 0 : draw.between(1, 4) }, (_, index) => ({
    id: id * 10 + index,
    number: `0216666${id}${index}`,
    weight: draw.between(1, 3),
    maxConcurrency: allocationMode === 'bound_numbers' ? 1 : draw.between(1, 2),
    isEnabled: true,
    hourlyCap: null,
    dailyCap: null,
    restingUntil: null,
  }));
  return {
    id,
    name: `line ${id}`,
    code: `line-${id}`,
    dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
    callerIdNumber: `0218888000${id}`,
    callerIdName: null,
    maxConcurrency: draw.between(1, 4),
    allocationMode,
    callerIdHeaderMode: 'caller_id_only',
    numberFormat: 'national',
    localPrefixes: '',
    numberRules: NUMBER_RULE_DEFAULTS,
    isEnabled: true,
    description: '',
    numbers,
    createdAt: 0,
    updatedAt: 0,
  };
}

/** Draws few monitors and makes most campaigns depend on them. */
function drawMonitoring(draw: Dice, campaigns: readonly CampaignPlan[]): MonitorPlan[] {
  for (const campaign of campaigns)
    campaign.businessConfig = { monitoringMode: draw.pick(['strict', 'strict', 'strict', 'elastic'] as const) };
  return Array.from({ length: draw.between(1, 3) }, (_, index) => ({
    userId: index + 1,
    capacity: draw.between(1, 3),
    campaignId: draw.chance(0.3) ? draw.between(1, campaigns.length) : null,
  }));
}

function drawCampaign(draw: Dice, { lines, cells, contacts }: Pick<Scenario, 'lines' | 'cells'> & { contacts: number }): CampaignPlan {
  const lineIds = lines.map(line => line.id).filter(() => draw.chance(0.6));
  return {
    lineIds: lineIds.length > 0 ? lineIds : [draw.pick(lines).id],
    cellId: draw.chance(0.3) ? draw.pick(cells).cellId : null,
    maxConcurrency: draw.between(1, 4),
    maxRetries: draw.between(0, 2),
    retryIntervalSeconds: draw.pick([0, 1, 5, 20]),
    callIntervalMs: draw.pick([0, 0, 0, 300, 2_000]),
    retryUnknown: false,
    callbackMissed: 'again',
    callbackAgainMinutes: 1,
    callbackMaxMisses: 3,
    // Numbers from a small range, so that some occur in several campaigns.
    phoneNumbers: distinct(
      Array.from({ length: draw.between(2, contacts) }, () => `1390000${String(draw.between(0, 40)).padStart(4, '0')}`),
    ),
  };
}

function distinct(items: readonly string[]): string[] {
  return [...new Set(items)];
}
