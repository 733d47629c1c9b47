import { describe, expect, test } from '@jest/globals';
import { amplitudeOf, hearTone } from '#test/switch/tones.ts';

const RATE = 8_000;

function sound(seconds: number, parts: readonly { hertz: number; amplitude: number; from?: number; to?: number }[]): Float64Array {
  return Float64Array.from({ length: RATE * seconds }, (_, index) =>
    parts
      .filter(({ from = 0, to = seconds }) => index >= from * RATE && index < to * RATE)
      .reduce((sum, { hertz, amplitude }) => sum + amplitude * Math.sin((2 * Math.PI * hertz * index) / RATE), 0),
  );
}

describe('detection of tones', () => {
  test('the amplitude of a tone is measured, and that of a tone 40 Hz away is near zero', () => {
    const tone = sound(0.1, [{ hertz: 1_040, amplitude: 0.3 }]);
    expect(amplitudeOf(tone, RATE, 1_040)).toBeCloseTo(0.3, 2);
    expect(amplitudeOf(tone, RATE, 1_080)).toBeLessThan(0.003);
  });

  test('two simultaneous tones are both heard, and a third is not', () => {
    const samples = sound(1, [
      { hertz: 1_040, amplitude: 0.2 },
      { hertz: 700, amplitude: 0.1 },
    ]);
    expect([1_040, 700, 900].map(hertz => hearTone({ rate: RATE, samples }, hertz))).toEqual(['heard', 'heard', 'silent']);
  });

  test('a tone that starts in the middle is heard partly, and an empty recording is silent', () => {
    const samples = sound(1, [{ hertz: 1_040, amplitude: 0.2, from: 0.5 }]);
    expect(hearTone({ rate: RATE, samples }, 1_040)).toBe('partly');
    expect(hearTone({ rate: RATE, samples: new Float64Array(0) }, 1_040)).toBe('silent');
  });
});
