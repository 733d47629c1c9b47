import { assert } from '#kernel/assert.ts';
import { callAggregate, callJournal } from '#calls/call-actor.ts';
import type { ActorCommit, StoredJournal } from '#platform/actor-host/actor-store.ts';
import { replay } from '#platform/actor-host/replay.ts';
import type { OriginateCommand } from '#platform/freeswitch/switch.ts';
import type { AttemptRow, DialTables } from '../support/stores/dial-tables.ts';
import type { SimulatedSlotRegistry } from '../support/stores/simulated-slot-registry.ts';
import type { Cell, Channel } from './cell.ts';
import { PersonChecks } from './person-rules/person-checks.ts';
import type { RuleHistory } from './rule-history.ts';
import type { OutcomeRules } from '#outcomes/decisions/outcome-rules.ts';
import { restByRules } from './outcome-rules/drawn-rules.ts';
import type { Scenario } from './scenario.ts';
import { Violation } from './violation.ts';
import { WatchChecks } from './watch-checks.ts';

/** D8.6: an edit applies to every dial decided this long after its response, ms. */
const EDIT_BINDS_MS = 1_000;
/** Greatest difference between the clocks of servers and switch, ms. */
const CLOCKS_APART_MS = 2_000;
/** Number of command ids that an actor remembers (A3). */
const REMEMBERED_COMMANDS = 8;

const MACHINES = { aggregate: callAggregate(), kind: callJournal() };

export interface Watched {
  scenario: Scenario;
  tables: DialTables;
  registry: SimulatedSlotRegistry;
  cells: readonly Cell[];
  history: RuleHistory;
  now: () => number;
}

/**
 * The invariants of A8 that dialling can break, checked against the switch and the stores.
 *
 * Errors: Violation from `afterStep`, after the first step that breaks one
 */
export class Checks {
  readonly #watched: Watched;
  readonly #written = new Set<string>();
  /** Dials that reached the switch as a channel. */
  readonly rang = new Set<string>();
  /** Contacts whose attempt count a user has reset. */
  readonly reset = new Set<number>();
  /** Contacts that a user has put back into the queue in any way. */
  readonly byHand = new Set<number>();
  /** Calls without any response from the far end, according to the switch. */
  readonly silent = new Set<string>();
  readonly watch: WatchChecks;
  readonly persons: PersonChecks;
  /** Channels by caller number, while its line has a cap. */
  readonly #dialsOfNumbers = new Map<string, number>();
  readonly #ended = new Set<string>();
  readonly #endedAt = new Map<string, number>();
  readonly #commands = new Map<string, string[]>();
  #seenRevision = -1;
  #violation: Violation | null = null;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.watch = new WatchChecks(watched.tables);
    this.persons = new PersonChecks(watched.tables, watched.history);
  }

  /** Runs after every event; throws a violation found since. */
  afterStep(): void {
    this.#lookAround();
    if (this.#violation) throw this.#violation;
  }

  /** Records a violation, of which the first counts. It is thrown later, outside the product, which would catch it. */
  found(invariant: string, detail: string): void {
    this.#violation ??= new Violation(invariant, detail);
  }

  #lookAround(): void {
    const { tables, registry, cells } = this.#watched;
    if (tables.revision !== this.#seenRevision) {
      this.#seenRevision = tables.revision;
      this.#oneOpenAttempt();
      this.persons.lookAround();
    }
    if (!registry.isOpen) return;
    for (const cell of cells)
      for (const requestId of cell.channels.keys())
        if (!registry.holds(requestId)) this.found('I1 channel without a slot', `${requestId} on ${cell.id}`);
  }

  /** Treats an internal error of the product as a violation. */
  programFault(error: unknown): void {
    this.found('I0 program fault', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  onWrite(command: OriginateCommand): void {
    const { requestId } = command;
    if (this.#written.has(requestId)) this.found('I2 originate sent twice', requestId);
    this.#written.add(requestId);
    const attempt = this.#attempt(requestId);
    const { now, history, scenario } = this.#watched;
    const decidedAt = attempt.dialingAt;
    if (decidedAt !== null) this.#allowed(history.forbiddenThroughout(attempt, decidedAt - EDIT_BINDS_MS, decidedAt), 'decided', attempt);
    const from = now() - scenario.waits.sendDeadlineMs - EDIT_BINDS_MS;
    this.#allowed(history.forbiddenThroughout(attempt, from, now()), 'left', attempt);
  }

  #allowed(reason: string | null, verb: string, attempt: AttemptRow): void {
    if (reason !== null) this.found('I3 forbidden dial', `${attempt.requestId} ${verb} although ${reason}`);
  }

  onChannel(channel: Channel): void {
    const attempt = this.#attempt(channel.requestId);
    this.rang.add(channel.requestId);
    const others = this.#channels().filter(other => other.requestId !== attempt.requestId);
    const other = others.find(other => other.contactId === attempt.contactId);
    if (other) this.found('I2 contact on two channels', `contact ${attempt.contactId}: ${attempt.requestId} and ${other.requestId}`);
    const sameNumber = others.find(other => other.dialKey === attempt.dialKey);
    if (sameNumber) this.found('I2 number on two channels', `${attempt.dialKey}: ${attempt.requestId} and ${sameNumber.requestId}`);
    this.#limits(attempt, others);
    this.#cap(attempt);
    const unwatched = this.watch.brokenBy(attempt, others);
    if (unwatched !== null) this.found('I1 monitors exceeded', unwatched);
    const unlawful = this.persons.brokenBy(attempt);
    if (unlawful !== null) this.found('I11 dialled against a rule for persons', `${attempt.requestId}: ${unlawful}`);
    this.#attemptsLeft(attempt);
    this.#noGuess(attempt);
    this.#notAfterVerdict(attempt);
    this.#restedLongEnough(attempt);
    this.#byRules(attempt);
  }

  onEnded({ requestId }: Pick<Channel, 'requestId'>): void {
    this.#endedAt.set(requestId, this.#watched.now());
  }

  /** D5.5: by the clocks of switch and server, a retry waits for its interval from the end or the result of the last call. */
  #restedLongEnough(attempt: AttemptRow): void {
    const { tables, now } = this.#watched;
    if (this.#isFree(attempt)) return;
    const isEarlier = (other: AttemptRow) => other.contactId === attempt.contactId && other.id < attempt.id && other.status !== 'cancelled';
    const last = tables.attempts.findLast(isEarlier);
    const interval = this.#rulesOf(attempt) ? 0 : (tables.campaigns.get(attempt.campaignId)?.retryIntervalSeconds ?? 0);
    if (!last || last.isOurFault || last.resultAt === null) return;
    const overAt = Math.min(last.resultAt, this.#endedAt.get(last.requestId) ?? Infinity);
    if (now() < overAt + interval * 1_000 - CLOCKS_APART_MS)
      this.found(
        'I6 rung before its interval',
        `contact ${attempt.contactId}: ${attempt.requestId} ${now() - overAt} ms after ${last.requestId}`,
      );
  }

  /** D7.8: a contact whose last outcome is unknown is not called again automatically. */
  #noGuess(attempt: AttemptRow): void {
    const { tables } = this.#watched;
    const isEarlier = (other: AttemptRow) => other.contactId === attempt.contactId && other.id < attempt.id && other.status !== 'cancelled';
    const last = tables.attempts.findLast(isEarlier);
    if (last?.status !== 'outcome_unknown' || this.byHand.has(attempt.contactId) || tables.everPromised.has(attempt.contactId)) return;
    if (tables.campaigns.get(attempt.campaignId)?.retryUnknown) return;
    this.found('I6 dialled on a guess', `contact ${attempt.contactId}: ${attempt.requestId} after ${last.requestId}`);
  }

  /** I10, D7.13: a verdict of the network on the number ends the contact. */
  #notAfterVerdict({ contactId, requestId }: AttemptRow): void {
    if (this.byHand.has(contactId)) return;
    const verdict = this.#watched.tables.attempts.find(other => other.contactId === contactId && other.callStatus === 'invalid_number');
    if (verdict) this.found('I10 dialled after the verdict', `contact ${contactId}: ${requestId} after ${verdict.requestId}`);
  }

  #rulesOf({ campaignId }: AttemptRow): OutcomeRules | undefined {
    return this.#watched.tables.outcomeRules.get(campaignId);
  }

  /** I12, D7.14: the table of the campaign, read literally, wants this dial, and not earlier. */
  #byRules(attempt: AttemptRow): void {
    const rules = this.#rulesOf(attempt);
    const { tables, now } = this.#watched;
    const earlier = tables.attempts.filter(
      ({ contactId, id, status }) => contactId === attempt.contactId && id < attempt.id && status !== 'cancelled',
    );
    const last = earlier.at(-1);
    if (rules === undefined || last === undefined || this.#isFree(attempt) || this.byHand.has(attempt.contactId)) return;
    // A report that came after the claim has changed what the claim went by.
    if (isFree(last) || (last.resultAt !== null && last.resultAt >= attempt.claimedAt)) return;
    const rest = restByRules(
      rules,
      earlier.flatMap(each => (isFree(each) || each.outcome === null ? [] : [each.outcome])),
    );
    const overAt = Math.min(last.resultAt ?? Infinity, this.#endedAt.get(last.requestId) ?? Infinity);
    const isEarly = Number.isFinite(overAt) && now() < overAt + rest * 1_000 - CLOCKS_APART_MS;
    if (rest === Infinity || isEarly)
      this.found('I12 dialled against a rule', `contact ${attempt.contactId}: ${attempt.requestId} after ${last.outcome}, rest ${rest} s`);
  }

  #limits(attempt: AttemptRow, others: readonly AttemptRow[]): void {
    const { scenario, history } = this.#watched;
    const { campaignId, lineId, callerNumber, cellId } = attempt;
    const line = scenario.lines.find(candidate => candidate.id === lineId);
    const number = line?.numbers.find(candidate => candidate.number === callerNumber);
    const cell = scenario.cells.find(candidate => candidate.cellId === cellId);
    const isHere = {
      campaign: (other: AttemptRow) => other.campaignId === campaignId,
      line: (other: AttemptRow) => other.lineId === lineId,
      number: (other: AttemptRow) => other.lineId === lineId && other.callerNumber === callerNumber,
      cell: (other: AttemptRow) => other.cellId === cellId,
    };
    const max = {
      campaign: history.limitOf(attempt),
      line: line?.maxConcurrency,
      number: number?.maxConcurrency,
      cell: cell?.maxConcurrency || undefined,
    };
    for (const kind of ['campaign', 'line', 'number', 'cell'] as const) {
      const count = others.filter(isHere[kind]).length + 1;
      const limit = max[kind];
      if (limit !== undefined && count > limit)
        this.found(
          `I1 ${kind} limit exceeded`,
          `${count} > ${limit} with ${attempt.requestId}; up: ${others
            .filter(isHere[kind])
            .map(other => other.requestId)
            .join()}`,
        );
    }
  }

  /** I11, D4.7: a run is shorter than an hour, so every dial of it counts in the hour and the day. */
  #cap({ requestId, lineId, callerNumber }: AttemptRow): void {
    const line = this.#watched.tables.lines.get(lineId ?? 0);
    const { hourlyCap = null, dailyCap = null } = line?.numberRules ?? {};
    const cap = Math.min(hourlyCap ?? Infinity, dailyCap ?? Infinity);
    if (callerNumber === null || cap === Infinity) return;
    const made = (this.#dialsOfNumbers.get(callerNumber) ?? 0) + 1;
    this.#dialsOfNumbers.set(callerNumber, made);
    if (made > cap) this.found('I11 dials of a number exceeded', `${callerNumber}: ${made} > ${cap} with ${requestId}`);
  }

  /** A user has reset the contact, or it was promised a call whatever attempts are left (D7.12). */
  #isFree({ contactId }: AttemptRow): boolean {
    return this.reset.has(contactId) || this.#watched.tables.everPromised.has(contactId);
  }

  /** D5.5: at most `maxRetries` + 1 attempts, without those taken back or failed through our fault. */
  #attemptsLeft(attempt: AttemptRow): void {
    if (this.#isFree(attempt)) return;
    const { tables } = this.#watched;
    const counts = ({ contactId, status, isOurFault, isLineFault }: AttemptRow) =>
      contactId === attempt.contactId && status !== 'cancelled' && !isOurFault && !isLineFault;
    const made = tables.attempts.filter(counts).length;
    const allowed = this.#rulesOf(attempt)?.maxAttempts ?? (tables.campaigns.get(attempt.campaignId)?.maxRetries ?? 0) + 1;
    if (made > allowed) this.found('I2 too many attempts', `contact ${attempt.contactId}: ${made} > ${allowed}`);
  }

  #oneOpenAttempt(): void {
    const contacts = new Map<number, string>();
    for (const { contactId, requestId } of this.#watched.tables.open) {
      const other = contacts.get(contactId);
      if (other !== undefined) this.found('I2 two open attempts', `contact ${contactId}: ${other} and ${requestId}`);
      contacts.set(contactId, requestId);
    }
  }

  /** Checks the fencing of call actors: an ended call stays ended, and a remembered command is applied once. */
  onCallCommit(key: string, commit: ActorCommit): void {
    for (const id of [...(commit.earlier ?? []), commit.commandId]) this.#once(`call ${key}`, id);
    const isEnded = stateOf(commit.snapshot) === 'ended';
    if (!isEnded && this.#ended.has(key)) this.found('I6 ended call opened again', key);
    if (isEnded) this.#ended.add(key);
  }

  /** The journal of a call that is forgotten leads to its last state again (D14.9); one limit of journals is beyond any run. */
  onJournal(requestId: string, journal: StoredJournal): void {
    const replayed = replay(MACHINES, journal);
    const isSame = typeof replayed === 'object' && replayed.difference === null;
    const wanted = this.#watched.scenario.without === null;
    if (wanted && !isSame) this.found('I14 journal leads elsewhere', `${requestId}: ${JSON.stringify(replayed)}`);
  }

  onCampaignMove(campaignId: number, from: string, to: string, commandId: string): void {
    this.#once(`campaign ${campaignId}`, commandId);
    const legal = from === to || LEGAL_MOVES.has(`${from} ${to}`);
    if (!legal) this.found('I6 campaign moved against the rules', `campaign ${campaignId}: ${from} → ${to}`);
  }

  #once(actor: string, commandId: string): void {
    const own = commandId.replace(/~\d+$/, '');
    const recent = this.#commands.get(actor) ?? [];
    if (recent.includes(own)) this.found('I6 command applied twice', `${actor}: ${own}`);
    this.#commands.set(actor, [...recent, own].slice(-REMEMBERED_COMMANDS));
  }

  /** Forgets one call actor, or all of them when the live state is lost: a new actor starts afresh. */
  callsForgotten(key: string | null): void {
    if (key === null) {
      this.#ended.clear();
      for (const actor of this.#commands.keys()) if (actor.startsWith('call ')) this.#commands.delete(actor);
    } else {
      this.#ended.delete(key);
      this.#commands.delete(`call ${key}`);
    }
  }

  #channels(): AttemptRow[] {
    return this.#watched.cells.flatMap(cell => [...cell.channels.keys()].map(requestId => this.#attempt(requestId)));
  }

  /** The attempt of a dial; every id at a cell must belong to one. */
  #attempt(requestId: string): AttemptRow {
    const attempt = this.#watched.tables.byRequest.get(requestId);
    assert(attempt, `no attempt ${requestId}`);
    return attempt;
  }
}

const LEGAL_MOVES = new Set([
  'draft running',
  'draft archived',
  'running paused',
  'running completed',
  'paused running',
  'paused archived',
  'completed running',
  'completed archived',
]);

function stateOf(snapshot: string): string {
  const { value } = JSON.parse(snapshot) as { value: unknown };
  return typeof value === 'string' ? value : (Object.keys(value as Record<string, unknown>)[0] ?? '');
}

/** Attempts that cost the contact nothing: failures of ours, of the line, or for lack of a script. */
function isFree({ isOurFault, isLineFault, outcome }: AttemptRow): boolean {
  return isOurFault || isLineFault || outcome === 'local_failure' || outcome === 'abandoned';
}
