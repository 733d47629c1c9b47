/** Characters read from the beginning and end of a longer utterance, where customers state what they want. */
const HEAD_CHARS = 320;
const TAIL_CHARS = 320;

const CONTROL = /[\p{Cc}\p{Cf}]+/gu;
const SEPARATORS = /[^\p{L}\p{N}%.:+\-'/·]+/gu;
const LOOSE_MARKS = /(?<![\p{L}\p{N}])[.:+\-'/·%]+|[.:+\-'/·]+(?![\p{L}\p{N}])/gu;

/** Traditional characters that recognisers of southern speech return, each followed by its simplified form. */
const TRADITIONAL =
  '電话話话這这個个們们來来錢钱沒没說说時时間间麼么還还嗎吗問问對对謝谢業业務务開开會会機机號号碼码資资訊讯買买賣卖價价貴贵給给請请聽听講讲誰谁邊边點点幾几過过後后裡里騙骗嚟来';
const SIMPLIFIED = new Map(traditionalPairs());

function* traditionalPairs(): Generator<[string, string]> {
  const pairs = TRADITIONAL.replace('電话', '電电').match(/../gu) ?? [];
  for (const pair of pairs) yield [pair.slice(0, 1), pair.slice(1)];
}

const TRADITIONAL_CHAR = new RegExp(`[${[...SIMPLIFIED.keys()].join('')}]`, 'gu');

/**
 * Normalises an utterance or a description for all further reading: folds compatibility forms, converts to lower case and simplified characters,
 * and replaces every run of punctuation by one space.
 *
 * Shape: at most 641 characters, no leading or trailing space
 */
export function normalize(text: string): string {
  const bounded = text.length > HEAD_CHARS + TAIL_CHARS ? `${text.slice(0, HEAD_CHARS)} ${text.slice(-TAIL_CHARS)}` : text;
  return bounded
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .replace(CONTROL, ' ')
    .replace(SEPARATORS, ' ')
    .replace(LOOSE_MARKS, ' ')
    .replace(TRADITIONAL_CHAR, char => SIMPLIFIED.get(char) ?? char)
    .replace(/ {2,}/g, ' ')
    .trim();
}
