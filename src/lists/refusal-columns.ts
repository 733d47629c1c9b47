/** Titles that the file of refused rows has in front of the columns of the file that was read. */
export const REFUSAL_TITLES = { row: '原文件行号', reason: '未导入原因' } as const;

/** Whether a column was added to a file of refused rows: it is left out when the mended file is imported. */
export function isRefusalColumn(name: string): boolean {
  return name === REFUSAL_TITLES.row || name === REFUSAL_TITLES.reason;
}
