/** Sound and system notification for calls that need an agent; off until the user turns them on. */
const KEPT = 'callout.alarm';
/** Frequencies of the two notes, in Hz, and how long each sounds, in s. */
const NOTES = [880, 1_320];
const NOTE_SECONDS = 0.16;
const VOLUME = 0.15;

let context: AudioContext | null = null;

export function isAlarmOn(): boolean {
  return localStorage.getItem(KEPT) === 'on';
}

/** Turns the alarm on. Call it from a click handler: browsers allow sound and notifications only after a user gesture. */
export async function turnAlarmOn(): Promise<void> {
  localStorage.setItem(KEPT, 'on');
  sound();
  if ('Notification' in window && Notification.permission === 'default') await Notification.requestPermission();
}

export function turnAlarmOff(): void {
  localStorage.removeItem(KEPT);
}

interface Alarm {
  title: string;
  text: string;
  /** Notifications with the same tag replace each other. */
  tag: string;
  /** Called when the notification is clicked. */
  open: () => void;
}

/** Plays the sound, and shows a system notification when the tab is hidden. */
export function raiseAlarm({ title, text, tag, open }: Alarm): void {
  if (!isAlarmOn()) return;
  sound();
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
  const shown = new Notification(title, { body: text, tag });
  shown.addEventListener('click', () => {
    window.focus();
    open();
  });
}

function sound(): void {
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  void context.resume();
  for (const [index, frequency] of NOTES.entries()) {
    const note = new OscillatorNode(context, { frequency });
    const volume = new GainNode(context, { gain: VOLUME });
    const from = currentTime + index * NOTE_SECONDS;
    volume.gain.exponentialRampToValueAtTime(0.001, from + NOTE_SECONDS);
    note.connect(volume).connect(destination);
    note.start(from);
    note.stop(from + NOTE_SECONDS);
  }
}
