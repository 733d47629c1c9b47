import type { Clock } from '#kernel/clock.ts';
import type { Random } from '#kernel/random.ts';
import type { CallState, Channel, ChannelState, RunningApplication } from './channel.ts';
import { dateText, secondsText } from './clock-ticks.ts';

/** The table's row of a channel at one moment. */
interface Row {
  channel: Channel;
  state: ChannelState;
  callState: CallState;
  application: RunningApplication | null;
  isAnswered: boolean;
  callUuid: string;
}

interface Change {
  dueAt: number;
  uuid: string;
  /** null: the channel is gone. */
  row: Row | null;
}

export interface ShowTableOptions {
  clock: Clock;
  random: Random;
  /** Mean delay of a change, in ms; each varies by half of it. */
  lagMs: number;
}

/**
 * The table behind `show channels`: a copy that lags behind every change of a channel.
 *
 * Source: test/fixtures/esl/README.md §4 "`show channels` is a database copy", recording c-api-commands
 */
export class ShowTable {
  readonly #options: ShowTableOptions;
  readonly #rows = new Map<string, Row>();
  #changes: Change[] = [];
  #lastDueAt = 0;

  constructor(options: ShowTableOptions) {
    this.#options = options;
  }

  /** Records that a channel has begun, changed or ended. */
  note(channel: Channel, callUuid = channel.uuid): void {
    this.#settle();
    const { clock, random, lagMs } = this.#options;
    this.#lastDueAt = Math.max(this.#lastDueAt, clock.monotonic() + lagMs * (0.5 + random.next()));
    const row = channel.endedAt === null ? rowOf(channel, callUuid) : null;
    this.#changes.push({ dueAt: this.#lastDueAt, uuid: channel.uuid, row });
  }

  get count(): number {
    this.#settle();
    return this.#rows.size;
  }

  /** Without rows the member `rows` is absent. */
  asJson(): string {
    this.#settle();
    if (this.#rows.size === 0) return '{"row_count": 0}\n';
    return JSON.stringify({ row_count: this.#rows.size, rows: [...this.#rows.values()].map(present) });
  }

  clear(): void {
    this.#rows.clear();
    this.#changes = [];
  }

  #settle(): void {
    const now = this.#options.clock.monotonic();
    let due = 0;
    for (const { dueAt, uuid, row } of this.#changes) {
      if (dueAt > now) break;
      due += 1;
      if (row === null) this.#rows.delete(uuid);
      else this.#rows.set(uuid, row);
    }
    if (due > 0) this.#changes.splice(0, due);
  }
}

function rowOf(channel: Channel, callUuid: string): Row {
  const { state, callState, running, answeredAt } = channel;
  return { channel, state, callState, application: running, isAnswered: answeredAt !== null, callUuid };
}

/** Columns as in the recording. */
function present({ channel, state, callState, application, isAnswered, callUuid }: Row) {
  const caller = channel.variables.get('origination_caller_id_number') ?? '0000000000';
  const codec = isAnswered ? ['PCMU', '8000', '64000'] : ['', '', ''];
  const [name, rate, bitRate] = codec;
  return {
    uuid: channel.uuid,
    direction: 'outbound',
    created: dateText(channel.createdAt),
    created_epoch: secondsText(channel.createdAt),
    name: channel.channelName,
    state,
    cid_name: isAnswered ? 'Outbound Call' : '',
    cid_num: isAnswered ? channel.number : caller,
    ip_addr: '',
    dest: channel.number,
    application: application?.name ?? '',
    application_data: application?.data ?? '',
    dialplan: '',
    context: 'default',
    read_codec: name,
    read_rate: rate,
    read_bit_rate: bitRate,
    write_codec: name,
    write_rate: rate,
    write_bit_rate: bitRate,
    secure: '',
    hostname: 'simulator',
    presence_id: '',
    presence_data: channel.variables.get('presence_data') ?? '',
    accountcode: channel.variables.get('accountcode') ?? '',
    callstate: callState,
    callee_name: '',
    callee_num: isAnswered ? caller : channel.number,
    callee_direction: isAnswered ? 'RECV' : '',
    call_uuid: callUuid,
    sent_callee_name: '',
    sent_callee_num: '',
    initial_cid_name: '',
    initial_cid_num: caller,
    initial_ip_addr: '',
    initial_dest: channel.number,
    initial_dialplan: '',
    initial_context: 'default',
  };
}
