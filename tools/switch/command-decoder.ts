/** One command of a client: its line and the header lines below it. */
export interface ClientCommand {
  line: string;
  headers: ReadonlyMap<string, string>;
}

/** A real switch reads up to 10 MB; our commands stay far below this. */
const MAX_COMMAND_BYTES = 1_048_576;

/**
 * Splits a client's bytes into commands: lines up to a blank line; accepts CRLF and ignores leading blank lines.
 *
 * Errors: RangeError when a command does not end within 1 MiB
 * Source: test/fixtures/esl/README.md §1 "input"
 */
export class CommandDecoder {
  #bytes: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): ClientCommand[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const commands: ClientCommand[] = [];
    for (;;) {
      const block = this.#takeBlock();
      if (block === null) break;
      commands.push(parseBlock(block));
    }
    if (this.#bytes.length > MAX_COMMAND_BYTES) throw new RangeError('command too long');
    return commands;
  }

  #takeBlock(): string | null {
    const start = this.#bytes.findIndex(byte => byte !== 0x0a && byte !== 0x0d);
    if (start === -1) {
      this.#bytes = Buffer.alloc(0);
      return null;
    }
    const text = this.#bytes.subarray(start);
    const ends = [text.indexOf('\n\n'), text.indexOf('\n\r\n')].filter(at => at !== -1);
    if (ends.length === 0) return null;
    const end = Math.min(...ends);
    const length = text[end + 1] === 0x0a ? 2 : 3;
    this.#bytes = text.subarray(end + length);
    return text.toString('utf8', 0, end);
  }
}

function parseBlock(block: string): ClientCommand {
  const [line = '', ...rest] = block.split('\n').map(text => text.replace(/\r$/, ''));
  const headers = new Map<string, string>();
  for (const text of rest) {
    const match = /^([^:]+): ?(.*)$/.exec(text);
    if (match?.[1] !== undefined) headers.set(match[1].toLowerCase(), match[2] ?? '');
  }
  return { line, headers };
}
