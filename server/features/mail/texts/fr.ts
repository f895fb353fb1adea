import { secondFactorChanged } from './second-factor.ts';
import type { MailTexts } from './words.ts';

export const french: MailTexts = {
  locale: 'fr-FR',
  orOpen: 'Ou ouvrez cette adresse :',
  confirmEmail: (name, url) => ({
    subject: `Confirmez votre adresse e-mail pour ${name}`,
    heading: 'Confirmez votre adresse e-mail',
    paragraphs: [
      `Quelqu’un, vous-même espérons-le, s’est inscrit à ${name} avec cette adresse. Confirmez qu’elle est bien la vôtre pour pouvoir inviter votre équipe.`,
    ],
    action: { label: 'Confirmer l’adresse', url },
    note: 'Le lien est valable 7 jours. Si ce n’était pas vous, ignorez cet e-mail : un compte ni confirmé ni payé prend fin après 7 jours, avec tout ce qu’il contient.',
  }),
  resetPassword: (name, url) => ({
    subject: `Réinitialisez votre mot de passe ${name}`,
    heading: 'Réinitialisez votre mot de passe',
    paragraphs: [
      `Quelqu’un, vous-même espérons-le, a demandé à réinitialiser le mot de passe de votre compte ${name}.`,
    ],
    action: { label: 'Choisir un nouveau mot de passe', url },
    note: 'Le lien est valable une seule fois et pendant une heure. Si ce n’était pas vous, ignorez cet e-mail : votre mot de passe reste inchangé.',
  }),
  passwordChanged: (name, url) => ({
    subject: `Votre mot de passe ${name} a été modifié`,
    heading: 'Votre mot de passe a été modifié',
    paragraphs: [
      `Le mot de passe de votre compte ${name} vient d’être modifié, et vous avez été déconnecté de tous vos appareils.`,
    ],
    action: { label: 'Se connecter', url },
    note: 'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe et prévenez votre administrateur.',
  }),
  newSignIn: (name, { agent, address, time }) => ({
    subject: `Nouvelle connexion à ${name}`,
    heading: 'Une nouvelle connexion',
    paragraphs: [
      `Quelqu’un vient de se connecter à votre compte ${name} depuis un navigateur où vous ne vous étiez pas encore connecté.`,
      `Navigateur : ${agent}`,
      `Adresse : ${address}`,
      `Heure : ${time}`,
    ],
    note: 'Si c’était vous, il n’y a rien à faire. Sinon, changez immédiatement votre mot de passe : toutes les sessions prendront fin. Dans votre compte, sous « Sign-in and security », vous voyez où vous êtes connecté et pouvez désactiver ces e-mails.',
  }),
  secondFactorChanged: secondFactorChanged.fr,
  invitationExpired: (name, url) => ({
    subject: `Votre invitation à ${name} a expiré`,
    heading: 'Votre invitation a expiré',
    paragraphs: [
      `Quelqu’un, vous-même espérons-le, a demandé un nouveau lien vers ${name}. Une invitation est valable 7 jours, et la vôtre a expiré.`,
      'Demandez à la personne qui vous a invité de vous l’envoyer de nouveau.',
    ],
    action: { label: `Ouvrir ${name}`, url },
    note: 'Si ce n’était pas vous, ignorez cet e-mail : il ne se passera rien.',
  }),
  invitation: (name, url, { company, inviter }) => ({
    subject: `Vous êtes invité à rejoindre ${name}`,
    heading: 'Vous êtes invité',
    paragraphs: [
      inviter === null
        ? `Vous êtes invité à rejoindre ${company ? `l’entreprise « ${company} »` : 'une entreprise'} sur ${name}.`
        : `${inviter} vous invite à rejoindre ${company ? `l’entreprise « ${company} »` : 'son entreprise'} sur ${name}.`,
      'Commencez par choisir un mot de passe. Vous pourrez ensuite poser des questions et obtenir des réponses tirées des documents de l’entreprise.',
    ],
    action: { label: 'Accepter l’invitation', url },
    note:
      inviter === null
        ? 'Le lien est valable une seule fois, jusqu’à la fin des 7 jours de votre invitation ; le lien précédent ne fonctionne plus.'
        : 'Le lien est valable une seule fois et pendant 7 jours. Si vous n’attendiez pas cette invitation, ignorez-la : il ne se passera rien.',
  }),
  paymentFailed: (name, { day, url }) => ({
    subject: `Un paiement pour ${name} a échoué`,
    heading: 'Un paiement a échoué',
    paragraphs: [
      'Votre abonnement n’a pas pu être renouvelé, car le paiement a été refusé.',
      `Tout fonctionne jusqu’au ${day}. Réglez la facture en attente ou changez de carte d’ici là.`,
    ],
    action: { label: 'Régler le paiement', url },
  }),
  graceEndsSoon: (name, { day, url }) => ({
    subject: `${name} s’arrête le ${day} : un paiement manque`,
    heading: 'Un paiement manque encore',
    paragraphs: [
      `À partir du ${day}, personne dans votre entreprise ne pourra poser de questions, importer de fichiers ni inviter, tant que la facture en attente n’est pas réglée.`,
      'Vos documents restent en place et peuvent être lus.',
    ],
    action: { label: 'Régler le paiement', url },
  }),
  accessStopped: (name, { url }) => ({
    subject: `${name} est suspendu : un paiement manque`,
    heading: 'Un paiement manque',
    paragraphs: [
      'Les questions, les importations et les invitations sont désactivées pour votre entreprise, car une facture n’a pas été réglée.',
      'Rien n’est supprimé. Dès le paiement, tout fonctionne de nouveau.',
    ],
    action: { label: 'Régler le paiement', url },
  }),
  subscriptionEnds: (name, { day, url }) => ({
    subject: `Votre abonnement à ${name} prend fin le ${day}`,
    heading: 'Votre abonnement va prendre fin',
    paragraphs: [`Il a été résilié et prend fin le ${day}. Tout fonctionne jusque-là.`],
    action: { label: 'Garder l’abonnement', url },
  }),
  subscriptionEnded: (name, { day, url }) => ({
    subject: `Votre abonnement à ${name} a pris fin`,
    heading: 'Votre abonnement a pris fin',
    paragraphs: [
      `Ce qui a été payé reste valable jusqu’au ${day}. Ensuite, personne dans votre entreprise ne pourra poser de questions, importer de fichiers ni inviter.`,
      'Vos documents restent en place : ils peuvent être lus, téléchargés et supprimés.',
    ],
    action: { label: 'Choisir une formule', url },
  }),
  digest: (name, { files, moreFiles, questions, moreQuestions, url }) => ({
    subject: `${name} : à regarder`,
    heading: 'À regarder',
    paragraphs: [
      ...(files.length > 0 ? ['Ces fichiers n’ont pas pu être lus :', ...files.map((file) => `• ${file}`)] : []),
      ...(moreFiles > 0 ? [`Et ${moreFiles} de plus.`] : []),
      ...(questions.length > 0
        ? [
            'Ces questions n’ont pas trouvé de réponse dans les documents :',
            ...questions.map((question) => `• ${question}`),
          ]
        : []),
      ...(moreQuestions > 0 ? [`Et ${moreQuestions} de plus.`] : []),
    ],
    action: { label: 'Ouvrir le tableau de bord', url },
    note: 'Vous recevez cet e-mail au plus une fois par jour, lorsqu’il y a quelque chose à signaler. Vous pouvez le désactiver dans les réglages, sous « Notifications ».',
  }),
  monthlyReport: (_name, facts) => ({
    subject: `${facts.company}: les questions de ${facts.month}`,
    heading: `Les questions de ${facts.month}`,
    paragraphs: [
      `Questions : ${facts.asked}, dont ${facts.answered} avec une réponse. Personnes qui en ont posé : ${facts.people}. Autant de jours auparavant : ${facts.askedBefore} questions.`,
      `Sans réponse : ${facts.unanswered}. Réponses jugées utiles : ${facts.helpful}, inutiles : ${facts.notHelpful}.`,
      ...(facts.unansweredQuestions.length > 0 ? ['Le plus souvent sans réponse :', ...facts.unansweredQuestions] : []),
      ...(facts.topQuestions.length > 0 ? ['Les plus posées :', ...facts.topQuestions] : []),
    ],
    action: { label: 'Voir les analyses', url: facts.url },
    note: 'Les administrateurs de votre entreprise reçoivent ce message chaque mois. Il se désactive sous les analyses.',
  }),
  webhookOff: (name, { host, reason, url }) => ({
    subject: `${name} : le webhook vers ${host} a été désactivé`,
    heading: 'Un webhook a été désactivé',
    paragraphs: [
      reason === 'gone'
        ? `${host} a répondu que l’adresse n’existe plus (410). Plus rien n’y est envoyé.`
        : `Rien n’est arrivé à ${host} depuis cinq jours. Plus rien n’y est envoyé.`,
      'Ce qui était en attente figure dans son journal et peut être renvoyé.',
    ],
    action: { label: 'Voir les webhooks', url },
  }),
  exportReady: (name, { isOwn, until, url }) => ({
    subject: isOwn ? `Vos données de ${name} sont prêtes` : `${name} : l’export des données de l’entreprise est prêt`,
    heading: 'Votre export est prêt',
    paragraphs: [
      isOwn
        ? 'Le fichier contenant vos propres données peut être téléchargé.'
        : 'Le fichier contenant les données de votre entreprise peut être téléchargé.',
      `Il reste disponible jusqu’au ${until}. Ensuite il est effacé ; vous pouvez en lancer un autre à tout moment.`,
    ],
    action: { label: 'Aller au téléchargement', url },
    note: 'Il vous sera demandé de vous connecter. Si vous n’avez pas lancé cet export, changez votre mot de passe.',
  }),
  companyEnds: (name, { company, by, day, url }) => ({
    subject: `${company} sera supprimée de ${name} le ${day}`,
    heading: 'Votre entreprise sera supprimée',
    paragraphs: [
      `${by} l’a demandé. Le ${day}, tout ce qui concerne ${company} sera effacé définitivement : documents, questions et réponses, personnes, paramètres.`,
      'D’ici là, l’accès est fermé. Seuls les administrateurs peuvent se connecter, pour conserver l’entreprise ou exporter ses données. Plus rien n’est facturé.',
    ],
    action: { label: 'Conserver l’entreprise', url },
    note: 'Si c’est ce que vous voulez, vous n’avez rien à faire.',
  }),
  companyKept: (name, { company, by, url }) => ({
    subject: `${company} reste sur ${name}`,
    heading: 'Votre entreprise n’est pas supprimée',
    paragraphs: [`${by} a annulé la suppression de ${company}. Tout est comme avant.`],
    action: { label: `Ouvrir ${name}`, url },
  }),
};
