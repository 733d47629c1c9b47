import { isDeepStrictEqual } from 'node:util';
import type { StoredJournal } from './actor-store.ts';
import type { Aggregate, TimerEvent } from './aggregate.ts';
import { type JournalEntry, type JournalKind, type JournalStep, readEntries } from './journal.ts';

/** A journalled step beside what the machines of this program decide on its event. */
export interface ReplayedStep extends Pick<JournalEntry, 'version' | 'at'>, JournalStep {
  /** What is decided now, where that differs; null: the same. */
  now: { effects: readonly string[]; place: string } | null;
}

/** The first place at which the replay does not end where the actor did. */
export type ReplayDifference =
  | { kind: 'step'; step: ReplayedStep }
  /** State and effects are the same, the context is not. */
  | { kind: 'size'; version: number; kept: number; now: number }
  | { kind: 'end'; members: readonly MemberDifference[] };

/** A member of the snapshot, by its path such as `context.endedAt`; undefined: absent. */
export interface MemberDifference {
  path: string;
  kept: unknown;
  now: unknown;
}

export interface Replay {
  /** Version of the package that began the actor. */
  version: string;
  steps: readonly ReplayedStep[];
  /** Null: it ends in the stored state. */
  difference: ReplayDifference | null;
  /** Programs that decided, other than this one. */
  otherBuilds: readonly string[];
}

/** Why a journal cannot be replayed. */
export type ReplayObstacle = 'empty' | 'noBeginning' | 'missing';

/**
 * Walks the machines again: from what the actor was made from through every event of its journal, and compares what is decided now with what
 * was decided then, after each step and at the end.
 *
 * Why: a transition is a function of state and event alone, so that the same events end in the same state; where they do not, the journal was changed,
 *      the machine was, or a transition read something else
 */
export function replay<State, Event>(
  { aggregate, kind }: { aggregate: Aggregate<State, Event>; kind: JournalKind<State> },
  journal: StoredJournal,
): Replay | ReplayObstacle {
  const [first, ...entries] = readEntries(kind, journal);
  if (first === undefined) return 'empty';
  if (first.origin === null) return 'noBeginning';
  if (journal.missing > 0) return 'missing';
  const walked = new Walk({ aggregate, kind }, kind.begin(first.origin.input));
  for (const entry of [first, ...entries]) walked.commit(entry);
  return {
    version: first.origin.version,
    steps: walked.steps,
    difference: walked.difference ?? endDifference(journal.snapshot, aggregate.serialize(walked.state)),
    otherBuilds: [...new Set([first, ...entries].map(({ build }) => build))].filter(build => build !== kind.build),
  };
}

class Walk<State, Event> {
  readonly steps: ReplayedStep[] = [];
  difference: ReplayDifference | null = null;
  state: State;
  readonly #machines: { aggregate: Aggregate<State, Event>; kind: JournalKind<State> };

  constructor(machines: { aggregate: Aggregate<State, Event>; kind: JournalKind<State> }, state: State) {
    this.#machines = machines;
    this.state = state;
  }

  commit({ version, at, steps, size }: JournalEntry): void {
    for (const step of steps) this.#step({ version, at, ...step });
    const now = this.#machines.aggregate.serialize(this.state).length;
    if (now !== size) this.difference ??= { kind: 'size', version, kept: size, now };
  }

  #step(step: Omit<ReplayedStep, 'now'>): void {
    const { aggregate, kind } = this.#machines;
    const decision = aggregate.decide(this.state, step.event as unknown as Event | TimerEvent);
    this.state = decision?.state ?? this.state;
    const decided = { effects: decision?.effects.map(({ type }) => type) ?? [], place: kind.placeOf(this.state) };
    const isSame = isDeepStrictEqual(decided, { effects: step.effects, place: step.place });
    const replayed = { ...step, now: isSame ? null : decided };
    this.steps.push(replayed);
    if (!isSame) this.difference ??= { kind: 'step', step: replayed };
  }
}

function endDifference(kept: string, now: string): ReplayDifference | null {
  const members = differencesOf(JSON.parse(kept), JSON.parse(now), '');
  return members.length === 0 ? null : { kind: 'end', members };
}

/** Members in which two JSON values differ, whatever their order; lists are compared as a whole. */
function differencesOf(kept: unknown, now: unknown, path: string): MemberDifference[] {
  if (isDeepStrictEqual(kept, now)) return [];
  if (!isMembers(kept) || !isMembers(now)) return [{ path, kept, now }];
  const names = [...new Set([...Object.keys(kept), ...Object.keys(now)])];
  return names.flatMap(name => differencesOf(kept[name], now[name], path === '' ? name : `${path}.${name}`));
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
