import type { CampaignSnapshot, Snapshot } from './snapshot.ts';

const ENGLISH = {
  address: (url: string, username: string, password: string) => `${url}   user ${username}   password ${password}`,
  labels: { address: 'Address', campaign: 'Campaign', progress: 'Progress', contacts: 'Contacts', calls: 'Calls', people: 'People' },
  speakers: { bot: 'bot', customer: 'customer', agent: 'agent' } as Readonly<Record<string, string>>,
  says: (speaker: string, text: string) => `${speaker}: ${text}`,
  // The server gives the reason of a phase in Chinese only.
  phase: ({ status, phase }: CampaignSnapshot) => (status === 'running' ? `running, ${phase.toLowerCase().replaceAll('_', ' ')}` : status),
  contacts: ({ total, pending, submitted, completed, failed }: CampaignSnapshot) =>
    `${total} in all  ${pending} pending  ${submitted} calling  ${completed} completed  ${failed} failed`,
  calls: ({ activeCalls, attempts, switchState }: Snapshot, perSecond: string) =>
    `${activeCalls} active   ${perSecond}/s   ${attempts} dialled   switch ${switchState}`,
  people: ({ online, watching, active, claimed }: NonNullable<Snapshot['monitors']>) =>
    `${online} monitors   ${watching} watching   ${active} stepping in   ${claimed} interventions`,
  captions: 'Latest captions',
  noCaptions: 'waiting for the captions of the first call …',
  stopHint: 'Ctrl-C stops',
  line: ({ activeCalls, attempts, monitors }: Snapshot, perSecond: string) => {
    const people = monitors ? `; monitors ${monitors.online}, interventions ${monitors.claimed}` : '';
    return `active ${activeCalls}, ${perSecond}/s, dialled ${attempts}${people}`;
  },
  lineOf: ({ name, completed, failed, pending, total }: CampaignSnapshot, phase: string) =>
    `${name} (${phase}): completed ${completed}, failed ${failed}, pending ${pending} of ${total}`,
  // Without its address: there is nothing to see yet.
  serverAnswers: 'the server is up',
  nluAnswers: 'the NLU service is up',
  noConsole: 'the web console could not be built (see above): without it, the address shows the API documentation',
  ready: (url: string, username: string, password: string) => `ready. Open ${url} and sign in: user ${username}, password ${password}`,
  agentPhones: (address: string, usernames: string, password: string) =>
    `agents' browser phones: ${address}. To speak yourself, sign in as an agent: ${usernames}, password ${password}`,
  noSpeech: 'calls have tones instead of speech: install espeak-ng to hear words',
  otherPaused: (name: string) => `paused the campaign ${name} of an earlier start`,
  imported: (file: string, rows: { totalRows: number; createdRows: number; duplicateRows: number; failedRows: number }) =>
    `imported ${file}: ${rows.totalRows} rows, ${rows.createdRows} contacts, ${rows.duplicateRows} duplicates, ${rows.failedRows} faulty`,
  nobodyLeft: (reason: string) => `the campaign has nobody left to call (${reason}); \`npm start -- --fresh\` begins anew`,
  isNotBegun: (status: 'completed' | 'paused') =>
    `the demo campaign is ${status}: start it in the console, or begin anew with \`npm start -- --fresh\``,
  noPhone: (extension: string) => `agent ${extension} has no registered phone and stays offline`,
  stepsIn: (name: string, attemptId: number, keyword: string) => `${name} steps into call ${attemptId}: the customer said ${keyword}`,
  cannotGoOn: (name: string, problem: string) => `${name} cannot go on for the moment: ${problem}`,
  summary: (attempts: number) => `${attempts} calls dialled in all; the next start goes on with what runs:`,
  stopping: 'stopping: no new calls; live calls get up to 10 s (Ctrl-C again does not wait) …',
  stopped: 'stopped',
  help: `Usage: npm start -- [options]

The whole product on this machine: PostgreSQL, Redis, NATS, the server, the NLU service, a call-flow runtime, and a switch that calls
simulated people. A second start goes on where the first one stopped. Ctrl-C stops: live calls get up to 10 s; a second Ctrl-C does not wait.

  --duration N   stop N seconds after the campaign runs
  --monitors N   N simulated people watch the calls and step in when a customer says a keyword
  --fresh        forget what earlier runs have kept in .callout/
  --plain        lines instead of a table that is redrawn
  --help

Environment: CALLOUT_DATABASE_URL, CALLOUT_REDIS_URL, CALLOUT_NATS_URL use a service that runs already; CALLOUT_HOST (127.0.0.1),
CALLOUT_PORT (9920), CALLOUT_NLU_PORT (9930), CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME and _PASSWORD.
`,
};

/** Messages of `npm start` to the user at the terminal. */
export type Words = typeof ENGLISH;

const STATUSES: Readonly<Record<string, string>> = { draft: '草稿', running: '运行中', paused: '已暂停', completed: '已完成' };

const CHINESE: Words = {
  address: (url, username, password) => `${url}   用户 ${username}   密码 ${password}`,
  labels: { address: '地址', campaign: '活动', progress: '进度', contacts: '联系人', calls: '通话', people: '人工' },
  speakers: { bot: '机器人', customer: '客户', agent: '坐席' },
  says: (speaker, text) => `${speaker}：${text}`,
  phase: ({ status, phaseReason }) =>
    (STATUSES[status] ?? status) + (status === 'running' && phaseReason !== null ? `，${phaseReason}` : ''),
  contacts: ({ total, pending, submitted, completed, failed }) =>
    `共 ${total}  待呼 ${pending}  呼叫中 ${submitted}  完成 ${completed}  未接通 ${failed}`,
  calls: ({ activeCalls, attempts, switchState }, perSecond) =>
    `进行中 ${activeCalls}   每秒 ${perSecond}   已拨 ${attempts}   交换机 ${switchState}`,
  people: ({ online, watching, active, claimed }) => `监听坐席 ${online}   正在监听 ${watching}   介入中 ${active}   已介入 ${claimed}`,
  captions: '最新字幕',
  noCaptions: '等待第一通电话的字幕 …',
  stopHint: 'Ctrl-C 停止',
  line: ({ activeCalls, attempts, monitors }, perSecond) => {
    const people = monitors ? `；监听坐席 ${monitors.online}，介入 ${monitors.claimed}` : '';
    return `进行中 ${activeCalls}，每秒 ${perSecond}，已拨 ${attempts}${people}`;
  },
  lineOf: ({ name, completed, failed, pending, total }, phase) =>
    `${name}（${phase}）：完成 ${completed}，未接通 ${failed}，待呼 ${pending}，共 ${total}`,
  serverAnswers: '服务已就绪',
  nluAnswers: 'NLU 服务已就绪',
  noConsole: '网页控制台未能构建（见上文）：该地址暂时显示接口文档',
  ready: (url, username, password) => `已就绪。请打开 ${url} 登录：用户 ${username}，密码 ${password}`,
  agentPhones: (address, usernames, password) => `坐席的浏览器话机：${address}。要亲自通话，请以坐席登录：${usernames}，密码 ${password}`,
  noSpeech: '通话以提示音代替语音：安装 espeak-ng 后可听到话语',
  otherPaused: name => `已暂停之前启动的活动 ${name}`,
  imported: (file, { totalRows, createdRows, duplicateRows, failedRows }) =>
    `已导入 ${file}：${totalRows} 行，联系人 ${createdRows} 个，重复 ${duplicateRows} 行，有误 ${failedRows} 行`,
  nobodyLeft: reason => `活动已没有待呼叫的联系人（${reason}）；\`npm start -- --fresh\` 可重新开始`,
  isNotBegun: status => `演示活动${status === 'paused' ? '已暂停' : '已完成'}：可在控制台重新启动，或用 \`npm start -- --fresh\` 重新开始`,
  noPhone: extension => `坐席 ${extension} 的话机未注册，保持离线`,
  stepsIn: (name, attemptId, keyword) => `${name} 介入通话 ${attemptId}：客户说了「${keyword}」`,
  cannotGoOn: (name, problem) => `${name} 暂时无法继续：${problem}`,
  summary: attempts => `共已拨 ${attempts} 通；再次启动会继续运行中的活动：`,
  stopping: '正在停止：不再拨号，进行中的通话最多再等 10 秒（再按 Ctrl-C 不等待）…',
  stopped: '已停止',
  help: `用法：npm start -- [选项]

在本机运行整个产品：PostgreSQL、Redis、NATS、服务器、NLU 服务、话术引擎，以及拨打模拟客户的交换机。再次启动会从上次停下的地方继续。
Ctrl-C 停止：进行中的通话最多再等 10 秒；再按一次 Ctrl-C 不等待。

  --duration N   活动开始 N 秒后停止
  --monitors N   N 位模拟人员监听通话，客户说出关键词时介入
  --fresh        清除以往运行留在 .callout/ 中的数据
  --plain        逐行输出，不重绘表格
  --help

环境变量：CALLOUT_DATABASE_URL、CALLOUT_REDIS_URL、CALLOUT_NATS_URL 使用已在运行的服务；CALLOUT_HOST（127.0.0.1）、
CALLOUT_PORT（9920）、CALLOUT_NLU_PORT（9930）、CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME 与 _PASSWORD。
`,
};

/** Selects the language by locale: Chinese or English. */
export function wordsOf(env: Readonly<Record<string, string | undefined>>): Words {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return /^zh(?:[_.@-]|$)/i.test(locale) ? CHINESE : ENGLISH;
}

export const WORDS = wordsOf(process.env);
