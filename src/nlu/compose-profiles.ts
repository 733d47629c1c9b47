import { cascadeEngine, withFallback } from './cascade.ts';
import { localEngine } from './local/engine.ts';
import { readKnowledge } from './read-knowledge.ts';
import { type Profile, type ProfileRegistry, profileRegistry } from './profiles.ts';
import { systemClock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { systemRandom } from '#kernel/random.ts';
import type { Config } from '#platform/config/shape.ts';

/** Profiles available with this configuration: `local` always, `llm` and `cascade` with a model endpoint. Source: D13.1 */
export async function composeProfiles({ nlu, server }: Config, log: Log): Promise<ProfileRegistry> {
  const timeZone = server.timezone;
  const local: Profile = {
    key: 'local',
    labelZh: '本地引擎',
    descriptionZh: '内置引擎：不需要网络和模型服务，毫秒内返回',
    engine: localEngine({ knowledge: await readKnowledge(), clock: systemClock, timeZone }),
  };
  if (!nlu.llm) return profileRegistry([local]);
  // Imported only when configured, because it loads zod (15 MiB).
  const { llmEngine } = await import('./llm/engine.ts');
  const model = llmEngine({ settings: nlu.llm, clock: systemClock, random: systemRandom, timeZone, log });
  return profileRegistry([
    local,
    {
      key: 'llm',
      labelZh: '大模型',
      descriptionZh: '由大模型判断，较慢，适合复杂的说法',
      engine: nlu.llm.fallback === 'local' ? withFallback(model, local.engine) : model,
    },
    {
      key: 'cascade',
      labelZh: '级联',
      descriptionZh: '先由本地引擎判断，把握不足时再问大模型',
      engine: cascadeEngine(local.engine, model),
    },
  ]);
}
