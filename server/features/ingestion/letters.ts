/**
 * What texts of a language look like, as far as it tells encodings apart: letters by how often they occur, the most
 * common first, and a few words. Of languages in Latin letters, only the letters that ASCII does not have.
 */
export interface Language {
  letters: string;
  words: string;
  encodings: readonly string[];
}

const western = ['windows-1252', 'iso-8859-15', 'macroman', 'cp850', 'cp437'];
const central = ['windows-1250', 'iso-8859-2', 'cp852', 'maccenteuro'];
const baltic = ['windows-1257', 'iso-8859-13', 'iso-8859-4'];
const cyrillic = ['windows-1251', 'koi8-r', 'koi8-u', 'cp866', 'iso-8859-5', 'maccyrillic'];

export const languages: readonly Language[] = [
  // What stands in names and words of any language of the West.
  { letters: 'éüäöèáóàíçñêåøßãæúôâîëûïõòùìœðþý', words: '', encodings: western },
  // Its marks are what is not ASCII of it: quotes, dashes, signs of currencies.
  {
    letters: '’“”–—£‘•é€…°§©®™',
    words: 'the of and to in is for on with that this are be by from or not as at it',
    encodings: western,
  },
  {
    letters: 'üäöß',
    words:
      'der die und das ist von mit den im ein eine für nicht zu dem auf sich des werden sind bis sie wir es er als auch bei bitte wer wie was wann wurde wird hat vor nach',
    encodings: western,
  },
  {
    letters: 'éèàêçâôîùûœëï',
    words: 'le la les de des et est un une pour dans que qui sur du au par pas en',
    encodings: western,
  },
  {
    letters: 'óíáéñúü',
    words: 'el la los las de del en que un una por para con se es no al su más',
    encodings: western,
  },
  {
    letters: 'ãçáéóíêõâúàô',
    words: 'o a os as de do da em que um uma para com não se por dos das no na',
    encodings: western,
  },
  { letters: 'àèùòéì', words: 'il lo la gli le di del della in che un una per con non è si al da', encodings: western },
  { letters: 'éëïèóü', words: 'de het een van en in is op te dat die voor met niet aan zijn', encodings: western },
  { letters: 'äöåéü', words: 'och i att det som en på är av för med den till inte om har', encodings: western },
  { letters: 'øåæéóô', words: 'og i at det som en på er af av for med den til ikke om har de et', encodings: western },
  { letters: 'äöåé', words: 'ja on ei se että oli ovat mutta kun joka tai sen hän myös', encodings: western },
  {
    letters: 'íáðéóöúþæý',
    words: 'og í að er á sem til við ekki um var með en það',
    encodings: ['windows-1252', 'macroman'],
  },
  {
    letters: 'ąłęóżćśńź',
    words: 'w i na się z do jest że nie o to dla od po za przez oraz są jak',
    encodings: central,
  },
  {
    letters: 'íáěéřčžýšůúťďóň',
    words: 'a v na je se z do že o s pro za od který jsou by jako k po',
    encodings: central,
  },
  {
    letters: 'áíéčýžšťúľôďňäóĺŕ',
    words: 'a v na je sa z do že o s pre za od ktorý sú by ako k po',
    encodings: central,
  },
  {
    letters: 'áéöíóőüúű',
    words: 'a az és hogy nem is egy van meg vagy mint ez el csak de fel',
    encodings: central,
  },
  { letters: 'čšžćđ', words: 'i u je na se da za su od s ne koji što ili in v ki', encodings: central },
  {
    letters: 'ăîâşţșțŞŢ',
    words: 'și şi de în la a cu o pe nu se care din este un să pentru',
    encodings: central,
  },
  {
    letters: 'ışüğçöİâ',
    words: 've bir bu için ile da de olarak olan en az iki çok daha gibi her kadar sonra önce',
    encodings: ['windows-1254', 'iso-8859-9', 'cp857', 'macturkish'],
  },
  { letters: 'ėųšžįąčūę', words: 'ir į yra kad iš su bet ar tai kaip apie už nuo', encodings: baltic },
  { letters: 'āīēšņļžģūķč', words: 'un ir ar no uz par kas tas pie vai bet ka', encodings: baltic },
  { letters: 'äõüöšž', words: 'ja on ei see et oli kui ka või mis ning', encodings: ['windows-1252', ...baltic] },
  {
    letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
    words: 'и в не на что по с для от к из за до или при',
    encodings: cyrillic,
  },
  { letters: 'оанівиртеслкумдпязьбгйчхїцжєшющфґ', words: 'і в не на що з до та від за про для', encodings: cyrillic },
  {
    letters: 'аоиетнрсвлкдпмзуъбгячщжцхйюшфь',
    words: 'и на за от се в да по с не са или',
    encodings: ['windows-1251', 'iso-8859-5', 'cp866', 'maccyrillic'],
  },
  {
    letters: 'аоиенсртјвкулдпмзгбчшцжњљћхђфџ',
    words: 'и у је на се да за су од не који или',
    encodings: ['windows-1251', 'iso-8859-5', 'maccyrillic'],
  },
  {
    letters: 'αοιετσνηυρπκμλςίόέγάωδήχύθφβώξζψϊΐϋ',
    words: 'και το να της του η ο με για από στην σε οι είναι τα',
    encodings: ['windows-1253', 'iso-8859-7', 'macgreek'],
  },
  {
    letters: 'יולהאתמרבשנחדקעפםטגסןכצזךץף',
    words: 'של את על לא עם הוא זה כל או גם',
    encodings: ['windows-1255', 'iso-8859-8'],
  },
  {
    letters: 'اليمنتروبةعدسفهكقحأجشىصطخزضإثغذءئظؤآ،',
    words: 'في من على إلى أن هذا هذه لا مع أو ما عن التي',
    encodings: ['windows-1256', 'iso-8859-6'],
  },
  {
    letters: 'านรก่อเง้มยีลวัดทสตะิปบคหแจพ์ชขใไืุโผูธ็ำณถซศษภญฐฎฉฟฝฮึ๊๋ฏฤฬฆฒฑๆฯ',
    words: '',
    encodings: ['windows-874'],
  },
  {
    letters: 'đạảàáâăêôơưếềệểễốồộổỗớờợởỡứừựửữấầậẩẫắằặẳẵìíịỉĩòóọỏõùúụủũèéẹẻẽýỳỵỷỹ\u0301\u0300\u0323\u0309\u0303',
    words: 'và là của có cho không trong các một được với này những người',
    encodings: ['windows-1258'],
  },
];

/**
 * Characters of Chinese by how often they occur, as they are written in China and in Taiwan, and of Japanese and
 * Korean.
 */
export const commonCharacters = {
  simplified:
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运请员工休假费用公司旅行住宿晚元超过天每批准申请前提供服务合同客户支付价格产品说明书货款验收保修期限',
  traditional:
    '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運請員工休假費用公司旅行住宿晚元超過天每批准申請前提供服務合同客戶支付價格產品說明書貨款驗收保修期限',
  japanese:
    '日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢部対合内相定回政選関経表戦要法約設性的連化成調最治結現産当次機数取制決実全済指期保委員権加報必点務受進説続変応総原談解求記置組反番提議申請費額支払限超過情報管理使用場合必要可能利用規程手続勤務休暇出張承認宿泊',
  korean:
    '이다는에의을가고하지기도사로한인어자그아시나리서수대해있것들정일전부스과니보라구제조여장동원주성와게만면상경년우소공유화신계치적세국비학회까생미선문중물분야인었습니까간내입결체요모은르안당오무발방마래개연관통했되등실때단출작더할행건진임운품교접양려러음식업직영초강심반용금거후청명위설감확역바합승외절번저포재산최질료터본속력변복향차날급액휴노처달석약별월',
};
