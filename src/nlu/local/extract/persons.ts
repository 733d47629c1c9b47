/** Persons other than the speaker. */
export const SOMEBODY =
  /(?:老伴|老婆|老公|爱人|媳妇|儿子|女儿|闺女|孩子|小孩|娃|大的|小的|老大|老二|爸|妈|爹|娘|爷|奶|外公|外婆|公公|婆婆|岳父|岳母|哥|弟|姐|妹|叔|伯|舅|姑|姨|孙子|孙女|对象|朋友|同事|同学|邻居|隔壁|别人|人家|别家)(?![一-鿿]{0,2}(?:和|跟|与)我)/;
export const OWN =
  /我(?!们?(?:老|爱|媳|儿|女|闺|孩|小孩|爸|妈|爹|娘|爷|奶|外|公公|婆|岳|哥|弟|姐|妹|叔|伯|舅|姑|姨|孙|对象|朋友|同事|同学|邻|家))|自己|本人/;
/** Labels that ask about a person other than the speaker. */
export const OTHERS_ASKED = /配偶|爱人|老婆|老公|孩子|子女|父|母|老人|对方/;

/** Whether a clause is about a person other than the one that the label means: `我弟三十一`. */
export function saysOfAnother(clause: string, label: string): boolean {
  const at = clause.search(SOMEBODY);
  return at >= 0 && !OWN.test(clause.slice(at)) && !OTHERS_ASKED.test(label);
}
