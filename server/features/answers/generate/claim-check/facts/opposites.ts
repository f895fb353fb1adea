/**
 * Words that turn what is said into its opposite. Each line is one pair: its words, `|`, the opposite words, in every
 * language that is known here, folded; `*` stands for any ending. A word may stand in several pairs.
 */
export const opposites = `
before vor vorher avant antes | after nach danach nachher apres despues tras
earlier earliest fruher fruhestens plus-tot | later latest spater spatestens plus-tard
first erst* premier* primer* | last letzt* dernier* ultim*
last letzt* dernier* ultim* previous vorig* precedent* anterior* | next nachst* prochain* proxim* following
more mehr plus | less fewer weniger moins menos
higher highest hoher* hochst* superieur* superior* haut* | lower lowest niedriger* niedrigst* tiefer* tiefst* inferieur* inferior* bas basse*
larger largest bigger biggest greater greatest grosser* grosst* grand* mayor* | smaller smallest kleiner* kleinst* petit* menor*
large big gross* | small klein*
high hoch hohe hohen hoher hohes eleve elevee eleves elevees elevad* alto alta altos altas | low niedrig* gering geringe geringen geringer geringes faible* baja bajas
easy easily easier easiest einfach* facile* facil* | difficult* harder hardest schwierig* difficile* dificil*
cheap inexpensive gunstig billig economique* economic* barat* | expensive pricey costly teuer* teure* couteu* onereu* caro cara caros caras costos*
most majority meiste* mehrheit* plupart majorite mayoria | few fewest minority wenige* minderheit* minorite minoria pocos pocas
encourag* | discourag*
similar* identical* ahnlich* semblable* | different* unterschiedlich* distint*
longer longest langer* langst* | shorter shortest kurzer* kurzest*
faster fastest schneller* rapid* | slower slowest langsamer*
older oldest alter* | younger youngest newer newest junger* neuer*
heavier heaviest schwerer* lourd* pesad* | lighter lightest leichter* leger* ligera* ligero*
cheaper cheapest gunstiger* billiger* barat* | dearer dearest costlier teurer* caro* cara*
warmer hotter warmest hottest | colder cooler coldest coolest kalter*
better best besser* best* meilleur* mejor* | worse worst schlechter* schlechtest* pire* peor*
increase* increas* climb* soar* surg* rise* rose risen raise* grow* grew grown gain* steig* stieg* gestieg* erhoh* wuchs wachs* gewachsen augment* hausse* progress* aument* subi* crec* incremen* | decreas* plung* slump* fall* fell fallen drop* lower* reduc* cut declin* shr* lose lost sink* sank gesunken fiel* gefallen senk* gesenkt verring* redu* baiss* diminu* dismin* baj* descend* reduj*
above over oberhalb uber au-dessus dessus encima | below under unterhalb unter dessous debajo
above more exceed* over ubersteig* uberschreit* uber depass* supera* excede* exced* | below under less unterschreit* unter
include* includ* inclusive inbegriff* einschliesslich inklusive enthalten compris* inclus* incluid* incluy* | exclud* exclusive except* without ausgeschloss* ausgenommen ohne exclu* sauf hors excluid* excepto salvo
allow* allowed permit* permitted may erlaub* erlaubt durfen darf gestattet autoris* permis* permit* peut peuvent puede* | forbid* forbidden prohibit* banned ban verbot* untersagt interdit* prohib* vietad*
mandatory obligator* obligatoire* obligatori* compulsory required vorgeschrieben verpflicht* pflicht | optional freiwillig* voluntary facultati* opcional* wahlweise
open* offen* geoffnet offn* ouvert* ouvr* abiert* abr* | clos* geschlossen schliess* ferm* cerrad* cierr*
start* begin* began begun beginn* anfang* debut* commenc* empez* comien* inicio inici* | end* finish* stop* ended ende* aufhor* fin finit termin* acab*
always immer stets toujours siempre | never nie niemals jamais nunca
all every alle jed* tous tout* tod* chaque cada | none no nobody keine* aucun* ningun*
free gratis kostenlos* kostenfrei gratuit* gratis | charged chargeable kostenpflichtig* payant*
paid bezahlt* paye* pagad* pag* | unpaid unbezahlt* impaye*
internal inner inside intern* innerhalb interieur* dentro inland domestic within | external outer outside extern* ausserhalb exterieur* fuera ausland abroad foreign
together zusammen gemeinsam ensemble junto* jointly | apart separate* separat* getrennt separe* separad* alone allein*
with mit avec con | without ohne sans sin
accept* akzept* angenommen annehm* accept* acept* approv* genehmig* approuv* aprob* | reject* refus* ablehn* abgelehnt rejet* rechaz* denied deny declin*
win* won gewinn* gewann gagn* gan* | lose* lost verlier* verlor* perd*
buy* bought purchase* kauf* achet* achat* compr* | sell* sold sale* verkauf* vend* vent* vent*
import* einfuhr* import* | export* ausfuhr* export*
incoming eingehend* entrant* entrante* arrival* ankunft* | outgoing ausgehend* sortant* saliente* departure* abfahrt*
send* sent sender senden absend* envoy* envia* | receiv* recipient empfang* erhalt* recev* recib*
left links gauche izquierd* | right rechts droite derech*
top oben haut arriba upper | bottom unten bas abajo lower
day tagsuber jour dia daytime | night nachts nuit noche nighttime
morning vormittag* morgens matin manana | evening afternoon nachmittag* abends soir tarde
summer sommer ete verano | winter winter hiver invierno
early fruh* tot temprano | late spat* tard tarde
employee* mitarbeit* beschaftigt* arbeitnehmer* salarie* employe* emplead* trabajador* | employer* arbeitgeber* employeur* empleador*
customer* client* kunde* kundin* | supplier* lieferant* fournisseur* proveedor*
sender absender* expediteur* remitente* | recipient* empfanger* destinatair* destinatari*
lessor landlord* vermieter* bailleur* arrendador* | lessee tenant* mieter* locataire* arrendatari*
creditor* glaubiger* creanci* acreedor* | debtor* schuldner* debit* deudor*
gross brutto brut brut* | net netto net* neto*
profit* gewinn* benefice* benefici* | loss* verlust* perte* perdida*
income revenue* einnahme* recett* ingreso* | expense* cost* ausgabe* depens* gasto*
credit* haben credit* | debit* soll debit*
full* voll* plein* llen* | empty leer* vid* vaci*
hot heiss* chaud* calient* warm* | cold kalt* froid* fri*
wet nass* mouille* moj* damp feucht* humid* | dry trocken* sec seche* sec*
new neu* nouveau nouvel* nuev* | old alt* ancien* viej* used gebraucht*
public offentlich* publi* public* | private privat* priv* 
online | offline onsite vor-ort
manual* manuell* manuel* | automatic* automatisch* automatiqu* automatic*
minimum min mindest* minimal* minim* | maximum max hochst* maximal* maxim*
positive positiv* positif* positiv* | negative negativ* negatif* negativ*
strengthen* stark* renforc* | weaken* schwach* affaibl*
likely wahrscheinlich* probable* | unlikely unwahrscheinlich* improbable*
valid gultig* valable* valid* | invalid ungultig* invalid*
possible moglich* possible* posible* | impossible unmoglich* imposib*
lock* sperr* verrouill* bloqu* | unlock* entsperr* deverrouill* desbloqu*
connect* verbind* connect* conect* | disconnect* trenn* deconnect* desconect*
enable* aktivier* activ* | disable* deaktivier* desactiv*
success* erfolg* | fail* fehl* echec* fall*
north northern nord norden nordlich* nordost* nordwest* nordkorea* nordteil* nordseite* norte | south southern sud suden sudlich* sudost* sudwest* sudkorea* sudteil* sudseite* sur
east eastern ost osten ostlich* ostteil* ostseite* est este | west western westen westlich* westteil* westseite* ouest oeste
once einmal fois | twice zweimal
both beide* deux ambos | neither either weder ni
temporary befrist* temporaire* temporal* | permanent* unbefrist* permanent* dauerhaft*
fixed fest* fixe* fij* | variable variab* flexible flexib*
keep* kept behalt* conserv* garder | discard* destroy* delete* losch* vernicht* supprim* detrui* elimin*
push* druck* pouss* empuj* | pull* zieh* tirer tir*
direct* direkt* direct* | indirect* indirekt* indirect*
`;
