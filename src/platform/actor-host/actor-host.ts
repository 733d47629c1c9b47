import { backoffDelayMs } from '#kernel/backoff.ts';
import { sleep } from '#kernel/clock.ts';
import { conflict, isCalloutError } from '#kernel/errors.ts';
import type { ActorCommit, ActorStore, CommitOutcome, StoredActor, StoredEffect } from './actor-store.ts';
import type { Platform } from '../platform.ts';
import { type Aggregate, type Beginning, type Command, type Draft, draftOf, type EventOf, type TimerEvent } from './aggregate.ts';
import { type EffectKind, EffectRunner, type FollowUp } from './effect-runner.ts';
import { entryOf, type JournalKind } from './journal.ts';
import { Lanes, RecentActors, WaitingCommands } from './lanes.ts';

/** Upper limit of version conflicts per send. */
const MAX_CONFLICTS = 20;
/** Upper limit of attempts at an ambiguous commit, all with the same command id. */
const MAX_COMMIT_TRIES = 3;
/** The committing host runs the effects; after this time the pump of any instance may. ms */
const EFFECT_LEASE_MS = 5_000;
const CONFLICT_BACKOFF = { baseMs: 2, maxMs: 50 };

export interface ActorHostOptions extends Pick<Platform, 'clock' | 'random' | 'ids' | 'log'> {
  store: ActorStore;
}

export type SendOutcome<State> =
  | { kind: 'applied'; before: State; state: State; version: number; followUp: FollowUp }
  /** The event has no effect in this state. */
  | { kind: 'ignored'; state: State; version: number }
  /** This command id was applied earlier. */
  | { kind: 'duplicate'; state: State; version: number }
  | { kind: 'absent' };

/** An actor as read from the store. */
export interface FoundActor<State> {
  state: State;
  version: number;
  meta: string | null;
  /** Must match at the next commit, like the version. */
  born?: string;
}

export interface ActorKind<State, Event> extends EffectKind<State> {
  aggregate: Aggregate<State, Event>;
  /** Whether the event is not urgent: it may be committed together with the actor's next event, or after a short delay. */
  mayWait?(event: Event | TimerEvent): boolean;
  /** Called after each commit and outside of it, to publish deltas to subscribers. Must not throw. */
  committed?(id: string, committed: Committed<State>): void;
  /** Present: each commit writes an entry of the actor's journal. */
  journal?: JournalKind<State>;
}

export interface Committed<State> {
  /** Null when the actor is new. */
  before: State | null;
  state: State;
  version: number;
  meta: string | null;
}

/** A command whose sender awaits the outcome. */
type Sent<State, Event> = Command<State, Event> & Pick<PromiseWithResolvers<SendOutcome<State>>, 'resolve' | 'reject'>;

type FollowedOutcome =
  | Exclude<CommitOutcome, { kind: 'committed' }>
  | (Extract<CommitOutcome, { kind: 'committed' }> & { followUp: FollowUp });

/** One commit of an actor. */
interface Step<State> {
  commandIds: readonly string[];
  expectedVersion: number;
  born?: string;
  draft: Pick<Draft<State>, 'state' | 'timers' | 'effects' | 'steps'> & Pick<Beginning<State>, 'origin'>;
  before: State | null;
  /** Set for the first commit only. */
  newMeta?: string;
  meta: string | null;
}

/**
 * Any instance may run any actor: load → decide → one conditional commit → effects. The commit is the fence.
 *
 * Errors: CACHE_UNAVAILABLE | DATABASE_UNAVAILABLE when the store does not answer
 * Source: A1.1, A3
 */
export class ActorHost<State, Event extends { type: string }> {
  readonly #lanes = new Lanes();
  readonly #effects: EffectRunner<State>;
  readonly #recent: RecentActors<FoundActor<State>>;
  readonly #waiting: WaitingCommands<Sent<State, Event>>;
  readonly #options: ActorHostOptions;
  readonly #kind: ActorKind<State, Event>;

  constructor(options: ActorHostOptions, kind: ActorKind<State, Event>) {
    this.#options = options;
    this.#kind = kind;
    this.#recent = new RecentActors(options.clock);
    this.#waiting = new WaitingCommands(options.clock);
    this.#effects = new EffectRunner(options, { ...kind, actor: kind.aggregate.type });
  }

  /**
   * Applies `event` once per `commandId`, whichever instance receives it.
   *
   * `seen`: the actor as the caller has just read it, which saves a read; if it is stale, it is read again. The host's own cache of recent
   * actors is used the same way, except for events that may throw.
   */
  send(id: string, event: EventOf<State, Event>, commandId: string, seen?: FoundActor<State>): Promise<SendOutcome<State>> {
    const command = { event, commandId };
    if (seen !== undefined || typeof event === 'function') return this.#lanes.run(id, () => this.#applyAlone(id, command, seen));
    const { promise, ...settle } = Promise.withResolvers<SendOutcome<State>>();
    const sent = { ...command, ...settle };
    if (this.#kind.mayWait?.(event) === true) this.#waiting.add(id, sent, () => this.#applyWaiting(id));
    else void this.#lanes.run(id, () => this.#applyTogether(id, [...this.#waiting.take(id), sent]));
    return promise;
  }

  /** Like `send`, for an event that is valid only in the state seen; null: the actor has changed since and nothing was written. */
  async sendIfUnchanged(id: string, event: Event, commandId: string, seen: FoundActor<State>): Promise<SendOutcome<State> | null> {
    const outcomes = await this.#lanes.run(id, () => this.#attempt(id, [{ event, commandId }], seen));
    return 'lost' in outcomes ? null : onlyOf(outcomes);
  }

  /** Writes a new actor; false when it exists. */
  create(id: string, first: Beginning<State>, meta: string, commandId: string): Promise<boolean> {
    return this.#lanes.run(id, async () => {
      const draft = {
        state: first.state,
        timers: first.timers,
        effects: this.#effects.outboxOf(commandId, first.effects),
        steps: [],
        origin: first.origin,
      };
      const outcome = await this.#commit(id, { commandIds: [commandId], expectedVersion: 0, draft, before: null, newMeta: meta, meta });
      return outcome.kind === 'committed';
    });
  }

  async find(id: string): Promise<FoundActor<State> | null> {
    const stored = await this.#options.store.load(id);
    return stored && foundOf(stored, this.#kind.aggregate.parse(stored.snapshot));
  }

  async remove(id: string): Promise<void> {
    this.#recent.take(id);
    await this.#options.store.remove(id);
  }

  /** Runs effects that the committing host left unfinished; called by the pump. */
  async resume(effects: readonly StoredEffect[]): Promise<void> {
    // An actor that cannot be read must not block the others: its effects return when their lease ends.
    const later = (effect: StoredEffect) => (error: unknown) =>
      this.#options.log.warn({ err: error, id: effect.key }, 'effects could not be resumed');
    await Promise.all(effects.map(effect => this.#resumeOne(effect).catch(later(effect))));
  }

  async #resumeOne(effect: StoredEffect): Promise<void> {
    const found = await this.find(effect.key);
    if (!found) return this.#options.store.clearEffects([effect]);
    await this.#effects.run([effect], { id: effect.key, ...found });
  }

  /** Resolves when no work is left; the last step of the drain. */
  async idle(): Promise<void> {
    for (const id of this.#waiting.ids()) this.#applyWaiting(id);
    await this.#lanes.idle();
    while (this.#effects.isRunning) {
      await this.#effects.idle();
      await this.#lanes.idle();
    }
  }

  #applyWaiting(id: string): void {
    void this.#lanes.run(id, () => this.#applyTogether(id, this.#waiting.take(id)));
  }

  /** Never rejects: each command receives its own outcome. */
  async #applyTogether(id: string, commands: readonly Sent<State, Event>[]): Promise<void> {
    if (commands.length === 0) return;
    try {
      const outcomes = await this.#apply(id, commands, this.#recent.take(id));
      for (const [place, command] of commands.entries()) command.resolve(outcomes[place] ?? { kind: 'absent' });
    } catch (error) {
      for (const command of commands) command.reject(error);
    }
  }

  async #applyAlone(id: string, command: Command<State, Event>, seen?: FoundActor<State>): Promise<SendOutcome<State>> {
    this.#recent.take(id);
    return onlyOf(await this.#apply(id, [command], seen));
  }

  /** Shape: one outcome per command, in the same order */
  async #apply(id: string, commands: readonly Command<State, Event>[], seen?: FoundActor<State>): Promise<SendOutcome<State>[]> {
    const outcomes = seen && (await this.#attempt(id, commands, seen));
    // An ignored event may have been judged by a stale state: read the stored state before ignoring it.
    if (outcomes && !('lost' in outcomes) && outcomes.some(({ kind }) => kind !== 'ignored')) return outcomes;
    return this.#applyToStored(id, commands, outcomes && 'lost' in outcomes ? outcomes.now : undefined);
  }

  /** `now`: the actor as the store returned it a moment ago. */
  async #applyToStored(
    id: string,
    commands: readonly Command<State, Event>[],
    now: StoredActor | undefined,
  ): Promise<SendOutcome<State>[]> {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const stored: StoredActor | null = (conflicts === 0 && now) || (await this.#options.store.load(id));
      if (!stored) return commands.map(() => ({ kind: 'absent' }));
      const found = foundOf(stored, this.#kind.aggregate.parse(stored.snapshot));
      const outcomes = await this.#attempt(id, commands, found, stored.commandIds);
      if (!('lost' in outcomes)) {
        // Keep what was read for the next command, unless it has been written meanwhile.
        if (outcomes.every(({ kind }) => kind === 'ignored')) this.#remember(id, found);
        return outcomes;
      }
      await sleep(this.#options.clock, backoffDelayMs(CONFLICT_BACKOFF, conflicts, this.#options.random));
    }
    throw conflict('CONTENDED', '该对象正被频繁修改，请稍后重试');
  }

  /** One attempt on the actor as read; `lost`: another commit came first. */
  async #attempt(
    id: string,
    commands: readonly Command<State, Event>[],
    { state: before, version, meta, born }: FoundActor<State>,
    applied: readonly string[] = [],
  ): Promise<SendOutcome<State>[] | { lost: true; now?: StoredActor }> {
    const drafting = { aggregate: this.#kind.aggregate, applied, outboxOf: this.#effects.outboxOf };
    const { verdicts, commandIds, ...draft } = draftOf(drafting, commands, before);
    if (commandIds.length === 0) return verdicts.map(verdict => outcomeOf(verdict, { state: before, version }));
    const outcome = await this.#commit(id, { commandIds, expectedVersion: version, ...bornAt(born), draft, before, meta });
    if (outcome.kind === 'conflict') return { lost: true, ...(outcome.now ? { now: outcome.now } : {}) };
    if (outcome.kind === 'duplicate') return this.#firstResults(id, commands);
    const { followUp } = outcome;
    return verdicts.map(verdict => outcomeOf(verdict, { state: draft.state, version: version + 1, followUp }));
  }

  /** Another instance received the same commands and committed them between our load and our commit; it also runs their effects. */
  async #firstResults(id: string, commands: readonly Command<State, Event>[]): Promise<SendOutcome<State>[]> {
    const found = await this.find(id);
    return commands.map(() => (found ? { kind: 'duplicate', state: found.state, version: found.version } : { kind: 'absent' }));
  }

  async #commit(id: string, step: Step<State>): Promise<FollowedOutcome> {
    const { commandIds, expectedVersion, born, draft, before, newMeta, meta } = step;
    const { state, timers, effects, steps, origin } = draft;
    const earlier = commandIds.slice(0, -1);
    const snapshot = this.#kind.aggregate.serialize(state);
    const { journal } = this.#kind;
    const commit = {
      expectedVersion,
      ...bornAt(born),
      commandId: commandIds.at(-1) ?? '',
      ...(earlier.length === 0 ? {} : { earlier }),
      snapshot,
      ...(newMeta === undefined ? {} : { meta: newMeta }),
      timers,
      effects,
      effectLeaseMs: EFFECT_LEASE_MS,
      ...(journal ? { journal: entryOf(journal, { steps, origin, size: snapshot.length }) } : {}),
    };
    const outcome = await this.#commitWithRepeats(id, commit);
    if (outcome.kind !== 'committed') return outcome;
    // Skip when another commit has followed already: this state is outdated.
    if (outcome.version === expectedVersion + 1) {
      const now = { state, version: outcome.version, meta };
      this.#remember(id, { ...now, ...bornAt(outcome.born ?? born) });
      this.#kind.committed?.(id, { before, ...now });
    }
    return { ...outcome, followUp: this.#effects.follow(effects, { id, state, meta }) };
  }

  /** Keeps only actors whose next commit can be fenced. */
  #remember(id: string, actor: FoundActor<State>): void {
    if (actor.born !== undefined) this.#recent.put(id, actor);
  }

  /** Returns `duplicate` only if another host committed the command. */
  async #commitWithRepeats(id: string, commit: ActorCommit): Promise<CommitOutcome> {
    for (let tries = 1; ; tries++) {
      try {
        const outcome = await this.#options.store.commit(id, commit);
        return outcome.kind === 'duplicate' && tries > 1 ? await this.#lostCommit(id, commit) : outcome;
      } catch (error) {
        if (tries >= MAX_COMMIT_TRIES || !isCalloutError(error) || !error.retryable) throw error;
      }
    }
  }

  /** After a lost reply a repeated commit counts as a duplicate, and so does a command applied earlier: the stored state tells which it is. */
  async #lostCommit(id: string, { expectedVersion, commandId }: ActorCommit): Promise<CommitOutcome> {
    const stored = await this.#options.store.load(id);
    const beyond = stored ? stored.version - expectedVersion : 0;
    const isOurs = beyond > 1 || (beyond === 1 && stored?.commandIds.at(-1) === commandId);
    return stored && isOurs ? { kind: 'committed', version: stored.version, ...bornAt(stored.born) } : { kind: 'duplicate' };
  }
}

/** `state` is what a commit has left, or what an ignored command has found. */
function outcomeOf<State>(
  verdict: Draft<State>['verdicts'][number],
  { state, version, followUp = NOTHING_FOLLOWS }: { state: State; version: number; followUp?: FollowUp },
): SendOutcome<State> {
  return verdict.kind === 'applied' ? { ...verdict, version, followUp } : { ...verdict, state, version };
}

const NOTHING_FOLLOWS: FollowUp = Promise.resolve([]);

/** The outcome of a single command. */
function onlyOf<State>(outcomes: readonly SendOutcome<State>[]): SendOutcome<State> {
  return outcomes[0] ?? { kind: 'absent' };
}

function foundOf<State>({ version, meta, born }: StoredActor, state: State): FoundActor<State> {
  return { state, version, meta, ...bornAt(born) };
}

function bornAt(born: string | undefined): { born?: string } {
  return born === undefined ? {} : { born };
}
