"""Classes of words that the phrases of this package use: people, animals, things, places of fiction and of work."""

from __future__ import annotations

KIN = """
    家人 亲人 咱爸妈 俩孩子 我儿子 我女儿 我闺女 我老婆 我老公 我爸妈 我父母 我奶奶 我爷爷 我外婆 我外公 我姥姥
    我姥爷 我妹妹 我弟弟 我哥哥 我姐姐 mother mum mom mam mama mummy mommy ma father dad daddy papa pa parent
    parents sister brother sibling son daughter child kid baby twin twins triplets wife husband partner spouse
    fiance fiancé fiancee fiancée girlfriend boyfriend gf bf grandmother grandma gran nan nana granny grandfather
    grandpa grandad granddad grandparent grandson granddaughter grandchild stepdad stepmum stepmom stepfather
    stepmother stepson stepdaughter hubby missus toddler newborn infant folks fam mil fil ex 爸 妈 爸爸 妈妈 父亲
    母亲 爸妈 父母 老爸 老妈 爹 娘 老爹 老娘 哥 哥哥 大哥 二哥 弟 弟弟 姐 姐姐 大姐 二姐 妹 妹妹 兄弟姐妹 哥们儿
    儿子 女儿 闺女 孩子 娃 宝宝 小孩 小宝 大宝 二宝 老大 老二 老婆 老公 妻子 丈夫 媳妇 爱人 对象 女朋友 男朋友 女友
    男友 未婚妻 未婚夫 奶奶 爷爷 外婆 外公 姥姥 姥爷 阿婆 阿公 双胞胎 岳父 岳母 公公 婆婆 孙子 孙女 我妈 我爸 我哥
    我姐 我弟 我妹 我娘 我爹 我奶 我爷 俺妈 俺爸 咱妈 咱爸 继父 继母 养父 养母 前夫 前妻 家里人
"""

FAR = """
    aunt auntie uncle cousin nephew niece colleague coworker workmate co-worker neighbour neighbor flatmate roommate
    housemate classmate boss manager teacher friend friends mate buddy acquaintance landlord landlady client
    customer coach professor tutor dentist doctor hairdresser barber plumber postman courier driver cashier waiter
    barista teammate intern receptionist guy lady stranger somebody someone team people supervisor director ceo
    neighbours neighbors lodger tenant babysitter nanny pal everyone mechanic librarian janitor schoolmate pastor
    vicar trainer 同事 同学 邻居 隔壁 楼上 楼下 室友 舍友 同桌 表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹 姑 姑姑 姑妈
    大姑 小姑 舅舅 舅 舅妈 叔叔 叔 大伯 伯伯 婶婶 姨 阿姨 大姨 小姨 姨妈 领导 老板 老师 朋友 客户 房东 班主任 远房
    经理 主管 店员 老板娘 司机 医生 护士 快递员 外卖员 同行 老乡 网友 学姐 学长 学弟 学妹 师兄 师姐 师弟 师妹 有人
    别人 人家 组长 实习生 保安 保洁 前台 邻座 亲戚 侄子 侄女 外甥 外甥女 表姐夫 我姑 我舅 我叔 我姨 队友 教练 同乡
    发小 闺蜜 哥们 战友
"""

PET = """
    dog cat puppy pup kitten kitty pet labrador retriever spaniel poodle beagle corgi dachshund greyhound whippet
    terrier collie bulldog pug husky mutt mongrel tabby siamese rabbit bunny hamster gerbil guinea parrot parakeet
    budgie budgerigar canary cockatiel tortoise turtle goldfish gecko lizard snake iguana horse pony donkey goat
    ferret chinchilla hen hens chickens chicken hound shepherd alsatian dalmatian chihuahua shiba ragdoll persian
    bengal foal 狗 猫 我家狗 我家猫 小狗 小猫 狗狗 猫咪 橘猫 橘 黑猫 白猫 花猫 三花 狸花 猫猫 流浪猫 流浪狗 柯基
    金毛 拉布拉多 边牧 泰迪 柴犬 布偶 布偶猫 英短 美短 哈士奇 萨摩耶 博美 比熊 德牧 吉娃娃 土狗 田园猫 兔子 小兔
    仓鼠 鹦鹉 乌龟 金鱼 刺猬 龙猫 蜥蜴 宠物 毛孩子 马 小马 狗子 老猫 老狗 猫主子 荷兰猪 豚鼠
"""

THING = """
    phone battery laptop computer pc mac tablet server process thread daemon worker car engine printer plant cactus
    fern succulent app site connection wifi internet router code script build session kernel task job node instance
    container pod socket link conversation chat joke mic camera keyboard mouse drive disk fridge kettle boiler radio
    tv watch bulb lamp modem controller headset headphones earbuds charger tree orchid basil tomato yeast sourdough
    starter bus train deal project 手机 电脑 电池 进程 服务器 打印机 花 盆栽 绿植 多肉 程序 代码 脚本 连接 网络
    路由器 车 冰箱 灯泡 系统 线程 任务 接口 平板 耳机 键盘 鼠标 硬盘 电视 空调 电瓶
"""

FICTION = """
    character characters episode season novel film movie series show plot king queen prince princess president
    minister celebrity actor actress senate parliament singer band villain hero heroine protagonist chapter finale
    sequel footballer striker netflix soap drama anime manga cartoon duke pope tycoon billionaire influencer
    presenter 女主 男主 女主角 男主角 电视剧 剧里 剧中 小说 小说里 电影里 电影 主角 反派 剧 这剧 明星 演员 国王 女王
    总统 首相 新闻 新闻里 综艺 动漫 漫画 游戏里 番 歌手 网红 球星 王子 公主 热搜 剧情 故事里 书里
"""

TASK = """
    build builds deploy deployed deployment staging prod production branch merge merged rebase commit commits pr
    pull parser node nodes thread threads process processes cache docker container config configuration api endpoint
    test tests pipeline ticket tickets sprint standup server servers database db script scripts bug bugs patch
    release repo repository lint compile compiler spreadsheet slide slides deck invoice csv json yaml toml sql query
    queries schema table column row function functions variable class module package dependency import login logs
    log stack trace exception error errors bugfix hotfix refactor kubernetes cluster pod terraform regex frontend
    backend ui ux css html migration migrations index token tokens queue cron worker workers ci cd file files folder
    folders export report reports draft template stream streams child parent inherits inherit fork forks root kernel
    stdout stderr flag timeout latency webhook firmware driver install installer macro pivot formula cell dashboard
    backlog roadmap milestone kickoff demo sync agenda minutes memo proposal quarterly okr kpi stakeholder
    deliverable 构建 部署 上线 测试 分支 合并 冲突 提交 代码 接口 配置 缓存 容器 脚本 报错 日志 服务器 数据库 字段
    变量 函数 模块 依赖 版本 发布 回滚 需求 工单 迭代 评审 例会 周会 早会 站会 会议室 进程 线程 节点 父节点 子节点
    父进程 子进程 孤儿进程 环境 测试环境 生产环境 流水线 编译 打包 参数 表格 文档 报表 方案 幻灯片 登录 主干 索引
    队列 任务 超时 重构 前端 后端 单元测试 补丁 排期 联调 单测 周报 日报 甲方 乙方 发票 报销 附件 邮件 文件 文件夹
    模板 初稿 定稿 原型 脏数据 主键 外键 内存 泄漏 死锁 堆栈 仓库 镜像 集群 网关 证书
"""

OUTSIDE = """
    weather rain raining rains rained drizzle snow snowed snowing wind windy storm sun sunny cloudy fog foggy hail
    degrees forecast outside tram bus train metro subway tube traffic lift elevator escalator road street bridge
    station platform airport flight queue shop shops bakery supermarket store market pharmacy bank post office
    library cafe café restaurant pub museum council government election news price prices petrol parking heating
    boiler pipe tap sink router printer toner wifi internet building corridor lobby roadworks bin bins recycling
    parcel package courier power electricity neighbours neighbors it there 天气 下雨 下雪 刮风 风 雨 雪 太阳 天 外面
    气温 温度 度 雾 地铁 公交 高铁 火车 飞机 航班 电梯 马路 堵车 路 高架 桥 车站 超市 菜市场 商场 快递 外卖 食堂
    物业 小区 停电 停水 水管 暖气 空调 打印机 网 信号 店 门店 油价 股市 大盘 政府 楼道 垃圾 路灯 红绿灯 事故 路口
    彩虹 月亮 晚霞 台风
"""

PLACE = """
    country abroad overseas city town canada norway sweden denmark finland iceland germany france spain portugal
    italy ireland scotland wales england britain uk london paris berlin lisbon madrid rome vienna zurich amsterdam
    utrecht brussels dublin edinburgh glasgow manchester america usa us states california texas york boston chicago
    seattle toronto vancouver montreal australia sydney melbourne zealand auckland japan tokyo kyoto osaka korea
    seoul china beijing shanghai singapore india mumbai delhi bangalore brazil argentina chile mexico peru kenya
    nairobi nigeria lagos egypt cairo turkey istanbul greece athens poland warsaw prague hungary budapest romania
    ukraine russia moscow israel dubai qatar thailand bangkok vietnam malaysia indonesia bali philippines taiwan
    switzerland austria netherlands holland belgium europe asia africa 国外 海外 北京 上海 广州 深圳 成都 重庆 杭州
    南京 武汉 西安 苏州 天津 长沙 青岛 厦门 昆明 大连 沈阳 哈尔滨 郑州 济南 合肥 福州 宁波 无锡 贵阳 南宁 海南 三亚
    大理 拉萨 新疆 西藏 东北 四川 湖南 湖北 广东 广西 云南 贵州 山东 山西 河南 河北 福建 浙江 江苏 安徽 江西 陕西
    甘肃 内蒙古 台湾 香港 澳门 日本 东京 大阪 韩国 首尔 新加坡 美国 纽约 加拿大 温哥华 多伦多 英国 伦敦 德国 柏林
    法国 巴黎 澳洲 澳大利亚 悉尼 墨尔本 新西兰 泰国 欧洲 意大利 西班牙 荷兰 瑞典 挪威 丹麦 老家 乡下 农村 外地 南方
    北方 国内
"""

SELF = """
    i me my myself we us our ours ourselves 我 我们 咱 咱们 俺 俺们 自己 本人 我自己 我家
"""

OTHER = "he she they him her them his their hers 他 她 他们 她们 它"

HOBBY = """
    piano guitar violin cello drums flute saxophone bass ukulele harp trumpet clarinet oboe accordion banjo organ
    viola chess go tennis badminton squash golf football soccer basketball volleyball rugby cricket hockey judo
    karate boxing fencing yoga pilates ballet salsa tango choir marathon marathons ultramarathons triathlons
    triathlon stamps coins maps vinyl records comics bonsai pottery ceramics knitting crochet quilting embroidery
    woodworking carpentry sailing surfing skiing snowboarding climbing bouldering hiking fishing birdwatching
    birding photography painting watercolour watercolor calligraphy origami gardening beekeeping bees astronomy
    baking poetry novels kayaking rowing skating skateboarding diving cycling archery trains puzzles sudoku
    crosswords gaming improv theatre theater allotment mushrooms 钢琴 吉他 小提琴 大提琴 古筝 二胡 笛子 琵琶 架子鼓
    尤克里里 围棋 象棋 书法 国画 油画 素描 水彩 摄影 陶艺 篆刻 马拉松 半马 越野跑 太极 太极拳 瑜伽 拳击 跆拳道 柔道
    击剑 滑雪 滑板 攀岩 徒步 钓鱼 观鸟 骑行 羽毛球 乒乓球 网球 篮球 足球 排球 游泳 邮票 黑胶 手办 盆景 剪纸 刺绣
    编织 京剧 昆曲 相声 合唱 街舞 芭蕾 拉丁舞 露营 桌游 剧本杀 乐高 航模
"""

LANGUAGE = """
    english spanish french german italian portuguese dutch swedish danish norwegian finnish polish russian arabic
    hebrew hindi urdu bengali punjabi tamil farsi persian turkish greek mandarin cantonese chinese japanese korean
    vietnamese thai swahili welsh irish gaelic catalan basque latin esperanto bsl asl 英语 法语 德语 日语 韩语
    西班牙语 俄语 意大利语 葡萄牙语 阿拉伯语 粤语 闽南语 客家话 上海话 四川话 普通话 方言 手语 藏语 维语 蒙古语
"""

TRADE = """
    nurse doctor surgeon gp dentist vet paramedic midwife pharmacist therapist psychologist psychiatrist
    physiotherapist carer caregiver teacher professor lecturer tutor headteacher librarian engineer developer
    programmer coder architect designer illustrator photographer journalist reporter editor writer author novelist
    poet translator interpreter lawyer solicitor barrister judge accountant auditor banker trader economist analyst
    consultant manager director founder entrepreneur electrician plumber carpenter joiner builder bricklayer roofer
    mechanic welder machinist farmer fisherman gardener florist baker chef cook butcher barista waiter waitress
    bartender barber hairdresser tailor cobbler jeweller potter blacksmith driver trucker courier pilot steward
    stewardess sailor soldier officer veteran marine firefighter policeman policewoman detective guard priest vicar
    pastor imam rabbi monk nun musician violinist pianist drummer singer actor actress dancer scientist physicist
    chemist biologist geologist astronomer mathematician statistician researcher postdoc student undergraduate
    freshman sophomore apprentice intern trainee cashier receptionist secretary clerk plasterer cleaner janitor
    porter caretaker postman postwoman bookseller beekeeper luthier stonemason undertaker funeral optician
    radiographer beautician nanny childminder freelancer freelance self-employed contractor civil servant homemaker
    housewife househusband sahm estate agent 护士 医生 大夫 老师 教师 教授 工程师 程序员 码农 设计师 建筑师 会计
    律师 法官 警察 消防员 军人 司机 厨师 厨子 面包师 木匠 电工 焊工 水管工 农民 渔民 工人 裁缝 理发师 翻译 记者 编辑
    作家 诗人 画家 歌手 演员 导演 摄影师 音乐家 钢琴家 科学家 研究员 博士生 研究生 大学生 学生 公务员 售货员 收银员
    保安 保洁 快递员 外卖员 产品经理 销售 老板 个体户 自由职业 自由职业者 全职妈妈 家庭主妇 幼师 兽医 药剂师 助产士
    飞行员 空姐 导游 律所 银行职员 审计 分析师 顾问 实习生 铁匠 石匠 花匠 园丁 瓦匠 修车 数学老师 语文老师 英语老师
    康复师 心理咨询师 社工 牧师 主持人 策划 运营 测试工程师 船员 海员 矿工 教练 保姆 月嫂
"""

ILLNESS = """
    cancer leukaemia leukemia lymphoma tumour tumor melanoma stroke dementia alzheimer alzheimers parkinson
    parkinsons sclerosis epilepsy epileptic diabetes diabetic lupus crohn crohns arthritis hiv hepatitis cirrhosis
    sepsis aneurysm schizophrenia bipolar depression ptsd ocd anorexia anorexic bulimia bulimic schizophrenic
    psychosis autism autistic adhd dyslexia dyslexic asperger asperger's fibromyalgia endometriosis pcos copd
    emphysema tuberculosis anaemia thyroid glaucoma cataracts osteoporosis coeliac celiac asthma asthmatic
    narcolepsy tinnitus 癌 癌症 肺癌 胃癌 肝癌 乳腺癌 白血病 肿瘤 恶性 中风 脑梗 心梗 老年痴呆 阿尔茨海默 帕金森
    糖尿病 癫痫 尿毒症 肝炎 抑郁症 重度抑郁 双相 焦虑症 强迫症 精神分裂 自闭症 多动症 红斑狼疮 渐冻症 肾衰竭 艾滋
    心脏病 高血压 类风湿 甲亢 哮喘 结核 厌食症 创伤后应激 阅读障碍 色盲 甲状腺
"""

FAITH = """
    christian catholic protestant anglican orthodox methodist baptist quaker mormon evangelical muslim sunni shia
    jewish jew hindu sikh buddhist taoist pagan wiccan atheist agnostic believer humanist lutheran presbyterian jain
    secular 基督徒 天主教徒 穆斯林 佛教徒 道教徒 无神论者 居士 信徒
"""

ORIENTATION = """
    gay lesbian bi bisexual queer trans transgender nonbinary enby asexual ace aromantic pansexual agender
    demisexual polyamorous genderqueer intersex genderfluid 同性恋 双性恋 跨性别 无性恋 非二元 同志 弯的 直的
"""

NATION = """
    american canadian mexican brazilian argentinian chilean british english scottish welsh irish french german dutch
    belgian swiss austrian italian spanish portuguese greek turkish polish czech hungarian romanian ukrainian
    russian swedish norwegian danish finnish icelandic chinese japanese korean taiwanese vietnamese thai malaysian
    singaporean indonesian filipino indian pakistani bangladeshi nepali iranian persian iraqi syrian lebanese
    israeli egyptian nigerian ghanaian kenyan ethiopian somali african moroccan algerian australian maori aboriginal
    asian latino latina hispanic mixed-race biracial gujarati kurdish roma cuban jamaican colombian peruvian 中国人
    美国人 日本人 韩国人 法国人 德国人 英国人 华裔 回族 藏族 满族 蒙古族 壮族 苗族 维吾尔族 彝族 朝鲜族 汉族
    少数民族 北京人 上海人 四川人 东北人 广东人 湖南人 山东人 河南人 客家人 潮汕人
"""

BUSINESS = """
    shop bookshop bakery cafe café restaurant farm studio company firm salon pub bar gallery practice clinic garage
    vineyard hotel hostel nursery brewery startup business agency charity school workshop smallholding ranch orchard
    dairy butchery florist bistro b&b guesthouse stall foodtruck magazine newspaper label gym kennels stable stables
    theatre
"""

DOER = """
    runner reader swimmer cyclist climber hiker gamer knitter surfer skier dancer birder birdwatcher angler
    collector traveller traveler foodie quilter rower skateboarder snowboarder weightlifter bodybuilder martial
    artist cook baker gardener painter sculptor blogger vlogger streamer
"""

NUMBER = """
    one two three four five six seven eight nine ten eleven twelve several both twenty thirty forty fifty sixty
    seventy eighty ninety 一 二 两 三 四 五 六 七 八 九 十 十几 几
"""

FOOD = """
    coffee tea breakfast lunch dinner supper brunch snack soup salad sandwich toast bread porridge oats cereal rice
    noodles pasta pizza burger chips curry stew omelette egg eggs cake pie biscuit cookies cookie chocolate yoghurt
    yogurt banana apple apples oranges figs berries juice smoothie beer wine cider water milk kebab sushi ramen
    dumplings taco tacos pancakes leftovers takeaway latte espresso cocoa crisps cheese ham tofu fish steak lasagne
    risotto 早餐 早饭 午饭 午餐 晚饭 晚餐 夜宵 宵夜 粥 面 面条 米饭 饺子 包子 馒头 炒饭 火锅 烧烤 奶茶 咖啡 茶 绿茶
    果汁 牛奶 豆浆 油条 西瓜 苹果 香蕉 葡萄 草莓 蛋糕 面包 饼干 冰淇淋 沙拉 汤 外卖 炸鸡 炸酱面 牛肉面 烤鱼 寿司
    拉面 糖葫芦 饭 菜 水果
"""


def members(table: str) -> tuple[str, ...]:
    """The words of a table."""
    return tuple(table.split())


CLASSES = {
    name: members(table)
    for name, table in {
        "KIN": KIN, "FAR": FAR, "PET": PET, "THING": THING, "FICTION": FICTION, "TASK": TASK, "OUTSIDE": OUTSIDE,
        "PLACE": PLACE, "SELF": SELF, "OTHER": OTHER, "HOBBY": HOBBY, "LANGUAGE": LANGUAGE, "TRADE": TRADE,
        "ILLNESS": ILLNESS, "FAITH": FAITH, "ORIENTATION": ORIENTATION, "NATION": NATION, "FOOD": FOOD, "DOER": DOER, "BUSINESS": BUSINESS, "#": NUMBER,
    }.items()
}  # fmt: skip
