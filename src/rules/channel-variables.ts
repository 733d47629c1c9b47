/** Bounds of what one call carries beside Callout's own variables. */
export const MAX_CHANNEL_VARIABLES = 100;
export const MAX_VARIABLE_NAME_LENGTH = 64;
export const MAX_VARIABLE_VALUE_LENGTH = 1_024;
/** Characters of all names and values together. */
export const MAX_VARIABLES_LENGTH = 32_768;

/** Callout's own: nobody else's data comes under these names. */
const OWN_NAMES = new Set(
  words(`
  callout_request_id callout_attempt_id callout_campaign_id callout_caption_subject callout_conference_id callout_softphone_call_id
`),
);

const NAME = /^[A-Za-z][A-Za-z0-9]*(?:[_-]+[A-Za-z0-9]+)*$/;
/** `x`, `v12`: nobody's. */
const LETTER = /^[a-z]\d{0,4}$/i;
/** Of `orderNo` and `order2`: `order`. */
const CAMEL_WORD = /^(?:[A-Z]+(?![a-z])|[A-Za-z][a-z]*)/;
/** Of `order_no` and `order-no`: `order`; the switch does not see the case, so a word that is only made by it does not count. */
const SEPARATED_WORD = /^([A-Za-z]+)\d*[_-]/;

/**
 * What a name of a campaign's or contact's variable may begin with.
 *
 * Why: nobody can list all that the switch, its modules and its SIP stack obey; none of that begins with one of these words
 */
const FIRST_WORDS = new Set(
  words(`
  activity addr address age amount annual apartment apply appointment approval arrears arrival article asset attribute audience available average
  award baby balance bank benefit bill billing birth birthday biz blood bonus book booking bought brand broker budget building business buy buyer
  car card care carrier cart case cash category certificate child choice city claim class clerk client clinic clothes club collection color colour
  column comment community company complaint consent consignee consultant consumer contact content contract cost country county coupon course
  created creator credit crm currency cust customer daily date day days deadline deal dealer debt debtor decision degree delivery demo department
  deposit dept desc description detail diagnosis discount disease district doctor document dormant driver drug due education email employee employer
  enterprise equipment estate exam expense expiration expire expires expiry express factory family father fee feedback female field fine first flat
  flight floor follow followup form frequency friend full fund gender gift given goal gold goods grade grand grant greeting guarantor guest guide
  health height hobby holiday home honorific hospital hotel house household housing id idcard identity important income industry inquiry insurance
  insured insurer intent interest introducer invite invoice issue item items job join kid kind label lead leads lease legal lender lesson letter
  level library licence license list loan location logistics loyalty mail main major male man manager market marriage maturity meal medical medicine
  meeting member membership merchant message meter mileage model money month monthly mortgage mother movie name named nation nationality nature need
  net nick nickname note notes notice number nurse occupation offer office ok open opportunity option order orders org organisation organization
  outlet outstanding overdue owner package parcel parent part partner party patient pay payee payer payment penalty people period person pet phone
  plan plate point points policy position postcode preference premium prepay price principal prior priority prize problem product products
  profession profit project promo promotion property provider province pupil purchase purpose qty quality quantity quarter question quota quote rank
  rate rating reason receipt receiver recipient reference referral refund region relation relationship remark remarks reminder renewal rent repay
  repayment reservation residence resident result revenue reward risk road role room row salary sale sales salesman salutation satisfaction scene
  schedule school scope score season seat sector segment seller seniority series service sex shift ship shipment shipping shop sign signed site size
  sku slot source special specification spouse staff stage standard star state station status stock store street student subject subscription sum
  supplier supply surname survey tag tags target task tax teacher team tel tenant term test theme ticket tier time times title token total tour town
  trade traffic trainer training trip truck type unit unpaid updated urgent usage used valid value vehicle vendor venue version village vin vip
  visit visitor wallet warehouse warranty website week weekday weekly weight wife woman work year yearly years yewu zip zone
`),
);

/** Whole names that people use, of families that are the switch's. */
const WHOLE_NAMES = new Set(words('account_id account_no account_type last_name user_id'));

/** The switch's names of one word, however somebody spells them: `timeZone` is `timezone` there. */
const RESERVED_WORDS = new Set(
  words(`
  accountcode campon context dialplan direction domain exec language nolocal originate originator passthru password ringback timezone unbridge
  uuid vars
`),
);

/** Taken away wherever the switch splits text into arguments. */
const SPLITTING = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\\'"`]/gu;
/** How the switch, its dialplan and its configuration begin something that is to be replaced by something else. */
const EXPANSION = /[$%&@#]\{|\$\$/;

export interface ChannelVariables {
  variables: Readonly<Record<string, string>>;
  /** Names that were not taken for their name, value, length or number, each once, as written. */
  leftOut: readonly string[];
}

/**
 * The variables that a call carries under their own names: those of the campaign, then the contact's metadata; the later wins.
 *
 * Why:    a name of the switch's could redirect a call or run an application there, a value that it expands could run a command
 * Shape:  string values only, others are ignored; names that differ in case alone are one variable, as at the switch
 * Source: D4.5, OCS 2.6, 2.7
 */
export function channelVariables(
  campaignVariables: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>>,
): ChannelVariables {
  const taken = new Map<string, { name: string; value: string }>();
  const leftOut = new Set<string>();
  let length = 0;
  for (const [name, value] of [...Object.entries(campaignVariables), ...Object.entries(metadata)]) {
    if (typeof value !== 'string') continue;
    const key = name.toLowerCase();
    const earlier = taken.get(key);
    const grown = length + name.length + value.length - (earlier ? earlier.name.length + earlier.value.length : 0);
    const hasRoom = grown <= MAX_VARIABLES_LENGTH && (earlier !== undefined || taken.size < MAX_CHANNEL_VARIABLES);
    if (!isVariableName(name) || !isVariableValue(value) || value.length > MAX_VARIABLE_VALUE_LENGTH || !hasRoom) leftOut.add(name);
    else {
      taken.set(key, { name, value });
      length = grown;
    }
  }
  return { variables: Object.fromEntries([...taken.values()].map(({ name, value }) => [name, value])), leftOut: [...leftOut] };
}

/** Whether a campaign's or contact's variable may stand on a channel under this name. Source: D4.5 */
export function isVariableName(name: string): boolean {
  if (name.length > MAX_VARIABLE_NAME_LENGTH || !NAME.test(name)) return false;
  const folded = name.toLowerCase();
  if (LETTER.test(name) || WHOLE_NAMES.has(folded)) return true;
  const first = /[_-]/.test(name) ? SEPARATED_WORD.exec(folded)?.[1] : CAMEL_WORD.exec(name)?.[0].toLowerCase();
  return FIRST_WORDS.has(first ?? '') && !RESERVED_WORDS.has(folded);
}

/**
 * Whether a channel may hold this value: nothing in it that the switch would expand.
 *
 * Why:    `${system(…)}`, once stored, ran as soon as anything expanded that variable; what a split takes away must not make one
 * Source: test/fixtures/esl/README.md "How we use it"
 */
export function isVariableValue(value: string): boolean {
  return !EXPANSION.test(value) && !EXPANSION.test(value.replaceAll(SPLITTING, ''));
}

/** Whether a channel may be given this variable, by us or in the name of others: what every way to a channel asks. */
export function isChannelVariable(name: string, value: string): boolean {
  return (OWN_NAMES.has(name) || isVariableName(name)) && isVariableValue(value);
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
