import type { Frame } from './frame.ts';

/** Media of one call of a browser's phone: a WebRTC peer that sends and receives PCMU. */
export interface Peer {
  /** Our offer, with every candidate. */
  offer(): Promise<string>;
  /** Takes the answer to our offer. Errors: any, when it is not one */
  acceptAnswer(sdp: string): Promise<void>;
  /** Answers an offer, the first or a later one. Errors: any, when it cannot be met */
  answer(offer: string): Promise<string>;
  /** The next 20 ms of what the phone sends; null while it sends nothing. */
  take(): Frame | null;
  give(frame: Frame): void;
  /** Packets received so far: a phone that sends none is gone. */
  received(): number;
  close(): void;
}

export type OpenPeer = (onDigit: (digit: string) => void) => Promise<Peer>;
