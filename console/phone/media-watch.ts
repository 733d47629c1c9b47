import { countsOf, type MediaCounts, type Quality, qualityOf, type StatsRow } from './quality.ts';

/** Interval between two looks at the media, in ms. */
export const LOOK_MS = 1_000;
const LOOKS_PER_RATING = 3;
/** Number of checks without a packet after which the path is requested anew, and after which again. The switch ends a leg after 5 s without media (D12.7). */
const SILENT_LOOKS = { first: 2, again: 10 };

export interface MediaReports {
  rated: (quality: Quality) => void;
  /** Nothing is heard from the switch: the path or the call is gone. */
  silent: () => void;
}

/** Watches the media of a call, by one report of `getStats` after the other. */
export class MediaWatch {
  readonly #reports: MediaReports;
  #rated: MediaCounts | null = null;
  #last: MediaCounts | null = null;
  #quality: Quality | null = null;
  #looks = 0;
  #silentLooks = 0;

  constructor(reports: MediaReports) {
    this.#reports = reports;
  }

  look(rows: readonly StatsRow[]): void {
    const counts = countsOf(rows);
    this.#looks += 1;
    if (counts && this.#looks % LOOKS_PER_RATING === 0) this.#rate(counts);
    this.#listen(counts);
    this.#last = counts;
  }

  #rate(counts: MediaCounts): void {
    if (this.#rated && counts.received >= this.#rated.received) {
      this.#quality = qualityOf(this.#rated, counts, this.#quality);
      this.#reports.rated(this.#quality);
    }
    this.#rated = counts;
  }

  #listen(counts: MediaCounts | null): void {
    const isSilent = (counts?.received ?? 0) === (this.#last?.received ?? 0);
    this.#silentLooks = isSilent ? this.#silentLooks + 1 : 0;
    const { first, again } = SILENT_LOOKS;
    if (this.#silentLooks === first || (this.#silentLooks > first && this.#silentLooks % again === 0)) this.#reports.silent();
  }
}
