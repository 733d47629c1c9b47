import { type Random, randomPick } from '#kernel/random.ts';
import type { Trade } from './corpus.ts';

const PLACE = /\{(deed|thing)\}/g;

/** Whether a phrase or description is a frame: `不想{deed}`. */
export function isFrame(text: string): boolean {
  return text.includes('{');
}

/**
 * Fills a frame with words of one trade.
 *
 * Why: the models learn what 不想… means regardless of what follows, instead of the trades that the corpus happens to contain
 */
export function filled(text: string, { deeds, things }: Trade, random: Random): string {
  return text.replace(PLACE, (_, place: string) => randomPick(random, place === 'deed' ? deeds : things));
}

/** A frame with empty slots. */
export function unfilled(text: string): string {
  return text.replace(PLACE, ' ');
}

/** Number of trades with which a frame is filled per epoch. */
const FILLINGS = 2;

/** The text itself, or a frame filled with several trades. */
export function shown(text: string, trades: readonly Trade[], random: Random): string[] {
  if (!isFrame(text)) return [text];
  return Array.from({ length: FILLINGS }, () => filled(text, randomPick(random, trades), random));
}
