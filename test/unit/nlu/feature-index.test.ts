import { describe, expect, test } from '@jest/globals';
import { featureIndex, findFeatures, PLACE } from '#nlu/local/text/feature-index.ts';
import { emptyFeatures, MAX_FEATURES } from '#nlu/local/text/features.ts';
import { randomInt, seededRandom } from '#kernel/random.ts';

const random = seededRandom(5);
const hash = () => randomInt(random, 1, 0xffffffff);

/** Positions of one feature in each model; null when the index does not contain it. */
function placesOf(index: Int32Array, feature: number): number[] | null {
  const features = emptyFeatures();
  features.ids[0] = feature;
  features.count = 1;
  findFeatures(index, features);
  const [slot = 0] = features.slots;
  return features.found === 0 ? null : [PLACE.utterances, PLACE.descriptions, PLACE.vectors].map(place => index[slot + place] ?? 0);
}

describe('the feature index [issue 21]', () => {
  test.each([1, 4, 1_000])('returns the positions of each of %d features in each model, and of no other feature', count => {
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

  test('has the same layout whatever the order of the features', () => {
    const features = Uint32Array.from({ length: 300 }, hash);
    const of = (list: Uint32Array) =>
      featureIndex([{ of: PLACE.vectors, features: list, places: Int32Array.from(list, feature => feature | 1) }]);
    expect(of(features.toReversed())).toEqual(of(features));
  });

  test('leaves out the one feature that equals the mark of a free slot', () => {
    const index = featureIndex([{ of: PLACE.utterances, features: Uint32Array.of(0, 7), places: Int32Array.of(3, 4) }]);
    expect(placesOf(index, 0)).toBeNull();
    expect(placesOf(index, 7)).toEqual([4, 0, 0]);
  });

  test('finds as many features as a text can have', () => {
    const features = emptyFeatures();
    features.ids.forEach((_, at) => (features.ids[at] = hash()));
    features.count = MAX_FEATURES;
    findFeatures(featureIndex([{ of: PLACE.vectors, features: features.ids, places: new Int32Array(MAX_FEATURES).fill(1) }]), features);
    expect(features.found).toBe(MAX_FEATURES);
  });
});
