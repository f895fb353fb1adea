import { analyze, questionTerms } from '#server/lib/analyze.ts';
import { lazily } from '#server/lib/lazily.ts';
import type { ExplainedForms } from './sample.ts';

/** What offices write without explaining it: each line an abbreviation, then the words that it stands for. */
const known = `
  R&D research and development
  SG&A selling, general and administrative
  G&A general and administrative
  S&M sales and marketing
  M&A mergers and acquisitions
  P&L profit and loss
  PP&E property, plant and equipment
  D&A depreciation and amortization
  T&E travel and entertainment
  L&D learning and development
  Q&A questions and answers
  CEO chief executive officer
  CFO chief financial officer
  COO chief operating officer
  CTO chief technology officer
  EPS earnings per share
  NAV net asset value
  AUM assets under management
  COGS cost of goods sold
  IPO initial public offering
  AGM annual general meeting
  VAT value added tax
  FTE full-time equivalent
  PTO paid time off
  NDA non-disclosure agreement
  SLA service level agreement
  KPI key performance indicator
  ROE return on equity
  ROI return on investment
  GDPR general data protection regulation
  MFA multi-factor authentication
  SSO single sign-on
  HQ headquarters
  qty quantity
  amt amount
  acct account
  addr address
  dept department
  mgmt management
  mgr manager
  capex capital expenditures
  opex operating expenses

  AGB Allgemeine Geschäftsbedingungen
  GuV Gewinn- und Verlustrechnung
  MwSt Mehrwertsteuer
  DSGVO Datenschutz-Grundverordnung

  R&D recherche et développement
  DRH directeur des ressources humaines
  TVA taxe sur la valeur ajoutée
  RRHH recursos humanos
`;

const languages = [null, 'en', 'de', 'fr', 'es'] as const;

/** The same as if a document explained them. */
export const knownAbbreviations = lazily((): readonly ExplainedForms[] =>
  known.split('\n').flatMap((line) => {
    const [short = '', ...others] = line.trim().split(/[\s,]+/);
    const [shortTerm] = analyze(short);
    if (shortTerm === undefined) return [];
    const { terms } = questionTerms(others.join(' '));
    const words = others
      .filter((word) => analyze(word).some((term) => terms.includes(term)))
      .map((word) => [...new Set(languages.flatMap((language) => analyze(word, language)))]);
    return [{ short, shortTerm, long: terms, words }];
  }),
);
