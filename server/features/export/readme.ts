interface Facts {
  company: string;
  at: Date;
  /** Originals that could not be read, as they are named in the list of documents. */
  unreadable: string[];
}

const common = [
  'Files that end in .ndjson hold one JSON object a line, in UTF-8; files that end in .json hold one object. Times are',
  'ISO 8601. Identifiers are the same in all files, so that what belongs together can be found.',
];

/** What explains each file of a company's export. */
export function companyReadme({ company, at, unreadable }: Facts, showNames: boolean): string {
  return page([
    `Data of ${company}, as it was on ${at.toISOString()}`,
    '',
    'What was uploaded later is not in it, nor is what was deleted before it was downloaded.',
    '',
    'documents/            The newest version of each document, as it was uploaded. Folders are those that it came from;',
    '                      what was attached to a mail lies in the folder "<mail> attachments". Characters that some',
    '                      system refuses in names are written as _, and files of one name are numbered.',
    'earlier-versions/     The versions that were replaced.',
    'documents.ndjson      The documents with their names as they were given, tags and versions. "path" is where a',
    '                      version lies in this archive, "sha256" is the checksum of its bytes, "currentVersion" the',
    '                      one that answers, "collectionId" the collection that it is in: the company’s own id is that',
    '                      of the collection that everyone sees.',
    'questions.ndjson      Questions and answers, oldest first. "sources" are the citations: the number in the answer,',
    '                      the document, version and page, and the words that are quoted with their offsets in the',
    '                      text of the version. "rating" is what the reader thought of it. Sources of documents that',
    '                      were deleted have no quote.',
    ...(showNames
      ? []
      : ['                      It does not say who asked: the company has switched names off for its analytics.']),
    'people.ndjson         Everybody in the company, and who is invited.',
    'collections.ndjson    Collections of documents beside the company’s own: "access" is "everyone", or "restricted" to',
    '                      the people of "userIds", those of the groups of "groupIds", and admins.',
    'groups.ndjson         Groups of people. An empty file: there are none.',
    'api-keys.ndjson       API keys that were ever made: whose, what they may do, until when. Not the keys themselves, which',
    '                      are stored nowhere. "collectionIds" where a key is kept within some. An app that was connected has "address".',
    'webhooks.ndjson       Addresses that are told what happens, and of what. Without their secrets.',
    'audit.ndjson          The audit log, oldest first: who did what, when and from where.',
    'settings.json         What the company has decided: its name, time zone, branding, chat agent with all its saved',
    '                      versions, retention, notifications. "logo.png" is its logo, where it has one.',
    '',
    ...common,
    ...(unreadable.length === 0
      ? []
      : [
          '',
          'The bytes of these could not be read where they are stored, so that they are not in this archive:',
          ...unreadable.map((name) => `- ${name}`),
        ]),
  ]);
}

/** The same of a person's own data. */
export function personReadme({ company, at }: Omit<Facts, 'unreadable'>): string {
  return page([
    `Your data at ${company}, as it was on ${at.toISOString()}`,
    '',
    'profile.json          Your account: e-mail, name, role, when you came and when you last signed in.',
    'questions.ndjson      What you asked, oldest first, the answers with their citations, and how you rated them.',
    'api-keys.ndjson       API keys that you have made for yourself, without the keys, and apps that you have connected.',
    'sessions.ndjson       Where you are signed in, and where you lately were: when, from which address, with what.',
    'activity.ndjson       What the audit log of your company says that you did, with the address it was done from.',
    '',
    ...common,
  ]);
}

/** Line ends that every editor shows as such. */
function page(lines: string[]): string {
  return `${lines.join('\r\n')}\r\n`;
}
