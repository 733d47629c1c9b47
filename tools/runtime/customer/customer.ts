/** Whom the bot talks to. */
export interface Customer {
  /** What they say when they pick up; null: they wait. */
  greet(): Reply | null;
  /** What they answer to what was said last; null: they stay silent. */
  reply(prompt: string): Reply | null;
}

/** Units: ms, as people are; a faster world divides. */
export interface Reply {
  text: string;
  thinkMs: number;
  speechMs: number;
}
