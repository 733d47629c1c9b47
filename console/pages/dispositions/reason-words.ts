/** Labels that the server has for the reasons of a new installation, in its language. */
const STANDARD: Readonly<Record<string, string>> = { meal: '用餐', rest: '休息', training: '培训', meeting: '会议', other: '其他' };

/** A reason in the language of the page, unless somebody has given it words of their own. */
export function reasonLabel({ code, label }: { code: string; label: string }, t: (key: string) => string): string {
  return STANDARD[code] === label ? t(`breakReasons.standard.${code}`) : label;
}
