const FIRST_LEAD = 0x81;
const FIRST_TRAIL = 0x40;
const LAST = 0xfe;

let pairs: ReadonlyMap<string, readonly [number, number]> | undefined;

/** Encodes a text as spreadsheet programs in China save it; covers characters of one or two bytes. */
export function gb18030(text: string): Uint8Array<ArrayBuffer> {
  pairs ??= readPairs();
  return Uint8Array.from(
    text.split('').flatMap(letter => {
      const code = letter.charCodeAt(0);
      const pair = code < 0x80 ? [code] : pairs?.get(letter);
      if (!pair) throw new Error(`${letter} has no two bytes in GB18030`);
      return [...pair];
    }),
  );
}

function readPairs(): ReadonlyMap<string, readonly [number, number]> {
  const decoder = new TextDecoder('gb18030');
  const found = new Map<string, readonly [number, number]>();
  for (let lead = FIRST_LEAD; lead <= LAST; lead++) {
    for (let trail = FIRST_TRAIL; trail <= LAST; trail++) found.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail]);
  }
  return found;
}
