import { compareAllZones } from '#test/support/all-zones.ts';

/** The tests of every commit take a part; which one changes with the day, and the title tells it. */
const SHARE = 20;
const today = Math.floor(Temporal.Now.instant().epochMilliseconds / 86_400_000);

compareAllZones(SHARE, today);
