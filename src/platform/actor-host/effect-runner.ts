import { isCalloutError } from '#kernel/errors.ts';
import { currentTrace, inTrace, newTrace } from '#kernel/trace.ts';
import type { Platform } from '../platform.ts';
import type { ActorStore } from './actor-store.ts';
import type { Effect, EffectContext, EffectExecutor, OutboxEntry } from './aggregate.ts';
import { FollowUps } from './lanes.ts';

/** Resolves once the effects of a commit have been tried here, with the errors of those that are not repeated. */
export type FollowUp = Promise<readonly unknown[]>;

/** How the host handles the effects of an actor type. */
export interface EffectKind<State> {
  /** Executors by effect type; they must be idempotent. A missing one is a bug and stops processing at the first such effect. */
  executors: Readonly<Record<string, EffectExecutor<State>>>;
  /** Effect types that later effects do not wait for. */
  unawaited?: ReadonlySet<string>;
  /** Effect types that are dropped when they fail: the error goes to the sender of the command, who decides what follows. */
  unrepeated?: ReadonlySet<string>;
  /** Effect types of low priority: a commit with only such effects runs them after the commits of other actors. */
  unhurried?: ReadonlySet<string>;
}

/** An effect as stored in the outbox; entries of earlier versions have no trace. */
interface TracedEffect extends Effect {
  trace?: string;
}

interface EffectToRun {
  effectId: string;
  effect: TracedEffect;
}

/** The actor's state, passed to the effects of a commit. */
type Follower<State> = Omit<EffectContext<State>, 'type' | 'effectId'>;

interface EffectRunnerOptions extends Pick<Platform, 'clock' | 'ids' | 'log'> {
  store: Pick<ActorStore, 'clearEffects'>;
}

/**
 * Runs the effects of one host's commits, and clears them from the outbox when they are done.
 *
 * Source: A3
 */
export class EffectRunner<State> {
  readonly #running = new Set<Promise<unknown>>();
  readonly #followUps: FollowUps;
  readonly #options: EffectRunnerOptions;
  readonly #kind: EffectKind<State> & { actor: string };

  /** `actor`: the actor's type. */
  constructor(options: EffectRunnerOptions, kind: EffectKind<State> & { actor: string }) {
    this.#options = options;
    this.#kind = kind;
    this.#followUps = new FollowUps(options.clock);
  }

  readonly outboxOf = (commandId: string, effects: readonly Effect[]): OutboxEntry[] =>
    this.#traced(effects).map((effect, index) => ({ effectId: `${commandId}#${index}`, body: JSON.stringify(effect) }));

  /** The trace of the event is stored with its effects, so that it continues even when they run after a crash. */
  #traced(effects: readonly Effect[]): readonly TracedEffect[] {
    if (effects.length === 0) return effects;
    const trace = currentTrace() ?? newTrace(this.#options.ids);
    return effects.map(effect => ({ ...effect, trace }));
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Resolves when the effects that run now have been tried. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Runs the effects of a commit, in the order of the commits, even low-priority ones. */
  follow(entries: readonly OutboxEntry[], context: Follower<State>): FollowUp {
    this.#followUps.hurry(context.id);
    const effects = entries.map(toRun);
    const run = () => this.#runEffects(effects, context);
    const makesWay = effects.length > 0 && effects.every(({ effect }) => this.#kind.unhurried?.has(effect.type) === true);
    return this.#track(makesWay ? this.#followUps.run(context.id, run) : run());
  }

  /** Runs effects that another host has left unfinished, on the actor's current state. */
  async run(entries: readonly OutboxEntry[], context: Follower<State>): Promise<void> {
    await this.#runEffects(entries.map(toRun), context);
  }

  async #runEffects(effects: readonly EffectToRun[], context: Follower<State>): FollowUp {
    const done: { key: string; effectId: string }[] = [];
    const refusals: unknown[] = [];
    const unawaited: Promise<void>[] = [];
    for (const { effectId, effect } of effects) {
      const running = this.#execute(effect, { ...context, type: this.#kind.actor, effectId }).then(({ isOver, refusal }) => {
        if (isOver) done.push({ key: context.id, effectId });
        if (refusal !== undefined) refusals.push(refusal);
      });
      if (this.#kind.unawaited?.has(effect.type) === true) unawaited.push(running);
      else await running;
    }
    // An effect that outlasts the lease must not have the finished ones repeated; and an actor that is born again after a loss of the cache has
    // effects of the same ids, which a late clearing would take away.
    await this.#clear(done.splice(0));
    await Promise.all(unawaited);
    await this.#clear(done);
    return refusals;
  }

  async #clear(done: readonly { key: string; effectId: string }[]): Promise<void> {
    if (done.length === 0) return;
    await this.#options.store
      .clearEffects(done)
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'finished effects could not be removed from the outbox'));
  }

  async #execute(effect: TracedEffect, context: EffectContext<State>): Promise<{ isOver: boolean; refusal?: unknown }> {
    const executor = this.#kind.executors[effect.type];
    if (!executor) throw new Error(`no executor for effect ${this.#kind.actor}.${effect.type}`);
    try {
      const run = () => executor(effect.params as never, context);
      await (effect.trace === undefined ? run() : inTrace(effect.trace, run));
      return { isOver: true };
    } catch (error) {
      const fault = isCalloutError(error) ? { code: error.code, reason: error.message } : { err: error };
      const actor = { actor: this.#kind.actor, id: context.id, effect: effect.type };
      const isOver = this.#kind.unrepeated?.has(effect.type) === true;
      this.#options.log.warn({ ...fault, ...actor }, isOver ? 'effect failed' : 'effect failed; the outbox repeats it');
      return isOver ? { isOver, refusal: error } : { isOver };
    }
  }

  #track(work: FollowUp): FollowUp {
    const tracked = work.catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'effects failed');
      return [];
    });
    this.#running.add(tracked);
    void tracked.then(() => this.#running.delete(tracked));
    return tracked;
  }
}

function toRun({ effectId, body }: OutboxEntry): EffectToRun {
  return { effectId, effect: JSON.parse(body) };
}
