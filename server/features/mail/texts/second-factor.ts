import type { MailLanguage } from '#contract/settings.ts';
import type { MailTexts } from './words.ts';

/** What has become of a person's second factor, in every language. */
export const secondFactorChanged: Record<MailLanguage, MailTexts['secondFactorChanged']> = {
  en: (name, { what, url }) => ({
    subject: {
      added: `A second factor was added to your ${name} account`,
      removed: `A second factor was removed from your ${name} account`,
      reset: `Your second factor for ${name} was reset`,
    }[what],
    heading: {
      added: 'A second factor was added',
      removed: 'A second factor was removed',
      reset: 'Your second factor was reset',
    }[what],
    paragraphs: [
      {
        added: 'From now on, signing in takes a code or a passkey beside your password.',
        removed: 'It is not asked for at sign-in any more. Others that you have stay.',
        reset:
          'An admin of your company has taken it away. You are signed out everywhere, and sign in with your password alone until you set up a new one.',
      }[what],
    ],
    action: { label: what === 'reset' ? 'Log in' : 'Open your account', url },
    note: 'If you did not expect this, change your password at once and tell your admin.',
  }),
  de: (name, { what, url }) => ({
    subject: {
      added: `Ihr Konto bei ${name} hat einen zweiten Faktor`,
      removed: `Ein zweiter Faktor Ihres Kontos bei ${name} wurde entfernt`,
      reset: `Ihr zweiter Faktor für ${name} wurde zurückgesetzt`,
    }[what],
    heading: {
      added: 'Ein zweiter Faktor ist hinzugekommen',
      removed: 'Ein zweiter Faktor wurde entfernt',
      reset: 'Ihr zweiter Faktor wurde zurückgesetzt',
    }[what],
    paragraphs: [
      {
        added: 'Von nun an braucht die Anmeldung neben dem Passwort einen Code oder einen Passkey.',
        removed: 'Bei der Anmeldung wird nicht mehr danach gefragt. Andere, die Sie haben, bleiben.',
        reset:
          'Ein Admin Ihrer Firma hat ihn entfernt. Sie sind überall abgemeldet und melden sich allein mit dem Passwort an, bis Sie einen neuen einrichten.',
      }[what],
    ],
    action: { label: what === 'reset' ? 'Anmelden' : 'Konto öffnen', url },
    note: 'Haben Sie das nicht erwartet, ändern Sie sofort Ihr Passwort und sagen Sie Ihrem Admin Bescheid.',
  }),
  fr: (name, { what, url }) => ({
    subject: {
      added: `Un second facteur a été ajouté à votre compte ${name}`,
      removed: `Un second facteur a été retiré de votre compte ${name}`,
      reset: `Votre second facteur pour ${name} a été réinitialisé`,
    }[what],
    heading: {
      added: 'Un second facteur a été ajouté',
      removed: 'Un second facteur a été retiré',
      reset: 'Votre second facteur a été réinitialisé',
    }[what],
    paragraphs: [
      {
        added: 'Désormais, la connexion demande un code ou une clé d’accès en plus de votre mot de passe.',
        removed: 'Il n’est plus demandé à la connexion. Les autres que vous avez restent en place.',
        reset:
          'Un administrateur de votre entreprise l’a retiré. Vous êtes déconnecté partout et vous connectez avec votre seul mot de passe jusqu’à ce que vous en configuriez un nouveau.',
      }[what],
    ],
    action: { label: what === 'reset' ? 'Se connecter' : 'Ouvrir votre compte', url },
    note: 'Si vous ne vous y attendiez pas, changez immédiatement votre mot de passe et prévenez votre administrateur.',
  }),
  es: (name, { what, url }) => ({
    subject: {
      added: `Se ha añadido un segundo factor a su cuenta de ${name}`,
      removed: `Se ha quitado un segundo factor de su cuenta de ${name}`,
      reset: `Se ha restablecido su segundo factor de ${name}`,
    }[what],
    heading: {
      added: 'Se ha añadido un segundo factor',
      removed: 'Se ha quitado un segundo factor',
      reset: 'Se ha restablecido su segundo factor',
    }[what],
    paragraphs: [
      {
        added:
          'A partir de ahora, para iniciar sesión hace falta un código o una llave de acceso además de la contraseña.',
        removed: 'Ya no se pide al iniciar sesión. Los demás que tenga se conservan.',
        reset:
          'Un administrador de su empresa lo ha quitado. Se ha cerrado su sesión en todas partes e inicia sesión solo con la contraseña hasta que configure uno nuevo.',
      }[what],
    ],
    action: { label: what === 'reset' ? 'Iniciar sesión' : 'Abrir su cuenta', url },
    note: 'Si no lo esperaba, cambie su contraseña de inmediato y avise a su administrador.',
  }),
};
