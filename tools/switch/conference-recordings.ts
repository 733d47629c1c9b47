import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import { randomInt, type Random } from '#kernel/random.ts';
import type { Room } from './conference-room.ts';
import type { SwitchSound } from './media/switch-sound.ts';
import type { RecordingFolder } from './recording-folder.ts';
import { SAMPLE_RATE, wavBytesOf } from '../sound/wav.ts';
import type { Troubles } from './troubles.ts';

export interface RecordingsOptions {
  clock: Clock;
  random: Random;
  ids: IdSource;
  troubles: Troubles;
  folder: RecordingFolder;
  sound: Pick<SwitchSound, 'record'>;
  tell(room: Room, action: string, more: (readonly [string, string])[]): void;
}

/** Delay until a recording starts or stops after the command, both bounds inclusive, in ms. */
const THREAD_MS = { min: 5, max: 20 };

/**
 * `record` and `norecord` of a conference: the reply reports success whether or not the file can be written.
 *
 * Source: test/fixtures/esl/README.md §1a "recording that cannot be written", recording d-conference-plain
 */
export class Recordings {
  readonly #options: RecordingsOptions;

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  start(room: Room, path: string): string {
    if (room.recordings.has(path)) return `-ERR file [${path}] is already being used for recording.\n`;
    const { clock, folder, troubles } = this.#options;
    const isWritable = !troubles.takeUnwritable() && folder.begin(path);
    room.recordings.set(path, { path, startedAt: clock.now(), isRunning: false, tape: null });
    this.#soon(() => (isWritable ? this.#begin(room, path) : this.#fail(room, path)));
    return `+OK Record file ${path}\n`;
  }

  /** `which`: a path or `all`. The reply counts the files closed before it was written, so always 0. */
  stop(room: Room, which: string): string {
    const paths = [...room.recordings.keys()].filter(path => which === 'all' || path === which);
    for (const path of paths) this.#soon(() => this.#end(room, path));
    const lines = paths.map(path => `Stopped recording file ${path}\n`).join('');
    const problem = paths.length === 0 && which !== 'all' ? `-ERR non-existant recording '${which}'\n` : '';
    return `${lines}${problem}+OK Stopped recording 0 files\n`;
  }

  roomEnded(room: Room): void {
    for (const path of room.recordings.keys()) this.#end(room, path);
  }

  #begin(room: Room, path: string): void {
    const recording = room.recordings.get(path);
    if (!recording) return;
    const uuids = () =>
      [...room.members.values()].filter(({ canSpeak, isOnHold }) => canSpeak && !isOnHold).map(({ channel }) => channel.uuid);
    room.recordings.set(path, { ...recording, isRunning: true, tape: this.#options.sound.record(uuids) });
    this.#options.tell(room, 'start-recording', [['Path', path]]);
  }

  /** The start and stop events have the same timestamp. */
  #fail(room: Room, path: string): void {
    room.recordings.delete(path);
    this.#options.tell(room, 'start-recording', [
      ['Path', path],
      ['Error', 'File could not be opened for recording'],
    ]);
    this.#options.tell(room, 'stop-recording', stopHeaders(room, path, null));
  }

  #end(room: Room, path: string): void {
    const recording = room.recordings.get(path);
    if (!recording) return;
    room.recordings.delete(path);
    const lengthMs = this.#options.clock.now() - recording.startedAt;
    this.#options.folder.finish(path, lengthMs, recording.tape?.stop() ?? null);
    this.#options.tell(room, 'stop-recording', stopHeaders(room, path, lengthMs));
  }

  #soon(task: () => void): void {
    const { clock, random } = this.#options;
    clock.schedule(randomInt(random, THREAD_MS.min, THREAD_MS.max), task);
  }
}

/** `lengthMs` null: nothing was written. */
function stopHeaders(room: Room, path: string, lengthMs: number | null): (readonly [string, string])[] {
  const samples = Math.round(((lengthMs ?? 0) * SAMPLE_RATE) / 1_000);
  const headers: (readonly [string, string])[] = [
    ['Path', path],
    ['Other-Recordings', String(room.recordings.size > 0)],
    ['Samples-Out', String(samples)],
    ['Samplerate', String(SAMPLE_RATE)],
    ['Milliseconds-Elapsed', String(Math.round(lengthMs ?? 0))],
  ];
  return lengthMs === null ? headers : [...headers, ['Record-File-Size', String(wavBytesOf(samples))]];
}
