/** A house's rules and what is asked about them, in languages that write and inflect differently. */
export interface HouseRules {
  language: string;
  passages: string[];
  /** Questions in other forms of the words, each with the number of the passage that answers. */
  asked: [question: string, passage: number][];
}

export const houseRules: HouseRules[] = [
  {
    language: 'tr',
    passages: [
      'Kiracı, sözleşmeyi feshetmek isterse bunu üç ay önceden yazılı olarak bildirmek zorundadır. Bildirim yapılmazsa kira bedeli işlemeye devam eder.',
      'Depozito, anahtarların tesliminden sonra otuz gün içinde kiracıya geri ödenir. Hasarların bedeli depozitodan düşülür.',
      'Isıtma kazanının bakımını ev sahibi yaptırır; musluk ve ampul gibi küçük onarımlar kiracıya aittir.',
      'Evcil hayvanlar ancak komşuların onayıyla beslenebilir. Bahçede köpek gezdirmek yasaktır.',
      'Çalışanların yıllık izinleri yirmi iş günüdür; kullanılmayan izinler ertesi yılın mart ayına kadar geçerlidir.',
    ],
    asked: [
      ['Depozitom ne zaman geri ödeniyor?', 1],
      ['Kazan bakımından kim sorumlu?', 2],
      ['Kira sözleşmesinin feshi nasıl bildirilir?', 0],
      ['Kullanmadığım izinlerim ne zamana kadar geçerli?', 4],
      ['Köpeğimi bahçede gezdirebilir miyim?', 3],
    ],
  },
  {
    language: 'fi',
    passages: [
      'Vuokralainen voi irtisanoa sopimuksen kirjallisesti. Irtisanomisaika on yksi kalenterikuukausi, ja se alkaa kuukauden viimeisestä päivästä.',
      'Vakuus palautetaan vuokralaiselle kuukauden kuluessa avainten luovuttamisesta. Vahinkojen korjaaminen vähennetään vakuudesta.',
      'Lämmityskattilan huollosta vastaa vuokranantaja; hanat ja lamput vaihtaa asukas itse.',
      'Lemmikkieläimiä saa pitää vain naapurien suostumuksella. Koiran ulkoiluttaminen pihalla on kielletty.',
      'Työntekijöillä on kolmekymmentä vuosilomapäivää; käyttämättömät lomat on pidettävä huhtikuun loppuun mennessä.',
    ],
    asked: [
      ['Milloin saan vakuuteni takaisin?', 1],
      ['Kuka huoltaa kattilan?', 2],
      ['Mikä on sopimusten irtisanomisen aika?', 0],
      ['Saako pihoilla ulkoiluttaa koiria?', 3],
    ],
  },
  {
    language: 'sv',
    passages: [
      'Hyresgästen kan säga upp avtalet skriftligt. Uppsägningstiden är tre månader och räknas från månadens sista dag.',
      'Depositionen betalas tillbaka inom trettio dagar efter att nycklarna har lämnats. Skador dras av från beloppet.',
      'Hyresvärden sköter underhållet av värmepannan; kranar och lampor byter den boende själv.',
      'Husdjur får bara hållas om grannarna går med på det. Hundar får inte rastas på gården.',
      'De anställda har tjugofem semesterdagar; dagar som inte har tagits ut förfaller i april.',
    ],
    asked: [
      ['När betalar ni tillbaka depositioner?', 1],
      ['Vem underhåller värmepannor?', 2],
      ['Hur säger man upp ett avtal?', 0],
      ['Får jag rasta min hund på gårdarna?', 3],
      ['Hur många dagars semester har en anställd?', 4],
    ],
  },
  {
    language: 'nl',
    passages: [
      'De huurder kan de overeenkomst schriftelijk opzeggen. De opzegtermijn bedraagt drie maanden en begint op de laatste dag van de maand.',
      'De waarborgsom wordt binnen dertig dagen na het inleveren van de sleutels terugbetaald. Schade wordt ervan afgetrokken.',
      'De verhuurder onderhoudt de verwarmingsketel; kranen en lampen vervangt de bewoner zelf.',
      'Huisdieren zijn alleen toegestaan als de buren het goedvinden. Honden mogen niet in de tuin worden uitgelaten.',
      'De werknemers hebben vijfentwintig vakantiedagen; niet opgenomen dagen vervallen in juli.',
    ],
    asked: [
      ['Wanneer betalen jullie de waarborgsommen terug?', 1],
      ['Wie doet het onderhoud van verwarmingsketels?', 2],
      ['Hoe zegt een huurder een overeenkomst op?', 0],
      ['Mag ik mijn hond in de tuinen uitlaten?', 3],
      ['Hoeveel dagen vakantie heeft een werknemer?', 4],
    ],
  },
  {
    language: 'ro',
    passages: [
      'Chiriașul poate denunța contractul în scris. Termenul de preaviz este de trei luni și începe în ultima zi a lunii.',
      'Garanția se restituie chiriașului în treizeci de zile de la predarea cheilor. Stricăciunile se scad din sumă.',
      'Proprietarul întreține centrala termică; robinetele și becurile le schimbă locatarul.',
      'Animalele de companie sunt permise doar cu acordul vecinilor. Câinii nu pot fi plimbați în curte.',
      'Angajații au douăzeci și cinci de zile de concediu; zilele neefectuate expiră în iunie.',
    ],
    asked: [
      ['Când mi se restituie garanțiile?', 1],
      ['Cine se ocupă de întreținerea centralelor termice?', 2],
      ['Cum se denunță un contract de către chiriași?', 0],
      ['Pot să-mi plimb câinele prin curți?', 3],
      ['Câte zile de concedii are un angajat?', 4],
    ],
  },
  {
    language: 'da',
    passages: [
      'Lejeren kan opsige aftalen skriftligt. Opsigelsesvarslet er tre måneder og regnes fra månedens sidste dag.',
      'Depositummet betales tilbage inden for tredive dage efter at nøglerne er afleveret. Skader trækkes fra beløbet.',
      'Udlejeren vedligeholder varmekedlen; haner og pærer skifter beboeren selv.',
      'Kæledyr må kun holdes, hvis naboerne siger ja. Hunde må ikke luftes i gården.',
      'De ansatte har femogtyve feriedage; dage, der ikke er holdt, bortfalder i maj.',
    ],
    asked: [
      ['Hvornår betales depositummer tilbage?', 1],
      ['Hvem vedligeholder varmekedler?', 2],
      ['Hvordan opsiger man aftaler?', 0],
      ['Må jeg lufte min hund i gårdene?', 3],
      ['Hvor mange feriedage har en ansat?', 4],
    ],
  },
  {
    language: 'th',
    passages: [
      'ผู้เช่าต้องแจ้งเป็นหนังสือล่วงหน้าสามเดือนหากต้องการยกเลิกสัญญาเช่า',
      'เงินมัดจำจะคืนให้ผู้เช่าภายในสามสิบวันหลังจากส่งมอบกุญแจ โดยหักค่าเสียหายออก',
      'เจ้าของบ้านเป็นผู้ดูแลหม้อต้มน้ำร้อน ส่วนก๊อกน้ำและหลอดไฟผู้เช่าเปลี่ยนเอง',
      'เลี้ยงสัตว์ได้เฉพาะเมื่อเพื่อนบ้านยินยอม ห้ามพาสุนัขเดินเล่นในสนาม',
      'พนักงานมีวันลาพักร้อนยี่สิบวัน วันลาที่ไม่ได้ใช้จะหมดอายุในเดือนมีนาคม',
    ],
    asked: [
      ['จะได้เงินมัดจำคืนเมื่อไหร่', 1],
      ['ใครดูแลหม้อต้มน้ำ', 2],
      ['ยกเลิกสัญญาต้องแจ้งล่วงหน้านานเท่าไร', 0],
      ['พาสุนัขไปเดินเล่นในสนามได้ไหม', 3],
      ['พนักงานลาพักร้อนได้กี่วัน', 4],
    ],
  },
  {
    language: 'vi',
    passages: [
      'Bên thuê muốn chấm dứt hợp đồng phải báo trước ba tháng bằng văn bản.',
      'Tiền đặt cọc được hoàn trả trong vòng ba mươi ngày sau khi giao chìa khóa, trừ chi phí hư hỏng.',
      'Chủ nhà bảo dưỡng nồi hơi; vòi nước và bóng đèn do người thuê tự thay.',
      'Chỉ được nuôi thú cưng khi hàng xóm đồng ý. Không được dắt chó đi dạo trong sân.',
      'Nhân viên có hai mươi ngày nghỉ phép; những ngày chưa nghỉ hết hạn vào tháng ba.',
    ],
    asked: [
      ['Khi nào tôi nhận lại tiền đặt cọc?', 1],
      ['Ai bảo dưỡng nồi hơi?', 2],
      ['Muốn chấm dứt hợp đồng phải báo trước bao lâu?', 0],
      ['Tôi có được dắt chó trong sân không?', 3],
      ['Nhân viên được nghỉ phép bao nhiêu ngày?', 4],
    ],
  },
  {
    language: 'ja',
    passages: [
      '借主が契約を解約する場合は、三か月前までに書面で通知しなければなりません。',
      '敷金は鍵の返却後三十日以内に返還されます。損害の費用は差し引かれます。',
      '給湯器の点検は家主が行い、蛇口や電球は借主が交換します。',
      'ペットは近隣の同意がある場合に限り飼うことができます。中庭で犬を散歩させてはいけません。',
      '従業員の有給休暇は二十日です。使わなかった休暇は三月に失効します。',
    ],
    asked: [
      ['敷金はいつ戻ってきますか', 1],
      ['給湯器は誰が点検しますか', 2],
      ['解約の通知はどうすればいいですか', 0],
      ['犬を中庭で散歩させてもいいですか', 3],
      ['有給休暇は何日ありますか', 4],
    ],
  },
  {
    language: 'hi',
    passages: [
      'किरायेदार को अनुबंध समाप्त करने के लिए तीन महीने पहले लिखित सूचना देनी होगी।',
      'चाबियाँ लौटाने के तीस दिन के भीतर जमा राशि किरायेदार को वापस की जाती है। नुकसान की लागत काट ली जाती है।',
      'बॉयलर की मरम्मत मकान मालिक करवाता है; नल और बल्ब किरायेदार स्वयं बदलता है।',
      'पालतू जानवर केवल पड़ोसियों की सहमति से रखे जा सकते हैं। आँगन में कुत्ते घुमाना मना है।',
      'कर्मचारियों को बीस दिन की छुट्टियाँ मिलती हैं; बची हुई छुट्टियाँ मार्च में समाप्त हो जाती हैं।',
    ],
    asked: [
      ['जमा राशि कब वापस मिलेगी?', 1],
      ['बॉयलरों की मरम्मत कौन करवाता है?', 2],
      ['अनुबंधों की समाप्ति की सूचना कैसे दें?', 0],
      ['क्या मैं आँगन में कुत्ता घुमा सकता हूँ?', 3],
      ['कर्मचारी को कितनी छुट्टी मिलती है?', 4],
    ],
  },
  {
    language: 'ru',
    passages: [
      'Арендатор вправе расторгнуть договор, письменно предупредив об этом за три месяца.',
      'Залог возвращается арендатору в течение тридцати дней после сдачи ключей. Стоимость повреждений вычитается.',
      'Котёл обслуживает хозяин; краны и лампочки жилец меняет сам.',
      'Животных можно держать только с согласия соседей. Выгуливать собак во дворе запрещено.',
      'Сотрудникам положено двадцать дней отпуска; неиспользованные дни сгорают в марте.',
    ],
    asked: [
      ['Когда вернут мой залог?', 1],
      ['Кто занимается обслуживанием котлов?', 2],
      ['Как расторгается договор аренды?', 0],
      ['Можно ли выгулять собаку во дворах?', 3],
      ['Сколько дней отпуска у сотрудника?', 4],
    ],
  },
  {
    language: 'el',
    passages: [
      'Ο ενοικιαστής μπορεί να καταγγείλει τη σύμβαση εγγράφως με προειδοποίηση τριών μηνών.',
      'Η εγγύηση επιστρέφεται μέσα σε τριάντα ημέρες από την παράδοση των κλειδιών. Οι ζημιές αφαιρούνται.',
      'Ο ιδιοκτήτης συντηρεί τον λέβητα· τις βρύσες και τις λάμπες τις αλλάζει ο ένοικος.',
      'Κατοικίδια επιτρέπονται μόνο αν συμφωνούν οι γείτονες. Απαγορεύεται η βόλτα σκύλων στην αυλή.',
      'Οι εργαζόμενοι έχουν είκοσι ημέρες άδεια· οι ημέρες που δεν χρησιμοποιήθηκαν λήγουν τον Μάρτιο.',
    ],
    asked: [
      ['Πότε επιστρέφονται οι εγγυήσεις;', 1],
      ['Ποιος κάνει τη συντήρηση των λεβήτων;', 2],
      ['Πώς καταγγέλλονται οι συμβάσεις;', 0],
      ['Μπορώ να πάω τον σκύλο βόλτα στις αυλές;', 3],
      ['Πόσες ημέρες άδειας έχει ένας εργαζόμενος;', 4],
    ],
  },
];
