/** Sound and notification of what wants a person: only where somebody has asked for them. */
const KEPT = 'callout.alarm';
/** Two notes, Hz, and how long each sounds, s. */
const NOTES = [880, 1_320];
const NOTE_SECONDS = 0.16;
const VOLUME = 0.15;

let context: AudioContext | null = null;

export function isAlarmOn(): boolean {
  return localStorage.getItem(KEPT) === 'on';
}

/** Asked for by a click: browsers let nothing sound or be shown before. */
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
  /** The same for what replaces it. */
  tag: string;
  /** When it is clicked. */
  open: () => void;
}

/** Sounds, and is shown by the system while nobody looks at the tab. */
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
