/** Companding by µ-law: bias and clip level of a 14-bit sample. Source: ITU-T G.711 */
const BIAS = 0x84;
const CLIP = 32_635;

/** Every octet's sample. */
const DECODED = Int16Array.from({ length: 256 }, (_, octet) => decodeOctet(octet));

function decodeOctet(octet: number): number {
  const inverted = ~octet & 0xff;
  const exponent = (inverted >> 4) & 0x07;
  const magnitude = ((((inverted & 0x0f) << 3) + BIAS) << exponent) - BIAS;
  return (inverted & 0x80) === 0 ? magnitude : -magnitude;
}

export function decodeMuLaw(octets: Uint8Array): Int16Array {
  return Int16Array.from(octets, octet => DECODED[octet] ?? 0);
}

export function encodeMuLaw(samples: Int16Array): Buffer {
  return Buffer.from(Uint8Array.from(samples, encodeSample));
}

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(CLIP, Math.abs(sample)) + BIAS;
  const segment = 31 - Math.clz32(magnitude >> 7);
  const mantissa = (magnitude >> (segment + 3)) & 0x0f;
  return ~(sign | (segment << 4) | mantissa) & 0xff;
}
