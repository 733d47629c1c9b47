import type { Clock } from './clock.ts';

/**
 * Gathers single items for a short time and hands them on as one batch; every caller learns the fate of its own batch.
 *
 * Units: `waitMs` ms; at most `maxBatch` items go together
 */
export class Coalescer<Item> {
  private waiting: { item: Item; resolve: () => void; reject: (error: unknown) => void }[] = [];
  private isScheduled = false;
  private readonly options: { clock: Clock; waitMs: number; maxBatch: number; flush: (items: Item[]) => Promise<unknown> };

  constructor(options: { clock: Clock; waitMs: number; maxBatch: number; flush: (items: Item[]) => Promise<unknown> }) {
    this.options = options;
  }

  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.waiting.length >= this.options.maxBatch) this.flush();
      else this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.options.clock.schedule(this.options.waitMs, () => this.flush());
  }

  private flush(): void {
    this.isScheduled = false;
    const batch = this.waiting;
    if (batch.length === 0) return;
    this.waiting = [];
    this.options.flush(batch.map(entry => entry.item)).then(
      () => batch.forEach(entry => entry.resolve()),
      (error: unknown) => batch.forEach(entry => entry.reject(error)),
    );
  }
}
