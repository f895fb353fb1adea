import { secondFactorChanged } from './second-factor.ts';
import type { MailTexts } from './words.ts';

export const english: MailTexts = {
  locale: 'en-US',
  orOpen: 'Or open this address:',
  confirmEmail: (name, url) => ({
    subject: `Confirm your email for ${name}`,
    heading: 'Confirm your email',
    paragraphs: [
      `Somebody, hopefully you, has signed up for ${name} with this email address. Confirm that it is yours, and you can invite your team.`,
    ],
    action: { label: 'Confirm my email', url },
    note: 'The link works for 7 days. If it was not you, ignore this mail: an account that is neither confirmed nor paid for ends after 7 days, with everything in it.',
  }),
  resetPassword: (name, url) => ({
    subject: `Reset your ${name} password`,
    heading: 'Reset your password',
    paragraphs: [`Somebody, hopefully you, has asked to reset the password of your ${name} account.`],
    action: { label: 'Choose a new password', url },
    note: 'The link works once and for an hour. If it was not you, ignore this mail: your password stays as it is.',
  }),
  passwordChanged: (name, url) => ({
    subject: `Your ${name} password was changed`,
    heading: 'Your password was changed',
    paragraphs: [`The password of your ${name} account was just changed, and you were signed out everywhere.`],
    action: { label: 'Log in', url },
    note: 'If it was not you, reset your password at once and tell your admin.',
  }),
  newSignIn: (name, { agent, address, time }) => ({
    subject: `New sign-in to ${name}`,
    heading: 'A new sign-in',
    paragraphs: [
      `Somebody has just signed in to your ${name} account in a browser in which you had not signed in before.`,
      `Browser: ${agent}`,
      `Address: ${address}`,
      `Time: ${time}`,
    ],
    note: 'If it was you, there is nothing to do. If not, change your password at once: that ends every session. In your account, under “Sign-in and security”, you see where you are signed in, and can switch these mails off.',
  }),
  secondFactorChanged: secondFactorChanged.en,
  invitationExpired: (name, url) => ({
    subject: `Your invitation to ${name} has expired`,
    heading: 'Your invitation has expired',
    paragraphs: [
      `Somebody, hopefully you, has asked for a new link to ${name}. An invitation holds for 7 days, and yours is over.`,
      'Please ask whoever invited you to send it again.',
    ],
    action: { label: `Open ${name}`, url },
    note: 'If it was not you, ignore this mail: nothing happens.',
  }),
  invitation: (name, url, { company, inviter }) => ({
    // Without the company's name: anyone can give a company a name that looks like news from us.
    subject: `You are invited to ${name}`,
    heading: 'You are invited',
    paragraphs: [
      inviter === null
        ? `You are invited to join ${company ? `the company “${company}”` : 'a company'} on ${name}.`
        : `${inviter} invites you to join ${company ? `the company “${company}”` : 'their company'} on ${name}.`,
      'Choose a password to begin. You can then ask questions, and get answers from the documents of the company.',
    ],
    action: { label: 'Accept the invitation', url },
    note:
      inviter === null
        ? 'The link works once, until the 7 days of your invitation are over; the one that you had before does not work any more.'
        : 'The link works once and for 7 days. If you did not expect this, ignore it: nothing happens.',
  }),
  paymentFailed: (name, { day, url }) => ({
    subject: `A payment for ${name} failed`,
    heading: 'A payment failed',
    paragraphs: [
      'Your subscription could not be renewed, because the payment was refused.',
      `Everything works until ${day}. Please pay the open invoice or change the card before then.`,
    ],
    action: { label: 'Settle the payment', url },
  }),
  graceEndsSoon: (name, { day, url }) => ({
    subject: `${name} stops on ${day}: a payment is missing`,
    heading: 'A payment is still missing',
    paragraphs: [
      `From ${day} on nobody in your company can ask questions, upload or invite, until the open invoice is paid.`,
      'Your documents stay, and can be read.',
    ],
    action: { label: 'Settle the payment', url },
  }),
  accessStopped: (name, { url }) => ({
    subject: `${name} has stopped: a payment is missing`,
    heading: 'A payment is missing',
    paragraphs: [
      'Asking, uploading and inviting are switched off for your company, because an invoice was not paid.',
      'Nothing is deleted. With the payment everything works again at once.',
    ],
    action: { label: 'Settle the payment', url },
  }),
  subscriptionEnds: (name, { day, url }) => ({
    subject: `Your subscription to ${name} ends on ${day}`,
    heading: 'Your subscription will end',
    paragraphs: [`It has been canceled, and ends on ${day}. Everything works until then.`],
    action: { label: 'Keep the subscription', url },
  }),
  subscriptionEnded: (name, { day, url }) => ({
    subject: `Your subscription to ${name} has ended`,
    heading: 'Your subscription has ended',
    paragraphs: [
      `What was paid for lasts until ${day}. After that nobody in your company can ask questions, upload or invite.`,
      'Your documents stay: they can be read, downloaded and deleted.',
    ],
    action: { label: 'Choose a plan', url },
  }),
  digest: (name, { files, moreFiles, questions, moreQuestions, url }) => ({
    subject: `${name}: what needs a look`,
    heading: 'What needs a look',
    paragraphs: [
      ...(files.length > 0 ? ['These files could not be read:', ...files.map((file) => `• ${file}`)] : []),
      ...(moreFiles > 0 ? [`And ${moreFiles} more.`] : []),
      ...(questions.length > 0
        ? ['These questions found no answer in the documents:', ...questions.map((question) => `• ${question}`)]
        : []),
      ...(moreQuestions > 0 ? [`And ${moreQuestions} more.`] : []),
    ],
    action: { label: 'Open the dashboard', url },
    note: 'You get this once a day at most, when there is something to tell. It can be switched off in the settings, under Notifications.',
  }),
  monthlyReport: (_name, facts) => ({
    subject: `${facts.company}: what was asked in ${facts.month}`,
    heading: `What was asked in ${facts.month}`,
    paragraphs: [
      `Questions: ${facts.asked}, of which ${facts.answered} were answered. People who asked: ${facts.people}. In as many days before: ${facts.askedBefore} questions.`,
      `Not answered: ${facts.unanswered}. Rated as helpful: ${facts.helpful}, as not helpful: ${facts.notHelpful}.`,
      ...(facts.unansweredQuestions.length > 0 ? ['Not answered most often:', ...facts.unansweredQuestions] : []),
      ...(facts.topQuestions.length > 0 ? ['Asked most often:', ...facts.topQuestions] : []),
    ],
    action: { label: 'See the analytics', url: facts.url },
    note: 'Admins of your company are mailed this each month. It can be switched off below the analytics.',
  }),
  webhookOff: (name, { host, reason, url }) => ({
    subject: `${name}: the webhook to ${host} was switched off`,
    heading: 'A webhook was switched off',
    paragraphs: [
      reason === 'gone'
        ? `${host} has answered that the address is gone (410), so nothing more is sent there.`
        : `Nothing has arrived at ${host} for five days, so nothing more is sent there.`,
      'What waited for it is in its log, and can be sent again.',
    ],
    action: { label: 'See the webhooks', url },
  }),
  exportReady: (name, { isOwn, until, url }) => ({
    subject: isOwn ? `Your data from ${name} is ready` : `${name}: the export of your company’s data is ready`,
    heading: 'Your export is ready',
    paragraphs: [
      isOwn ? 'The file with your own data can be downloaded.' : 'The file with your company’s data can be downloaded.',
      `It stays there until ${until}. After that it is erased; you can start another one at any time.`,
    ],
    action: { label: 'Go to the download', url },
    note: 'You are asked to sign in. If you did not start this export, please change your password.',
  }),
  companyEnds: (name, { company, by, day, url }) => ({
    subject: `${company} will be deleted from ${name} on ${day}`,
    heading: 'Your company will be deleted',
    paragraphs: [
      `${by} has asked for it. On ${day} everything of ${company} is erased for good: documents, questions and answers, people, settings.`,
      'Until then it is closed. Nobody gets in but admins, who can keep the company or export its data. Nothing more is charged.',
    ],
    action: { label: 'Keep the company', url },
    note: 'If this is what you want, there is nothing to do.',
  }),
  companyKept: (name, { company, by, url }) => ({
    subject: `${company} stays on ${name}`,
    heading: 'Your company is not deleted',
    paragraphs: [`${by} has taken the deletion of ${company} back. Everything is as it was.`],
    action: { label: `Open ${name}`, url },
  }),
};
