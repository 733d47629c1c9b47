const ANNOUNCEMENT = /留言|语音信箱|提示音|嘀声|来电助理|智能秘书|无法接听|not available|voice ?mail/i;

/** Whether the first words of a call come from a mailbox or an assistant, so that nobody is there to talk to. */
export function isMailboxGreeting(text: string): boolean {
  return ANNOUNCEMENT.test(text);
}
