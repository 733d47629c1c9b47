import { join } from 'node:path';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import { PROJECT } from '../commands/project.ts';

const CHOICE = { needsNote: 0, needsCallback: 0, isEnabled: 1 } as const;

/** Demo data of the first start; later starts find them by these names. */
export const DEMO = {
  /** Users watch the calls of this business alone (OCS 2.6). */
  business: { businessCode: MONITORED_BUSINESS, businessName: '春季回访', remark: '示例业务，坐席可以监听' },
  /** The campaign beside simulated monitors. */
  watched: { name: '春季回访（人工监听）', monitoringPriority: 10 },
  line: {
    name: '示例线路',
    code: 'demo-line',
    // The simulated switch accepts every gateway.
    dialStringTemplate: 'sofia/gateway/carrier/{{destinationNumber}}',
    callerIdName: '春季回访',
    maxConcurrency: 30,
    allocationMode: 'number_pool',
    numbers: [
      { number: '01055500001', weight: 2, maxConcurrency: 15 },
      { number: '01055500002', weight: 1, maxConcurrency: 15 },
      { number: '01055500003', weight: 1, maxConcurrency: 15 },
    ],
    description: '通过模拟交换机外呼，不会打给真实号码',
  },
  campaign: {
    name: '春季回访',
    // Few and long enough that two agents can follow calls, take one over and write down what came of it.
    maxConcurrency: 12,
    maxRetries: 1,
    retryIntervalSeconds: 60,
    callIntervalMs: 200,
    businessConfig: { variables: { shop: '示例营业厅' }, intentKeywords: ['投诉', '人工', '办理'], monitoringMode: 'elastic' },
    description: '演示活动',
  },
  /** A person who has changed their number: the first is dialled, does not exist, and the second answers (D6.7). */
  moved: {
    phoneNumber: '13800000404',
    customerName: '周换号',
    remark: '原号码已停用，备用号码可接通',
    numbers: [
      { phoneNumber: '13800000404', label: '原号码' },
      { phoneNumber: '13900000405', label: '备用号码' },
    ],
  },
  /** By extension at the simulated switch. Complaints are transferred to these agents; a user who signs in as one has their phone in the browser. */
  agents: [
    { name: '李雷', phoneExtension: '1001', username: 'lilei' },
    { name: '韩梅梅', phoneExtension: '1002', username: 'hanmeimei' },
  ],
  /**
   * Behaviour of simulated customers: ring and talk times in ms, the share that hangs up mid-call, and how many times faster than real
   * customers they talk: results come within half a minute, and a reader can follow.
   */
  world: { ringMs: '1000-5000', talkMs: '20000-60000', impatientRate: '0.2', speed: '2' },
  /** Dispositions that agents choose from, and the time that they get for it. */
  dispositions: {
    dispositions: [
      { ...CHOICE, code: 'ordered', label: '已办理', category: 'sale' },
      { ...CHOICE, code: 'later', label: '约定再联系', category: 'reached', needsCallback: 1 },
      { ...CHOICE, code: 'not-interested', label: '不需要', category: 'refused' },
      { ...CHOICE, code: 'complaint', label: '投诉', category: 'other', needsNote: 1 },
      { ...CHOICE, code: 'wrong-number', label: '号码不是本人', category: 'not_reached' },
    ],
    wrapUpSeconds: 30,
    isRequired: 0,
  },
} as const;

/** People of the demo's campaign. */
export const CONTACTS_FILE = join(PROJECT, 'examples/contacts.csv');

export const CELL_ID = 'simulated';
