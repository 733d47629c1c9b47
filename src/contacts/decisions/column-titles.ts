type Words = readonly [zh: string, en: string];

/** Beginnings of titles of columns that an export makes of one member of a value. */
const VARIABLE: Words = ['变量：', 'Variable: '];
const RESULT: Words = ['结果：', 'Result: '];

/** Title of a column with the values of one variable. */
export function variableTitle(name: string): Words {
  return titleOf(VARIABLE, name);
}

/** Title of a column with the latest values of a result field. */
export function resultTitle(label: string): Words {
  return titleOf(RESULT, label);
}

/**
 * Whether an export wrote this title, so that an import leaves the column out: the column of all variables has a single one too, and what
 * calls found out is not the contact's own data.
 */
export function isMemberTitle(title: string): boolean {
  return [...VARIABLE, ...RESULT].some(beginning => title.startsWith(beginning));
}

function titleOf([zh, en]: Words, name: string): Words {
  return [zh + name, en + name];
}
