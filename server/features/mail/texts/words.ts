import type { Mail } from '../render.ts';

/** What a mail says, without to whom. */
export type Words = Omit<Mail, 'to'>;

/** Who is invited by whom; null: not to be named. */
export interface Invitation {
  company: string | null;
  inviter: string | null;
}

/** Where somebody has signed in: the browser in words, the network address, the time in words. */
export interface NewSignIn {
  agent: string;
  address: string;
  time: string;
}

/** What has become of a second factor; `reset`: an admin has taken it away. */
export interface FactorChange {
  what: 'added' | 'removed' | 'reset';
  url: string;
}

/** Which webhook was switched off, by the host of its address, and why. */
export interface WebhookOff {
  host: string;
  reason: 'failing' | 'gone';
  url: string;
}

/** What a subscription's mail is about: a day, in words. */
export interface Dated {
  day: string;
  url: string;
}

/** What a day has brought: names of files that could not be read and questions without an answer, and how many more. */
export interface DigestFacts {
  files: string[];
  moreFiles: number;
  questions: string[];
  moreQuestions: number;
  url: string;
}

/** What a month has brought: numbers as words, and questions with how often each was asked. */
export interface ReportFacts {
  company: string;
  month: string;
  asked: string;
  people: string;
  answered: string;
  unanswered: string;
  askedBefore: string;
  helpful: string;
  notHelpful: string;
  unansweredQuestions: string[];
  topQuestions: string[];
  url: string;
}

/** An export that can be downloaded: of the reader's own data, or the company's; until when, in words. */
export interface ExportFacts {
  isOwn: boolean;
  until: string;
  url: string;
}

/** The end of a company, asked for or taken back: by whom (an e-mail), and the day on which it is erased. */
export interface CompanyEndFacts {
  company: string;
  by: string;
  day: string;
  url: string;
}

/** Every mail in one language; `name` is what the product is called. */
export interface MailTexts {
  /** BCP 47, for days and numbers. */
  locale: string;
  /** Before the address of a button. */
  orOpen: string;
  confirmEmail(name: string, url: string): Words;
  resetPassword(name: string, url: string): Words;
  passwordChanged(name: string, url: string): Words;
  newSignIn(name: string, signIn: NewSignIn): Words;
  secondFactorChanged(name: string, change: FactorChange): Words;
  invitationExpired(name: string, url: string): Words;
  invitation(name: string, url: string, invitation: Invitation): Words;
  paymentFailed(name: string, dated: Dated): Words;
  graceEndsSoon(name: string, dated: Dated): Words;
  accessStopped(name: string, dated: Dated): Words;
  subscriptionEnds(name: string, dated: Dated): Words;
  subscriptionEnded(name: string, dated: Dated): Words;
  digest(name: string, facts: DigestFacts): Words;
  monthlyReport(name: string, facts: ReportFacts): Words;
  exportReady(name: string, facts: ExportFacts): Words;
  webhookOff(name: string, facts: WebhookOff): Words;
  companyEnds(name: string, facts: CompanyEndFacts): Words;
  companyKept(name: string, facts: Omit<CompanyEndFacts, 'day'>): Words;
}
