/**
 * Column titles of exported contacts in Chinese and English; an import recognises an export when all titles of one language are present.
 */
export const CONTACT_TITLES = {
  id: ['编号', 'Id'],
  campaign: ['活动', 'Campaign'],
  phoneNumber: ['号码', 'Number'],
  customerName: ['姓名', 'Name'],
  status: ['状态', 'Status'],
  attemptCount: ['已呼次数', 'Attempts'],
  priority: ['优先级', 'Priority'],
  retryAt: ['下次呼叫', 'Next attempt'],
  holdReason: ['未呼原因', 'Held because'],
  remark: ['备注', 'Remark'],
  metadata: ['变量', 'Variables'],
  createdAt: ['创建时间', 'Made at'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;
