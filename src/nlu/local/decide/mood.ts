/** Forms of questions that need no known question act. */
const QUESTION =
  /(?:吗|么|呢|不$|没有?$|没$)|(\p{Script=Han})[不没]\1|有没有|是不是|能否|是否|什么|多少|哪|怎么|咋|如何|为什么|为啥|几(?:个|点|号|天|年|月|次|层|楼|块|种|位|时|岁|期|成)|多(?:久|大|长|高|远|重)|谁|啥|几多|^(?:what|how|when|where|who|why|is|are|do|does|can|could|will)\b/u;
/** Question words that do not ask. */
const NO_QUESTION =
  /没(?:有)?什么|没啥|怎么(?:样)?都(?:行|可以)|什么(?:时候)?都|哪有|谁(?:要|信)|凭什么|(?:有|没)什么(?:好|可)|不怎么|不咋|没(?:有)?多少/;
const TAG = /(?:好不好|行不行|可以吗|好吗|行吗|是吧|对吧|好吧)$/;

/** How certain it is from the form alone that the utterance asks: 0 or 1. */
export function asksByForm(text: string): number {
  return QUESTION.test(text.replace(TAG, '')) && !NO_QUESTION.test(text) ? 1 : 0;
}

const DESCRIBED_QUESTION = /问|咨询|疑问|打听|了解|多少|什么|怎么|哪|几|是否|能否|吗|查询|如何/;
/** Descriptions of a question put to the customer rather than by the customer, or of a problem. */
const DESCRIBED_STATEMENT = /问题已|有问题|没问题|回答问题/;

/** Whether a description denotes a question. */
export function describesQuestion(text: string): boolean {
  return DESCRIBED_QUESTION.test(text) && !DESCRIBED_STATEMENT.test(text);
}

const FALSE_NEGATION =
  /不错|不好意思|没问题|没事|没错|不客气|不过|不管|不但|不如|差不多|(\p{Script=Han})[不没]\1|是不是|有没有|能不能|要不要|可不可以|会不会|不$|没有?$/gu;
const NEGATION = /不|没|别|无|未|莫|甭|勿|冇|拒绝|取消|否认|\bno\b|\bnot\b|n't\b|never/;

/** Whether a text negates, ignoring A-not-A questions and set phrases. */
export function negates(text: string): boolean {
  return NEGATION.test(text.replace(FALSE_NEGATION, ''));
}
