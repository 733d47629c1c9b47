/**
 * Merges all requests of one animation frame into one paint.
 *
 * Why: hundreds of changes arrive per second, and each would render separately; a hidden tab paints nothing and catches up when it becomes
 *      visible
 */
export class Frames {
  readonly #paint: () => void;
  #frame: number | null = null;

  constructor(paint: () => void) {
    this.#paint = paint;
  }

  request(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#paint();
    });
  }

  cancel(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }
}
