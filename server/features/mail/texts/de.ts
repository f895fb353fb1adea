import { secondFactorChanged } from './second-factor.ts';
import type { MailTexts } from './words.ts';

export const german: MailTexts = {
  locale: 'de-DE',
  orOpen: 'Oder öffnen Sie diese Adresse:',
  confirmEmail: (name, url) => ({
    subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${name}`,
    heading: 'Bestätigen Sie Ihre E-Mail-Adresse',
    paragraphs: [
      `Jemand, hoffentlich Sie selbst, hat sich mit dieser Adresse bei ${name} angemeldet. Bestätigen Sie, dass sie Ihnen gehört, damit Sie Ihr Team einladen können.`,
    ],
    action: { label: 'E-Mail-Adresse bestätigen', url },
    note: 'Der Link gilt 7 Tage. Waren Sie es nicht, können Sie diese E-Mail ignorieren: Ein Konto, das weder bestätigt noch bezahlt ist, endet nach 7 Tagen mit allem, was darin ist.',
  }),
  resetPassword: (name, url) => ({
    subject: `Ihr Passwort für ${name} zurücksetzen`,
    heading: 'Passwort zurücksetzen',
    paragraphs: [`Jemand, hoffentlich Sie selbst, möchte das Passwort Ihres Kontos bei ${name} zurücksetzen.`],
    action: { label: 'Neues Passwort wählen', url },
    note: 'Der Link gilt einmal und eine Stunde lang. Waren Sie es nicht, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist.',
  }),
  passwordChanged: (name, url) => ({
    subject: `Ihr Passwort für ${name} wurde geändert`,
    heading: 'Ihr Passwort wurde geändert',
    paragraphs: [`Das Passwort Ihres Kontos bei ${name} wurde soeben geändert, und Sie wurden überall abgemeldet.`],
    action: { label: 'Anmelden', url },
    note: 'Waren Sie es nicht, setzen Sie Ihr Passwort sofort zurück und sagen Sie Ihrem Admin Bescheid.',
  }),
  newSignIn: (name, { agent, address, time }) => ({
    subject: `Neue Anmeldung bei ${name}`,
    heading: 'Eine neue Anmeldung',
    paragraphs: [
      `Soeben hat sich jemand mit Ihrem Konto bei ${name} angemeldet, in einem Browser, in dem Sie bisher nicht angemeldet waren.`,
      `Browser: ${agent}`,
      `Adresse: ${address}`,
      `Zeit: ${time}`,
    ],
    note: 'Waren Sie es selbst, ist nichts zu tun. Wenn nicht, ändern Sie sofort Ihr Passwort: Damit endet jede Sitzung. In Ihrem Konto sehen Sie unter „Sign-in and security“, wo Sie angemeldet sind, und können diese E-Mails abschalten.',
  }),
  secondFactorChanged: secondFactorChanged.de,
  invitationExpired: (name, url) => ({
    subject: `Ihre Einladung zu ${name} ist abgelaufen`,
    heading: 'Ihre Einladung ist abgelaufen',
    paragraphs: [
      `Jemand, hoffentlich Sie selbst, hat einen neuen Link zu ${name} angefordert. Eine Einladung gilt 7 Tage, und Ihre ist abgelaufen.`,
      'Bitten Sie die Person, die Sie eingeladen hat, die Einladung noch einmal zu senden.',
    ],
    action: { label: `${name} öffnen`, url },
    note: 'Waren Sie es nicht, können Sie diese E-Mail ignorieren: Es geschieht nichts.',
  }),
  invitation: (name, url, { company, inviter }) => ({
    subject: `Sie sind zu ${name} eingeladen`,
    heading: 'Sie sind eingeladen',
    paragraphs: [
      inviter === null
        ? `Sie sind eingeladen, ${company ? `der Firma „${company}“` : 'einer Firma'} auf ${name} beizutreten.`
        : `${inviter} lädt Sie ein, ${company ? `der Firma „${company}“` : 'der eigenen Firma'} auf ${name} beizutreten.`,
      'Wählen Sie zu Beginn ein Passwort. Danach können Sie Fragen stellen und erhalten Antworten aus den Dokumenten der Firma.',
    ],
    action: { label: 'Einladung annehmen', url },
    note:
      inviter === null
        ? 'Der Link gilt einmal, bis die 7 Tage Ihrer Einladung vorüber sind; der vorige gilt nicht mehr.'
        : 'Der Link gilt einmal und 7 Tage lang. Wenn Sie die Einladung nicht erwartet haben, ignorieren Sie sie: Es geschieht nichts.',
  }),
  paymentFailed: (name, { day, url }) => ({
    subject: `Eine Zahlung für ${name} ist fehlgeschlagen`,
    heading: 'Eine Zahlung ist fehlgeschlagen',
    paragraphs: [
      'Ihr Abonnement konnte nicht verlängert werden, weil die Zahlung abgelehnt wurde.',
      `Bis zum ${day} funktioniert alles weiter. Bitte bezahlen Sie bis dahin die offene Rechnung oder ändern Sie die Karte.`,
    ],
    action: { label: 'Zahlung begleichen', url },
  }),
  graceEndsSoon: (name, { day, url }) => ({
    subject: `${name} wird am ${day} gesperrt: Eine Zahlung fehlt`,
    heading: 'Eine Zahlung fehlt noch',
    paragraphs: [
      `Ab dem ${day} kann in Ihrer Firma niemand mehr Fragen stellen, hochladen oder einladen, bis die offene Rechnung bezahlt ist.`,
      'Ihre Dokumente bleiben und können gelesen werden.',
    ],
    action: { label: 'Zahlung begleichen', url },
  }),
  accessStopped: (name, { url }) => ({
    subject: `${name} ist gesperrt: Eine Zahlung fehlt`,
    heading: 'Eine Zahlung fehlt',
    paragraphs: [
      'Fragen, Hochladen und Einladen sind für Ihre Firma abgeschaltet, weil eine Rechnung nicht bezahlt wurde.',
      'Nichts wird gelöscht. Mit der Zahlung funktioniert alles sofort wieder.',
    ],
    action: { label: 'Zahlung begleichen', url },
  }),
  subscriptionEnds: (name, { day, url }) => ({
    subject: `Ihr Abonnement von ${name} endet am ${day}`,
    heading: 'Ihr Abonnement endet bald',
    paragraphs: [`Es wurde gekündigt und endet am ${day}. Bis dahin funktioniert alles.`],
    action: { label: 'Abonnement behalten', url },
  }),
  subscriptionEnded: (name, { day, url }) => ({
    subject: `Ihr Abonnement von ${name} ist beendet`,
    heading: 'Ihr Abonnement ist beendet',
    paragraphs: [
      `Bezahlt ist bis zum ${day}. Danach kann in Ihrer Firma niemand mehr Fragen stellen, hochladen oder einladen.`,
      'Ihre Dokumente bleiben: Sie können gelesen, heruntergeladen und gelöscht werden.',
    ],
    action: { label: 'Tarif wählen', url },
  }),
  digest: (name, { files, moreFiles, questions, moreQuestions, url }) => ({
    subject: `${name}: Das braucht einen Blick`,
    heading: 'Das braucht einen Blick',
    paragraphs: [
      ...(files.length > 0 ? ['Diese Dateien konnten nicht gelesen werden:', ...files.map((file) => `• ${file}`)] : []),
      ...(moreFiles > 0 ? [`Und ${moreFiles} weitere.`] : []),
      ...(questions.length > 0
        ? ['Auf diese Fragen fand sich in den Dokumenten keine Antwort:', ...questions.map((each) => `• ${each}`)]
        : []),
      ...(moreQuestions > 0 ? [`Und ${moreQuestions} weitere.`] : []),
    ],
    action: { label: 'Übersicht öffnen', url },
    note: 'Sie erhalten dies höchstens einmal am Tag, wenn es etwas zu berichten gibt. Abschalten lässt es sich in den Einstellungen unter „Notifications“.',
  }),
  monthlyReport: (_name, facts) => ({
    subject: `${facts.company}: was im ${facts.month} gefragt wurde`,
    heading: `Was im ${facts.month} gefragt wurde`,
    paragraphs: [
      `Fragen: ${facts.asked}, davon beantwortet: ${facts.answered}. Personen, die gefragt haben: ${facts.people}. In ebenso vielen Tagen davor: ${facts.askedBefore} Fragen.`,
      `Nicht beantwortet: ${facts.unanswered}. Als hilfreich bewertet: ${facts.helpful}, als nicht hilfreich: ${facts.notHelpful}.`,
      ...(facts.unansweredQuestions.length > 0
        ? ['Am häufigsten nicht beantwortet:', ...facts.unansweredQuestions]
        : []),
      ...(facts.topQuestions.length > 0 ? ['Am häufigsten gefragt:', ...facts.topQuestions] : []),
    ],
    action: { label: 'Zur Auswertung', url: facts.url },
    note: 'Das bekommen die Admins Ihres Unternehmens jeden Monat. Unter der Auswertung lässt es sich abschalten.',
  }),
  webhookOff: (name, { host, reason, url }) => ({
    subject: `${name}: Der Webhook an ${host} wurde abgeschaltet`,
    heading: 'Ein Webhook wurde abgeschaltet',
    paragraphs: [
      reason === 'gone'
        ? `${host} hat geantwortet, dass es die Adresse nicht mehr gibt (410). Dorthin wird nichts mehr gesendet.`
        : `Bei ${host} ist seit fünf Tagen nichts angekommen. Dorthin wird nichts mehr gesendet.`,
      'Was darauf gewartet hat, steht im Protokoll und kann erneut gesendet werden.',
    ],
    action: { label: 'Webhooks ansehen', url },
  }),
  exportReady: (name, { isOwn, until, url }) => ({
    subject: isOwn ? `Ihre Daten aus ${name} liegen bereit` : `${name}: Der Export der Firmendaten liegt bereit`,
    heading: 'Ihr Export liegt bereit',
    paragraphs: [
      isOwn
        ? 'Die Datei mit Ihren eigenen Daten kann heruntergeladen werden.'
        : 'Die Datei mit den Daten Ihrer Firma kann heruntergeladen werden.',
      `Sie bleibt bis ${until} dort. Danach wird sie gelöscht; einen neuen Export können Sie jederzeit starten.`,
    ],
    action: { label: 'Zum Download', url },
    note: 'Sie werden gebeten, sich anzumelden. Wenn Sie diesen Export nicht gestartet haben, ändern Sie bitte Ihr Passwort.',
  }),
  companyEnds: (name, { company, by, day, url }) => ({
    subject: `${company} wird am ${day} bei ${name} gelöscht`,
    heading: 'Ihre Firma wird gelöscht',
    paragraphs: [
      `${by} hat das veranlasst. Am ${day} wird alles von ${company} endgültig gelöscht: Dokumente, Fragen und Antworten, Personen, Einstellungen.`,
      'Bis dahin ist der Zugang geschlossen. Nur Admins können sich anmelden, um die Firma zu behalten oder ihre Daten zu exportieren. Es wird nichts mehr abgebucht.',
    ],
    action: { label: 'Firma behalten', url },
    note: 'Wenn Sie das so möchten, müssen Sie nichts tun.',
  }),
  companyKept: (name, { company, by, url }) => ({
    subject: `${company} bleibt bei ${name}`,
    heading: 'Ihre Firma wird nicht gelöscht',
    paragraphs: [`${by} hat die Löschung von ${company} zurückgenommen. Alles ist, wie es war.`],
    action: { label: `${name} öffnen`, url },
  }),
};
