"""Words that tell what a name is the name of: places, makers, products, given names, heads of noun phrases.

Own lists, short on purpose: they type a name where its surroundings do not.
"""

from __future__ import annotations

PLACES = frozenset(
    name.strip().casefold()
    for name in """
    Africa, America, Asia, Europe, Australia, Austria, Argentina, Belgium, Brazil, Britain, England, Scotland, Wales, Ireland, Canada,
    Chile, China, Colombia, Croatia, Cuba, Denmark, Egypt, Estonia, Ethiopia, Finland, France, Germany, Ghana, Greece, Hungary, Iceland,
    India, Indonesia, Iran, Iraq, Israel, Italy, Japan, Jordan, Kenya, Korea, South Korea, North Korea, Latvia, Lithuania, Luxembourg,
    Malaysia, Mexico, Monaco, Morocco, Nepal, Netherlands, New Zealand, Nigeria, Norway, Pakistan, Peru, Philippines, Poland, Portugal,
    Romania, Russia, Serbia, Singapore, Slovakia, Slovenia, South Africa, Spain, Sweden, Switzerland, Taiwan, Thailand, Tunisia, Turkey,
    Ukraine, United Kingdom, United States, Uruguay, Vietnam, UK, USA, US, EU, UAE, Hong Kong, Macau,
    Amman, Amsterdam, Ankara, Athens, Atlanta, Auckland, Austin, Baltimore, Bangalore, Bangkok, Barcelona, Basel, Beijing, Beirut, Belgrade,
    Berlin, Bern, Bilbao, Birmingham, Bogota, Bologna, Bordeaux, Boston, Bratislava, Brisbane, Bristol, Brussels, Bucharest, Budapest,
    Buenos Aires, Cairo, Calgary, Cambridge, Cape Town, Chengdu, Chennai, Chicago, Chongqing, Cologne, Copenhagen, Dallas, Delhi, New Delhi,
    Denver, Detroit, Dresden, Dubai, Dublin, Edinburgh, Florence, Frankfurt, Geneva, Genoa, Glasgow, Gothenburg, Graz, Guangzhou, Hamburg,
    Hangzhou, Hanoi, Helsinki, Honolulu, Houston, Hyderabad, Istanbul, Jakarta, Jerusalem, Johannesburg, Karachi, Kyiv, Kyoto, Lagos,
    Las Vegas, Lausanne, Leeds, Leipzig, Lima, Lisbon, Liverpool, Ljubljana, London, Los Angeles, LA, Lyon, Madrid, Malaga, Manchester,
    Manila, Marseille, Melbourne, Miami, Milan, Minneapolis, Montreal, Moscow, Mumbai, Munich, München, Nairobi, Nanjing, Naples, Nashville,
    New Orleans, New York, New York City, NYC, Nice, Oakland, Oslo, Osaka, Ottawa, Oxford, Palo Alto, Paris, Philadelphia, Phoenix,
    Pittsburgh, Porto, Portland, Prague, Quebec, Riga, Rio de Janeiro, Rome, Rotterdam, San Diego, San Francisco, SF, San Jose, Santiago,
    Sao Paulo, Sarajevo, Seattle, Seoul, Seville, Shanghai, Shenzhen, Sofia, Stockholm, Strasbourg, Stuttgart, Suzhou, Sydney, Taipei,
    Tallinn, Tel Aviv, The Hague, Tokyo, Toronto, Toulouse, Turin, Valencia, Vancouver, Venice, Vienna, Vilnius, Warsaw, Washington,
    Wellington, Wuhan, Xiamen, Xian, Zagreb, Zurich, Zürich, California, Florida, Texas, Nevada, Oregon, Ohio, Alaska, Hawaii, Arizona,
    Bavaria, Catalonia, Tuscany, Provence, Brooklyn, Manhattan, Queens, Silicon Valley
    """.replace("\n", ",").split(",")
    if name.strip()
)
MAKERS = frozenset(
    name.strip().casefold()
    for name in """
    Adobe, Airbnb, Airbus, Alibaba, Alphabet, Amazon, AMD, Anthropic, Apple, Atlassian, Audi, Baidu, BBC, BMW, Boeing, Bosch, ByteDance,
    Cisco, Cloudflare, Dell, Deloitte, Disney, Dropbox, eBay, Ericsson, Facebook, Farfetch, FBI, Ford, GitHub, GitLab, Google, Honda,
    HP, HSBC, Huawei, Hugging Face, Ikea, Intel, Lenovo, LinkedIn, Lyft, Mastercard, McKinsey, Mercedes, Meta, Microsoft, Mozilla, NASA,
    Netflix, Nike, Nintendo, Nokia, Nvidia, OpenAI, Oracle, PayPal, Philips, Pixar, Qualcomm, Red Hat, Reddit, Renault, SAP, Salesforce,
    Samsung, Shopify, Siemens, Sony, SpaceX, Spotify, Starbucks, Stripe, Tencent, Tesla, TikTok, Toyota, Twitter, Uber, UNESCO, Visa,
    Volkswagen, Volvo, Walmart, WHO, Wikipedia, Xiaomi, Yahoo, YouTube, Zalando, Zoom, IBM, MIT, Stanford, Harvard, Caltech
    """.replace("\n", ",").split(",")
    if name.strip()
)
PRODUCTS = frozenset(
    name.strip().casefold()
    for name in """
    Airflow, Android, Angular, Ansible, Arduino, AWS, Azure, Bash, Blender, Cassandra, ChatGPT, Chrome, Claude, Clojure, COBOL, CUDA, Dart,
    Debian, Django, Docker, DuckDB, Elasticsearch, Elixir, Erlang, Excel, Express, FastAPI, Figma, Firebase, Firefox, Flask, Flutter,
    Fortran, Galaxy, GCP, Gemini, Git, Go, GPT-4, Grafana, GraphQL, Hadoop, Haskell, Helm, iOS, iPad, iPhone, Java, JavaScript, Jenkins,
    Jira, Julia, Jupyter, Kafka, Keras, Kotlin, Kubernetes, Laravel, LaTeX, Linux, Lua, MacBook, macOS, MariaDB, Markdown, MATLAB,
    Memcached, MongoDB, MySQL, Neo4j, Next.js, Nginx, Node.js, Notion, npm, NumPy, Obsidian, OpenCV, OpenSearch, Pandas, Perl, Photoshop,
    PHP, PostgreSQL, Postgres, Power BI, PowerPoint, Prometheus, PyTorch, Python, RabbitMQ, Rails, React, Redis, Ruby, Rust, Scala, Sentry,
    Slack, Snowflake, Solr, Spark, Spring, SQL, SQLite, Svelte, Swift, Tableau, Telegram, TensorFlow, Terraform, TypeScript, Ubuntu, Unity,
    Vim, Vite, Vue, VS Code, WeChat, WhatsApp, Windows, WordPress, Zig, C++, C#, F#, .NET
    """.replace("\n", ",").split(",")
    if name.strip()
)
GIVEN = frozenset(
    """
    aaron abby abigail adam adrian agnes ahmed aisha alan albert alejandro alex alexander alexandra alexis alfred ali alice alicia alina
    alison amanda amber amelia amir amy ana anders andre andrea andreas andrew andy angela anita ann anna anne annie anthony antonio april
    ariana arthur asha audrey ava barbara beatrice ben benjamin beth bill billy bob bobby brad brandon brenda brian bruce bruno caleb camila
    carl carla carlos carmen carol caroline catherine cathy cecilia charles charlie charlotte chen chloe chris christian christina
    christopher claire clara claudia colin connor craig cynthia dan dana daniel daniela david dean deborah denise dennis derek diana diane
    diego dmitri don donald donna dorothy doug dylan ed eddie edgar eduardo edward elena eli elias elizabeth ella ellen emily emma enrique
    eric erica erik erin ernest ethan eugene eva evan evelyn felix fiona florence frances francesca francis frank fred gabriel gary george
    gerald gina giulia gloria gordon grace graham greg gustavo hana hannah hans harold harry hassan heather hector heidi helen helena henry
    hiroshi holly howard hugo ian ibrahim igor ines ingrid irene iris isaac isabel isabella ivan jack jackie jacob james jan jane janet jason
    javier jay jean jeff jennifer jenny jeremy jerry jesse jessica jill jim joan joe joel john johnny jon jonathan jorge jose joseph josh
    joshua joyce juan judith judy julia julian julie julius june justin karen karl kate katherine kathy katie keith kelly ken kenneth kevin
    kim kyle lara larry laura lauren laurie lea leah lee lena leo leon leonard leslie liam lily linda lisa liz lizzy louis louise lucas lucia
    lucy luis luke luna lydia magda manuel marc marco marcus margaret maria marie marina mario mark marta martha martin mary mateo matt
    matthew maurice max maya megan mehmet melanie melissa mia michael michelle miguel mike mila miriam mohamed mohammed molly monica morgan
    muhammad nadia nancy naomi natalia natalie natasha nathan neil nicholas nick nicole nina noah noor nora norman olga oliver olivia omar
    oscar otto owen pablo pamela patricia patrick paul paula pedro peggy penny pete peter phil philip priya rachel rafael rahul ralph ramon
    randy ravi ray raymond rebecca ricardo richard rick rita rob robert roberta roberto robin rodrigo roger roland ron ronald rosa rose ross
    roy ruth ryan sabrina sally sam samantha samuel sandra sara sarah scott sean sebastian sergei shane sharon sheila simon sofia sonia sophia
    sophie stacy stan stefan stephanie stephen steve steven stuart sue susan suzanne sven sylvia tara ted teresa terry theo theresa thomas tim
    timothy tina tobias todd tom tommy tony tracy tyler ursula valentina valerie vanessa vera veronica victor victoria viktor vincent
    virginia vivian walter wanda wendy will william yara yasmin yuki yusuf yvonne zach zara zoe
    """.split()
)
"""Given names, folded."""
PINYIN = frozenset(
    "li wang zhang liu chen yang zhao huang zhou wu xu sun hu zhu gao lin guo ma luo liang song zheng xie tang feng deng cao peng zeng xiao"
    " tian dong pan yuan cai jiang yu du ye cheng wei su lu ding ren shen yao lu fu zhong cui tan liao fan wang jin shi dai xia qiu hou zou"
    " xiong meng qin bai duan lei long hao kong shao mao chang wan gu lai kang he yan niu nguyen tran kim park choi lee ng wong chan".split()
)
"""Surnames in Latin letters of which most languages' lists of given names know nothing."""
ORGANIZED = frozenset(
    "inc corp corporation ltd llc gmbh plc ag co company labs lab foundation university college institute school academy bank group"
    " holdings ventures partners team department agency ministry association society council union club church museum hospital clinic"
    " studio studios press media airlines motors systems technologies solutions consulting".split()
)
"""A name that ends so is that of an organization."""
SITED = frozenset(
    "city street avenue road square park lake river mountain valley island islands bay beach county state province village town airport"
    " station bridge forest desert ocean sea coast".split()
)
"""A name that ends so is that of a place."""
COMPONENTS = frozenset(
    "module service server gateway worker pipeline database db api endpoint backend frontend scheduler queue cache cluster plugin library"
    " framework parser compiler component system platform app website page job cron daemon broker index repository repo branch project"
    " dashboard bot agent model dataset schema table container proxy balancer".split()
)
EVENTS = frozenset(
    "outage incident crash failure leak deadlock timeout migration launch meeting conference workshop wedding accident fire flood strike"
    " change update upgrade rollback deployment release election earthquake storm".split()
)
TASKS = frozenset("bug ticket task issue story epic".split())
HEADS = {
    **dict.fromkeys(COMPONENTS, "component"),
    **dict.fromkeys(EVENTS, "event"),
    **dict.fromkeys(TASKS, "task"),
    "team": "organization",
    "department": "organization",
}
"""Last word of a noun phrase in small letters → the type of what it names."""
PLAIN = frozenset(
    """
    a about above actually after again ago all almost already also although always am an and another any anyone anything are as ask at
    back bad be because been before being best better both but by bye call came can come congrats congratulations could day dear did do does
    done during each either else even ever every everyone everything excuse fine finally first for forget friday from fun get give go good
    got great had happy has have he hello help her here hers hey hi his how however i if imagine in indeed instead is it its january february
    march april june july august september october november december just keep know last lately later let like look lots love made make many
    maybe me meanwhile mine monday more morning most mr mrs ms much must my need never new next nice night no nobody none nope nor not nothing
    now of off often oh ok okay old on once one only or other our out over perhaps please possibly probably put quite rather really release
    remember right same saturday saw say second see seems she should show since so some somebody someone something sometimes soon sorry still
    such sunday sure take talk tell than thank thanks that the their them then there these they thing think third this those though three
    through thursday to today together tomorrow tonight too true try tuesday turns two under unfortunately until up us use used usually very
    wait want was we wednesday week weekend welcome well were what when where whether which while who whose why will wish with within without
    wonderful wow would wrong yeah year yes yesterday yet you your spring summer autumn winter fall note todo fixme update user agent assistant
    system speaking given according despite besides everybody congratulation created added fixed removed changed updated deployed
    """.split()
)
"""Words whose capital at the start of a sentence says nothing."""
LINKING = frozenset("of the de da di del della van von der den la le el al bin ibn y and & for".split())
"""Small words within a name."""
ROLES = frozenset(
    "ceo cto cfo coo cmo vp evp svp chair chairman director head president manager founder cofounder".split()
)
TITLES = frozenset("mr mrs ms miss dr prof professor sir madam president ceo captain judge uncle aunt".split())
