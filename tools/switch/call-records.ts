import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { OutgoingEvent } from './frames.ts';

/** Destination of call detail records, as in json_cdr.conf.xml. */
export interface CallRecordTarget {
  url: string;
  /** The password of `cred`; the user name is irrelevant. */
  token: string;
  /** Parameter `encode`. */
  encode?: 'json' | 'form' | 'base64';
}

/**
 * Retry interval of a record that was not accepted, in ms, for as long as the process lives; stands for the module's spool and the job that
 * empties it.
 */
const RETRY_MS = 1_000;
const TIMEOUT_MS = 5_000;

const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  base64: 'application/x-www-form-base64-encoded',
} as const;

/**
 * Posts the record of each ended channel until it is accepted.
 *
 * Source: mod_json_cdr.c `process_cdr`, switch_ivr.c `switch_ivr_generate_json_cdr`
 */
export class CallRecords {
  /** Null: the module is not loaded. */
  target: CallRecordTarget | null;
  readonly #parts: { clock: Clock; log: Log };
  #isHeld = false;
  #isClosed = false;
  readonly #waiting: (() => void)[] = [];

  constructor(target: CallRecordTarget | null, parts: { clock: Clock; log: Log }) {
    this.target = target;
    this.#parts = parts;
  }

  /** Holds records back, as if they stayed on disk. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) for (const send of this.#waiting.splice(0)) send();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** `headers`: those of the channel's last event; its variables go into the record. */
  ended(uuid: string, headers: () => OutgoingEvent['headers']): void {
    if (this.target === null) return;
    const prefix = 'variable_';
    const variables = headers().flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), encodeURIComponent(value)] as const] : [],
    );
    const record = { 'core-uuid': '', switchname: 'simulator', variables: Object.fromEntries(variables), callflow: [] };
    this.#send(uuid, JSON.stringify(record));
  }

  #send(uuid: string, text: string): void {
    const { target } = this;
    if (this.#isClosed || target === null) return;
    if (this.#isHeld) return void this.#waiting.push(() => this.#send(uuid, text));
    post(target, uuid, text).catch((error: unknown) => {
      this.#parts.log.debug({ err: error, uuid }, 'a call detail record was not taken: sent again');
      this.#parts.clock.schedule(RETRY_MS, () => this.#send(uuid, text));
    });
  }
}

async function post({ url, token, encode = 'json' }: CallRecordTarget, uuid: string, text: string): Promise<void> {
  const body = encode === 'json' ? text : `cdr=${encode === 'form' ? formEncoded(text) : Buffer.from(text).toString('base64')}`;
  const answer = await fetch(`${url}?uuid=${uuid}`, {
    method: 'POST',
    headers: { 'Content-Type': CONTENT_TYPES[encode], Authorization: `Basic ${Buffer.from(`switch:${token}`).toString('base64')}` },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`answered with ${answer.status}`);
}

/** Leaves existing percent-encoding alone (switch_utils.c `switch_url_encode`). */
function formEncoded(text: string): string {
  return text
    .split(/(%[0-9A-F]{2})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('');
}
