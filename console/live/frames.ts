/**
 * Runs what was asked for together, once a frame: a screen shows no more than that.
 *
 * Why: hundreds of changes a second come, each would be a render of its own; a hidden tab paints nothing and catches up when it is seen
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
