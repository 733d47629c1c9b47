import { describe, expect, test } from '@jest/globals';
import { featureIndex, findFeatures, PLACE } from '#companions/nlu/local/text/feature-index.ts';
import { emptyFeatures, MAX_FEATURES } from '#companions/nlu/local/text/features.ts';
import { randomInt, seededRandom } from '#kernel/random.ts';

const random = seededRandom(5);
const hash = () => randomInt(random, 1, 0xffffffff);

/** The places of one feature, null where the index does not know it. */
function placesOf(index: Int32Array, feature: number): number[] | null {
  const features = emptyFeatures();
  features.ids[0] = feature;
  features.count = 1;
  findFeatures(index, features);
  const [slot = 0] = features.slots;
  return features.found === 0 ? null : [PLACE.utterances, PLACE.descriptions, PLACE.vectors].map(place => index[slot + place] ?? 0);
}

describe('the index of features [issue 21]', () => {
  test.each([1, 4, 1_000])('tells of each of %d features where each model keeps it, and of no other', count => {
    const said = Uint32Array.from({ length: count }, hash);
    const placed = Uint32Array.from([...said.slice(0, Math.ceil(count / 2)), ...Array.from({ length: count }, hash)]);
    const index = featureIndex([
      { of: PLACE.utterances, features: said, places: Int32Array.from(said, (_, at) => -1 - at) },
      { of: PLACE.vectors, features: placed, places: Int32Array.from(placed, (_, at) => 1 + at) },
    ]);
    said.forEach((feature, at) => expect(placesOf(index, feature)).toEqual([-1 - at, 0, placed.indexOf(feature) + 1]));
    placed.forEach((feature, at) =>
      expect(placesOf(index, feature)).toEqual([said.includes(feature) ? -1 - said.indexOf(feature) : 0, 0, at + 1]),
    );
    for (let at = 0; at < 1_000; at += 1) {
      const other = hash();
      if (!said.includes(other) && !placed.includes(other)) expect(placesOf(index, other)).toBeNull();
    }
  });

  test('lies the same whatever the order in which models tell of their features', () => {
    const features = Uint32Array.from({ length: 300 }, hash);
    const of = (list: Uint32Array) =>
      featureIndex([{ of: PLACE.vectors, features: list, places: Int32Array.from(list, feature => feature | 1) }]);
    expect(of(features.toReversed())).toEqual(of(features));
  });

  test('the one feature that looks like a free slot is left out', () => {
    const index = featureIndex([{ of: PLACE.utterances, features: Uint32Array.of(0, 7), places: Int32Array.of(3, 4) }]);
    expect(placesOf(index, 0)).toBeNull();
    expect(placesOf(index, 7)).toEqual([4, 0, 0]);
  });

  test('finds as many features as a text may have', () => {
    const features = emptyFeatures();
    features.ids.forEach((_, at) => (features.ids[at] = hash()));
    features.count = MAX_FEATURES;
    findFeatures(featureIndex([{ of: PLACE.vectors, features: features.ids, places: new Int32Array(MAX_FEATURES).fill(1) }]), features);
    expect(features.found).toBe(MAX_FEATURES);
  });
});
