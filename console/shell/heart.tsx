import { useStream } from '../live/use-stream.ts';
import { HeartDocument } from './heart.generated.ts';

/** Keeps the socket open on every page, so that a server that no longer answers is noticed also where nothing else is streamed. */
export function Heart() {
  useStream(HeartDocument, { variables: {}, initial: null, reduce: () => null });
  return null;
}
