"""Concepts of everyday life: which words speak of one thing. "Sencha" and "green tea" then share more than nothing.

What a static embedder knows of rare words, and of Chinese at all, is little; this list is general knowledge in its
place. English words are compared by their stems, Chinese ones are looked up as they stand.
"""

from __future__ import annotations

import re
from functools import lru_cache

from siltstone.text.tokens import terms

MARK = "~"
"""Begins the term of a concept, which no word of a text does."""

LEXICON = {
    "tea": "tea teapot sencha matcha gyokuro oolong puer earl assam darjeeling chai rooibos teahouse teacup brew kettle "
    "茶 绿茶 红茶 乌龙 普洱 龙井 碧螺春 毛尖 铁观音 茶叶 茶壶 泡茶 喝茶 茶馆 白茶 花茶",
    "coffee": "coffee espresso latte cappuccino americano barista roast roaster roastery caffeine beans grinder decaf "
    "咖啡 美式 拿铁 意式 手冲 咖啡豆 浓缩 卡布奇诺 烘豆 咖啡馆 咖啡因",
    "alcohol": "alcohol beer wine whisky whiskey vodka gin drunk hangover pub cocktail sober sobriety booze brewery pint drinking "
    "酒 啤酒 红酒 白酒 喝酒 醉 宿醉 酒吧 戒酒 黄酒 酒局",
    "vegan": "vegan vegetarian plant-based tofu tempeh meat meatless animal vegetable steak "
    "素食 吃素 纯素 荤 豆腐 吃肉",
    "cooking": "cook cooking recipe stew soup roast kitchen curry dumpling noodle chef oven pan pot fry simmer lasagne dish "
    "做饭 做菜 下厨 菜谱 炒菜 煲汤 炖 饺子 厨房 面条 红烧 火锅 厨艺",
    "baking": "bake baking baker bakery bread sourdough loaf dough pastry croissant flour yeast cake rye oven starter crumb crust "
    "烘焙 面包 蛋糕 烤箱 酵母 面团 面粉 发面 吐司",
    "allergy": "allergy allergic allergist allergen hives adrenaline epipen antihistamine anaphylaxis peanut nut swell pollen "
    "过敏 花生 荨麻疹 抗过敏 花粉 皮疹",
    "dog": "dog puppy pup labrador lab terrier poodle spaniel beagle retriever bark leash kennel canine paw yap hound collie "
    "狗 小狗 柯基 金毛 拉布拉多 泰迪 遛狗 狗粮 哈士奇 柴犬 狗叫",
    "cat": "cat kitten kitty feline tabby purr meow mice litter whisker paw tomcat "
    "猫 橘猫 小猫 猫砂 猫粮 喵 布偶 英短 撸猫 铲屎",
    "pet": "pet vet shelter animal 宠物 兽医 领养",
    "birds": "bird birdwatching birding sparrow owl heron robin finch parrot budgie feather nest binoculars aviary "
    "鸟 观鸟 麻雀 鹦鹉 鸟笼 望远镜",
    "horse": "horse pony riding stable saddle gallop mare stallion equestrian foal 马 骑马 马术 马场",
    "fish": "aquarium fishtank goldfish guppy tank fishkeeping 鱼缸 金鱼 养鱼 水族",
    "fishing": "fishing angler rod trout carp bait pike hook reel 钓鱼 鱼竿 鱼饵 垂钓 野钓",
    "bees": "bee beehive hive honey beekeeper beekeeping swarm colony sting stung queen 蜜蜂 蜂箱 养蜂 蜂蜜 蜂王",
    "garden": "garden gardening allotment vegetable tomato seedling compost weed soil prune rose bed lawn greenhouse harvest "
    "花园 种菜 菜园 浇水 番茄 施肥 阳台 发芽 园艺 菜地",
    "plants": "houseplant plant orchid cactus fern succulent monstera repot leaf leaves 绿植 多肉 兰花 仙人掌 盆栽 养花 绿萝",
    "running": "run running runner marathon jog race kilometre km 5k 10k pace sprint half-marathon training parkrun 42 finish "
    "跑步 马拉松 半马 全马 晨跑 夜跑 配速 跑鞋 公里 完赛",
    "cycling": "cycle cycling cyclist bike bicycle pedal saddle mudguard ride riding helmet handlebar gear velodrome "
    "骑车 自行车 骑行 单车 公路车 车座 头盔",
    "swimming": "swim swimming pool lane crawl breaststroke goggles lake dip butterfly swimmer 游泳 泳池 蛙泳 自由泳 泳镜 游了",
    "climbing": "climb climbing boulder bouldering belay crag summit rope wall 攀岩 抱石 岩馆 岩壁",
    "hiking": "hike hiking trail mountain peak trek backpack camp camping tent summit ridge hut "
    "爬山 徒步 登山 露营 帐篷 山顶 背包",
    "gym": "gym weights workout deadlift squat bench barbell treadmill fitness trainer dumbbell muscle 健身 健身房 深蹲 硬拉 卧推 私教 撸铁 增肌",
    "yoga": "yoga pilates asana mat stretch pose downward 瑜伽 普拉提 拉伸 体式",
    "football": "football soccer goal striker match league kick goalkeeper pitch offside club 足球 踢球 进球 球队 世界杯 守门",
    "basketball": "basketball hoop dunk dribble nba court 篮球 投篮 三分 球场 篮板",
    "racket": "tennis badminton racket racquet serve shuttlecock backhand forehand doubles smash squash court "
    "羽毛球 网球 乒乓 球拍 杀球 双打 发球 球馆 球友",
    "martial": "karate judo taekwondo boxing aikido dojo kungfu belt sparring tai chi 太极 空手道 拳击 跆拳道 武术 柔道",
    "ski": "ski skiing snowboard slope piste skate skating rink 滑雪 雪板 雪场 滑冰",
    "dance": "dance dancing ballet salsa tango waltz dancer choreography ballroom 跳舞 舞蹈 芭蕾 广场舞 街舞 舞伴",
    "chess": "chess checkmate rook pawn opening endgame elo grandmaster gambit 象棋 围棋 下棋 国际象棋 棋",
    "games": "videogame gaming gamer console playstation xbox nintendo switch steam minecraft level boss boardgame "
    "游戏 打游戏 手游 主机 通关 王者 原神 桌游",
    "piano": "piano keyboard chopin scales prelude sonata pianist upright pedal 钢琴 练琴 琴键 肖邦 音阶 琴",
    "guitar": "guitar chord strum guitarist ukulele bass riff amp band 吉他 和弦 弹唱 尤克里里 贝斯 乐队",
    "strings": "cello violin viola bow orchestra quartet concert symphony rehearsal dvořák principal "
    "大提琴 小提琴 拉琴 乐团 管弦 二胡 古筝 琴弓",
    "singing": "sing singing choir singer soprano alto tenor karaoke song vocal 唱歌 合唱 合唱团 卡拉 K歌 声乐",
    "photography": "photo photograph photography camera leica lens darkroom film shutter negative rolls enlarger portrait "
    "摄影 拍照 相机 胶片 镜头 照片 快门 暗房",
    "drawing": "draw drawing sketch watercolour watercolor canvas easel painter oil acrylic illustration portrait art gallery "
    "画画 水彩 素描 油画 画布 国画 书法 毛笔 宣纸 临帖",
    "decorating": "paint painted repaint wall tin brush hallway corridor colour wallpaper primer satin hue "
    "刷墙 油漆 墙 粉刷 墙纸 涂料",
    "renovation": "renovate renovation tile plaster plumber plumbing builder contractor bathroom kitchen floorboards rewire drill "
    "装修 瓷砖 水电 工长 翻新 地板 吊顶 施工",
    "crafts": "knit knitting crochet yarn sew sewing quilt needle stitch embroidery wool sweater pottery clay kiln wheel glaze "
    "织毛衣 毛线 钩针 缝纫 刺绣 陶艺 拉坯 手工 针线",
    "woodwork": "woodwork carpentry carpenter saw plane chisel lathe timber workshop bench oak 木工 木头 锯 刨 榫卯",
    "reading": "book novel read reading library author chapter paperback poetry poem bookshop kindle 读书 看书 小说 图书馆 书店 诗 作者",
    "diary": "diary journal notebook entry write 日记 日记本 手账 写日记",
    "writing": "writer writing manuscript publisher draft novel editor chapter essay blog 写作 写小说 稿子 投稿 出版 编辑 写书",
    "film": "film movie cinema director screening oscars horror comedy documentary 电影 影院 看片 导演 恐怖片 影评",
    "theatre": "theatre theater stage actor acting play rehearse improv drama opera 话剧 戏剧 舞台 演戏 京剧 昆曲",
    "series": "series episode season netflix show drama binge tv 追剧 电视剧 综艺 剧集 番剧",
    "languages": "language spanish french german italian portuguese japanese korean vocabulary grammar fluent duolingo accent verb "
    "学外语 日语 英语 法语 德语 西班牙语 韩语 单词 口语 语法 背单词",
    "exam": "exam test grade pass fail resit certificate licence revise revision score driving 考试 考研 及格 挂科 考证 成绩 复习 备考 驾照 科目",
    "university": "university college degree thesis phd professor lecture campus dissertation master seminar "
    "大学 论文 博士 研究生 导师 毕业 答辩 读博",
    "school": "school pupil classroom homework teacher pta kindergarten nursery gate lesson term 学校 上学 幼儿园 作业 班主任 家长会 接送 小学",
    "teaching": "teacher teach teaching pupil class tutor student lesson grading 教书 老师 学生 备课 上课 讲台 班级",
    "nurse": "nurse nursing ward paediatric pediatric patient croup shift clinic 护士 病房 值班 护理 查房 夜班",
    "doctor": "doctor physician surgeon gp clinic diagnosis prescription 医生 门诊 医院 挂号 大夫 看病",
    "hospital": "hospital ward surgery operate operation surgeon visiting physio icu discharge ambulance hip "
    "住院 手术 出院 病房 开刀 医院 探视 急诊",
    "software": "code coding programmer developer software bug app deploy python javascript programming startup users screen github "
    "编程 代码 程序员 写代码 软件 开发 上线 用户 程序",
    "company": "company firm business owner employee payroll staff customer printing entrepreneur shop startup contract supplier boss hire hired "
    "公司 员工 老板 创业 开店 客户 生意 订单 工厂 发工资",
    "shop": "shop store cafe restaurant teahouse landlord lease customers tables waiter 开店 店里 店铺 服务员 房租 转让 顾客 客人 打烊",
    "jobsearch": "job interview cv application apply unemployed recruiter offer resign resigned laid redundant career quit "
    "找工作 面试 简历 失业 辞职 离职 跳槽 裁员 入职 求职 offer",
    "office": "office meeting colleague boss manager deadline promotion overtime desk project team remote 上班 加班 同事 领导 开会 办公室 升职 项目",
    "nightshift": "night nights shift dawn graveyard 夜班 倒班 值夜 通宵",
    "salary": "salary wage raise bonus pay income payslip 工资 薪水 加薪 奖金 涨薪 年终奖",
    "savings": "save savings budget bank debt loan credit invest investment shares stock fund pension crypto bitcoin "
    "存钱 理财 股票 基金 贷款 欠债 还款 养老金 储蓄 炒股",
    "mortgage": "mortgage house buy property deposit estate agent loan homeowner 买房 房贷 首付 按揭 房价 楼盘",
    "renting": "rent landlord tenant lease flat apartment eviction flatmate roommate 租房 房东 房租 合租 室友 押金 租约",
    "moving": "move moving moved mover boxes relocate relocation resident registered emigrate abroad 搬家 搬到 移民 落户 行李 定居",
    "lisbon": "lisbon portugal portuguese alfama porto 里斯本 葡萄牙",
    "japan": "japan japanese tokyo kyoto osaka shinkansen onsen ryokan yen sushi ramen 日本 东京 京都 大阪 新干线 温泉 富士",
    "travel": "travel trip holiday vacation hotel flight itinerary luggage passport tourist abroad journey 旅行 旅游 酒店 机票 行程 护照 出国 景点",
    "flying": "fly flight plane airplane airport board boarding airline pilot turbulence 飞机 航班 机场 坐飞机 登机",
    "climate": "climate carbon footprint emission warming green environmental 气候 碳 排放 环保 低碳",
    "train": "train railway rail station platform tram metro subway underground carriage 火车 高铁 地铁 车站 列车 动车 站台",
    "car": "car drive driving driver garage engine petrol electric parking tyre brake 开车 汽车 停车 车位 油费 电车 修车 轮胎",
    "commute": "commute commuting office bus ride minutes traffic 通勤 上班路 堵车 公交 早高峰",
    "sailing": "sail sailing boat yacht harbour mast regatta kayak canoe row 帆船 划船 皮划艇 出海 船",
    "sea": "sea beach surf surfing wave ocean dive diving coast 大海 海边 冲浪 潜水 沙滩",
    "faith": "god church pray prayer parish vicar priest psalm sermon faith bible mass christian congregation worship soul "
    "上帝 教堂 祷告 信仰 圣经 牧师 礼拜 基督",
    "buddhism": "buddhist meditate meditation temple zen monk mindfulness retreat sutra incense 打坐 冥想 佛 寺庙 念经 禅 拜佛 上香",
    "islam": "muslim mosque ramadan quran fasting halal imam eid 清真 斋月 古兰经 伊斯兰",
    "politics": "vote voting election party mayor council protest demonstration union strike campaign candidate politics "
    "投票 选举 政治 抗议 工会 游行",
    "volunteer": "volunteer volunteering charity donate donation shelter refugees foodbank soup kitchen blood 志愿 义工 公益 捐 献血 支教",
    "mother": "mother mum mom mama mummy 妈 妈妈 母亲 我妈 老妈",
    "father": "father dad daddy papa 爸 爸爸 父亲 我爸 老爸",
    "sister": "sister sis 姐 姐姐 妹 妹妹",
    "brother": "brother bro 哥 哥哥 弟 弟弟",
    "grandparents": "grandmother grandma gran nan grandfather grandpa grandad 奶奶 爷爷 外婆 外公 姥姥 姥爷",
    "aunt": "aunt uncle cousin niece nephew 姑姑 叔叔 舅舅 阿姨 表哥 表姐 堂弟 侄",
    "children": "child children kid kids son daughter toddler teenager 孩子 儿子 女儿 小孩 娃",
    "baby": "baby newborn pregnant pregnancy midwife born birth due ultrasound breastfeed nappy diaper cot 怀孕 宝宝 产检 出生 预产期 奶粉 尿布 生孩子 二胎",
    "wedding": "wedding marry married bride groom honour maid ceremony engaged engagement vows honeymoon bouquet guests "
    "婚礼 结婚 新娘 新郎 伴娘 订婚 喜酒 婚纱 蜜月 领证",
    "divorce": "divorce divorced lawyer ex marriage separated separation filed papers husband wife counselling alimony "
    "离婚 前夫 前妻 分居 律师 婚姻 财产",
    "custody": "custody judge weekends agreement alternate handing 抚养权 探视 判给 孩子归",
    "dating": "date dating tinder boyfriend girlfriend crush kiss single match romance lover 约会 相亲 恋爱 脱单 男朋友 女朋友 对象 单身",
    "partner": "boyfriend girlfriend partner husband wife spouse 老公 老婆 男友 女友 丈夫 妻子 对象",
    "friendship": "friend friendship best godmother buddy mate 朋友 闺蜜 好友 发小 哥们 死党",
    "feud": "quarrel feud spoken forgive apologise apologize argue row fallout blame peace reconcile 吵架 冷战 和好 道歉 绝交 拉黑 不说话",
    "grief": "funeral grief died death buried grave cemetery mourn ashes will passed widow 葬礼 去世 过世 扫墓 墓 走了 悼念 忌日 遗物",
    "phonecall": "phone call ring rang telephone video facetime talk sunday 打电话 电话 视频 通话 微信语音",
    "injury": "knee injury ligament meniscus sprain fracture broke broken wrist ankle cast crutches physio mri brace "
    "膝盖 受伤 骨折 韧带 半月板 拐杖 康复 扭伤 石膏",
    "back": "back spine disc lumbar posture chiropractor slipped 腰 腰椎 椎间盘 腰疼 脊椎 颈椎",
    "diabetes": "diabetes diabetic insulin sugar glucose blood pump type 糖尿病 胰岛素 血糖 控糖",
    "cancer": "cancer tumour tumor chemo chemotherapy oncologist remission biopsy radiotherapy 癌 化疗 肿瘤 放疗 复查",
    "heart": "heart cardiologist pressure pacemaker cholesterol hypertension 心脏 血压 高血压 支架 心电图",
    "migraine": "migraine headache aura triptan head throbbing 偏头痛 头疼 头痛",
    "asthma": "asthma inhaler wheeze lung breath 哮喘 喘 肺 吸入器",
    "sleep": "sleep insomnia awake asleep bed sleepless melatonin nap tired night pillow 失眠 睡不着 睡眠 熬夜 褪黑素 早睡 睡觉 入睡 安眠药",
    "smoking": "smoke smoking cigarette nicotine tobacco vape pack smoker lighter patch 抽烟 戒烟 烟瘾 电子烟 尼古丁 香烟",
    "therapy": "therapy therapist depression depressed anxiety panic antidepressant psychologist counsellor psychiatrist attacks "
    "抑郁 焦虑 心理 咨询师 恐慌 心理医生 情绪",
    "weight": "weight diet calories kilos lose fat slim scale fasting 减肥 体重 瘦 胖 节食 热量 斤",
    "eyes": "eye eyes glasses contact lens cataract optician blind vision short-sighted 眼睛 近视 眼镜 视力 隐形眼镜 白内障",
    "ears": "ear hearing deaf tinnitus aid sign 听力 耳鸣 助听器 聋 耳朵 手语",
    "teeth": "tooth teeth dentist braces root canal filling wisdom crown 牙 牙医 智齿 牙套 补牙 拔牙 种牙",
    "neighbour": "neighbour neighbor neighbours next-door upstairs downstairs stairwell 邻居 楼上 楼下 隔壁 物业",
    "noise": "noise loud noisy earplugs quiet barking drilling party yapping 噪音 吵 隔音 耳塞 吵醒",
    "hometown": "hometown village grew childhood homeland native birthplace 老家 家乡 乡亲 回老家 故乡 小时候",
    "citizenship": "citizenship visa passport immigration residence permit green card naturalisation 签证 绿卡 入籍 国籍 居留 移民局",
    "army": "army military soldier regiment navy veteran conscript deployed 当兵 部队 军队 退伍 参军",
    "court": "court lawsuit sue judge lawyer trial witness jury 法院 官司 起诉 律师 判决 开庭",
    "theft": "stole stolen thief theft burglar burglary robbed police pickpocket 被偷 小偷 报警 偷 抢",
    "weather": "rain rainy snow storm sun sunny wind windy weather fog forecast umbrella 下雨 下雪 天气 台风 雨伞 刮风 降温",
    "devices": "router wifi printer laptop computer phone tablet screen battery charger internet 路由器 打印机 电脑 手机 断网 充电 网络",
    "clothes": "clothes dress shirt shoes jacket coat jeans fashion wardrobe trousers 衣服 裙子 鞋 外套 穿搭 衣柜",
    "hair": "hair haircut hairdresser dye bald curls fringe beard 头发 剪发 染发 脱发 理发 刘海",
    "tattoo": "tattoo ink piercing needle 纹身 打耳洞 刺青",
    "collecting": "collect collection collector stamps coins vinyl records album antiques 收藏 集邮 邮票 硬币 黑胶 唱片",
    "astronomy": "telescope star planet astronomy moon eclipse jupiter saturn galaxy nebula 望远镜 星星 天文 观星 行星 月食",
    "radio": "podcast radio broadcast microphone listeners 播客 电台 收音机 听众",
    "video": "youtube channel subscribers vlog tiktok followers streaming instagram video 视频号 博主 粉丝 抖音 直播 小红书 频道",
    "birthday": "birthday present candle turned 生日 礼物 蛋糕 过生日",
    "newyear": "christmas easter newyear spring festival thanksgiving lantern eve 过年 春节 除夕 圣诞 年夜饭 红包 中秋",
    "dream": "nightmare dream dreamt dreamed 做梦 噩梦 梦见 梦到",
    "retirement": "retire retired retirement pensioner pension 退休 养老 退休金",
    "adoption": "adopt adopted adoption foster orphan biological 领养 收养 养父 养母 亲生",
    "lgbt": "gay lesbian bisexual trans queer pride nonbinary 同性恋 出柜 彩虹 跨性别",
    "spicy": "spicy chili chilli pepper hot sauce 辣 辣椒 麻辣 火锅 川菜",
    "sweets": "chocolate sweets candy sugar dessert ice cream pudding 巧克力 甜食 糖 冰淇淋 奶茶 甜品",
    "fruit": "apple banana mango berry strawberry cherry pear orchard 苹果 香蕉 芒果 樱桃 草莓 水果 榴莲",
}
"""Concept → the words that speak of it."""

_CJK = re.compile(r"[\u3400-\u9fff]")


@lru_cache(maxsize=1)
def _words() -> tuple[dict[str, tuple[str, ...]], re.Pattern[str]]:
    """(stem or Chinese word → its concepts, a pattern of all Chinese words)."""
    found: dict[str, list[str]] = {}
    for concept, words in LEXICON.items():
        for word in words.split():
            for name in [word] if _CJK.search(word) else terms(word)[:1]:
                found.setdefault(name, []).append(MARK + concept)
    chinese = sorted((word for word in found if _CJK.search(word)), key=lambda word: (-len(word), word))
    return {word: tuple(dict.fromkeys(names)) for word, names in found.items()}, re.compile("|".join(chinese))


def concepts(text: str, words: frozenset[str]) -> frozenset[str]:
    """The concepts that a text speaks of, as terms that begin with "~"; `words` are its index terms."""
    known, chinese = _words()
    found = {name for word in words for name in known.get(word, ())}
    if _CJK.search(text):
        found |= {name for word in chinese.findall(text) for name in known[word]}
    return frozenset(found)
