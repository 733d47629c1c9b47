/** What is done in `不去白不去`, `谁说我不去了`: a few characters, no further denial. */
const DEED = '([^不没 ]{1,8}?)';
const END = '(?:了|的|啊|呀|吧|嘛|吗|呢)*(?= |$)';

/** Denials of denials, and questions that deny, with what they come to. The first that matches counts; what is rewritten is not read again. */
const TWISTS: readonly (readonly [RegExp, string])[] = [
  // `不是不想去 是真没空`: what is meant follows the turn.
  [
    /^.{0,4}?(?:又|也|倒)?不是(?:说)?(?:我)?(?:不|没)[^ ]{0,8}?(?: |，)?(?:而是|就是|只是|主要是?|实在是?|确实是?|的确是?|是因为|真是|是|真的?(?=没|不))(.{2,})$/,
    '$1',
  ],
  [/^(?:我|这|那|也|又|倒)?不是(?!吗|么|的 )[^ ]{2,10} (?:而是|就是|只是|是)(?!不是|吗|么)(.{2,})$/, '$1'],
  [new RegExp(`不${DEED}白不\\1`), '要$1'],
  [new RegExp(`不${DEED}才(?:怪|奇怪|不正常)`), '一定$1'],
  [/(?:我)?(?:什么时候|啥时候|哪回|哪次|几时|何时)(赖|欠|拖|逃|少)过?(?=账|钱|费|你|款|一分|$).*$/, '不会$1 会付款'],
  [/(?:我|俺)?(?:拿|用)(?:什么|啥)(?:去|来)?(交|还|买|付|给|出).*$/, '没有钱$1'],
  [/(?:倒|也)?是?想(交|还|买|付|给).{0,4}?钱呢.*$/, '没有钱$1'],
  [/.*(?:喝西北风|揭不开锅|砸锅卖铁|穷得叮当响|兜比脸).*$/, '没有钱'],
  [/^.{0,6}?(?:金子|钻石|镶(?:了)?[金钻])(?:做|打|包)?.{0,3}$/, '太贵了'],
  [/说[得的]比唱[得的]还?好听/, '不相信'],
  [/(?:买|拿|弄|办)(?:回来|回去|来)?(?:当摆设|当柴烧|供着|落灰).*$/, '不需要'],
  [/(好|满意|行|快|专业|方便|便宜)个(?:屁|鬼|锤子|毛|头|啥)/, '不$1'],
  [/不要太(好|爽|舒服|方便|满意|开心)/, '非常$1'],
  [/(?:谈不上|算不上|说不上)(?:有)?(?:多|什么)?(好|满意|方便|便宜|喜欢)/, '不$1'],
  [/没(?:有)?(?:你说的|想的|想象的?)?那么(?:糟|差|坏|烂|难用)/, '还可以'],
  [/^([^ 不没]{1,3}?)[啊呀 ]*怎么(?:会|能|可能)?不\1.*$/, '会$1'],
  [/([^ 不没有为说]{1,2})什么\1(?!么)/, '不$1'],
  [new RegExp(`不${DEED}(?:才|就|可)?(?:可惜|亏大?了|傻|是傻子|后悔)`), '要$1'],
  [new RegExp(`${DEED}(?:了)?又能(?:怎样|怎么样|如何|咋样|咋地)`), '不$1'],
  [/谁有(?:那个?|这个?)?(闲心|闲工夫|心思|心情|工夫|功夫|时间|闲钱|精力|兴趣)/, '没有$1'],
  [/哪(?:能|会|敢)(?:缺席|迟到|错过|推辞)/, '一定会来'],
  [/哪(?:能|会|敢)(忘|拒绝|反对|赖账)/, '不会$1'],
  [/(?:又|也|倒)不是([^ 不没]{1,3})不得/, '可以$1'],
  [/当我(?:们)?(?:家)?(?:里)?(?:有矿|开银行的?|印钱的?|是大款|钱多)/, '太贵 没钱'],
  [/挑不出(?:什么|啥)?(?:毛病|刺|问题|错)|没(?:有|什么|啥)*(?:可|得|好)?挑(?:剔)?的|没得挑/, '很满意'],
  [/没(?:有)?(?:哪里|什么|啥|哪儿|哪点)(?:地方)?不(好|满意|舒服|方便|行|对)的?/, '都$1'],
  [/谁爱([^ ]{1,6})谁\1/, '不$1'],
  [new RegExp(`(?:我)?不${DEED}谁\\1`), '一定$1'],
  [new RegExp(`敢不${DEED}(?:吗|么|嘛)`), '一定$1'],
  [new RegExp(`不${DEED}(?:还|又)?(?:能怎么办|能咋办|能怎样|能行(?:吗|么)|怎么行|哪行)`), '一定$1'],
  [new RegExp(`(?:什么时候|啥时候|几时|哪回|何时)(?:说|讲)过?(?:我|要)?不${DEED}${END}`), '会$1'],
  [new RegExp(`(?:没有?|哪有|哪里有|岂有)(?:什么)?(?:理由|道理|可能)不${DEED}${END}`), '一定$1'],
  [new RegExp(`(?:没有?|哪有|哪里有|岂有)不${DEED}的(?:理由|道理|可能)`), '一定$1'],
  [/少不了我/, '我一定来'],
  [/(?:巴不得|求之不得|何乐而不为|恨不得|再好不过了?|求都求不来)/, '很愿意'],
  [/(?:信你个鬼|信你才(?:有鬼|怪)|鬼才信|信你才怪|信才怪)/, '不相信'],
  [
    /(?:我|他)?(?:傻子|脑子(?:进水|有病|坏了)|脑残|有病|疯了|鬼|吃饱了撑的|吃饱撑的|闲得慌|闲得|闲着没事|没事干)才(?:会|去)?([^ ]{1,6}?)(?:了|的|呢|吧)*$/,
    '不$1',
  ],
  [/^.{0,4}(?:下辈子|做梦去?|想得美|想得倒美|除非.{0,3}(?:太阳|天上|天下|下红雨|铁树|猪)|等我?中了?彩票|等我死了).*$/, '不可能 不办'],
  [/(?:要是|如果|要|我)+有(钱|空|时间|工夫)(?:的话)?(?: |我|谁|还|就|也)*(?:早|还用|会|不想|用得着|能不|哪能不).*$/, '没有$1'],
  [/^有(钱|空|时间)谁不(?:想|愿意).*$/, '没有$1'],
  [/^有(?:那|这)?个?闲?(钱|空|时间|工夫|功夫)(?: |我|谁)*还(?:会|用|能|要|需要)?(?:上班|打工|在这|干活|加班).*$/, '没有$1'],
  [/像(?:是)?有(钱|空)(?:的样子|的人)?.*$/, '没有$1'],
  [/要不是([^ ]{1,6}?)(?: |我|早|就).*$/, '$1'],
  [/谁不(想|愿意|喜欢|希望|乐意)(?=.{2,})/, '都$1'],
  [
    new RegExp(
      `(?:谁说|谁讲|哪个说|哪个讲|我可?没(?:有)?[说讲提]|又没[说讲]|没[说讲]过?|没有[说讲]过?)(?:过|是|我|要)*(?:不|没)(?!知道|清楚)${DEED}${END}`,
    ),
    '会$1',
  ],
  [new RegExp(`(?:不能|不得|不可能|不会|不敢|哪能|哪会|怎么会|怎么能|怎么可能|怎能|岂能)不(?!会|能|敢)(?!.*吗$)${DEED}${END}`), '一定$1'],
  [new RegExp(`(?:难道|莫非)(?:我|还|我还|能|会|要)*不${DEED}${END}`), '一定$1'],
  [new RegExp(`非${DEED}不可`), '一定$1'],
  [/(?:又|也|倒|都)?不是(?:说)?不(?:可以|行|能|成)/, '也可以'],
  [new RegExp(`(?:又|也|倒)不是(?:说)?(?:我)?不(?!知道|清楚|明白|晓得|认识)${DEED}${END}`), '会$1'],
  [/(?:没有?|没什么|没啥|没有什么|无)不(满意|舒服|可以|同意|愿意|好|对|方便)的?(?:意思|地方)?/, '都$1'],
  [/(?:又|也|倒)?不是没(?:有)?(?=收到|看到|听到|去|交|还|办|来|买|用)/, '已经'],
  [/(?:又|也|倒)?不是没(?:有)?/, '有'],
  [/不是不(知道|清楚|明白|晓得|认识)/, '$1'],
  [/^(?:我|这|那)?.{0,2}(?:谁|哪个)(稀罕|乐意|愿意|爱|想|敢|会)(?!是)(.{0,6})$/, '不$1$2'],
  [/哪(?:里|儿)?(?:还)?有(?=空|时间|钱|工夫|功夫|心情|兴趣|精力|这回事|这事|的事)/, '没有'],
  [/哪(?:里|儿)?来的?(?=钱|时间|空)/, '没有'],
];

/** Praise and thanks that mean the reverse next to what went wrong. */
const PRAISE =
  /(?:可|你们?|还)真(?:是)?(?:行|好|棒|会|厉害|敬业|勤快|周到|专业|牛|能)|真(?:是)?(?:谢谢|感谢|太感谢|服了)|太(?:谢谢|感谢)|好得很|好极了|真(?:棒|不错|好|行)|满意得|服务真/;
const WRONG = /等了|没人|没来|还没|又坏|坏了|白跑|害|扣|骗|三天|一天|天天|半天|一次.*一次|投诉|退货|忘|错|慢|拖|呵呵|才怪/;
const MOCKERY =
  /呵呵|才怪|编 ?(?:接着|继续)|说得(?:跟真的|轻巧|好听)|说的比唱|你(?:咋|怎么)不(?:说|去|自己)|当我(?:傻|开|印|是傻)|(?:傻子|有病|疯了)才|送.{0,3}都不要|图(?:个)?啥|何必|何苦|犯得着|至于吗|太阳(?:打|从)西|抢钱还差|做慈善|开银行|比唱|你来(?:还|交|付)|你替我|还有脸|还好意思|这(?:也|就|还)?叫(?!什么|啥)|就这还|谢谢你全家|你猜|满意得想|(?:满意|高兴|舒服)得很 ?(?:下次|以后|想)/;
/** Questions that want no answer, and what is said the other way round. */
const RHETORICAL =
  /(?:谁|哪个)(?:有|还|会|能|敢|愿|爱|要|稀罕|不)(?!.{0,8}吗)|几时|何曾|何尝|岂|难道|莫非|哪(?:能|会|敢|来)|当(?:我|俺)(?:家|是)?|还(?:能|叫)|(?:我|你)(?:又|才|可)(?:不|没)|不.{1,3}(?:才|可惜|亏|傻)|可(?:把|真|够)|真(?:敢|会|有你)|吃饱了|又能|干什么$|跟真的|好得很|效率真|没(?:有)?(?:什么可|哪里|理由)|挑不出|也不是|不[^ ]{1,3}(?:行|成|可以)(?:吗|么)|能不[^ ]{1,3}(?:吗|么)/;
const DENIAL = /不(?!好意思|错|用谢|客气|过|管|但|如|同|久).?|没(?!问题|事|错|关系).?|别(?!的|人|处|家).?|未.|无(?!所谓)./g;

/** Every pattern here holds one of these: most utterances are told by one look. */
const MAY_BE_TWISTED =
  /[不没别未无非谁哪呵才编说当图何犯至真太好满几岂吃可跟又白挑叫天去信鬼有下做想除等恨唱脸抢你这就怎拿要金钻镶喝揭砸穷兜说买弄办个谈算闲赖欠拖逃]/;

/**
 * Rewrites double negation and rhetorical questions into what they come to: `不去白不去` → `要去`, `谁说我不去了` → `会去`.
 *
 * Why: every denial in them is a vote for refusing, and they refuse nothing
 */
export function untwisted(plain: string): string {
  if (!MAY_BE_TWISTED.test(plain)) return plain;
  for (const [pattern, meant] of TWISTS) {
    if (!pattern.test(plain)) continue;
    return plain.replace(pattern, meant).replace(/ {2,}/g, ' ').trim();
  }
  return plain;
}

/** Whether words may mean the reverse of what they say: double negation, rhetorical questions, irony. Nobody should be sure of these. */
export function isTwisted(plain: string): boolean {
  if (!MAY_BE_TWISTED.test(plain)) return false;
  if (TWISTS.some(([pattern]) => pattern.test(plain))) return true;
  if (MOCKERY.test(plain) || RHETORICAL.test(plain) || (PRAISE.test(plain) && WRONG.test(plain))) return true;
  return plain.split(' ').some(clause => !A_NOT_A.test(clause) && new Set(clause.match(DENIAL)).size >= 2);
}

const A_NOT_A = /(\p{Script=Han})[不没]\1/u;

/** Thanks, greetings and the like: what else was said counts before them. */
const COURTESY =
  '(?:好的?|好嘞|好吧|行|嗯+|哦+|噢|啊|喂|哎|你好|您好|谢谢(?:你|您|啊|了|哈)?|多谢|感谢|辛苦(?:了|你了)?|麻烦(?:你|您)?(?:了)?|不好意思|对不起|抱歉|知道了?|是吗|这样啊|早上好|下午好|晚上好|拜拜|再见|先生|小姐|美女|帅哥|老师|师傅)';
const COURTESY_BEFORE = new RegExp(`^(?:${COURTESY}(?: |(?=${COURTESY} ))*)*${COURTESY} (?=.{3,})`);
const COURTESY_AFTER = new RegExp(`(?<=.{2,}) (?:${COURTESY} ?)+$`);
const ONLY_COURTESY = new RegExp(`^(?:${COURTESY}(?:啊|呀|哈|了)? ?)*$`);

/** Leaves out courtesy before and after what was said; where nothing else was said, it is what was said. */
export function withoutCourtesy(plain: string): string {
  const content = plain.replace(COURTESY_AFTER, '').replace(COURTESY_BEFORE, '');
  return ONLY_COURTESY.test(content) ? plain : content;
}

const LETTER = /\p{L}/u;

/** What stands between pauses, the last ones: at most this many are read one by one. */
const MAX_CLAUSES = 3;
const PAUSE = / (?=\p{Script=Han})|(?<=\p{Script=Han}) /u;

/** The clauses of an utterance that may each say something of its own; none when it is but one. */
export function clausesOf(plain: string): string[] {
  const clauses = plain.split(PAUSE).filter(clause => clause.length >= 2 && LETTER.test(clause));
  return clauses.length > 1 ? clauses.slice(-MAX_CLAUSES) : [];
}
