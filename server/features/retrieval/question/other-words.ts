import { lazily } from '#server/lib/lazily.ts';
import { beside, type Words, wordsFor } from './listed-words.ts';

/**
 * Words that offices use for the same, each line by itself: of people, contracts, and what is done with documents.
 */
const alike = `
  lawyer attorney solicitor counsel legal
  supplier vendor
  debtor receivable
  creditor payable
  client customer
  employee staff personnel worker workforce headcount
  salary wage payroll pay remuneration compensation
  expense expenditure spending outlay cost
  trip travel journey
  fee charge
  rent lease rental
  purchase buy procure acquire
  car vehicle
  holiday vacation leave
  illness sickness sick ill
  dismissal termination layoff redundancy
  supervisor manager boss superior
  contract agreement
  help assist support
  guarantee warranty warrant
  warning notice notification
  repair mend fix
  broken defective faulty damaged
  refund reimburse reimbursement repay
  deadline cutoff
  permission authorization approval consent permit
  forbidden prohibited banned
  obligatory mandatory compulsory required
  rule regulation
  yearly annual
  discount rebate reduction
  injury accident
  doctor physician
  pupil student
  teacher instructor
  website site homepage
  telephone phone
  laptop notebook
  picture photo photograph image
  enclosure attachment annex appendix
  outsider external
  renew extend prolong
  speed velocity
  owner proprietor holder
  chair chairman chairwoman chairperson
  donation gift contribution
  subsidy grant funding
  survey poll questionnaire
  participant respondent attendee
  goal target objective aim
  mistake error
  delete remove erase
  send submit
  lodging accommodation hotel
  meal food catering
  canteen cafeteria
  begin start commence
  end finish terminate expire
  term duration
  replace supersede substitute
  review examine inspect
  repurchase buyback
  participate attend
  affect concern apply
  operate run
  amend modify revise
  increase raise rise grow
  decrease reduce decline drop
  own hold possess
  appoint elect nominate
  remit transfer
  aircraft airplane plane
  child kid
  position role post
  town city municipality
  disease illness
  drug medicine medication
  law statute legislation
  court tribunal
  biggest largest
  highest maximum
  lowest minimum
  average mean
  shut close
  quit resign
  hire recruit employ
  idle inactive inactivity
  banknote note
  resident inhabitant
  brochure leaflet flyer
  parking garage
  allowance entitlement
  reward bonus
  bike bicycle
  wifi wlan wireless
  paternity maternity parental
  grandmother grandfather grandparent
  father mother parent dad mom mum
  son daughter child
  brother sister sibling
  husband wife spouse
  wedding marriage
  funeral bereavement
  theft stolen
  pension retirement
  invoice bill
  colleague coworker
  password passphrase passcode
  login logon
  clothes clothing attire
  intern trainee apprentice
  freelancer contractor
  maximum max
  minimum min
  restart reboot
  parcel package
  lorry truck

  anwalt rechtsanwalt jurist
  lieferant anbieter
  schuldner debitor forderung
  gläubiger kreditor verbindlichkeit
  kunde auftraggeber
  mitarbeiter angestellter beschäftigter personal belegschaft
  gehalt lohn vergütung bezahlung
  ausgabe aufwand aufwendung kosten
  miete pacht
  kauf erwerb anschaffung
  auto fahrzeug wagen
  urlaub ferien
  kündigung entlassung
  vorgesetzter chef
  vertrag vereinbarung
  reparatur instandsetzung
  rückerstattung erstattung
  erlaubnis genehmigung zustimmung
  verboten untersagt
  rabatt nachlass
  arzt mediziner
  handy mobiltelefon
  anlage anhang beilage
  umfrage befragung
  fehler irrtum
  kündigen kündigung austritt
  beginn anfang start
  ende schluss
  wahl wählen bestellen ernennen
  betrag summe höhe
  frist termin
  ändern änderung
  prüfen prüfung kontrolle

  réunion rencontre rencontrer
  salarié employé
  durée période
  début commencement
  résilier résiliation
  loyer bail
  participer participation participant

  empleado trabajador
  duración plazo
  comienzo inicio
  multa sanción
  vivienda casa
`;

/** The same of words that a statement means apart: they stand in for each other only where one of them is nowhere. */
const apart = `
  revenue turnover sales income
  profit earnings surplus
  loan borrowing debt
  inventory stock
  price cost
  paper document
  submit hand
  phishing forged fake fraudulent
  mileage kilometre kilometer
  result outcome finding
  umsatz erlös einnahme
  gewinn überschuss ertrag
  coût prix tarif
  precio coste costo
`;

/** The words beside a word, by its term. */
const besideAll = lazily(() => beside(`${alike}${apart}`));
const besideAlike = lazily(() => beside(alike));

/**
 * What documents may say in place of words that none of them has: `legal` for lawyers, `receivable` for debtors.
 * @param terms of the question, those that no document has
 * @param languages of the documents
 * @returns the terms that documents have for them, each with the question's own
 */
export function otherWords(terms: readonly string[], documents: Words): Map<string, string> {
  return wordsFor(terms, documents, besideAll());
}

/**
 * What documents also say for words that they have: `vehicle` where a car is asked for.
 * @param terms of the question
 * @returns the terms that documents have for them, each with the question's own
 */
export function similarWords(terms: readonly string[], documents: Words): Map<string, string> {
  return wordsFor(terms, documents, besideAlike());
}
