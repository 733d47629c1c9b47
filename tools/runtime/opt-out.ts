const NEVER_AGAIN =
  /(别|不要|不许|不准|请勿|甭)(再|老|总是|总|天天)?(给我|跟我|往我)?(这儿|这里|手机)?(打|来)(电话|过来|来|了|骚扰)|(以后|今后|永远)(都|就)?(别|不要|请勿)(再)?(给我)?(打|来电|联系|发)|(别|不要|请勿|勿)(再|老|总)?(打扰|骚扰)|(拉进|加入|列入|放到|拉)(你们的?)?(黑名单|免打扰)|把我(的)?(号码|电话|手机号)?(从.{0,8})?(删|去掉|移除|拉黑)|退订|再打.{0,6}(投诉|举报|报警)/;

/** Whether the customer asks not to be called again: their number then goes on the do-not-call list. Source: D7.7 */
export function wantsNoMoreCalls(text: string): boolean {
  return NEVER_AGAIN.test(text);
}
