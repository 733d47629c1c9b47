const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of a part; empty when the archive does not have it. */
export function textOfPart(parts: Readonly<Record<string, Uint8Array>>, path: string): string {
  const part = parts[path];
  return part === undefined ? '' : new TextDecoder().decode(part);
}

/** The value of an attribute among those of a tag; null when it has none of this name. `name` is a pattern. */
export function attributeOf(attributes: string, name: string): string | null {
  const [, double, single] = patternOf(name).exec(attributes) ?? [];
  return unescaped(double ?? single ?? null);
}

const patterns = new Map<string, RegExp>();

function patternOf(name: string): RegExp {
  const pattern = patterns.get(name) ?? new RegExp(String.raw`(?:^|\s)${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`);
  patterns.set(name, pattern);
  return pattern;
}

function unescaped(text: string | null): string | null {
  return (
    text &&
    text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    })
  );
}
