import { isCalloutError } from '#kernel/errors.ts';
import { NUMBER_RULE_DEFAULTS } from '#lines/decisions/number-rules.ts';
import type { Policy } from '#policies/policy.ts';
import type { JsonObject } from '#kernel/json.ts';
import { isDrained } from '../support/stores/dial-plans.ts';
import { isOpen } from '../support/stores/dial-tables.ts';
import type { Checks } from './checks.ts';
import type { Dice } from './dice.ts';
import { policiesWritten, releaseHolds, type RuleEdits } from './rule-edits.ts';
import type { Timeline } from './timeline.ts';
import type { Fault, Weather } from './weather.ts';

/** User actions on a server; each rejects when there is no response or the server refuses. */
export interface PeopleRig {
  startCampaign(campaignId: number): Promise<unknown>;
  pauseCampaign(campaignId: number): Promise<unknown>;
  dispatch(campaignId: number, limit: number): Promise<unknown>;
  cancelBatch(campaignId: number, batchId: number): Promise<unknown>;
  pauseContact(campaignId: number, contactId: number): Promise<unknown>;
  wake(campaignId: number | null): void;
}

export interface PeopleOptions extends RuleEdits {
  timeline: Timeline;
  dice: Dice;
  weather: Weather;
  checks: Checks;
  rig: PeopleRig;
  stormMs: number;
}

/** Longest pause between two actions of one kind at the highest rate, ms. */
const PACE_MS = 12_000;
const REPEAT_MS = 2_000;
const LOOK_MS = 10_000;

/** The users of the product: they edit policies and the do-not-call list, pause, start, dispatch manually and reset contacts. */
export class People {
  readonly #options: PeopleOptions;
  #nextPolicy = 1;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  start(): void {
    for (const campaignId of this.#options.tables.campaigns.keys()) this.#keepRunning(campaignId);
    this.#act('policy_edit', () => this.#editPolicies());
    this.#act('do_not_call', () => this.#editDoNotCall());
    this.#act('campaign_pause', () => this.#pause());
    this.#act('contact_reset', () => this.#putContactBack());
    this.#act('manual_dispatch', () => this.#dispatch());
    this.#act('contact_pause', () => this.#pauseContact());
    this.#act('line_edit', () => this.#disableLine());
  }

  /** Cleans up after the storm: removes all policies and starts every campaign once more. */
  tidyUp(): void {
    const { tables } = this.#options;
    if (tables.policies.size > 0) {
      tables.policies.clear();
      policiesWritten(this.#options);
    }
    this.#liftCaps();
    this.#lookAfter();
  }

  /** A number that has made its dials would wait for an hour. */
  #liftCaps(): void {
    const { tables, rig } = this.#options;
    const capped = [...tables.lines.values()].filter(({ numberRules }) => numberRules.hourlyCap !== null);
    for (const line of capped) tables.lines.set(line.id, { ...line, numberRules: NUMBER_RULE_DEFAULTS });
    if (capped.length > 0) rig.wake(null);
  }

  /** Restarts campaigns with work left, because a request from the storm may pause one after it. */
  #lookAfter(): void {
    const { tables, timeline } = this.#options;
    for (const { id, status } of tables.campaigns.values()) if (status !== 'running' && !isDrained(tables, id)) this.#keepRunning(id);
    timeline.after(LOOK_MS, () => this.#lookAfter());
  }

  #act(fault: Fault, act: () => void): void {
    const { timeline, dice, weather } = this.#options;
    const rate = weather.of(fault);
    if (rate === 0) return;
    timeline.after(dice.between(500, Math.round(PACE_MS / rate)), () => {
      if (!weather.isActive) return;
      act();
      this.#act(fault, act);
    });
  }

  /** Requests a start until the campaign runs or has nothing to do. */
  #keepRunning(campaignId: number): void {
    const { rig, timeline, journal } = this.#options;
    rig.startCampaign(campaignId).then(
      () => journal.write(() => `people started campaign ${campaignId}`),
      (error: unknown) => {
        if (isCalloutError(error) && !error.retryable) return;
        timeline.after(REPEAT_MS, () => this.#keepRunning(campaignId));
      },
    );
  }

  #pause(): void {
    const { dice, rig, tables, timeline, journal } = this.#options;
    const campaignId = dice.pick([...tables.campaigns.keys()]);
    rig.pauseCampaign(campaignId).then(
      () => journal.write(() => `people paused campaign ${campaignId}`),
      (error: unknown) => journal.write(() => `pausing campaign ${campaignId}: ${String(error)}`),
    );
    timeline.after(dice.between(1_000, 30_000), () => this.#keepRunning(campaignId));
  }

  /** Pauses a contact, mostly a claimed one that waits to be dialled. */
  #pauseContact(): void {
    const { dice, rig, tables, timeline, journal } = this.#options;
    const claimed = [...tables.open].filter(({ status }) => status === 'claimed').map(({ contactId }) => contactId);
    const contactId = claimed.length > 0 && dice.chance(0.8) ? dice.pick(claimed) : dice.pick([...tables.contacts.keys()]);
    const campaignId = tables.contacts.get(contactId)?.campaignId ?? 0;
    rig.pauseContact(campaignId, contactId).then(
      () => journal.write(() => `people paused contact ${contactId}`),
      (error: unknown) => journal.write(() => `pausing contact ${contactId}: ${String(error)}`),
    );
    timeline.after(dice.between(1_000, 20_000), () => this.#resumeContact(contactId));
  }

  #disableLine(): void {
    const { dice, tables, timeline } = this.#options;
    const lineId = dice.pick([...tables.lines.keys()]);
    this.#setLine(lineId, false);
    timeline.after(dice.between(1_000, 15_000), () => this.#setLine(lineId, true));
  }

  #setLine(lineId: number, isEnabled: boolean): void {
    const { tables, history, rig, journal } = this.#options;
    const line = tables.lines.get(lineId);
    if (line === undefined || line.isEnabled === isEnabled) return;
    tables.lines.set(lineId, { ...line, isEnabled });
    history.lineDisabled(lineId, !isEnabled);
    journal.write(() => `people ${isEnabled ? 'enable' : 'disable'} line ${lineId}`);
    rig.wake(null);
  }

  /** Resumes a contact, like PATCH with `pending` (D6.2). */
  #resumeContact(contactId: number): void {
    const { tables, checks, history, rig, journal } = this.#options;
    const contact = tables.contacts.get(contactId);
    if (contact?.status !== 'paused') return;
    journal.write(() => `people let contact ${contactId} go on`);
    Object.assign(contact, { status: 'pending', retryAt: null, holdReason: null, holdUntil: null });
    checks.byHand.add(contact.id);
    history.contactPaused(contactId, false);
    rig.wake(contact.campaignId);
  }

  #dispatch(): void {
    const { dice, rig, tables, journal } = this.#options;
    const campaignId = dice.pick([...tables.campaigns.keys()]);
    const said = (error: unknown) => journal.write(() => `by hand, campaign ${campaignId}: ${String(error)}`);
    const running = [...tables.batches.values()].findLast(batch => batch.status === 'running');
    if (running && dice.chance(0.3)) rig.cancelBatch(running.campaignId, running.id).catch(said);
    else rig.dispatch(campaignId, dice.between(1, 5)).catch(said);
  }

  #editDoNotCall(): void {
    const { dice, tables, history, rig, journal } = this.#options;
    const listed = [...tables.doNotCall.keys()];
    const isRemoval = listed.length > 0 && dice.chance(0.4);
    const key = isRemoval ? dice.pick(listed) : dice.pick([...tables.contacts.values()]).dialKey;
    journal.write(() => `people ${isRemoval ? 'remove' : 'add'} ${key} ${isRemoval ? 'from' : 'to'} do-not-call`);
    if (isRemoval) tables.doNotCall.delete(key);
    else tables.doNotCall.set(key, { expiresAt: dice.chance(0.3) ? tables.now() + dice.between(2_000, 40_000) : null });
    history.numberListed(key, !isRemoval && tables.doNotCall.get(key)?.expiresAt === null);
    releaseHolds(tables, ({ dialKey, holdReason }) => dialKey === key && holdReason === 'dnc');
    rig.wake(null);
  }

  #editPolicies(): void {
    const { dice, tables } = this.#options;
    // Those of a rule pack are locked, and a run with consent keeps the policy that asks for it.
    const existing = [...tables.policies.keys()].filter(id => id < this.#nextPolicy);
    if (existing.length > 0 && dice.chance(0.6)) tables.policies.delete(dice.pick(existing));
    else this.#addPolicy();
    policiesWritten(this.#options);
  }

  #addPolicy(): void {
    const { dice, tables } = this.#options;
    const campaignId = dice.chance(0.5) ? null : dice.pick([...tables.campaigns.keys()]);
    const id = this.#nextPolicy++;
    const { type, action, config } = this.#drawRule();
    const scope = campaignId === null ? 'global' : 'campaign';
    const at = tables.now();
    const policy: Policy = {
      id,
      name: type,
      scope,
      campaignId,
      type,
      action,
      priority: 0,
      config,
      isEnabled: true,
      ruleId: null,
      createdAt: at,
      updatedAt: at,
    };
    tables.policies.set(id, policy);
  }

  #drawRule(): { type: string; action: Policy['action']; config: JsonObject } {
    const { dice, tables } = this.#options;
    const number = dice.pick([...tables.contacts.values()]).phoneNumber;
    return dice.pick([
      { type: 'phone_blacklist', action: 'block', config: { numbers: [number] } },
      { type: 'phone_prefix_blocklist', action: 'block', config: { prefixes: [number.slice(0, 10)] } },
      // A window that closes within minutes and opens tomorrow.
      { type: 'daily_window', action: 'allow_window', config: { start: '00:00', end: minuteOf(tables.now() + dice.between(0, 120_000)) } },
      { type: 'concurrency_limit', action: 'limit', config: { maxConcurrency: dice.between(1, 2) } },
      { type: 'rate_limit', action: 'limit', config: { callIntervalMs: dice.between(100, 3_000) } },
      { type: 'retry_rule', action: 'limit', config: { maxRetries: dice.between(0, 1), retryIntervalSeconds: dice.between(0, 10) } },
      { type: 'contact_frequency_limit', action: 'limit', config: { days: 1, maxAttempts: dice.between(1, 3) } },
    ] as const);
  }

  /**
   * Puts a contact back into the queue: during a call a forced change of the table that breaks every rule, otherwise a retry as users
   * request it (D5.5).
   */
  #putContactBack(): void {
    const { dice, tables, checks, rig, history, journal } = this.#options;
    const open = [...tables.open].filter(isOpen);
    const contactId = open.length > 0 && dice.chance(0.5) ? dice.pick(open).contactId : dice.pick([...tables.contacts.keys()]);
    const contact = tables.contacts.get(contactId);
    if (!contact) return;
    const isLive = open.some(attempt => attempt.contactId === contactId);
    journal.write(() => `contact ${contactId} is put back${isLive ? ' in the middle of its call' : ''}`);
    Object.assign(contact, { status: 'pending', attemptCount: 0, retryAt: null, holdReason: null, holdUntil: null });
    checks.reset.add(contactId);
    checks.byHand.add(contactId);
    history.contactPaused(contactId, false);
    rig.wake(contact.campaignId);
  }
}

/** Local time in the business zone, which has no daylight saving. */
function minuteOf(at: number): string {
  return new Date(at + 8 * 3_600_000).toISOString().slice(11, 16);
}
