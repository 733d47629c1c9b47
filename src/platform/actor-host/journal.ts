import type { JsonObject } from '#kernel/json.ts';
import type { StoredEntry, StoredJournal } from './actor-store.ts';
import type { DecidedStep } from './aggregate.ts';

/** What the journal of an actor type says beside its events. */
export interface JournalKind<State> extends JournalStates<State> {
  /** Version of the package. */
  version: string;
  /** Names the program that decides: entries of another one may not be decided alike today. */
  build: string;
}

/** The states of an actor type, as its journal names them. */
export interface JournalStates<State> {
  /** Short name of a state. */
  placeOf(state: State): string;
  /** The state with which an actor of this origin begins. */
  begin(origin: JsonObject): State;
}

/** An applied command as it was journalled: the event with everything that the transition read, and what it decided. */
export interface JournalStep {
  event: JsonObject & { type: string };
  /** Types of the effects, in order. */
  effects: readonly string[];
  /** Name of the state that it left. */
  place: string;
}

/** A commit; the first one of an actor has no steps. */
export interface JournalEntry extends Pick<StoredEntry, 'version' | 'at'> {
  build: string;
  /** Length of the snapshot after it: tells most differences of a context, whatever the order of its members. */
  size: number;
  steps: readonly JournalStep[];
  /** What the actor was made from, and by which version of the package; null in later entries. */
  origin: { input: JsonObject; version: string } | null;
}

/**
 * An entry as a tuple without what says nothing new: the cache holds it as long as the call lasts. A creation has its origin instead of steps, and
 * the version.
 */
type Body = [build: string, size: number, what: StepBody[] | JsonObject, version?: string];
/** `rest`: the event without its type, 0 for none; `effects` joined by commas; `place` absent: as before. */
type StepBody = [type: string, rest?: JsonObject | 0, effects?: string, place?: string];

/** What a commit tells the journal; `origin` is that of a new actor. */
interface Told<State> {
  steps: readonly DecidedStep<State>[];
  origin?: unknown;
  size: number;
}

/** Writes the entry of a commit. */
export function entryOf<State>(kind: JournalKind<State>, { steps, origin, size }: Told<State>): string {
  if (steps.length === 0) return JSON.stringify([kind.build, size, origin ?? {}, kind.version]);
  return JSON.stringify([kind.build, size, steps.map(step => bodyOf(kind, step))]);
}

function bodyOf<State>(states: JournalStates<State>, { event, before, decision }: DecidedStep<State>): unknown[] {
  const { type, ...rest } = event as JournalStep['event'];
  const [from, to] = [states.placeOf(before), states.placeOf(decision.state)];
  const effects = decision.effects.map(effect => effect.type).join();
  const body = [type, Object.keys(rest).length === 0 ? 0 : rest, effects, from === to ? '' : to];
  while (!body.at(-1)) body.pop();
  return body;
}

/** Reads the entries that `entryOf` wrote, oldest first. */
export function readEntries<State>(states: JournalStates<State>, { entries }: Pick<StoredJournal, 'entries'>): JournalEntry[] {
  let before = '';
  return entries.map(({ version, at, body }) => {
    const [build, size, what, packageVersion = '']: Body = JSON.parse(body);
    const common = { version, at, build, size };
    if (!Array.isArray(what)) {
      before = states.placeOf(states.begin(what));
      return { ...common, steps: [], origin: { input: what, version: packageVersion } };
    }
    const steps = stepsOf(what, before);
    before = steps.at(-1)?.place ?? before;
    return { ...common, steps, origin: null };
  });
}

function stepsOf(bodies: readonly StepBody[], before: string): JournalStep[] {
  const steps: JournalStep[] = [];
  for (const [type, rest, effects = '', place] of bodies)
    steps.push({
      event: { ...(rest === 0 ? undefined : rest), type },
      effects: effects === '' ? [] : effects.split(','),
      place: place ?? steps.at(-1)?.place ?? before,
    });
  return steps;
}

/** The whole journal as one JSON text, for a store that keeps it after the actor; bodies and snapshot are JSON already. */
export function packJournal({ entries, missing, snapshot }: StoredJournal): string {
  const packed = entries.map(({ version, at, body }) => `[${version},${at},${body}]`);
  return `{"missing":${missing},"snapshot":${snapshot},"entries":[${packed.join(',')}]}`;
}

interface Packed {
  missing: number;
  snapshot: unknown;
  entries: [version: number, at: number, body: unknown][];
}

export function unpackJournal(text: string): StoredJournal {
  const { missing, snapshot, entries }: Packed = JSON.parse(text);
  const unpacked = entries.map(([version, at, body]) => ({ version, at, body: JSON.stringify(body) }));
  return { missing, snapshot: JSON.stringify(snapshot), entries: unpacked };
}
