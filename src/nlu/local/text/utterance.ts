import { untwist, withoutCourtesy } from './composition.ts';
import { normalize } from './normalize.ts';

/** Fillers at the start of a reply; removed as long as other text remains. */
const LEADING_FILLERS =
  /^(?:(?:嗯+|呃+|额+|啊+|哎+呀?|唉+|诶+|噢+|喔+|呀|那个|这个|就是说|就是|然后|那么|怎么说呢|我跟你说|我跟你讲|我告诉你|不好意思|是这样|well|uh|um|er) *)+(?=.{2,})/;

/** `好的好的但是…`: the meaning follows the turn. */
const CONTRAST = /^(.{1,24}?)(?:但是|不过|可是|只不过|然而|但|\bbut\b)(.{3,})$/;
const CONCESSION = /^(.{1,3})(?:倒)?是(?:想)?\1(?:了|的)? ?(?:就是|只是|但是|就)?(.{2,})$/;

/** `虽然便宜 我也不需要`, `话是这么说 钱还是没有`: the second part counts. */
const ALTHOUGH =
  /^(?:(?:虽然|虽说|尽管|就算|哪怕|即使|即便|纵然)[^ ]{1,14}?(?: |(?=也|都|还是))|(?:话(?:是|虽)?(?:是)?(?:这么|这样)说|话虽如此|理是这(?:么)?个理|道理(?:我)?(?:都)?(?:懂|明白))(?:了|的)? )(.{2,})$/;

/** `去不去`, `买没买` ask and negate nothing; the corpus contains the common ones (是不是, 能不能) in their own form. */
const A_NOT_A = /(?<![不没别])(?![是能有会可要好行对用不没])(\p{Script=Han})[不没]\1/gu;
/** `满不满意`: of a word of two characters, the first is repeated alone. */
const AB_NOT_AB = /([满愿知方喜合需认相便清同舒划靠确参接安正熟])[不没]\1(\p{Script=Han})/gu;

/** Meaning of an utterance. */
export interface Meaning {
  text: string;
  /** See {@link untwist}. */
  isTwisted: boolean;
}

/**
 * Reduces an utterance to the part that carries its meaning.
 *
 * Why: fillers and the polite half of a "yes, but" would otherwise outweigh it
 */
export function meaningfulPart(text: string): string {
  return meaningOf(normalize(text)).text;
}

/** Like {@link meaningfulPart}, for a text that is already normalised. */
export function meaningOf(normalized: string): Meaning {
  const { meant: said, isTwisted } = untwist(normalized.replace(LEADING_FILLERS, ''));
  const plain = withoutCourtesy(said);
  const turn = CONTRAST.exec(plain) ?? CONCESSION.exec(plain) ?? ALTHOUGH.exec(plain);
  const tail = turn?.at(-1)?.trim();
  const meant = tail && tail.length >= 2 ? tail.replace(LEADING_FILLERS, '') : plain;
  return { text: meant.replace(AB_NOT_AB, '$1$2吗').replace(A_NOT_A, '$1吗'), isTwisted };
}
