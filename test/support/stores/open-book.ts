import type { SlotBook } from '#ports/slot-book.ts';

/** Ends COLD without holders: an empty book is complete. */
export async function openBook(book: SlotBook): Promise<void> {
  await book.startRebuild('empty');
  await book.open('empty');
}
