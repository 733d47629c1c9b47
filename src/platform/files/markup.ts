const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text of a part of the archive; empty when it is missing. */
export function textOfPart(parts: Readonly<Record<string, Uint8Array>>, path: string): string {
  const part = parts[path];
  return part === undefined ? '' : new TextDecoder().decode(part);
}

/** Value of an attribute of a tag; null when absent. `name` is a regular expression. */
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
