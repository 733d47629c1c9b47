/** The simulated party on the line. */
export interface Customer {
  /** Words when answering; null: waits silently. */
  greet(): Reply | null;
  /** Reply to the last prompt; null: stays silent. */
  reply(prompt: string): Reply | null;
}

/** Units: ms at real speed; `speed` divides them */
export interface Reply {
  text: string;
  thinkMs: number;
  speechMs: number;
}
