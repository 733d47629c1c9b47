import { useTranslation } from 'react-i18next';
import { inShownUnit } from '../../text/milliseconds.ts';
import { LEADS_TO, type ScriptChange } from './difference.ts';
import type { ScriptText } from './script-text.ts';
import { branchWords, conditionWords, settingLines } from './script-words.ts';

/** Words for a difference between two versions, in the names that people gave the parts of the script. */
export function useChangeWords({ part, key }: Pick<ScriptChange, 'part' | 'key'>) {
  const { t, i18n } = useTranslation();
  const known = (keys: readonly string[], otherwise: string) => {
    const found = keys.find(each => i18n.exists(each));
    return found ? t(found) : otherwise;
  };
  return {
    partName: (script: ScriptText) => (part === 'node' ? nodeName(key, script) : part === 'branch' ? branchWords(key, script, t) : key),
    memberName: (name: string, script: ScriptText) =>
      name.startsWith(LEADS_TO)
        ? `${LEADS_TO}${branchWords(name.slice(LEADS_TO.length), script, t)}`
        : known([`scriptMember.${name}`, `scriptConfig.${name}`], name),
    valueWords: (name: string, value: unknown, script: ScriptText): string => {
      if (name.startsWith(LEADS_TO) || name === 'entryNodeId') return nodeName(String(value), script);
      if (name === 'when') return conditionWords(value, script, t);
      if (name === 'type') return known([`${part === 'field' ? 'scriptFieldType' : 'scriptNode'}.${String(value)}`], String(value));
      return settingLines(inShownUnit(name, value), script).join(t('noun.between'));
    },
  };
}

function nodeName(id: string, { nodes }: ScriptText): string {
  return nodes.find(node => node.id === id)?.name || id;
}
