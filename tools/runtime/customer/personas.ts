import type { Act } from './utterances.ts';

/** Kind of a prompt, as a customer would understand it. */
export type PromptKind = 'offer' | 'time' | 'identity' | 'rating' | 'count' | 'statement';

/** Relative weights of reactions; `silence`: no reply. */
export type Tendency = Readonly<Partial<Record<Act | 'silence', number>>>;

/** A kind of customer: frequency, way of talking and tendencies. */
export interface Persona {
  name: string;
  share: number;
  /** Pause before a reply, both bounds inclusive. */
  thinkMs: readonly [min: number, max: number];
  msPerCharacter: number;
  /** Probability, 0..1, that a reply begins with a filler. */
  fillerRate: number;
  /** Reactions to the first offer, and to later ones. */
  offer: Tendency;
  laterOffer: Tendency;
  /** Overrides the common tendency where the kind of prompt matters more than the persona. */
  answers?: Readonly<Partial<Record<PromptKind, Tendency>>>;
}

/** Replies of any customer to a prompt of this kind. */
export const COMMON_ANSWERS: Readonly<Record<Exclude<PromptKind, 'offer'>, Tendency>> = {
  time: { tellTime: 10, callLater: 2, hesitant: 1, unclear: 0.5, silence: 0.5 },
  identity: { identify: 10, askWho: 2, notMe: 1, unclear: 0.5 },
  rating: { rate: 10, hesitant: 1, silence: 0.5 },
  count: { count: 10, hesitant: 2, askDetail: 1 },
  statement: { thanks: 4, hesitant: 2, askDetail: 2, askPrice: 1, silence: 2 },
};

/** Seven kinds of customers that every outbound agent knows. */
export const PERSONAS: readonly Persona[] = [
  {
    name: 'willing',
    share: 24,
    thinkMs: [300, 1_200],
    msPerCharacter: 190,
    fillerRate: 0.25,
    offer: { agree: 7, askPrice: 2, askDetail: 2, hesitant: 0.5 },
    laterOffer: { agree: 9, hesitant: 1, thanks: 0.5 },
  },
  {
    name: 'curious',
    share: 18,
    thinkMs: [500, 1_800],
    msPerCharacter: 200,
    fillerRate: 0.35,
    offer: { askPrice: 4, askDetail: 4, askWho: 2, agree: 1 },
    laterOffer: { agree: 4, askDetail: 2, hesitant: 2, callLater: 2, refuse: 1 },
  },
  {
    name: 'busy',
    share: 18,
    thinkMs: [150, 700],
    msPerCharacter: 160,
    fillerRate: 0.1,
    offer: { busy: 7, callLater: 3, refuse: 1 },
    laterOffer: { callLater: 5, busy: 3, refuse: 2 },
    answers: { statement: { busy: 4, silence: 3, callLater: 2 } },
  },
  {
    name: 'uninterested',
    share: 20,
    thinkMs: [200, 900],
    msPerCharacter: 170,
    fillerRate: 0.15,
    offer: { refuse: 8, askWho: 1, busy: 1 },
    laterOffer: { refuse: 8, doNotCall: 1.5 },
    answers: { statement: { refuse: 3, silence: 4 } },
  },
  {
    name: 'annoyed',
    share: 7,
    thinkMs: [100, 500],
    msPerCharacter: 150,
    fillerRate: 0.05,
    offer: { complaint: 5, doNotCall: 4, refuse: 2 },
    laterOffer: { doNotCall: 6, complaint: 4 },
    answers: { statement: { complaint: 3, doNotCall: 3 }, rating: { complaint: 4, rate: 1 } },
  },
  {
    name: 'elderly',
    share: 9,
    thinkMs: [1_200, 3_800],
    msPerCharacter: 260,
    fillerRate: 0.5,
    offer: { unclear: 3, hesitant: 3, agree: 2, askWho: 2, silence: 1.5 },
    laterOffer: { agree: 3, hesitant: 3, callLater: 1, unclear: 1 },
  },
  {
    name: 'somebody else',
    share: 4,
    thinkMs: [400, 1_500],
    msPerCharacter: 190,
    fillerRate: 0.2,
    offer: { notMe: 8, askWho: 2 },
    laterOffer: { notMe: 6, refuse: 2, callLater: 1 },
    answers: { identity: { notMe: 9, askWho: 1 } },
  },
];
