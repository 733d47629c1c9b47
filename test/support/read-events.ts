import { waitUntil } from './wait-until.ts';

export interface ReadEvent {
  id: string;
  event: string;
  // Tests look into events of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

export interface EventReader {
  headers: Headers;
  /** All events read so far, in order. */
  events: ReadEvent[];
  /** Waits for the next event of this name that no earlier call has returned. */
  next(name: string): Promise<ReadEvent>;
  /** Whether the server has closed the stream. */
  isClosed(): boolean;
  close(): void;
}

/** Opens an event stream and reads it continuously. */
export async function readEvents(url: string, options: { token?: string; lastEventId?: string } = {}): Promise<EventReader> {
  const gone = new AbortController();
  const headers = {
    ...(options.token ? { Authorization: `Bearer ${options.token}` } : {}),
    ...(options.lastEventId ? { 'Last-Event-ID': options.lastEventId } : {}),
  };
  const answer = await fetch(url, { headers, signal: gone.signal });
  if (answer.status !== 200 || !answer.body) throw new Error(`the stream answered ${answer.status}: ${await answer.text()}`);
  const events: ReadEvent[] = [];
  let taken = 0;
  let isClosed = false;
  const reading = readAll(answer.body, events);
  const closed = () => {
    isClosed = true;
  };
  reading.then(closed, closed);
  return {
    headers: answer.headers,
    events,
    next: name =>
      waitUntil(`an event ${name}`, () => {
        const place = events.findIndex((event, index) => index >= taken && event.event === name);
        if (place < 0) return null;
        taken = place + 1;
        return events[place];
      }),
    isClosed: () => isClosed,
    close() {
      gone.abort();
      // Reading ends by aborting the request.
      reading.catch(() => undefined);
    },
  };
}

async function readAll(body: ReadableStream<Uint8Array>, events: ReadEvent[]): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) if (frame.includes('data: ')) events.push(parseFrame(frame));
  }
}

function parseFrame(frame: string): ReadEvent {
  const fields = new Map(frame.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(fields.get('data') ?? 'null') };
}
